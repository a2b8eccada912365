// A picture that a device stored upside down or on its side, with a note how to turn it (EXIF), is read as the page that a person
// sees. Orientation 6 is in test/api/statement-files.test.ts.
import sharp from "sharp";
import { afterAll, expect, it } from "vitest";
import { makePdf } from "../../test/support/pdf.ts";
import { scanPage } from "../../test/support/scans.ts";
import { GOOD_STATEMENT } from "../../test/support/statement-files.ts";
import { openStatementPool } from "./statements.ts";

const pool = openStatementPool(1);
afterAll(() => pool.close());

const upright = await scanPage(makePdf([GOOD_STATEMENT]), 1, {});
/** Pixels between where a text was drawn and where it was found. */
const DISTANCE_MAX = 15;
const PAGE_HEIGHT = 842;

/** Left and bottom, pixels of the upright picture. */
function drawnAt(wanted: string): readonly [number, number] {
  const drawn = GOOD_STATEMENT.find(({ text }) => text === wanted);
  if (drawn === undefined) throw new Error(`${wanted} is not drawn`);
  const scale = upright.height / PAGE_HEIGHT;
  return [drawn.x * scale, (PAGE_HEIGHT - drawn.y) * scale];
}

it.each([
  { orientation: 3, turn: 180 },
  { orientation: 8, turn: 90 },
])("orientation $orientation: rows and places of the upright one", async (stored) => {
  const { orientation, turn } = stored;
  const picture = sharp(upright.bytes).rotate(turn).withMetadata({ orientation }).jpeg();
  const read = await pool.read(new Uint8Array(await picture.toBuffer()), "");
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
  expect(printed).toHaveLength(4);
  for (const [at, text] of ["-5.00", "95.00", "50.00", "145.00"].entries()) {
    const [left = 0, , , bottom = 0] = printed[at]?.box ?? [];
    const [x, y] = drawnAt(text);
    expect(Math.hypot(left - x, bottom - y), text).toBeLessThan(DISTANCE_MAX);
  }
});
