import { expect, test } from "vitest";
import { sampleKnowledge, sampleSent } from "../../../test/support/knowledge-sample.ts";
import { tokenise } from "../text/tokenise.ts";
import { splitGlued } from "./glued.ts";
import { hintsOf } from "../hints.ts";

const knowledge = await sampleKnowledge();
const words = (text: string): string[] => {
  const hints = hintsOf({ ...sampleSent, currency: "USD", country: "US" }, knowledge);
  const line = splitGlued({ text, tokens: tokenise(text) }, hints, knowledge);
  return line.tokens.map((token) => text.slice(token.start, token.end));
};

test("a name that is glued to its city is cut where the field of the city begins", () => {
  expect(words("BAYSIDE GOLF CLUBFREDERICKSBURVA")).toEqual([
    "BAYSIDE",
    "GOLF",
    "CLUB",
    "FREDERICKSBURVA",
  ]);
});

test("a phone number that is glued to the name is cut off it", () => {
  expect(words("GRANITE STATE CHIMNEY603-555-0188 NH")).toEqual([
    "GRANITE",
    "STATE",
    "CHIMNEY",
    "603",
    "555",
    "0188",
    "NH",
  ]);
});

test("what is not a city stays one word", () => {
  expect(words("BAYSIDE GOLF CLUBSOMETHINGELVA")).toEqual(["BAYSIDE", "GOLF", "CLUBSOMETHINGELVA"]);
  expect(words("BAYSIDE QUALITY MARKET   FREDERICKSBURVA")).toHaveLength(4);
});

test("a word in front of a city does not lend it its last letter", () => {
  expect(words("BIRCH COFFEE - UPPE NEW YORK NY")).toEqual(
    "BIRCH COFFEE UPPE NEW YORK NY".split(" "),
  );
});
