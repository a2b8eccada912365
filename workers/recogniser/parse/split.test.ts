import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleKnowledge, sampleSent } from "../../../test/support/knowledge-sample.ts";
import { hintsOf } from "../hints.ts";
import type { Line } from "../line.ts";
import { hashSeed, hashText } from "../text/hash.ts";
import { normaliseText } from "../text/normalise.ts";
import { TOKENS_MAX, tokenise } from "../text/tokenise.ts";
import { splitFields } from "./split.ts";

const knowledge = await sampleKnowledge();
const hints = hintsOf({ ...sampleSent, currency: "USD", country: "US" }, knowledge);
const splitText = (text: string): Line =>
  splitFields({ text, tokens: tokenise(text) }, hints, knowledge);
const words = (text: string): string[] =>
  splitText(text).tokens.map(({ start, end }) => text.slice(start, end));

test.each([
  ["123STARBUCKS", ["123", "STARBUCKS"]],
  ["WALMART0042", ["WALMART", "0042"]],
  ["SHOP 5678Tesco 12", ["SHOP", "5678", "Tesco", "12"]],
  ["CARD1234 INN44022770", ["CARD", "1234", "INN", "44022770"]],
])("a number glued to a word is a token of its own: %s", (text, expected) => {
  expect(words(text)).toEqual(expected);
});

test("a line of glued fields has no more tokens than any line", () => {
  expect(words("SHOP5678 ".repeat(TOKENS_MAX))).toHaveLength(TOKENS_MAX);
});

test.each([
  "7ELEVEN",
  "99CENTS",
  "CO2",
  "SHOP24",
  "A123",
  "ABC123",
  "INN4402",
  "A44022770",
  "123AB",
  "12AB34",
  "S1B2C3D4",
])("%s stays one token: too few digits or letters, or a code", (text) => {
  expect(words(text)).toEqual([text]);
});

test("both halves have the text, kind and hash that they would have alone", () => {
  const [word, number] = splitText("WALMART0042").tokens;
  expect(word).toMatchObject({
    text: "walmart",
    kind: "word",
    hash: hashText(hashSeed, "walmart"),
  });
  expect(number).toMatchObject({ text: "0042", kind: "number", hash: hashText(hashSeed, "0042") });
});

test("the first half keeps the separator in front, the second has none", () => {
  const tokens = splitText("SQ *  WALMART0042").tokens.slice(1);
  expect(tokens.map(({ before, gap }) => [before, gap])).toEqual([
    ["*", 4],
    ["", 0],
  ]);
});

test("a token that folding made longer or shorter is not split", () => {
  expect(words("STRAßE1234")).toEqual(["STRAßE1234"]);
  expect(words("SHOP'S1234")).toEqual(["SHOP'S1234"]);
  expect(words("CAFÉS1234")).toEqual(["CAFÉS", "1234"]);
});

test("a city glued to a name is a token of its own", () => {
  expect(words("GOLF CLUB42AUSTIN TX")).toEqual(["GOLF", "CLUB42", "AUSTIN", "TX"]);
  expect(words("GOLF CLUB9042AUSTIN")).toEqual(["GOLF", "CLUB9042AUSTIN"]);
});

const fragment = fc.constantFrom(
  "123",
  "7",
  "SHOP",
  "Café",
  "ß",
  "'",
  " ",
  "*",
  "-",
  "AUSTIN",
  "TX",
);
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(fragment, { maxLength: 30 }).map((all) => all.join("")),
);

test("splitting loses no character of a token and keeps the order", () => {
  fc.assert(
    fc.property(anyText, (raw) => {
      const text = normaliseText(raw);
      const whole = tokenise(text);
      const { tokens, text: same } = splitText(text);
      expect(same).toBe(text);
      const covered = (all: typeof whole): number =>
        all.reduce((sum, { start, end }) => sum + end - start, 0);
      expect(covered(tokens)).toBe(covered(whole));
      let last = 0;
      for (const { start, end } of tokens) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = end;
      }
      expect(last).toBeLessThanOrEqual(text.length);
    }),
    { examples: [["123*123'AUSTIN TX"]] },
  );
});
