// npm run train -- categoriser [--curves] [--measure [--errors] [--check | --write-baseline] [--write-models] | --parts]
// Trains the ranker and the categoriser on the labelled lines, and writes models/ranker.json and models/categoriser.json. The
// knowledge must be built with the other models. What is found out of a line comes from models that have not seen its merchant. With
// --curves the weights of both files stay, and only what their probabilities are worth is written anew. With --measure it writes
// nothing (unless --curves or --write-models is given) and prints instead what the whole recogniser reaches by cross-validation: every
// answer is from models that have not seen the merchant.
// --check fails when a figure of a block falls below its interval in test/eval/cross-validated.json, --write-baseline writes that
// file. --parts prints what is reached with each part left out in turn: generated lines, our own lines, the trained ranker, domains,
// what words sound like, what companies use a trade for.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AccountType } from "../../src/model/transaction.ts";
import {
  baselinesOf,
  CROSS_VALIDATED_FILE,
  lossesOf,
  readBaselines,
  writeBaselines,
} from "../../test/eval/baseline.ts";
import { figuresOf, type Outcome, outcomeOf, percentOf } from "../../test/eval/measure.ts";
import { readKnowledge } from "../../test/eval/knowledge.ts";
import { MENDS, mendsOf } from "../../test/eval/mend.ts";
import {
  calibrationTables,
  errorList,
  intervalsTable,
  mendTable,
  thresholdTable,
} from "../../test/eval/report.ts";
import { readCategoriser, readRanker } from "../../workers/knowledge/builder/ranker-file.ts";
import type { Knowledge, TaggerModel } from "../../workers/knowledge/knowledge.ts";
import {
  CATEGORY_SETS,
  categoryEvidence,
  type CategoriserModel,
} from "../../workers/recogniser/category/categoriser.ts";
import type { RankerModel } from "../../workers/recogniser/rank/ranker.ts";
import { createExaminer } from "../../workers/recogniser/recogniser.ts";
import { folds, LABELLED_BLOCKS, type LabelledLine, readLabelledLines } from "./labelled.ts";
import {
  type Answer,
  calibrateFirst,
  type Decision,
  probabilities,
  trainLogit,
  type Weights,
} from "./logit.ts";
import { readMaterial } from "./names.ts";
import { trainRankers, writeRanker } from "./ranker.ts";
import { createFoldTaggers } from "./tagger.ts";

const FILE = join(import.meta.dirname, "../../workers/knowledge/models/categoriser.json");
/** The category of a source is likely right from the start. */
const start = (name: string): number =>
  name.startsWith("source:") ? 2 : name.startsWith("lp:") ? 0.5 : 0;
const OPTIONS = { epochs: 20, rate: 0.15, pull: 0.003, start } as const;
const OWN_WEIGHT = 0.3;
const WEIGHT_MIN = 0.01;
const DECIMALS = 1e3;
const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

function writeCategoriser(model: CategoriserModel): void {
  writeFileSync(FILE, `${JSON.stringify(model, null, 1)}\n`);
}

type CategoryDecision = Decision & LabelledLine;

function decisionOf(
  labelled: LabelledLine,
  examine: ReturnType<typeof createExaminer>,
  missing: RecogniserPart | null,
): readonly CategoryDecision[] {
  const { one, block } = labelled;
  const { accountType, entryType } = one.item;
  const { categoryInput: complete } = examine(one.item);
  if (accountType === null || complete === null) return [];
  const categoryInput = missing === "trades" ? { ...complete, trades: [] } : complete;
  const choices = CATEGORY_SETS[accountType][entryType].map((category, at) => ({
    evidence: [...categoryEvidence(categoryInput, at)],
    right: one.label.categories?.includes(category) === true,
  }));
  return [{ choices, weight: block === "own" ? OWN_WEIGHT : 1, ...labelled }];
}

function answerOf(decision: Decision, weights: Weights): Answer {
  const shares = probabilities(decision, weights);
  const best = shares.indexOf(Math.max(...shares));
  return { probability: shares[best] ?? 0, right: decision.choices[best]?.right === true };
}

interface FoldAnswer extends Answer {
  readonly fold: number;
  readonly accountType: AccountType | null;
}

function modelOf(weights: Weights, answers: readonly FoldAnswer[]): CategoriserModel {
  const curveOf = (accountType: AccountType) =>
    calibrateFirst([answers.filter((answer) => answer.accountType === accountType), answers]);
  const rounded = [...weights]
    .filter(([, weight]) => Math.abs(weight) > WEIGHT_MIN)
    .map(([name, weight]) => [name, Math.round(weight * DECIMALS) / DECIMALS] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    weights: Object.fromEntries(rounded),
    calibration: { consumer: curveOf("consumer"), business: curveOf("business") },
  };
}

interface TrainedCategorisers {
  readonly shipped: CategoriserModel;
  readonly ranker: RankerModel;
  /** For each fold the knowledge with models that have seen no merchant of it. */
  readonly ofFolds: readonly Knowledge[];
}

/** Parts that can be left out, to measure what they are worth. */
const PARTS = ["generated", "own", "ranker", "domains", "words", "trades"] as const;
type RecogniserPart = (typeof PARTS)[number];

const NO_CURVES = { merchant: [], words: [], address: [] } as const;
const NO_CALIBRATION = { consumer: NO_CURVES, business: NO_CURVES } as const;

/** Takes the most of a name that is written, and the likeliest name where no table contains it. */
const LONGEST_NAME: RankerModel = {
  weights: {
    curated: { length: 5, least: 5 },
    brand: { length: 5, least: 5 },
    name: { mean: 5, length: 1, order: -5 },
    person: { mean: 5, length: 1, order: -5 },
    address: { length: 3 },
    none: { bias: 1 },
  },
  calibration: NO_CALIBRATION,
};

/** The knowledge as if a part of it were missing. */
function withoutPart(part: RecogniserPart | null, knowledge: Knowledge): Knowledge {
  const nothing = { has: () => false };
  if (part === "domains") return { ...knowledge, domains: { core: nothing, older: nothing } };
  if (part === "words") return { ...knowledge, model: { ...knowledge.model, scale: 0 } };
  return knowledge;
}

function trainCategorisers(
  all: readonly LabelledLine[],
  complete: Knowledge,
  taggers: readonly TaggerModel[],
  missing: RecogniserPart | null,
): TrainedCategorisers {
  const knowledge = withoutPart(missing, complete);
  const lines = all.filter(({ block }) => missing !== "own" || block !== "own");
  const rankers = trainRankers(lines, taggers, knowledge);
  const unseen = taggers.map((tagger, fold): Knowledge => {
    const trained = rankers.ofFolds[fold] ?? rankers.shipped;
    const ranker = missing === "ranker" ? LONGEST_NAME : trained;
    return { ...knowledge, tagger, lexicon: { ...knowledge.lexicon, ranker } };
  });
  const examiners = unseen.map((own) => createExaminer(own));
  const decisions = lines.flatMap((labelled) => {
    const examine = examiners[labelled.fold];
    return examine === undefined ? [] : decisionOf(labelled, examine, missing);
  });
  const weights = folds.map((fold) =>
    trainLogit(
      decisions.filter((decision) => decision.fold !== fold),
      OPTIONS,
    ),
  );
  const answers = decisions
    .filter(({ block }) => block !== "own")
    .flatMap((decision): FoldAnswer[] => {
      const { fold, one } = decision;
      const seenOthers = weights[fold];
      if (seenOthers === undefined) return [];
      return [{ ...answerOf(decision, seenOthers), fold, accountType: one.item.accountType }];
    });
  return {
    shipped: modelOf(trainLogit(decisions, OPTIONS), answers),
    ranker: rankers.shipped,
    ofFolds: unseen.map((own, fold) => {
      const others = answers.filter((answer) => answer.fold !== fold);
      const categoriser = modelOf(weights[fold] ?? new Map<string, number>(), others);
      return { ...own, lexicon: { ...own.lexicon, categoriser } };
    }),
  };
}

type Block = LabelledLine["block"];

/** An outcome with what it was made from. */
interface ExaminedOutcome extends Outcome {
  readonly mends: () => readonly string[];
}

/** The outcomes of each block by models that have not seen the merchants of its lines. */
function crossValidate(
  lines: readonly LabelledLine[],
  ofFolds: readonly Knowledge[],
): ReadonlyMap<Block, readonly ExaminedOutcome[]> {
  const examiners = ofFolds.map((own) => createExaminer(own));
  return new Map(
    LABELLED_BLOCKS.map((wanted) => [
      wanted,
      lines
        .filter(({ block }) => block === wanted)
        .flatMap(({ one, fold }) => {
          const [examine, knowledge] = [examiners[fold], ofFolds[fold]];
          if (examine === undefined || knowledge === undefined) return [];
          const examination = examine(one.item);
          const outcome = outcomeOf(one, examination);
          const mends = () => mendsOf(outcome, examination, knowledge).map((mend) => MENDS[mend]);
          return [{ ...outcome, mends }];
        }),
    ]),
  );
}

function measure(
  found: ReadonlyMap<Block, readonly ExaminedOutcome[]>,
  showsErrors: boolean,
): void {
  for (const [block, outcomes] of found) {
    print(
      `\n=== ${block}\n\n${intervalsTable(outcomes)}\n\n${calibrationTables(outcomes)}\n\n${thresholdTable(outcomes)}`,
    );
    if (showsErrors) print(`\n${errorList(outcomes, true)}`);
  }
  if (!showsErrors) return;
  const real = [...found].flatMap(([block, outcomes]) => (block === "own" ? [] : outcomes));
  print(`\n=== the worst of the real lines\n`);
  print(mendTable(real, ({ mends }) => mends()));
}

/** Whether no figure is below its interval; prints those that are. */
function isKept(found: ReadonlyMap<Block, readonly Outcome[]>): boolean {
  const baselines = readBaselines(CROSS_VALIDATED_FILE);
  const losses = [...found].flatMap(([block, outcomes]) => {
    const baseline = baselines[block];
    const own = baseline === undefined ? ["It has no baseline."] : lossesOf(outcomes, baseline);
    return own.map((loss) => `FAILED: ${block}: ${loss}`);
  });
  for (const loss of losses) print(loss);
  return losses.length === 0;
}

const FIGURES_COMPARED = ["merchant", "website", "category"] as const;

/** A row for each part that is left out: names, websites and categories of each block, in percent. */
async function printParts(
  lines: readonly LabelledLine[],
  knowledge: Knowledge,
  taggers: readonly TaggerModel[],
): Promise<void> {
  for (const missing of [null, ...PARTS]) {
    const own =
      missing === "generated" ? createFoldTaggers(await readMaterial(), knowledge, 0) : taggers;
    const { ofFolds } = trainCategorisers(lines, knowledge, own, missing);
    const cells = [...crossValidate(lines, ofFolds)].map(([block, outcomes]) => {
      const figures = figuresOf(outcomes);
      const shares = FIGURES_COMPARED.map((name) => {
        const ratio = figures[name];
        return ratio === null ? "–" : percentOf(ratio).toFixed(1);
      });
      return `${block} ${shares.join(", ")}`;
    });
    print(`${missing === null ? "all parts" : `without ${missing}`}: ${cells.join("; ")}`);
  }
}

/** A curve only depends on models that have not seen its answers: the shipped weights may stay. */
function writeCurves({ shipped, ranker }: TrainedCategorisers): void {
  writeRanker({ ...readRanker(), calibration: ranker.calibration });
  writeCategoriser({ ...readCategoriser(), calibration: shipped.calibration });
}

export async function runCategoriser(args: readonly string[]): Promise<void> {
  const lines = readLabelledLines();
  const knowledge = readKnowledge();
  const taggers = createFoldTaggers(await readMaterial(), knowledge);
  if (args.includes("--parts")) {
    await printParts(lines, knowledge, taggers);
    return;
  }
  const trained = trainCategorisers(lines, knowledge, taggers, null);
  if (args.includes("--curves")) writeCurves(trained);
  else if (!args.includes("--measure") || args.includes("--write-models")) {
    writeRanker(trained.ranker);
    writeCategoriser(trained.shipped);
  }
  if (!args.includes("--measure")) return;
  const found = crossValidate(lines, trained.ofFolds);
  measure(found, args.includes("--errors"));
  if (args.includes("--write-baseline")) writeBaselines(CROSS_VALIDATED_FILE, baselinesOf(found));
  if (args.includes("--check") && !isKept(found)) process.exitCode = 1;
}
