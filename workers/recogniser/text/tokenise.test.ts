import fc from "fast-check";
import { expect, test } from "vitest";
import { normaliseText } from "./normalise.ts";
import { createTokeniser, TOKENS_MAX, tokenise, written } from "./tokenise.ts";

const texts = (line: string): string[] => tokenise(line).map((token) => token.text);

test("folds case, accents and apostrophes", () => {
  expect(texts("MCDONALD'S Café Straße O'Neill")).toEqual([
    "mcdonalds",
    "cafe",
    "strasse",
    "oneill",
  ]);
});

test("tells words, numbers, mixtures and blanked values apart", () => {
  expect(tokenise("SHOP 123 A1B2 XXXX CXXXXXXX maxx").map((token) => token.kind)).toEqual([
    "word",
    "number",
    "mixed",
    "mask",
    "mask",
    "word",
  ]);
});

test("remembers the separator and the width of the gap before a token", () => {
  expect(tokenise("SQ *JOE   PARIS").map((token) => [token.before, token.gap])).toEqual([
    ["", 0],
    ["*", 2],
    [" ", 3],
  ]);
});

test("gives back the text as written", () => {
  const line = "POS  Joe's *Diner, Rome";
  expect(written(line, tokenise(line), 1, 3)).toBe("Joe's *Diner");
  expect(written(line, tokenise(line), 2, 2)).toBe("");
});

test("tokens lie in order inside the text and are bounded in number, whatever comes in", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 1024 }), (raw) => {
      const text = normaliseText(raw);
      const tokens = tokenise(text);
      expect(tokens.length).toBeLessThanOrEqual(TOKENS_MAX);
      let last = 0;
      for (const token of tokens) {
        expect(token.start).toBeGreaterThanOrEqual(last);
        expect(token.end).toBeGreaterThan(token.start);
        last = token.end;
      }
      expect(last).toBeLessThanOrEqual(text.length);
    }),
  );
});

test("a tokeniser that met other words gives the tokens that one without memory gives", () => {
  const used = createTokeniser();
  const word = fc.constantFrom("Shell", "SHELL", "shell", "Shell`", "O'NEILL", "oneill", "A1", "é");
  const line = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.array(word, { maxLength: 9 }).map((words) => words.join(" ")),
  );
  fc.assert(
    fc.property(line, (text) => {
      expect(used(text)).toEqual(tokenise(text));
    }),
  );
  for (let index = 0; index < 10_000; index++)
    used(`word${String.fromCharCode(97 + (index % 26))}`);
  expect(used("WORDA wordb")).toEqual(tokenise("WORDA wordb"));
});
