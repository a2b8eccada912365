// npm run bench:recurrence-quality -- [--quick] [--held-out] [--cases LEVEL] [--out FILE]
// Measures detectors of recurring payments on labelled ledgers, side by side: generated ones at three levels of noise, series
// that were labelled by hand, and ledgers of other generators where the public files are found. Prints tables with intervals
// of 95 %; --out writes the same as JSON. Without --held-out the ledgers are those on which rules may be tuned.
import { writeFileSync } from "node:fs";
import { readOptions } from "../options.ts";
import { describeMachine, printMatrix } from "../table.ts";
import { detectByAutocorrelation, detectByFixedInterval } from "./baselines.ts";
import { detectByEngine } from "./engine.ts";
import { readDifficultLedgers } from "./difficult-ledgers.ts";
import { readForeignLedgers } from "./foreign-ledgers.ts";
import { DEVELOPMENT_SEEDS, generateLedgers, HELD_OUT_SEEDS } from "./ledgers.ts";
import { nameLedgers, recogniseLedgers } from "./recognised.ts";
import { type Detector, type LabelledLedger, NOISE_LEVELS } from "./samples.ts";
import { type LedgerScore, scoreLedger } from "./score.ts";
import {
  type CaseSummary,
  type ShareFigure,
  summarize,
  summarizeCases,
  type Summary,
} from "./summary.ts";

/** What is compared; a line for each. */
const DETECTORS: ReadonlyMap<string, Detector> = new Map([
  ["ledgerline", detectByEngine],
  ["fixed interval", detectByFixedInterval],
  ["autocorrelation", detectByAutocorrelation],
]);

const QUICK_LEDGERS = 20;
const FIRST_LETTER = 65;

const options = readOptions({
  "held-out": { type: "boolean", default: false },
  cases: { type: "string", default: "realistic" },
});

interface LedgerSet {
  readonly name: string;
  readonly ledgers: readonly LabelledLedger[];
}

interface SetResult {
  readonly set: string;
  readonly detector: string;
  readonly ms: number;
  readonly summary: Summary;
  readonly cases: readonly CaseSummary[];
}

function ledgerSets(): readonly LedgerSet[] {
  const seeds = options["held-out"] ? HELD_OUT_SEEDS : DEVELOPMENT_SEEDS;
  const count = options.quick ? QUICK_LEDGERS : seeds.count;
  const generated = NOISE_LEVELS.map((level) => ({
    name: level,
    ledgers: generateLedgers({ ...seeds, count }, level),
  }));
  const foreign = readForeignLedgers();
  if (foreign === null)
    process.stdout.write(
      "Public ledgers: not found, so not measured. They are looked for in DATA_DIR or ../shared/data.\n",
    );
  return [
    ...generated,
    { name: "realistic, names only", ledgers: nameLedgers(generated[1]?.ledgers ?? []) },
    { name: "hand-labelled", ledgers: readDifficultLedgers() },
    ...(foreign === null
      ? []
      : [
          { name: "public", ledgers: foreign },
          { name: "public, recognised", ledgers: recogniseLedgers(foreign) },
        ]),
  ];
}

function measureSet({ name, ledgers }: LedgerSet, detector: string, detect: Detector): SetResult {
  const startMs = performance.now();
  const detected = ledgers.map(({ entries, asOf }) => detect(entries, asOf));
  const ms = performance.now() - startMs;
  const reportsIncome = detected.flat().some(({ incomeType }) => incomeType !== undefined);
  const scores = ledgers.map(
    (ledger, index): LedgerScore => scoreLedger(ledger, detected[index] ?? [], reportsIncome),
  );
  return {
    ...{ set: name, detector, ms },
    ...{ summary: summarize(scores), cases: summarizeCases(scores) },
  };
}

const percentOf = (share: number | null): number | null => (share === null ? null : 100 * share);

const withInterval = ({ share, interval }: ShareFigure): readonly (number | null)[] => [
  percentOf(share),
  percentOf(interval?.low ?? null),
  percentOf(interval?.high ?? null),
];

function printSet(set: string, results: readonly SetResult[]): void {
  const table = (
    title: string,
    columns: readonly string[],
    cells: (summary: Summary) => readonly (number | null)[],
  ): void => {
    printMatrix(
      `${set}: ${title}`,
      columns,
      new Map(results.map(({ detector, summary }) => [detector, cells(summary)])),
    );
  };
  table("groups, %", ["precision", "low", "high", "recall", "low", "high"], (one) => [
    ...withInterval(one.precision),
    ...withInterval(one.recall),
  ]);
  table(
    "groups with periodicity, %",
    ["precision", "low", "high", "recall", "low", "high"],
    (one) => [...withInterval(one.exactPrecision), ...withInterval(one.exactRecall)],
  );
  table("members, %", ["precision", "low", "high", "recall", "low", "high"], (one) => [
    ...withInterval(one.memberPrecision),
    ...withInterval(one.memberRecall),
  ]);
  table(
    "next, active",
    ["days, median", "days, p90", "amount %, med.", "amount %, p90", "active %"],
    (one) => [
      one.nextDays.median,
      one.nextDays.p90,
      percentOf(one.nextAmountError.median),
      percentOf(one.nextAmountError.p90),
      percentOf(one.activity.share),
    ],
  );
  table(
    "intervals of the next payment that hold it, %",
    ["date", "low", "amount", "low", "varying amount", "low"],
    (one) =>
      [one.dateHeld, one.amountHeld, one.varyingAmountHeld].flatMap((figure) =>
        withInterval(figure).slice(0, 2),
      ),
  );
  table("income, %", ["precision", "type", "frequency", "sources"], (one) => [
    percentOf(one.incomePrecision.share),
    percentOf(one.incomeType.share),
    percentOf(one.incomeFrequency.share),
    one.incomeType.of,
  ]);
}

/** Each case by detector; A is the first detector of the tables above. */
function printCases(set: string, results: readonly SetResult[]): void {
  const names = [...new Set(results.flatMap(({ cases }) => cases.map((one) => one.case)))].sort();
  const table = (
    title: string,
    columns: readonly string[],
    cells: (found: CaseSummary) => readonly (number | null)[],
  ): void => {
    const heads = results.flatMap((_, index) =>
      columns.map((column) => `${String.fromCharCode(FIRST_LETTER + index)} ${column}`),
    );
    const lineOf = (name: string): readonly (number | null)[] => {
      const found = results.map(({ cases }) => cases.find((one) => one.case === name));
      const series = Math.max(...found.map((one) => one?.recall.of ?? 0));
      return [
        series,
        ...found.flatMap((one) => (one === undefined ? columns.map(() => null) : cells(one))),
      ];
    };
    printMatrix(
      `${set}: ${title}`,
      ["series", ...heads],
      new Map(names.map((name) => [name, lineOf(name)])),
    );
  };
  table("recall by case, %", ["recall", "low", "high", "exact"], (one) => [
    ...withInterval(one.recall),
    percentOf(one.exactRecall.share),
  ]);
  table(
    "precision and next by case",
    ["precision %", "wrong groups", "days, p90", "amount %, p90"],
    (one) => [
      percentOf(one.precision.share),
      one.wrongGroups,
      one.nextDays.p90,
      percentOf(one.nextAmountError.p90),
    ],
  );
}

const machine = { ...describeMachine(), quick: options.quick, heldOut: options["held-out"] };
process.stdout.write(`${JSON.stringify(machine)}\n`);
const sets = ledgerSets();
const results = sets.flatMap((set) =>
  [...DETECTORS].map(([name, detect]) => measureSet(set, name, detect)),
);
printMatrix(
  "ledgers",
  ["ledgers", "transactions", "series to find"],
  new Map(
    sets.map(({ name, ledgers }) => [
      name,
      [
        ledgers.length,
        ledgers.reduce((sum, { entries }) => sum + entries.length, 0),
        ledgers.reduce((sum, { series }) => sum + series.filter((one) => one.isRequired).length, 0),
      ],
    ]),
  ),
);
for (const { name } of sets)
  printSet(
    name,
    results.filter(({ set }) => set === name),
  );
printCases(
  options.cases,
  results.filter(({ set }) => set === options.cases),
);
if (options.out !== undefined)
  writeFileSync(options.out, `${JSON.stringify({ machine, results }, null, 2)}\n`);
