import fc from "fast-check";
import { expect, test } from "vitest";
import { PART_KINDS } from "../../../src/model/explanation.ts";
import { sampleKnowledge, sampleSent } from "../../../test/support/knowledge-sample.ts";
import { createRandom } from "../../../test/support/random.ts";
import { type TrainedTagger, taggerModel } from "../../knowledge/builder/tagger-file.ts";
import { WordFlag } from "../../knowledge/sections.ts";
import { hintsOf } from "../hints.ts";
import { normaliseText } from "../text/normalise.ts";
import { TOKENS_MAX, tokenise } from "../text/tokenise.ts";
import { createExtractor, FEATURE_BITS, firstFeature } from "./attributes.ts";
import { LABEL, LABEL_COUNT } from "./labels.ts";
import { splitFields } from "./split.ts";
import { createTagger, type Tagger, type Tagging } from "./tagger.ts";

const knowledge = await sampleKnowledge();
const tag = createTagger(knowledge);
const hints = hintsOf({ ...sampleSent, currency: "USD", country: "US" }, knowledge);

const tagged = (text: string, tagger: Tagger = tag): Tagging => tagger(text, tokenise(text));

const LINE = "SQ *JOE'S CORNER BAKERY Portland OR";
const LONGEST = "A1B2 ".repeat(TOKENS_MAX).trim();

/** Sum of the probabilities of each token. */
const sumsOf = ({ labels, marginals }: Pick<Tagging, "labels" | "marginals">): number[] =>
  Array.from(labels, (_, at) =>
    marginals.slice(at * LABEL_COUNT, (at + 1) * LABEL_COUNT).reduce((sum, one) => sum + one, 0),
  );

const anyLine = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc
    .array(fc.constantFrom("SQ *", "TESCO ", "12345 ", "XXXX ", "AUSTIN ", "TX ", "DES:", "é "), {
      maxLength: 40,
    })
    .map((all) => all.join("")),
);

test("probabilities of every token sum to 1, whatever comes in", () => {
  fc.assert(
    fc.property(anyLine, (raw) => {
      const text = normaliseText(raw);
      const tokens = tokenise(text);
      const { labels, marginals } = tag(text, tokens);
      expect(labels).toHaveLength(tokens.length);
      expect(marginals).toHaveLength(tokens.length * LABEL_COUNT);
      for (const label of labels) expect(label).toBeLessThan(LABEL_COUNT);
      for (const one of marginals) expect(one).toBeGreaterThanOrEqual(0);
      for (const sum of sumsOf({ labels, marginals })) expect(sum).toBeCloseTo(1, 5);
    }),
  );
});

test("a line without tokens has no labels", () => {
  expect(tag("", [])).toMatchObject({
    labels: [],
    marginals: [],
  });
});

test("the longest line has a label and finite probabilities for each token", () => {
  const tagging = tagged(LONGEST);
  expect(tagging.labels).toHaveLength(TOKENS_MAX);
  expect(tagging.marginals.every(Number.isFinite)).toBe(true);
  for (const sum of sumsOf(tagging)) expect(sum).toBeCloseTo(1, 5);
});

test("a line has the same result after other lines, and from another tagger", () => {
  const before = tagged(LINE);
  tagged(LONGEST);
  tagged("OVERDRAFT FEE");
  expect(tagged(LINE)).toEqual(before);
  expect(tagged(LINE, createTagger(knowledge))).toEqual(before);
});

test("a second call does not change the result of the first", () => {
  const first = tagged(LINE);
  const copy = structuredClone(first);
  tagged(LONGEST);
  expect(first).toEqual(copy);
});

test("each token has the flags that the tables have for its word", () => {
  const { flags } = tagged("JOHN SMITH QWERTZ 1234");
  const flagOf = (at: number, flag: number): boolean => ((flags[at] ?? 0) & flag) !== 0;
  expect(flags).toHaveLength(4);
  expect([flagOf(0, WordFlag.firstName), flagOf(1, WordFlag.firstName)]).toEqual([true, false]);
  expect([flagOf(0, WordFlag.lastName), flagOf(1, WordFlag.lastName)]).toEqual([false, true]);
  expect([flags[2], flags[3]]).toEqual([0, 0]);
});

const SEQUENCE = 3;

/** All sequences of labels of a line of three tokens, with the score that the model gives each. */
function scoreSequences(text: string, { weights, scale, transitions }: TrainedTagger) {
  const tokens = tokenise(text);
  const { rows, counts } = createExtractor(knowledge, TOKENS_MAX).extract(text, tokens);
  const scores = tokens.map((_, at) => {
    const own = rows.slice(firstFeature(at), firstFeature(at) + (counts[at] ?? 0));
    return Array.from({ length: LABEL_COUNT }, (__, label) =>
      own.reduce((sum, row) => sum + (weights[row * LABEL_COUNT + label] ?? 0) * scale, 0),
    );
  });
  return Array.from({ length: LABEL_COUNT ** SEQUENCE }, (_, number) => {
    const labels = Array.from(
      { length: SEQUENCE },
      (__, at) => Math.floor(number / LABEL_COUNT ** at) % LABEL_COUNT,
    );
    const score = labels.reduce((sum, label, at) => {
      const before = at === 0 ? LABEL_COUNT : (labels[at - 1] ?? 0);
      return sum + (scores[at]?.[label] ?? 0) + (transitions[before * LABEL_COUNT + label] ?? 0);
    }, 0);
    return { labels, score };
  });
}

test("probabilities, and the likeliest labels, are those that adding up all sequences of labels gives", () => {
  const random = createRandom(7);
  const trained: TrainedTagger = {
    scale: 0.01,
    weights: Int8Array.from({ length: LABEL_COUNT << FEATURE_BITS }, () =>
      random.integer(-127, 127),
    ),
    transitions: Float32Array.from(
      { length: (LABEL_COUNT + 1) * LABEL_COUNT },
      () => random.integer(-10, 10) / 10,
    ),
  };
  const text = "TESCO STORES 6440";
  const { labels, marginals } = tagged(
    text,
    createTagger({ ...knowledge, tagger: taggerModel(trained) }),
  );
  const sequences = scoreSequences(text, trained);
  const best = sequences.reduce((most, one) => (one.score > most.score ? one : most));
  const expected = new Float64Array(SEQUENCE * LABEL_COUNT);
  const all = sequences.reduce((sum, { score }) => sum + Math.exp(score - best.score), 0);
  for (const { labels: own, score } of sequences)
    own.forEach((label, at) => {
      const place = at * LABEL_COUNT + label;
      expected[place] = (expected[place] ?? 0) + Math.exp(score - best.score) / all;
    });
  expected.forEach((probability, at) => {
    // Labels that are hardly possible are left out.
    expect(marginals[at]).toBeCloseTo(probability, 2);
  });
  labels.forEach((label, at) => {
    const own = expected.slice(at * LABEL_COUNT, (at + 1) * LABEL_COUNT);
    expect(label).toBe(own.indexOf(Math.max(...own)));
  });
});

/** The parts of a line as a sentence: `name: JOE'S CORNER BAKERY`. */
function partsOfLine(text: string): string[] {
  const line = splitFields({ text, tokens: tokenise(text) }, hints, knowledge);
  const { labels } = tag(text, line.tokens);
  const parts: { kind: string; from: number; to: number }[] = [];
  line.tokens.forEach(({ start, end }, at) => {
    const kind = PART_KINDS[labels[at] ?? 0] ?? "";
    const last = parts.at(-1);
    if (last?.kind === kind) last.to = end;
    else parts.push({ kind, from: start, to: end });
  });
  return parts.map(({ kind, from, to }) => `${kind}: ${text.slice(from, to)}`);
}

test.each([
  [
    "SQ *JOE'S CORNER BAKERY Portland OR",
    ["prefix: SQ", "name: JOE'S CORNER BAKERY", "city: Portland", "state: OR"],
  ],
  ["TESCO STORES 6440 LONDON GB", ["name: TESCO", "city: LONDON", "country: GB"]],
  ["MOONBEAM ROASTERY PORTLAND OR", ["name: MOONBEAM ROASTERY", "city: PORTLAND", "state: OR"]],
  ["ZELLE TO JOHN SMITH", ["person: JOHN SMITH"]],
  ["OVERDRAFT FEE", ["purpose: OVERDRAFT FEE"]],
  [
    "EXCELSIOR WELDING DES:PAYROLL ID:12345 INDN:DOE,JANE",
    ["name: EXCELSIOR WELDING", "purpose: PAYROLL", "reference: 12345"],
  ],
  ["DOORDASH*WENDYS 855-973-1040 CA", ["phone: 855-973-1040", "state: CA"]],
  ["KETTLECO HELP.KETTLECO.COM CA", ["name: KETTLECO", "web: HELP.KETTLECO.COM", "state: CA"]],
])("the parts of %s are found", (text, expected) => {
  expect(partsOfLine(text)).toEqual(expect.arrayContaining(expected));
});

test("every part that explain can show is a label, in the same order", () => {
  expect(LABEL_COUNT).toBe(PART_KINDS.length);
  expect(PART_KINDS.map((kind) => LABEL[kind])).toEqual(PART_KINDS.map((_, at) => at));
});
