// A page on a table, photographed from an angle, is read as if it lay flat, and its places are those in the photo.
import { afterAll, expect, it } from "vitest";
import { makePdf } from "../../test/support/pdf.ts";
import { photographPage } from "../../test/support/photos.ts";
import { GOOD_STATEMENT } from "../../test/support/statement-files.ts";
import { openStatementPool } from "./statements.ts";

const pool = openStatementPool(1);
afterAll(() => pool.close());

const PAGE_HEIGHT = 842;
/** Pixels between where a text was laid and where it was found. */
const DISTANCE_MAX = 20;

it("rows, balances and places of a photo from an angle", async () => {
  const { bytes, placeOf } = await photographPage(
    makePdf([GOOD_STATEMENT]),
    [
      { x: 420, y: 200 },
      { x: 1_580, y: 340 },
      { x: 1_880, y: 2_440 },
      { x: 110, y: 2_300 },
    ],
    { width: 2_000, height: 2_600, brightness: 70, shadow: 0.4 },
  );
  const read = await pool.read(bytes, "");
  if ("fault" in read) throw new Error(read.fault);
  expect(read.accounts).toMatchObject([
    {
      ...{ opening: "100.00", closing: "145.00", verdict: "reconciled" },
      transactions: [
        { date: "2026-01-02", amount: "5.00", direction: "debit", balance: "95.00" },
        { date: "2026-01-05", amount: "50.00", direction: "credit", balance: "145.00" },
      ],
    },
  ]);
  const evidence = read.accounts[0]?.transactions.map((row) => row.evidence) ?? [];
  const printed = evidence.flatMap(({ amount, balance }) => [amount, balance]);
  for (const [at, text] of ["-5.00", "95.00", "50.00", "145.00"].entries()) {
    const drawn = GOOD_STATEMENT.find((one) => one.text === text);
    if (drawn === undefined) throw new Error(`${text} is not drawn`);
    const place = placeOf({ x: drawn.x, y: PAGE_HEIGHT - drawn.y });
    const [left = 0, , , bottom = 0] = printed[at]?.box ?? [];
    expect(Math.hypot(left - place.x, bottom - place.y), text).toBeLessThan(DISTANCE_MAX);
  }
});
