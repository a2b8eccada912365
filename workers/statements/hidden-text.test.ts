// What a person does not see of a page is not read as its text: anyone can write it.
import { describe, expect, it } from "vitest";
import { type PdfText, showText } from "../../test/support/pdf.ts";
import { GOOD_STATEMENT } from "../../test/support/statement-files.ts";
import type { StatementPlan } from "../protocol.ts";
import { readPdf } from "./read-pdf.ts";
import { planDocument } from "./worker.ts";

const IMAGE = "/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8";
const WHITE_PIXEL = `<< ${IMAGE} /ColorSpace /DeviceGray /Length 1 >>\nstream\n\u00ff\nendstream`;
const CLEAR_PIXEL = `<< ${IMAGE} /ColorSpace /DeviceGray /Length 1 /SMask 8 0 R >>\nstream\n\u0080\nendstream`;
const MASK = `<< ${IMAGE} /ColorSpace /DeviceGray /Length 1 >>\nstream\n\u0030\nendstream`;
const COVER = "q 595 0 0 842 0 0 cm /P Do Q";
const shown = (texts: readonly PdfText[]): string => texts.map(showText).join("\n");

/** A page with this content: `/P` is a picture, `/F` a form with a content of its own. */
function pageOf(content: string, { picture = WHITE_PIXEL, form = "" } = {}): Uint8Array {
  const fonts =
    "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >>";
  const stream = (text: string, entries = ""): string =>
    `<< ${entries} /Length ${String(text.length)} >>\nstream\n${text}\nendstream`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources 4 0 R /Contents 5 0 R >>",
    `<< ${fonts} /XObject << /P 6 0 R /F 7 0 R >> >>`,
    stream(content),
    picture,
    stream(form, `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << ${fonts} >>`),
    MASK,
  ];
  const body = objects.map((object, at) => `${String(at + 1)} 0 obj\n${object}\nendobj\n`).join("");
  return new Uint8Array(
    Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Size 9 /Root 1 0 R >>\n%%EOF\n`, "latin1"),
  );
}

const plan = (bytes: Uint8Array): Promise<StatementPlan> =>
  planDocument({ document: 1, bytes, password: "", scope: "all", submittedAt: 0 });

describe("a page whose text is not seen is recognised", () => {
  const text = shown(GOOD_STATEMENT);
  it.each([
    ["text that is drawn invisibly over a picture", pageOf(`${COVER}\n3 Tr\n${text}`)],
    ["text that is a clipping path alone", pageOf(`${COVER}\n7 Tr\n${text}`)],
    ["invisible text in a form", pageOf(`${COVER}\n/F Do`, { form: `3 Tr\n${text}` })],
    ["text below a picture", pageOf(`${text}\n${COVER}`)],
    [
      "invisible text with a visible number of the page",
      pageOf(`${COVER}\n${shown([{ text: "Page 1 of 1", x: 500, y: 20 }])}\n3 Tr\n${text}`),
    ],
  ])("%s", async (_, bytes) => {
    const { kind, ...rest } = await plan(bytes);
    expect({ kind, ...rest }).toMatchObject({ kind: "recognise", pagesToRecognise: [1], read: [] });
    const [layer] = ("facts" in rest ? rest.facts?.hiddenLayers : undefined) ?? [];
    expect(layer?.words.map(({ text: word }) => word)).toContain("145.00");
    expect("facts" in rest && rest.facts?.fonts).toEqual([]);
  });
});

describe("a page whose text is seen is read as text", () => {
  const text = shown(GOOD_STATEMENT);
  it.each([
    ["text over a picture", pageOf(`${COVER}\n${text}`)],
    ["text below a watermark", pageOf(`${text}\n${COVER}`, { picture: CLEAR_PIXEL })],
    ["text below a small picture", pageOf(`${text}\nq 90 0 0 90 0 0 cm /P Do Q`)],
    ["text in a form", pageOf(`${COVER}\n/F Do`, { form: text })],
  ])("%s", async (_, bytes) => {
    expect(await plan(bytes)).toMatchObject({
      kind: "read",
      result: { accounts: [{ closing: "145.00" }] },
    });
  });
});

it("leaves single invisible words of a page out", async () => {
  const hidden = shown([{ text: "Closing balance 945.00", x: 40, y: 60 }]);
  const result = await readPdf(pageOf(`${shown(GOOD_STATEMENT)}\n3 Tr\n${hidden}`), "");
  if ("fault" in result) throw new Error(result.fault);
  const words = result.words.map(({ text }) => text);
  expect(words).toContain("145.00");
  expect(words).not.toContain("945.00");
});

it("leaves out what is too small to read, such as labels for a screen reader", async () => {
  const labels = Array.from(
    { length: 3 },
    (_, at) => `BT /F1 1 Tf 1 0 0 1 ${String(40 + at * 90)} ${String(700 - at)} Tm (blank.) Tj ET`,
  );
  const result = await readPdf(pageOf(`${shown(GOOD_STATEMENT)}\n${labels.join("\n")}`), "");
  if ("fault" in result) throw new Error(result.fault);
  const words = result.words.map(({ text }) => text);
  expect(words).toContain("145.00");
  expect(words).not.toContain("blank.");
});
