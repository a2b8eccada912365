import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleKnowledge } from "../../../test/support/knowledge-sample.ts";
import {
  CERTAIN,
  measured,
  merchantOf,
  names,
  parsedAs,
  US_PLACE,
  websiteOf,
  wordsOf,
} from "../../../test/support/parsed-line.ts";
import { paidLine } from "../../../test/support/recogniser-input.ts";
import { LABEL, LABEL_COUNT, type Label } from "../parse/labels.ts";
import { createParser } from "../parser.ts";
import { hashSeed, hashText } from "../text/hash.ts";
import { TOKENS_MAX } from "../text/tokenise.ts";
import { candidatesOf } from "./candidates.ts";
import { CANDIDATE_CLASSES, type Evidence } from "./evidence.ts";
import type { ParsedLine } from "./line-view.ts";

const knowledge = await sampleKnowledge();

test("the last candidate is always that there is no counterparty", () => {
  const lines = [
    parsedAs("", []),
    parsedAs("OVERDRAFT FEE", ["purpose", "purpose"]),
    parsedAs("TESCO STORES", names(2)),
  ];
  for (const parsed of lines) {
    const all = candidatesOf(parsed, knowledge);
    expect(all.at(-1)).toMatchObject({ class: "none", span: { from: 0, to: 0 }, merchant: -1 });
    expect(all.filter((one) => one.class === "none")).toHaveLength(1);
  }
});

test("evidence is finite where the labels are certain", () => {
  for (const certain of [0, 1]) {
    const parsed = parsedAs("TESCO STORES", names(2));
    parsed.tagging.marginals.fill(0);
    parsed.tagging.marginals[LABEL.name] = certain;
    parsed.tagging.marginals[LABEL_COUNT + LABEL.name] = certain;
    for (const { evidence } of candidatesOf(parsed, knowledge))
      expect(evidence.every(Number.isFinite)).toBe(true);
  }
});

test("a line without a name has no other candidate", () => {
  const parsed = parsedAs("TESCO 1234", ["reference", "reference"]);
  parsed.tagging.marginals.fill(0);
  expect(candidatesOf(parsed, knowledge)).toHaveLength(1);
});

test("a merchant whose name another one goes on from is not a candidate", () => {
  const merchantsOf = (text: string): readonly string[] =>
    candidatesOf(parsedAs(text, names(3)), knowledge)
      .filter((one) => one.merchant >= 0)
      .map((one) => websiteOf(one) ?? "");
  expect(merchantsOf("UBER EATS WENDYS")).toEqual(["ubereats.com", "wendys.com"]);
  // The shorter name has words of its own in front.
  expect(merchantsOf("MARKET SHELL RECHARGE")).toContain("marketshell.com");
});

test("a whole name is found with its merchant, and as a name", () => {
  const parsed = parsedAs("HOMEWOOD SUITES AUSTIN TX", [...names(2), ...US_PLACE]);
  const all = candidatesOf(parsed, knowledge);
  expect(all.map((one) => [one.class, wordsOf(parsed, one)])).toEqual([
    ["curated", "homewood suites"],
    ["name", "homewood suites"],
    ["none", ""],
  ]);
  const [merchant, name] = all;
  expect(websiteOf(merchant ?? expect.fail())).toBe("hilton.com");
  expect(measured(merchant, "whole")).toBe(1);
  expect(measured(merchant, "cutOff")).toBe(0);
  expect(measured(name, "holdsMerchant")).toBe(1);
});

test("an alias in the middle of a name is found, with the letters on both sides", () => {
  const parsed = parsedAs("JOES SHELL GARAGE AUSTIN TX", [...names(3), ...US_PLACE]);
  const shell = merchantOf(parsed, "shell.us");
  expect(shell?.span).toEqual({ from: 1, to: 2 });
  expect(measured(shell, "whole")).toBe(0);
  expect(measured(shell, "before")).toBeGreaterThan(1);
  expect(measured(shell, "behind")).toBeGreaterThan(measured(shell, "before") ?? Infinity);
});

test("a merchant of the packages is of another class than a curated one", () => {
  const parsed = parsedAs("SUNDIAL TESCO", names(2));
  const classes = candidatesOf(parsed, knowledge).map((one) => [websiteOf(one), one.class]);
  expect(classes).toContainEqual(["sundialcatalog.com", "brand"]);
  expect(classes).toContainEqual(["tesco.com", "curated"]);
});

test("a name that a field cut off is found by its beginning", () => {
  const parsed = parsedAs("HOMEWOOD SUI AUSTIN TX", [...names(2), ...US_PLACE]);
  const hotel = merchantOf(parsed, "hilton.com");
  expect(hotel?.span).toEqual({ from: 0, to: 2 });
  expect(measured(hotel, "cutOff")).toBe(1);
});

test("a beginning of fewer than seven letters finds no merchant", () => {
  expect(merchantOf(parsedAs("HOMEWOO", names(1)), "hilton.com")).toBeDefined();
  expect(merchantOf(parsedAs("HOMEWO", names(1)), "hilton.com")).toBeUndefined();
});

test("a beginning does not find a merchant of another country", () => {
  const parsed = parsedAs("SHELL RECHAR", names(2));
  expect(merchantOf(parsed, "shellrecharge.nl")).toBeUndefined();
  const abroad = parsedAs("SHELL RECHAR", names(2), { currency: "EUR", country: "NL" });
  expect(merchantOf(abroad, "shellrecharge.nl")).toBeDefined();
});

test.each(["HOMEWOOD SUTIES", "HOMEWOD SUITES", "HOMEWOOOD SUITES", "HOMEWOOD SUOTES"])(
  "a name with one typo is found: %s",
  (text) => {
    const hotel = merchantOf(parsedAs(text, names(2)), "hilton.com");
    expect(measured(hotel, "typo")).toBe(1);
    expect(measured(hotel, "whole")).toBe(1);
  },
);

test("a name with two typos is not found", () => {
  expect(merchantOf(parsedAs("HOMEWOD SUOTES", names(2)), "hilton.com")).toBeUndefined();
});

test("an abbreviated name is found with its words spelled out", () => {
  const hotel = merchantOf(parsedAs("HOMEWOOD STES", names(2)), "hilton.com");
  expect(measured(hotel, "abbreviated")).toBe(1);
  expect(measured(hotel, "typo")).toBe(0);
});

test("a merchant is found by its web address", () => {
  const netflix = merchantOf(
    parsedAs("WWW.NETFLIX.COM 1234", ["web", "web", "web", "reference"]),
    "netflix.com",
  );
  expect(netflix?.class).toBe("curated");
});

test("a name in the address of its merchant is evidence of the address", () => {
  const parsed = parsedAs("WWW.NETFLIX.COM", ["prefix", "name", "web"]);
  expect(measured(merchantOf(parsed, "netflix.com"), "address")).toBe(1);
});

test("a marketplace is found by its mark, unless its name is found too", () => {
  const booths = (label: Label): readonly (number | undefined)[] => {
    const parsed = parsedAs("FBH  KETTLE WORKSHOP", [label, "name", "name"]);
    return [merchantOf(parsed, "fairbooths.com")].map((one) => measured(one, "mark"));
  };
  expect([booths("prefix"), booths("name")]).toEqual([[1], [undefined]]);
  const named = merchantOf(parsedAs("DOORDASH*WENDYS", ["prefix", "name"]), "doordash.com");
  expect(measured(named, "mark")).toBe(0);
  const paid = parsedAs("SQ *WENDYS", ["prefix", "name"]);
  expect(merchantOf(paid, "squareup.com")).toBeUndefined();
});

test("a name without what stands behind a dash is a candidate", () => {
  const parsed = parsedAs("RAMEN KETTLE - SAN", names(3));
  const found = candidatesOf(parsed, knowledge).filter(
    ({ class: name, lastWord }) => name === "name" && lastWord === null,
  );
  expect(
    found.map((one) => [
      wordsOf(parsed, one),
      measured(one, "beforeDash"),
      measured(one, "dashInside"),
    ]),
  ).toEqual([
    ["ramen kettle san", 0, 1],
    ["ramen kettle", 1, 0],
  ]);
  for (const text of ["RAMEN-KETTLE SAN", "RAMEN KETTLE -SAN"])
    for (const one of candidatesOf(parsedAs(text, names(3)), knowledge))
      expect(measured(one, "beforeDash")).toBe(0);
});

test("the web address of an unknown merchant is a candidate, with its domain", () => {
  const labels: Label[] = ["name", "web", "web", "web", "state"];
  const all = candidatesOf(parsedAs("KETTLECO HELP.KETTLECO.COM CA", labels), knowledge);
  const address = all.find((one) => one.class === "address");
  expect(address).toMatchObject({ merchant: -1, span: { from: 1, to: 4 } });
  expect(address?.address).toEqual({ label: "kettleco", domain: "kettleco.com" });
  expect(measured(address, "web")).toBeCloseTo(CERTAIN, 5);
});

test("an address that a field cut off has its domain only where that is registered", () => {
  const over = { currency: "GBP", country: "GB" };
  const addressOf = (text: string, ...registered: readonly string[]) => {
    const hashes = new Set(registered.map((domain) => hashText(hashSeed, domain)));
    const has = (hash: number): boolean => hashes.has(hash);
    const domains = { core: { has }, older: { has: () => false } };
    const parsed = parsedAs(text, ["web", "web"], over);
    return candidatesOf(parsed, { ...knowledge, domains }).find(({ address }) => address)?.address;
  };
  const whole = { label: "kettleco", domain: "kettleco.co.uk" };
  expect(addressOf("KETTLECO.CO", "kettleco.co.uk")).toEqual(whole);
  expect(addressOf("WWW.KETTLECO")).toEqual({ label: "kettleco", domain: null });
});

test("a person is a candidate of its own class, without a merchant", () => {
  const parsed = parsedAs("ZELLE TO JOHN SMITH", ["wrapper", "wrapper", "person", "person"]);
  const person = candidatesOf(parsed, knowledge).find((one) => one.class === "person");
  expect(person).toMatchObject({ span: { from: 2, to: 4 }, merchant: -1, lastWord: null });
});

test("a legal form and a number behind a name do not belong to it", () => {
  const parsed = parsedAs("MOONBEAM SUPPLIES 4417 LLC", names(4));
  const name = candidatesOf(parsed, knowledge).find((one) => one.class === "name");
  expect(name?.span).toEqual({ from: 0, to: 2 });
  expect(measured(name, "legalForm")).toBe(1);
});

test("a merchant named several times is one candidate, by its longest whole name", () => {
  const parsed = parsedAs("TESCO TESCO STORES TESCO", names(4), { currency: "GBP", country: "GB" });
  const all = candidatesOf(parsed, knowledge).filter((one) => websiteOf(one) === "tesco.com");
  expect(all.map(({ span }) => span)).toEqual([{ from: 1, to: 3 }]);
});

test("of merchants of one name the one that trades in the country is the candidate", () => {
  const here = parsedAs("SHELL", names(1));
  expect(merchantOf(here, "shell.us")).toBeDefined();
  expect(merchantOf(here, "shell.co.uk")).toBeUndefined();
  const there = parsedAs("SHELL", names(1), { currency: "GBP", country: "GB" });
  expect(measured(merchantOf(there, "shell.co.uk"), "atHome")).toBe(1);
});

test("names are candidates in their order, at most three", () => {
  const labels: Label[] = Array.from({ length: 9 }, (_, at) => (at % 2 === 0 ? "name" : "date"));
  const parsed = parsedAs("KRANTZ 1 QUIMPER 2 ZORBAL 3 MIVVEX 4 YARROW", labels);
  const all = candidatesOf(parsed, knowledge).filter((one) => one.class === "name");
  expect(all.map((one) => [wordsOf(parsed, one), measured(one, "order")])).toEqual([
    ["krantz", 0],
    ["quimper", 1],
    ["zorbal", 2],
  ]);
});

test("a last word that was cut off is completed in a candidate of its own", () => {
  const all = candidatesOf(parsedAs("MAMA ROSAS GRAND PIZZERI", names(4)), knowledge);
  const completed = all.find(({ lastWord }) => lastWord === "pizzeria");
  expect(completed?.span).toEqual({ from: 0, to: 4 });
  expect(measured(completed, "completed")).toBe(1);
  expect(all.some(({ lastWord, span }) => lastWord === null && span.to === 4)).toBe(true);
});

/** Words of the name candidates of the class, with whether each has the evidence. */
function nameVariants(parsed: ParsedLine, evidence: Evidence): readonly unknown[] {
  const all = candidatesOf(parsed, knowledge).filter((one) => one.class === "name");
  return all.map((one) => [wordsOf(parsed, one), measured(one, evidence)]);
}

test("a name without its cut-off word, its city or its repetition is a candidate too", () => {
  expect(nameVariants(parsedAs("JUNIPER & WILD SAGE ZQUOT", names(4)), "shortened")).toEqual([
    ["juniper wild sage zquot", 0],
    ["juniper wild sage", 1],
  ]);
  expect(nameVariants(parsedAs("KRANTZ INN AUSTIN", names(3)), "withoutCity")).toEqual([
    ["krantz inn austin", 0],
    ["krantz inn", 1],
  ]);
  const repeated = nameVariants(parsedAs("KRANTZ INN KRANTZ IN", names(4)), "repeated");
  expect(repeated[0]).toEqual(["krantz inn krantz in", 0]);
  expect(repeated).toContainEqual(["krantz inn", 1]);
});

test("words that are not surely of a name are left out, and likely ones next to it taken in", () => {
  const parsed = parsedAs("KRANTZ QUIMPER ZORBAL", ["name", "name", "city"]);
  const { marginals } = parsed.tagging;
  marginals[LABEL_COUNT + LABEL.name] = 0.8;
  marginals[2 * LABEL_COUNT + LABEL.name] = 0.2;
  expect(nameVariants(parsed, "shortened")).toEqual([
    ["krantz quimper", 0],
    ["krantz", 1],
    ["krantz quimper zorbal", 0],
  ]);
});

test("what may be a person's name is a candidate as a person and as a company", () => {
  const classesOf = (text: string): readonly string[] =>
    candidatesOf(parsedAs(text, names(2)), knowledge).map((one) => one.class);
  expect(classesOf("JOHN SMITH")).toEqual(["name", "person", "none"]);
  expect(classesOf("MRS KRANTZ")).toEqual(["name", "person", "none"]);
  expect(classesOf("QUIMPER KRANTZ")).toEqual(["name", "none"]);
});

const parse = createParser(knowledge);

function expectSound(parsed: ParsedLine): void {
  const all = candidatesOf(parsed, knowledge);
  expect(all.at(-1)?.class).toBe("none");
  const merchants = all.map(({ merchant }) => merchant).filter((merchant) => merchant >= 0);
  expect(new Set(merchants).size).toBe(merchants.length);
  for (const { class: name, span, evidence } of all) {
    expect(CANDIDATE_CLASSES).toContain(name);
    expect(span.from).toBeGreaterThanOrEqual(0);
    expect(span.to).toBeLessThanOrEqual(parsed.line.tokens.length);
    if (name !== "none") expect(span.to).toBeGreaterThan(span.from);
    expect(evidence.every(Number.isFinite)).toBe(true);
  }
}

const fragment = fc.constantFrom(
  ...["SQ *", "TESCO ", "STORES ", "SHELL", "SHELL ", "HOMEWOOD SUI ", "STES ", "LLC ", "1234 "],
  ...["NETFLIX.COM", "WWW.", ".CO.U", "JOHN SMITH ", "AUSTIN TX ", "é", "-", ".", "XXXX ", "ß"],
);
const anyLine = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.array(fragment, { maxLength: 40 }).map((all) => all.join("")),
);

test("candidates stand inside the line, each merchant once, whatever comes in", () => {
  fc.assert(
    fc.property(anyLine, fc.constantFrom("USD", "GBP", "EUR", "???"), (text, currency) => {
      expectSound(parse(paidLine(text, { currency })));
    }),
  );
});

test("candidates of any labels stand inside the line, each merchant once", () => {
  const labels = Object.keys(LABEL) as Label[];
  const word = fc.constantFrom("TESCO", "STORES", "SHELL", "LLC", "1234", "JOHN", "COM", "X");
  fc.assert(
    fc.property(
      fc.array(fc.tuple(word, fc.constantFrom(...labels)), { maxLength: 30 }),
      (pairs) => {
        const text = pairs.map(([one]) => one).join(" ");
        expectSound(
          parsedAs(
            text,
            pairs.map(([, label]) => label),
          ),
        );
      },
    ),
  );
});

test.each([
  ["a name of the most tokens", "SHELL ".repeat(TOKENS_MAX)],
  ["aliases in each other", "UBER EATS UBER TESCO CARD ".repeat(20)],
  ["addresses only", "NETFLIX.COM/".repeat(40)],
  ["dots only", ". ".repeat(400)],
  ["a word of a thousand letters", "A".repeat(1000)],
])("a hostile line has candidates inside it: %s", (_, text) => {
  const parsed = parse(paidLine(text));
  expectSound(parsed);
  const { length } = parsed.line.tokens;
  expectSound({ ...parsed, tagging: parsedAs(parsed.line.text, names(length)).tagging });
});
