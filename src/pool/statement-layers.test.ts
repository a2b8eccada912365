// A scan with an invisible text layer: the picture is what a person sees, so it is read, and the layer is compared with it.
import { afterAll, expect, it } from "vitest";
import { makePdf } from "../../test/support/pdf.ts";
import { pdfOfPictures, scanPage } from "../../test/support/scans.ts";
import { GOOD_STATEMENT } from "../../test/support/statement-files.ts";
import { openStatementPool } from "./statements.ts";

const pool = openStatementPool(1);
afterAll(() => pool.close());

const forged = GOOD_STATEMENT.map((line) => ({
  ...line,
  text: line.text.replace("145.00", "945.00").replace(/^50\.00$/u, "850.00"),
}));

const scanWith = async (layer: typeof GOOD_STATEMENT): Promise<Uint8Array> =>
  pdfOfPictures([await scanPage(makePdf([GOOD_STATEMENT]), 1, { noise: 10 })], [layer]);

it("reads the picture and not a layer with other numbers, and reports both", async () => {
  const read = await pool.read(await scanWith(forged), "");
  if ("fault" in read) throw new Error(read.fault);
  expect(read).toMatchObject({
    pagesRecognised: [1],
    accounts: [
      { closing: "145.00", verdict: "reconciled", transactions: [{}, { amount: "50.00" }] },
    ],
  });
  const differing = read.signals.filter(({ kind }) => kind === "text_layer_differs");
  const pairs = differing.map(({ reason }) => reason.match(/"[^"]+"/gu)?.join(" "));
  expect(pairs).toEqual(expect.arrayContaining(['"50.00" "850.00"', '"145.00" "945.00"']));
  const { amount } = read.accounts[0]?.transactions[1]?.evidence ?? {};
  expect(differing.map(({ box }) => box?.map(Math.round))).toContainEqual(
    amount?.box.map(Math.round),
  );
});

it("has no signal for a layer that has what the picture shows", async () => {
  expect(await pool.read(await scanWith(GOOD_STATEMENT), "")).toMatchObject({
    pagesRecognised: [1],
    signals: [],
  });
});

it("verifies by the picture too", async () => {
  const raised = GOOD_STATEMENT.map((line) => ({
    ...line,
    text: line.text.replace("100.00", "700.00"),
  }));
  expect(await pool.verify(await scanWith(raised), "")).toMatchObject({
    accounts: [{ opening: "100.00" }],
  });
});
