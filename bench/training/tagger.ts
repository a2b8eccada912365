// npm run train -- tagger [--compare]
// Trains the tagger on generated lines and the labelled real ones, and writes models/tagger.bin. With --compare it writes nothing
// and prints instead what two learners and three sets of features reach on real lines, by cross-validation over merchants.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../../test/support/random.ts";
import { comparableName } from "../../test/eval/measure.ts";
import { readKnowledge } from "../../test/eval/knowledge.ts";
import {
  taggerModel,
  type TrainedTagger,
  writeTagger,
} from "../../workers/knowledge/builder/tagger-file.ts";
import type { Knowledge, TaggerModel } from "../../workers/knowledge/knowledge.ts";
import type { Line } from "../../workers/recogniser/line.ts";
import {
  SHIPPED_FEATURES,
  createExtractor,
  FEATURE_BITS,
  type FeatureSet,
  firstFeature,
} from "../../workers/recogniser/parse/attributes.ts";
import { LABEL, LABEL_COUNT } from "../../workers/recogniser/parse/labels.ts";
import { TOKENS_MAX } from "../../workers/recogniser/text/tokenise.ts";
import { createCrfLearner } from "./crf.ts";
import { createGenerator } from "./generator.ts";
import type { LearnedWeights, Learner, Sample } from "./learner.ts";
import { type Material, readMaterial } from "./names.ts";
import { createPerceptronLearner } from "./perceptron.ts";
import { folds } from "./labelled.ts";
import { type LabelledSample, readLabelledSamples } from "./samples.ts";
import { shuffle } from "./shuffle.ts";

const FILE = join(import.meta.dirname, "../../workers/knowledge/models/tagger.bin");
const GENERATED = 33_000;
const GENERATED_IN_COMPARISON = 20_000;
const EPOCHS = 7;
/** A real line counts as much as so many generated ones, one of ours as one. */
const REAL_WEIGHT = 3;
const OWN_WEIGHT = 1;
const SEED = 20_261_123;
/** Rounding to eight bits: larger weights are cut off. */
const WEIGHT_MAX = 4;
const BYTE_MAX = 127;

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

type Extract = (line: Line) => readonly Uint16Array[];

function extractorOf(knowledge: Knowledge, set: FeatureSet): Extract {
  const extractor = createExtractor(knowledge, TOKENS_MAX, set);
  return ({ text, tokens }) => {
    const { rows, counts } = extractor.extract(text, tokens);
    return tokens.map((_, at) => {
      const first = firstFeature(at);
      return rows.slice(first, first + (counts[at] ?? 0));
    });
  };
}

function generated(
  count: number,
  extract: Extract,
  material: Material,
  knowledge: Knowledge,
): readonly Sample[] {
  const generate = createGenerator(material, knowledge, SEED);
  return Array.from({ length: count }, () => {
    const { line, labels } = generate();
    return { features: extract(line), allowed: Uint32Array.from(labels, (label) => 1 << label) };
  });
}

function learn(samples: readonly Sample[], learner: Learner): LearnedWeights {
  const random = createRandom(SEED);
  const order = [...samples];
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random);
    for (const sample of order) learner.learn(sample);
  }
  return learner.finish();
}

/** The best sequence of labels (Viterbi 1967). */
function decode(
  features: readonly Uint16Array[],
  { weights, transitions }: LearnedWeights,
): Uint8Array {
  const count = features.length;
  const best = new Float64Array(count * LABEL_COUNT);
  const from = new Uint8Array(best.length);
  features.forEach((rows, token) => {
    for (let label = 0; label < LABEL_COUNT; label++) {
      const at = token * LABEL_COUNT + label;
      let score = token === 0 ? (transitions[LABEL_COUNT * LABEL_COUNT + label] ?? 0) : -Infinity;
      for (let other = 0; token > 0 && other < LABEL_COUNT; other++) {
        const through =
          (best[(token - 1) * LABEL_COUNT + other] ?? 0) +
          (transitions[other * LABEL_COUNT + label] ?? 0);
        if (through <= score) continue;
        score = through;
        from[at] = other;
      }
      for (const row of rows) score += weights[row * LABEL_COUNT + label] ?? 0;
      best[at] = score;
    }
  });
  const labels = new Uint8Array(count);
  const last = best.subarray((count - 1) * LABEL_COUNT);
  let label = last.indexOf(Math.max(...last));
  for (let token = count - 1; token >= 0; token--) {
    labels[token] = label;
    label = from[token * LABEL_COUNT + label] ?? 0;
  }
  return labels;
}

/** The words of the first run of name tokens, comparable; "" without one. */
function nameOf({ tokens }: Line, labels: Uint8Array): string {
  const isName = (at: number): boolean => labels[at] === LABEL.name || labels[at] === LABEL.person;
  const from = tokens.findIndex((_, at) => isName(at));
  if (from < 0) return "";
  let name = "";
  for (let at = from; at < tokens.length && isName(at); at++) name += tokens[at]?.text ?? "";
  return comparableName(name);
}

/** Right, where a name is, of the lines whose name is found in them; a name with more or fewer words at its end is forgiven. */
interface Score {
  named: number;
  expected: number;
  right: number;
  forgiven: number;
}

function judge(score: Score, { line, name }: LabelledSample, labels: Uint8Array): void {
  const found = nameOf(line, labels);
  let truth = "";
  for (let at = name?.from ?? 0; at < (name?.to ?? 0); at++) truth += line.tokens[at]?.text ?? "";
  const right = comparableName(truth);
  if (found !== "") score.named += 1;
  if (right !== "") score.expected += 1;
  if (found === "" || right === "") return;
  if (found === right) score.right += 1;
  if (found.startsWith(right) || right.startsWith(found)) score.forgiven += 1;
}

const LEARNERS: readonly (readonly [string, () => Learner])[] = [
  ["conditional random field", createCrfLearner],
  ["averaged perceptron", createPerceptronLearner],
];

const SETS: readonly (readonly [string, FeatureSet])[] = [
  ["the token alone", { neighbours: false, gazetteers: false }],
  ["and its neighbours", { neighbours: true, gazetteers: false }],
  ["and gazetteers", SHIPPED_FEATURES],
];

function compare(material: Material, knowledge: Knowledge): void {
  const real = usable(material, knowledge);
  for (const [setName, set] of SETS) {
    const extract = extractorOf(knowledge, set);
    const made = generated(GENERATED_IN_COMPARISON, extract, material, knowledge);
    const samples = real.map((one) => ({ one, features: extract(one.line) }));
    for (const [learnerName, create] of LEARNERS) {
      const score: Score = { named: 0, expected: 0, right: 0, forgiven: 0 };
      const perFold = folds.map((fold) => {
        const inFold = samples.filter(({ one }) => one.fold === fold && one.block !== "own");
        const others = samples.filter(({ one }) => one.fold !== fold);
        const again = others.flatMap(({ one, features }) => copies(one, features));
        const weights = learn([...made, ...again], create());
        const before = score.right;
        for (const { one, features } of inFold) judge(score, one, decode(features, weights));
        return (score.right - before) / Math.max(1, inFold.length);
      });
      const share = (part: number, of: number): string => `${((100 * part) / of).toFixed(1)} %`;
      const mean = perFold.reduce((sum, one) => sum + one, 0) / perFold.length;
      const variance =
        perFold.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (perFold.length - 1);
      print(
        `${learnerName}, ${setName}: precision ${share(score.right, score.named)}, recall ${share(score.right, score.expected)}, ` +
          `forgiven ${share(score.forgiven, score.expected)}, standard error ${(100 * Math.sqrt(variance / perFold.length)).toFixed(1)}`,
      );
    }
  }
}

/** Samples of a line, as many as it counts. */
const copies = (
  { block, allowed }: LabelledSample,
  features: readonly Uint16Array[],
): readonly Sample[] =>
  Array.from({ length: block === "own" ? OWN_WEIGHT : REAL_WEIGHT }, () => ({
    features,
    allowed,
  }));

const repeated = (lines: readonly LabelledSample[], extract: Extract): readonly Sample[] =>
  lines.flatMap((one) => copies(one, extract(one.line)));

function trained(samples: readonly Sample[]): TrainedTagger {
  const { weights, transitions } = learn(samples, createCrfLearner());
  const most = weights.reduce((largest, weight) => Math.max(largest, Math.abs(weight)), 0);
  const scale = Math.min(most, WEIGHT_MAX) / BYTE_MAX;
  const rounded = Int8Array.from(weights, (weight) =>
    Math.max(-BYTE_MAX, Math.min(BYTE_MAX, Math.round(weight / scale))),
  );
  return { scale, transitions, weights: rounded };
}

const usable = (material: Material, knowledge: Knowledge): readonly LabelledSample[] =>
  readLabelledSamples(material, knowledge).filter(({ isUsable }) => isUsable);

/**
 * A tagger for each fold, which has seen no merchant of it.
 * @param count generated lines that it learns from
 */
export function createFoldTaggers(
  material: Material,
  knowledge: Knowledge,
  count = GENERATED_IN_COMPARISON,
): readonly TaggerModel[] {
  const extract = extractorOf(knowledge, SHIPPED_FEATURES);
  const made = generated(count, extract, material, knowledge);
  const labelled = usable(material, knowledge);
  return folds.map((fold) => {
    const others = labelled.filter((one) => one.fold !== fold);
    return taggerModel(trained([...made, ...repeated(others, extract)]));
  });
}

function train(material: Material, knowledge: Knowledge): void {
  const extract = extractorOf(knowledge, SHIPPED_FEATURES);
  const samples = [
    ...generated(GENERATED, extract, material, knowledge),
    ...repeated(usable(material, knowledge), extract),
  ];
  writeFileSync(FILE, writeTagger(trained(samples)));
  print(`${String(samples.length)} lines, ${String(1 << FEATURE_BITS)} features: ${FILE}`);
}

/** Trains or compares, see above. The knowledge must be built: the tables of words come from it. */
export async function runTagger(args: readonly string[]): Promise<void> {
  const material = await readMaterial();
  const knowledge = readKnowledge();
  if (args.includes("--compare")) compare(material, knowledge);
  else train(material, knowledge);
}
