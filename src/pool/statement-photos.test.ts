// A page on a table, photographed from an angle, is read as if it lay flat, and its places are those in the photo.
import { afterAll, expect, it } from "vitest";
import { distancesToDrawn, GOOD_ACCOUNT } from "../../test/support/drawn-places.ts";
import { makePdf } from "../../test/support/pdf.ts";
import { photographPage } from "../../test/support/photos.ts";
import { GOOD_STATEMENT } from "../../test/support/statement-files.ts";
import { openStatementPool } from "./statements.ts";

const pool = openStatementPool(1);
afterAll(() => pool.close());

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
  expect(read).toMatchObject({ accounts: [GOOD_ACCOUNT] });
  expect(Math.max(...distancesToDrawn(read, placeOf))).toBeLessThan(DISTANCE_MAX);
});
