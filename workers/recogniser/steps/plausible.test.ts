import { expect, test } from "vitest";
import { sampleKnowledge } from "../../../test/support/knowledge-sample.ts";
import { tokenise } from "../text/tokenise.ts";
import { isCutOff, isPlausible, type NameEvidence } from "./plausible.ts";

const knowledge = await sampleKnowledge();
const nowhere: NameEvidence = {
  card: false,
  processor: false,
  labelled: false,
  afterWording: false,
};

/** Whether the first `length` words of the line are believed. */
function plausible(text: string, length: number, over: Partial<NameEvidence> = {}): boolean {
  const line = { text, tokens: tokenise(text) };
  return isPlausible(line, { from: 0, to: length }, { ...nowhere, ...over }, knowledge);
}

test.each([
  ["JCpBXKUXhfFJRX", 1],
  ["GETGREENXXX", 1],
  ["CompletePRXXBXXL TAX IMPOUN", 3],
  ["KHXFH", 1],
  ["PPSTEPHENMCCA", 1],
  ["AMZBELLE LINGERIE", 2],
  ["JUSTINGREDIENTCOUK", 1],
  ["ATTWithdrawalPayment", 1],
])(
  "a code, a blanked value or glued words are no name, not even on a card line: %j",
  (text, to) => {
    expect(plausible(text, to)).toBe(false);
    expect(plausible(text, to, { card: true })).toBe(false);
  },
);

test.each([
  ["EXXON MART", 2],
  ["MacLeod Books", 2],
  ["KNIGHTSBRIDGE SCHOOL", 2],
  ["XXL CLOTHING", 2],
  ["LEONIDAS", 1],
  ["3WM LTD", 1],
])("what looks odd and is a name stays one: %j", (text, to) => {
  expect(plausible(text, to)).toBe(true);
});

test("between accounts a company must show itself; on a card line and in a labelled field it need not", () => {
  expect(plausible("CITY CNTY PMT 1234", 2)).toBe(false);
  expect(plausible("LEE HY PAVING CO PAYMENT PMT 1234", 3)).toBe(true);
  expect(plausible("BIRCHWOOD DENTAL ACH 1234", 2)).toBe(true);
  expect(plausible("KESTREL HARBOR SO PPD 1234", 3)).toBe(false);
  expect(plausible("KESTREL HARBOR SO PPD 1234", 3, { labelled: true })).toBe(true);
  expect(plausible("KESTREL HARBOR SO PPD 1234", 3, { card: true })).toBe(true);
});

test("a name with words of transfers in it is a sentence of the bank", () => {
  expect(plausible("SEND MONEY TRANSACTION INITIATED", 4)).toBe(false);
  expect(plausible("NYS DOL UI DD", 4, { afterWording: true })).toBe(false);
});

test("one ordinary word left over by the bank's wording names nobody", () => {
  expect(plausible("MARKET", 1, { afterWording: true })).toBe(false);
  expect(plausible("EXCELSIOR", 1, { afterWording: true })).toBe(true);
});

test("what is left of an address or behind a telephone number is no name unless the word is whole and no ordinary one", () => {
  const behind = (text: string): boolean => {
    const line = { text, tokens: tokenise(text) };
    return isPlausible(line, { from: 1, to: 2 }, nowhere, knowledge);
  };
  expect(behind("WWW.BUILDINGSUPP")).toBe(false);
  expect(behind("ITUNES.COM ONE PARK")).toBe(false);
  expect(behind("WWW.KETTLES.")).toBe(true);
  expect(behind("02035190705 MARKET")).toBe(false);
  expect(behind("02035190705 KETTLES")).toBe(true);
});

test("one glued word up to the end of a processor's field was cut off", () => {
  const cut = (text: string): boolean => {
    const line = { text, tokens: tokenise(text) };
    return isCutOff(line, { from: 1, to: line.tokens.length });
  };
  expect(cut("PAYPAL *WILLIAMFRANCIS")).toBe(true);
  expect(cut("PAYPAL *JENSKNITSHOP")).toBe(false);
  expect(cut("PAYPAL *TWO WORDS HERE")).toBe(false);
});
