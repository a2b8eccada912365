import fc from "fast-check";
import { expect, test } from "vitest";
import type { Explanation } from "../../src/model/explanation.ts";
import { createExaminer } from "./recogniser.ts";
import { explain } from "./explain.ts";
import { sampleKnowledge } from "../../test/support/knowledge-sample.ts";
import { normaliseText } from "./text/normalise.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";

const knowledge = await sampleKnowledge();
const examine = createExaminer(knowledge);

const itemOf = (description: string, over: Partial<RecogniserInput> = {}): RecogniserInput => ({
  description,
  amount: 12.5,
  entryType: "outgoing",
  currency: "USD",
  accountType: "consumer",
  rawAddress: null,
  country: null,
  ...over,
});

function ask(description: string, over: Partial<RecogniserInput> = {}): Explanation {
  const item = itemOf(description, over);
  return explain(examine(item), item.accountType, knowledge);
}

const partsOf = ({ parts }: Explanation): readonly string[] =>
  parts.map(({ kind, text }) => `${kind}: ${text}`);

const verdictsOf = ({ candidates }: Explanation): readonly unknown[] =>
  candidates.map(({ name, website, text, verdict }) => [name, website, text, verdict]);

test("a card line is told apart into wrapping, name, shop, place and references", () => {
  const line = "PURCHASE AUTHORIZED ON 01/23 7-ELEVEN 33421 AUSTIN TX S123456789012345 CARD 1082";
  expect(partsOf(ask(line))).toEqual([
    "wrapping: PURCHASE AUTHORIZED",
    "date: ON 01/23",
    "name: 7-ELEVEN",
    "store number: 33421",
    "city: AUSTIN",
    "state: TX",
    "reference: S123456789012345",
    "wrapping: CARD",
    "reference: 1082",
  ]);
});

test("a mark is shown with its star and with whose it is", () => {
  const { parts, decision } = ask("SQ *JOE'S CORNER BAKERY Portland OR");
  expect(parts[0]).toEqual({ kind: "mark", means: "Square", text: "SQ *", start: 0, end: 4 });
  expect(decision.intermediaries).toEqual([{ name: "Square", website: "squareup.com" }]);
  expect(decision.counterparty).toMatchObject({
    name: "Joe's Corner Bakery",
    by: "name behind processor",
    found: { text: "JOE'S CORNER BAKERY", start: 4, end: 23 },
  });
});

test("labelled fields are labels and what they say", () => {
  const line = "EXCELSIOR WELDING DES:PAYROLL ID:12345 INDN:DOE,JANE CO ID:1234567890 PPD";
  expect(partsOf(ask(line, { entryType: "incoming" }))).toEqual([
    "name: EXCELSIOR WELDING",
    "label: DES",
    "wording: PAYROLL",
    "label: ID",
    "reference: 12345",
    "label: INDN",
    "field: DOE,JANE",
    "label: CO ID",
    "reference: 1234567890",
    "wrapping: PPD",
  ]);
});

test("phone numbers, websites, postcodes and glued states are told apart", () => {
  expect(partsOf(ask("DOORDASH*WENDYS 855-973-1040 CA"))).toEqual([
    "name: DOORDASH",
    "rest: WENDYS",
    "phone: 855-973-1040",
    "state: CA",
  ]);
  const glued = ask("HOMEWOOD SUITES BY HILT  FREDERICKSBURVA").parts.slice(-2);
  expect(glued).toMatchObject([
    { kind: "city", text: "FREDERICKSBUR", means: "Fredericksburg" },
    { kind: "state", text: "VA", means: "VA" },
  ]);
  const british = ask("TESCO STORES 6440 LONDON N11 3AA", { currency: "GBP" });
  expect(partsOf(british).slice(1)).toEqual([
    "store number: 6440",
    "city: LONDON",
    "postcode: N11 3AA",
  ]);
  expect(partsOf(ask("KETTLECO             HELP.KETTLECO.COM CA"))).toEqual([
    "name: KETTLECO",
    "website: HELP.KETTLECO.COM",
    "state: CA",
  ]);
});

test("everybody of a name is listed, with why he was believed or not", () => {
  const { candidates } = ask("SHELL 1234", { currency: "GBP" });
  expect(candidates).toMatchObject([
    { website: "shell.co.uk", verdict: "chosen", source: "hand", trades: "here", areas: ["GB"] },
    {
      website: "shell.us",
      verdict: "refused",
      trades: "elsewhere",
      because: "another of this name fits the place better",
    },
  ]);
});

test("whom the amount speaks against is told so", () => {
  const over = { country: "US", amount: 1500 };
  expect(ask("MERIDIAN", over).candidates).toMatchObject([
    { name: "Meridian Home", verdict: "chosen" },
    { name: "Meridian Fuel", because: "hardly anybody pays there such an amount" },
  ]);
  expect(ask("SUNDIAL KAYAK", { ...over, amount: 60_000 }).candidates).toMatchObject([
    { name: "Sundial Catalog", because: "hardly anybody pays there such an amount" },
  ]);
});

test("a shorter name inside the chosen one is believed and not chosen", () => {
  expect(verdictsOf(ask("TESCO STORES 6440", { currency: "GBP" }))).toEqual([
    ["Tesco", "tesco.com", "TESCO STORES", "chosen"],
    ["Tesco", "tesco.com", "TESCO", "believed"],
  ]);
});

test("a merchant that was not found by a whole name is a candidate too", () => {
  const { candidates } = ask("PAYPAL *NETFLIX.COM");
  expect(candidates[0]).toMatchObject({ name: "Netflix", verdict: "chosen" });
  const mark = ask("DOORDASH*THAI PLACE");
  expect(mark.candidates[0]).toMatchObject({ name: "DoorDash", verdict: "chosen" });
});

test("the wording that matched is shown as the tables write it", () => {
  const { wording, decision } = ask("Online Transfer to my SAVINGS 1234");
  expect(wording).toMatchObject({
    pattern: "TRANSFER * SAVINGS",
    category: "intra account transfer",
    text: "Transfer to my SAVINGS",
  });
  expect(decision).toMatchObject({ counterparty: null, category_by: "wording" });
});

test.each([
  ["OVERDRAFT FEE", {}, "wording"],
  ["UPI-JOHN SMITH-JOHNS@OKBANK-ABCD0001234", { currency: "INR" }, "person"],
  ["DOORDASH PAYOUT 4488120", { entryType: "incoming" }, "platform"],
  ["NETFLIX.COM", {}, "merchant"],
  ["TESCO STORES 6440", { entryType: "incoming", currency: "GBP" }, "merchant"],
  ["BIRCHWOOD DENTAL GROUP PORTLAND OR", {}, "words"],
  ["AUSTIN COUNTY WATER", {}, "service"],
  ["QWERTZ", {}, null],
] as const)("the category of %s with %j is decided by %s", (line, over, source) => {
  const { decision, category_evidence } = ask(line, over);
  expect(decision.category_by).toBe(source);
  const deciding = category_evidence.filter(({ decided }) => decided);
  expect(deciding.map((one) => one.source)).toEqual(source === null ? [] : [source]);
});

test("a guess says how likely it is, and decides only when it is likely enough", () => {
  const unsure = ask("MOONBEAM ROASTERY PORTLAND OR");
  expect(unsure.decision.category_by).toBeNull();
  expect(unsure.category_evidence).toMatchObject([
    { source: "guess", from: "pieces of the words, and the amount", decided: false },
  ]);
  const unpaid = ask("MOONBEAM ROASTERY PORTLAND OR", { amount: 0 });
  expect(unpaid.category_evidence).toMatchObject([
    { source: "guess", from: "pieces of the words" },
  ]);
  const examination = examine(itemOf("MOONBEAM ROASTERY PORTLAND OR"));
  const { evidence, facts } = examination;
  if (evidence?.guess == null) throw new Error("nothing was guessed");
  const general = knowledge.lexicon.categories[evidence.guess.category] ?? "";
  const sure = explain(
    {
      ...examination,
      evidence: { ...evidence, guess: { ...evidence.guess, probability: 0.9 } },
      facts: { ...facts, categories: { general, accounting: null } },
    },
    "consumer",
    knowledge,
  );
  expect(sure.decision.category_by).toBe("guess");
  expect(sure.category_evidence).toMatchObject([
    { source: "guess", category: general, probability: 0.9, decided: true },
  ]);
});

test("without an account no category is decided and nothing speaks for one", () => {
  const { decision, category_evidence } = ask("NETFLIX.COM", { accountType: null });
  expect(decision).toMatchObject({ categories: null, category_by: null });
  expect(category_evidence).toEqual([]);
});

test("the facts are those of the transaction", () => {
  const over = { accountType: "business", country: "US" } as const;
  const item = itemOf("SQ *JOE'S CORNER BAKERY Portland OR", over);
  expect(ask(item.description, item).facts).toEqual(examine(item).facts);
});

test("a line of one repeated name has a bounded explanation that says what it leaves out", () => {
  const { candidates, candidates_left_out: leftOut } = ask("TESCO ".repeat(170));
  expect(candidates.length).toBeLessThanOrEqual(40);
  expect(leftOut).toBeGreaterThan(0);
});

const words = ["SQ *", "TESCO ", "SHELL ", "DES:", "ID:", "01/23 ", "17 MAY ", "AUSTIN ", "TX "];
const more = [
  "73301 ",
  "LONDON ",
  "N11 3AA ",
  "NETFLIX.COM",
  "855-973-1040 ",
  "ZELLE TO ",
  "é",
  "-",
];
// Short enough for every word to be a token.
const line = fc.oneof(
  fc.string({ unit: "binary", maxLength: 180 }),
  fc.array(fc.constantFrom(...words, ...more), { maxLength: 30 }).map((all) => all.join("")),
);

test("parts stand in order where they say they stand and leave out only signs, whatever comes in", () => {
  fc.assert(
    fc.property(
      line,
      fc.constantFrom("incoming", "outgoing"),
      fc.constantFrom("USD", "GBP", "INR"),
      (text, entryType, currency) => {
        const explanation = ask(text, { entryType, currency });
        expect(explanation.text).toBe(normaliseText(text));
        let last = 0;
        for (const { start, end, text: written } of explanation.parts) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(explanation.text.slice(start, end)).toBe(written);
          expect(explanation.text.slice(last, start)).not.toMatch(/[a-z0-9]/i);
          last = end;
        }
        const chosen = explanation.candidates.filter(({ verdict }) => verdict === "chosen");
        const { counterparty } = explanation.decision;
        expect(chosen.length).toBeLessThanOrEqual(1);
        if (chosen.length === 1) expect(counterparty?.name).toBe(chosen[0]?.name);
      },
    ),
    { numRuns: 500 },
  );
});
