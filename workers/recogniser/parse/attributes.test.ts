import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleKnowledge } from "../../../test/support/knowledge-sample.ts";
import type { KeyTable } from "../../knowledge/key-table.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { fourWidth } from "../../knowledge/packed-weights.ts";
import { normaliseText } from "../text/normalise.ts";
import { TOKENS_MAX, tokenise } from "../text/tokenise.ts";
import {
  createExtractor,
  FEATURE_BITS,
  type FeatureExtractor,
  type FeatureSet,
  firstFeature,
} from "./attributes.ts";
import { LABEL_COUNT } from "./labels.ts";

const knowledge = await sampleKnowledge();
const ALL_FEATURES: FeatureSet = { gazetteers: true, neighbours: true };
const PLACES_OF_TOKEN = firstFeature(1);

const everyWord: Pick<KeyTable, "find"> = { find: () => 0 };
/** Every word has every flag, and every run of words is the name of a city: a token cannot have more features. */
const worst: Knowledge = {
  ...knowledge,
  words: { ...knowledge.words, ...everyWord },
  wordFlags: Uint16Array.of(0xffff),
  cities: { names: { has: () => true }, starts: { has: () => true } },
};

/** The features of each token, as copies. */
function featuresOfLine(extractor: FeatureExtractor, text: string): number[][] {
  const tokens = tokenise(text);
  const { rows, counts } = extractor.extract(text, tokens);
  return tokens.map((_, at) => {
    const first = firstFeature(at);
    return Array.from(rows.slice(first, first + (counts[at] ?? 0)));
  });
}

const mostOf = (all: readonly (readonly number[])[]): number =>
  Math.max(...all.map((features) => features.length));

/** Months are words of a flag of their own. */
const WORST_LINE = Array.from(
  { length: TOKENS_MAX },
  (_, at) => ["mar", "march", "may"][at % 3] ?? "",
).join("  ");

test("a token has a place for each of its features, however many it has", () => {
  const extractor = createExtractor(worst, TOKENS_MAX, ALL_FEATURES);
  const all = featuresOfLine(extractor, WORST_LINE);
  expect(all).toHaveLength(TOKENS_MAX);
  const usual = mostOf(
    featuresOfLine(createExtractor(knowledge, TOKENS_MAX, ALL_FEATURES), WORST_LINE),
  );
  expect(mostOf(all)).toBeGreaterThan(usual);
  expect(mostOf(all)).toBeLessThanOrEqual(PLACES_OF_TOKEN);
  expect(extractor.extract("", []).rows.length).toBe(TOKENS_MAX * PLACES_OF_TOKEN);
});

test("attributes of a token do not overwrite those of the next token", () => {
  const extractor = createExtractor(worst, TOKENS_MAX, ALL_FEATURES);
  // A month has one attribute more than other words; the token two places behind it is not its neighbour.
  const all = featuresOfLine(extractor, "tea tea march tea kiosk tea tea");
  const few = featuresOfLine(extractor, "tea tea marsh tea kiosk tea tea");
  expect(all[2]?.length).toBeGreaterThan(few[2]?.length ?? 0);
  expect(all[4]).toEqual(few[4]);
});

test("the sum of a token's weights fits into half of a number of 32 bits", () => {
  const BYTE_MAX = 0xff;
  const HALF_MAX = 0xffff;
  expect(PLACES_OF_TOKEN * BYTE_MAX).toBeLessThanOrEqual(HALF_MAX);
});

test("the model has a row of weights for each feature", () => {
  expect(knowledge.tagger.weights.length).toBe(fourWidth(LABEL_COUNT) << FEATURE_BITS);
});

const anyLine = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc
    .array(fc.constantFrom("MAY", "SHELL", "12", "XXXX", "A1B2", "AUSTIN", "é", "*"), {
      maxLength: 40,
    })
    .map((all) => all.join(" ")),
);

test("every token has features, each a row of the model, whatever comes in", () => {
  const extractor = createExtractor(knowledge, TOKENS_MAX);
  fc.assert(
    fc.property(anyLine, (raw) => {
      const text = normaliseText(raw);
      for (const features of featuresOfLine(extractor, text)) {
        expect(features.length).toBeGreaterThan(0);
        expect(features.length).toBeLessThanOrEqual(PLACES_OF_TOKEN);
        for (const row of features) expect(row).toBeLessThan(1 << FEATURE_BITS);
      }
    }),
  );
});

test("features of a line do not depend on the lines before it", () => {
  const used = createExtractor(knowledge, TOKENS_MAX);
  featuresOfLine(used, WORST_LINE);
  const line = "SQ *JOE'S CORNER BAKERY Portland OR";
  const fresh = createExtractor(knowledge, TOKENS_MAX);
  expect(featuresOfLine(used, line)).toEqual(featuresOfLine(fresh, line));
});

test("the same word in another place has other features; digits of a number are not features", () => {
  const extractor = createExtractor(knowledge, TOKENS_MAX);
  const [first, second] = featuresOfLine(extractor, "SHELL SHELL");
  expect(first).not.toEqual(second);
  const numbers = featuresOfLine(extractor, "SHELL 57442");
  expect(featuresOfLine(extractor, "SHELL 91330")).toEqual(numbers);
  expect(featuresOfLine(extractor, "SHELL 913")).not.toEqual(numbers);
});

test("letters and digits of a reference are not features, how long it is is one", () => {
  const extractor = createExtractor(knowledge, TOKENS_MAX);
  const one = featuresOfLine(extractor, "PAYPAL 2K4LM8AB9 AUSTIN");
  expect(featuresOfLine(extractor, "PAYPAL T47Q1XZ35 AUSTIN")).toEqual(one);
  expect(featuresOfLine(extractor, "PAYPAL T47Q1XZ355 AUSTIN")).not.toEqual(one);
  expect(featuresOfLine(extractor, "PAYPAL KITCHEN24 AUSTIN")).not.toEqual(one);
});

test("features that are left out are missing", () => {
  const text = "SHELL OIL 57442 AUSTIN TX";
  const countWith = (gazetteers: boolean, neighbours: boolean): number =>
    featuresOfLine(createExtractor(knowledge, TOKENS_MAX, { gazetteers, neighbours }), text).flat()
      .length;
  const all = featuresOfLine(createExtractor(knowledge, TOKENS_MAX, ALL_FEATURES), text).flat();
  expect(countWith(true, true)).toBe(all.length);
  expect(countWith(false, true)).toBeLessThan(all.length);
  expect(countWith(true, false)).toBeLessThan(all.length);
  expect(countWith(false, false)).toBeLessThan(countWith(true, false));
});
