// A picture that a device stored upside down or on its side, with a note how to turn it (EXIF), is read as the page that a person
// sees. Orientation 6 is in test/api/statement-files.test.ts.
import sharp from "sharp";
import { afterAll, expect, it } from "vitest";
import { distancesToDrawn, DRAWN_HEIGHT, GOOD_ACCOUNT } from "../../test/support/drawn-places.ts";
import { makePdf } from "../../test/support/pdf.ts";
import { scanPage } from "../../test/support/scans.ts";
import { GOOD_STATEMENT } from "../../test/support/statement-files.ts";
import { openStatementPool } from "./statements.ts";

const pool = openStatementPool(1);
afterAll(() => pool.close());

const upright = await scanPage(makePdf([GOOD_STATEMENT]), 1, {});
const scale = upright.height / DRAWN_HEIGHT;
/** Pixels between where a text was drawn and where it was found. */
const DISTANCE_MAX = 15;

it.each([
  { orientation: 3, turn: 180 },
  { orientation: 8, turn: 90 },
])("orientation $orientation: rows and places of the upright one", async (stored) => {
  const { orientation, turn } = stored;
  const picture = sharp(upright.bytes).rotate(turn).withMetadata({ orientation }).jpeg();
  const read = await pool.read(new Uint8Array(await picture.toBuffer()), "");
  expect(read).toMatchObject({ accounts: [GOOD_ACCOUNT] });
  const distances = distancesToDrawn(read, ({ x, y }) => ({ x: x * scale, y: y * scale }));
  expect(Math.max(...distances)).toBeLessThan(DISTANCE_MAX);
});
