// npm run bench:models -- [--quick] [--python COMMAND] [--only PART,PART] [--out FILE]
// The quality of labelling models on real lines with the labels of their owners, split by time: in the same run as the most
// frequent label of the merchant, and as scikit-learn's TfidfVectorizer with LogisticRegression where COMMAND (python3) has
// it. Then a learning curve from 50 lines on, several labels of a line, what a training of 50 000 items takes, and what a label
// costs each transaction. Intervals are those of 95 %; "behind" is how far accuracy is below that of Ledgerline.
// --quick leaves out scikit-learn on the longer lines, where it takes minutes; --only picks among cost, barnet, birmingham and
// several.
// The lines are looked for in DATA_DIR or ../shared/data.
import { TRAINING_ITEMS_MAX, type TrainingItem } from "../src/model/custom-model.ts";
import { readKnowledge } from "../test/eval/knowledge.ts";
import { createExaminer } from "../workers/recogniser/recogniser.ts";
import { createLabeller, type Labeller } from "../workers/training/classifier.ts";
import { createFeatureReader } from "../workers/training/line-features.ts";
import { recogniserInputOf, trainModel, type TrainedModel } from "../workers/training/train.ts";
import { type LabelledSet, readBarnet, readBirmingham, trainingCut } from "./models/lines.ts";
import { hasScikit, majorityLabels, scikitLabels, type ScikitRun } from "./models/references.ts";
import { scoreOf, scoresOf, type ScoredAnswers } from "./models/scores.ts";
import {
  compareSeveral,
  LABEL_COLUMNS,
  readSeveral,
  type TrainAndAnswer,
} from "./models/several.ts";
import { readOptions, readParts } from "./options.ts";
import { describeMachine, printMatrix, printTable, row, type Row, writeReport } from "./table.ts";

const PARTS = ["cost", "barnet", "birmingham", "several"] as const;
const options = readOptions({
  python: { type: "string", default: "python3" },
  only: { type: "string" },
});
const parts = readParts(options.only, PARTS);
const CURVE = [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, TRAINING_ITEMS_MAX];
/** Beyond, scikit-learn takes minutes for pieces of words. */
const SCIKIT_PIECES_MAX = 10_000;
const SCIKIT_QUICK_MAX = 10_000;
const TRAIN_GOAL_S = 20;
const MEMORY_GOAL_MB = 400;
const LABEL_GOAL_US = 15;
const MODEL_GOAL_MB = 8.39;
const TIMED_LINES = 20_000;
const ROUNDS = 3;
/** Samples of the training lines for each size of the curve, up to this size: those of few lines differ by several percent. */
const SAMPLES = 5;
const SAMPLED_MAX = 1_000;
/** Test lines that the curve is measured on. */
const CURVE_LINES_MAX = 6_000;

const examine = createExaminer(readKnowledge());
const readFeatures = createFeatureReader();
const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const train = (items: readonly TrainingItem[]): TrainedModel =>
  trainModel(items, examine, { threshold: 0, progress: () => undefined });

type ExaminedItem = Parameters<Labeller>;

function examinedOf(item: TrainingItem): ExaminedItem {
  const input = recogniserInputOf(item);
  const { reading, facts } = examine(input);
  return [input, reading.line, facts];
}

/** Examined once, for all models that are measured with them. */
interface TestLines {
  readonly items: readonly TrainingItem[];
  readonly examined: readonly ExaminedItem[];
}

function labelsBy({ bytes }: TrainedModel, { examined }: TestLines): readonly string[] {
  const label = createLabeller(bytes, readFeatures);
  return examined.map((one) => label(...one).label);
}

const partyOf = ([item, , { entities }]: ExaminedItem): string => {
  const { website = null, name = null } = entities?.counterparty ?? {};
  return website ?? name ?? item.description.toLowerCase();
};

/** The most frequent label of the merchant that the recogniser finds. */
const byMerchant = (items: readonly TrainingItem[], { examined }: TestLines): readonly string[] =>
  majorityLabels(
    items.map((item) => [partyOf(examinedOf(item)), item.label]),
    examined.map(partyOf),
  );

const defaultLabelOf = ([, , { categories }]: ExaminedItem): string => categories?.general ?? "";

/** What the default labels reach when each is mapped to the label that it most often stands for: as well as by hand, or better. */
const byDefaultLabel = (
  items: readonly TrainingItem[],
  { examined }: TestLines,
): readonly string[] =>
  majorityLabels(
    items.map((item) => [defaultLabelOf(examinedOf(item)), item.label]),
    examined.map(defaultLabelOf),
  );

const SCORE_COLUMNS = [
  ...["accuracy %", "from", "to", "macro-F1 %", "from", "to"],
  ...["behind, from", "to"],
];
const cells = (score: ScoredAnswers): readonly number[] => [
  ...[score.accuracy, ...score.accuracyRange, score.macroF1, ...score.macroF1Range],
  ...score.accuracyBehind,
];

/** Training lines at even distances, from another one in each sample: the curve is not that of the oldest month. */
const sampleOf = (
  items: readonly TrainingItem[],
  size: number,
  offset: number,
): readonly TrainingItem[] =>
  Array.from(
    { length: size },
    (_, at) => items[Math.floor(((at + offset) * items.length) / size)],
  ).flatMap((item) => item ?? []);

const OWN = "Ledgerline";

function compare(
  set: LabelledSet,
  lines: TestLines,
  isScikitThere: boolean,
): ReadonlyMap<string, ScoredAnswers> {
  const { test } = set;
  const byDescription = majorityLabels(
    set.train.map(({ description, label }) => [description.toLowerCase(), label]),
    test.map(({ description }) => description.toLowerCase()),
  );
  const answers = new Map<string, readonly string[]>([
    ["default labels, mapped", byDefaultLabel(set.train, lines)],
    ["majority by merchant", byMerchant(set.train, lines)],
    ["majority by description", byDescription],
  ]);
  const isTooLong = options.quick && set.train.length > SCIKIT_QUICK_MAX;
  if (isScikitThere && !isTooLong) {
    const size = set.train.length;
    const runs: ScikitRun[] = [
      { analyzer: "word", size },
      ...(size <= SCIKIT_PIECES_MAX ? [{ analyzer: "char_wb", size } as const] : []),
    ];
    scikitLabels(options.python, set.train, test, runs).forEach(({ labels }, at) => {
      answers.set(`scikit-learn, ${runs[at]?.analyzer ?? ""}`, labels);
    });
  }
  const model = train(set.train);
  answers.set(OWN, labelsBy(model, lines));
  const { accuracy, macroF1 } = model.quality;
  print(
    `\n${set.name}: its quality states ${share(accuracy)} % and macro-F1 ${share(macroF1)} %, held out by chance.`,
  );
  return scoresOf(answers, test, OWN);
}

const share = (of: number | null): string => (100 * (of ?? 0)).toFixed(1);
const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** Every n-th of many lines: their intervals are wider than what this changes. */
function thinned(items: readonly TrainingItem[]): TestLines {
  const every = Math.ceil(items.length / CURVE_LINES_MAX);
  const kept = items.filter((_, at) => at % every === 0);
  return { items: kept, examined: kept.map(examinedOf) };
}

function curveOf(
  set: LabelledSet,
  isScikitThere: boolean,
): ReadonlyMap<string, readonly (number | null)[]> {
  const lines = thinned(set.test);
  const test = lines.items;
  const sizes = CURVE.filter((size) => size <= set.train.length);
  return new Map(
    sizes.map((size) => {
      const count = size <= SAMPLED_MAX ? SAMPLES : 1;
      const isAsked = isScikitThere && size <= (options.quick ? 500 : 5_000);
      const samples = Array.from({ length: count }, (_, at) => {
        const sample = sampleOf(set.train, size, at / count);
        const runs = isAsked ? [{ analyzer: "word", size } as const] : [];
        const [scikit] = isAsked ? scikitLabels(options.python, sample, test, runs) : [];
        return {
          majority: scoreOf(byMerchant(sample, lines), test).accuracy,
          scikit: scikit === undefined ? null : scoreOf(scikit.labels, test).accuracy,
          own: scoreOf(labelsBy(train(sample), lines), test),
        };
      });
      const own = samples.map((one) => one.own.accuracy);
      const scikit = samples.flatMap((one) => one.scikit ?? []);
      return [
        `${size.toLocaleString("en-US")} lines`,
        [
          meanOf(samples.map(({ majority }) => majority)),
          scikit.length === 0 ? null : meanOf(scikit),
          meanOf(own),
          Math.min(...own),
          Math.max(...own),
          Math.min(...samples.map((one) => one.own.accuracy - one.majority)),
          meanOf(samples.map((one) => one.own.macroF1)),
        ],
      ];
    }),
  );
}

const CURVE_COLUMNS = [
  ...["majority %", "scikit-learn %", `${OWN} %`, "from", "to", "least above majority"],
  "its macro-F1 %",
];

/** What is likely of several labels, by one model or one for each label. */
function severalLabels(): Record<string, unknown> {
  const answer: TrainAndAnswer = (items, asked) => {
    const label = createLabeller(train(items).bytes, readFeatures);
    return asked.map((one) => label(...examinedOf(one)));
  };
  return Object.fromEntries(
    LABEL_COLUMNS.map((columns) => {
      const items = readSeveral(columns);
      const title = `Bank lines with the labels ${columns.join(", ")}: ${String(items.length)}, cross-validated`;
      const scores = new Map(
        [...compareSeveral(items, answer)].map(([name, score]) => [name, cells(score)] as const),
      );
      printMatrix(title, SCORE_COLUMNS, scores);
      return [title, Object.fromEntries(scores)];
    }),
  );
}

/** Processor time of the best of some rounds, for each item, µs. The results are those of the last. */
function timedEach<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): readonly [readonly Result[], number] {
  let results: readonly Result[] = [];
  let bestUs = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const started = process.cpuUsage();
    results = items.map(work);
    const { user, system } = process.cpuUsage(started);
    bestUs = Math.min(bestUs, (user + system) / items.length);
  }
  return [results, bestUs];
}

/** Time and memory of a training in this process, and what a label adds to a transaction that was examined. */
function costRows(set: LabelledSet): readonly Row[] {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const started = process.cpuUsage();
  const model = train(set.train);
  const { user, system } = process.cpuUsage(started);
  const peakKb = process.resourceUsage().maxRSS;
  const label = createLabeller(model.bytes, readFeatures);
  const timed = set.test.slice(0, TIMED_LINES);
  const [examined, examineUs] = timedEach(timed, examinedOf);
  const [, labelUs] = timedEach(examined, (one) => label(...one));
  return [
    row(
      `training of ${set.train.length.toLocaleString("en-US")} items, processor time`,
      (user + system) / 1e6,
      "s",
      { kind: "max", value: TRAIN_GOAL_S },
    ),
    row("  memory that it took", peakKb / 1024 - before / 1024 / 1024, "MB", {
      kind: "max",
      value: MEMORY_GOAL_MB,
    }),
    row("  model", model.bytes.length / 1e6, "MB", { kind: "max", value: MODEL_GOAL_MB }),
    row("label of a transaction, processor time", labelUs, "µs", {
      kind: "max",
      value: LABEL_GOAL_US,
    }),
    row("  recognising the same transaction", examineUs, "µs"),
  ];
}

const tables: Record<string, unknown> = {};

function measureSet(set: LabelledSet, isScikitThere: boolean): void {
  const lines = { items: set.test, examined: set.test.map(examinedOf) };
  const title = `${set.name}: ${String(set.train.length)} → ${String(set.test.length)}`;
  const scores = new Map(
    [...compare(set, lines, isScikitThere)].map(([name, score]) => [name, cells(score)] as const),
  );
  printMatrix(title, SCORE_COLUMNS, scores);
  tables[set.name] = Object.fromEntries(scores);
  for (const one of [set, trainingCut(set)]) {
    const curve = curveOf(one, isScikitThere);
    printMatrix(`${one.name}, by training lines`, CURVE_COLUMNS, curve);
    tables[`${one.name}, by training lines`] = Object.fromEntries(curve);
  }
}

const machine = describeMachine();
const birmingham = readBirmingham();
// First, while the process has no other memory.
const rows = parts.has("cost") ? costRows(birmingham) : [];
if (parts.has("cost")) printTable(rows);
const isScikitThere = hasScikit(options.python);
if (!isScikitThere)
  print(
    `\n${options.python} has no scikit-learn: its column is left out (--python names another).`,
  );
if (parts.has("barnet")) measureSet(readBarnet(), isScikitThere);
if (parts.has("birmingham")) measureSet(birmingham, isScikitThere);
if (parts.has("several")) Object.assign(tables, severalLabels());
if (options.out !== undefined) writeReport(options.out, machine, rows, { tables });
