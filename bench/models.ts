// npm run bench:models -- [--quick] [--python COMMAND] [--out FILE]
// The quality of labelling models on real lines with the labels of their owners, split by time: in the same run as the most
// frequent label of the merchant, and as scikit-learn's TfidfVectorizer with LogisticRegression where COMMAND (python3) has
// it. Then a learning curve from 50 lines on, what a training of 50 000 items takes, and what a label costs each transaction.
// --quick leaves out scikit-learn on the longer lines, where it takes minutes.
// The lines are looked for in DATA_DIR or ../shared/data.
import { TRAINING_ITEMS_MAX, type TrainingItem } from "../src/model/custom-model.ts";
import { readKnowledge } from "../test/eval/knowledge.ts";
import { createExaminer } from "../workers/recogniser/recogniser.ts";
import { createLabeller, type Labeller } from "../workers/training/classifier.ts";
import { createFeatureReader } from "../workers/training/line-features.ts";
import { recogniserInputOf, trainModel, type TrainedModel } from "../workers/training/train.ts";
import { type LabelledSet, readBarnet, readBirmingham } from "./models/lines.ts";
import { hasScikit, majorityLabels, scikitLabels, type ScikitRun } from "./models/references.ts";
import { readOptions } from "./options.ts";
import { describeMachine, printMatrix, printTable, row, type Row, writeReport } from "./table.ts";

const options = readOptions({ python: { type: "string", default: "python3" } });
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

const examine = createExaminer(readKnowledge());
const readFeatures = createFeatureReader();
const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

interface Score {
  readonly accuracy: number;
  readonly macroF1: number;
}

/** Macro-F1 is the mean over all labels of the test and of the answers. */
function scoreOf(answers: readonly string[], test: readonly TrainingItem[]): Score {
  const [right, given, both] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ];
  const count = (counts: Map<string, number>, label: string): void => {
    counts.set(label, (counts.get(label) ?? 0) + 1);
  };
  test.forEach(({ label }, at) => {
    const answer = answers[at] ?? "";
    count(right, label);
    count(given, answer);
    if (answer === label) count(both, label);
  });
  const labels = [...new Set([...right.keys(), ...given.keys()])];
  const f1 = labels.map(
    (label) => (2 * (both.get(label) ?? 0)) / ((right.get(label) ?? 0) + (given.get(label) ?? 0)),
  );
  const correct = [...both.values()].reduce((sum, items) => sum + items, 0);
  return {
    accuracy: (100 * correct) / test.length,
    macroF1: (100 * f1.reduce((sum, one) => sum + one, 0)) / labels.length,
  };
}

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

const cells = ({ accuracy, macroF1 }: Score): readonly number[] => [accuracy, macroF1];

/** Training lines at even distances: the curve is not that of the oldest month. */
const sampleOf = (items: readonly TrainingItem[], size: number): readonly TrainingItem[] =>
  Array.from({ length: size }, (_, at) => items[Math.floor((at * items.length) / size)]).flatMap(
    (item) => item ?? [],
  );

function compare(
  set: LabelledSet,
  lines: TestLines,
  isScikitThere: boolean,
): readonly (readonly [string, Score])[] {
  const { test } = set;
  const byDescription = majorityLabels(
    set.train.map(({ description, label }) => [description.toLowerCase(), label]),
    test.map(({ description }) => description.toLowerCase()),
  );
  const scores: (readonly [string, Score])[] = [
    ["majority by merchant", scoreOf(byMerchant(set.train, lines), test)],
    ["majority by description", scoreOf(byDescription, test)],
  ];
  const isTooLong = options.quick && set.train.length > SCIKIT_QUICK_MAX;
  if (isScikitThere && !isTooLong) {
    const size = set.train.length;
    const runs: ScikitRun[] = [
      { analyzer: "word", size },
      ...(size <= SCIKIT_PIECES_MAX ? [{ analyzer: "char_wb", size } as const] : []),
    ];
    scikitLabels(options.python, set.train, test, runs).forEach(({ labels }, at) => {
      scores.push([`scikit-learn, ${runs[at]?.analyzer ?? ""}`, scoreOf(labels, test)]);
    });
  }
  const model = train(set.train);
  const own = scoreOf(labelsBy(model, lines), test);
  const { accuracy, macroF1 } = model.quality;
  return [
    ...scores,
    ["Ledgerline", own],
    [
      "  as its quality states, held out by chance",
      { accuracy: 100 * (accuracy ?? 0), macroF1: 100 * (macroF1 ?? 0) },
    ],
  ];
}

function curveOf(
  set: LabelledSet,
  lines: TestLines,
  isScikitThere: boolean,
): ReadonlyMap<string, readonly (number | null)[]> {
  const { test } = set;
  const sizes = CURVE.filter((size) => size <= set.train.length);
  return new Map(
    sizes.map((size) => {
      const sample = sampleOf(set.train, size);
      const majority = scoreOf(byMerchant(sample, lines), test).accuracy;
      const isAsked = isScikitThere && size <= (options.quick ? 500 : 5_000);
      const [scikit] = isAsked
        ? scikitLabels(options.python, sample, test, [{ analyzer: "word", size }])
        : [];
      const own = scoreOf(labelsBy(train(sample), lines), test);
      return [
        `${size.toLocaleString("en-US")} lines`,
        [
          majority,
          scikit === undefined ? null : scoreOf(scikit.labels, test).accuracy,
          own.accuracy,
          own.macroF1,
        ],
      ];
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

const machine = describeMachine();
const birmingham = readBirmingham();
// First, while the process has no other memory.
const rows = costRows(birmingham);
printTable(rows);
const isScikitThere = hasScikit(options.python);
if (!isScikitThere)
  print(
    `\n${options.python} has no scikit-learn: its column is left out (--python names another).`,
  );
const tables: Record<string, unknown> = {};
for (const set of [readBarnet(), birmingham]) {
  const lines = { items: set.test, examined: set.test.map(examinedOf) };
  const title = `${set.name}: ${String(set.train.length)} → ${String(set.test.length)}`;
  const scores = new Map(
    compare(set, lines, isScikitThere).map(([name, score]) => [name, cells(score)] as const),
  );
  printMatrix(title, ["accuracy %", "macro-F1 %"], scores);
  const curve = curveOf(set, lines, isScikitThere);
  const columns = ["majority %", "scikit-learn %", "Ledgerline %", "its macro-F1 %"];
  printMatrix(`${set.name}, by training lines`, columns, curve);
  tables[set.name] = { scores: Object.fromEntries(scores), curve: Object.fromEntries(curve) };
}
if (options.out !== undefined) writeReport(options.out, machine, rows, { tables });
