// npm run train -- categoriser [--measure [--errors] [--check | --write-baseline] [--without=generated|own|ranker|domains|words]]
// Trains the categoriser on the labelled lines, and writes models/categoriser.json. The knowledge must be built with the other
// models. What is found out of a line comes from models that have not seen its merchant. With --measure it writes nothing and
// prints instead what the whole recogniser reaches by cross-validation: every answer is from models that have not seen the merchant.
// --check fails when a figure of a block falls below its interval in test/eval/cross-validated.json, --write-baseline writes that
// file. --without leaves a part of it out: generated lines, our own lines, the trained ranker, domains, what words sound like.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  baselinesOf,
  CROSS_VALIDATED_FILE,
  lossesOf,
  readBaselines,
  writeBaselines,
} from "../../test/eval/baseline.ts";
import { type Outcome, outcomeOf } from "../../test/eval/measure.ts";
import { readKnowledge } from "../../test/eval/knowledge.ts";
import {
  calibrationTable,
  errorList,
  intervalsTable,
  thresholdTable,
} from "../../test/eval/report.ts";
import type { Knowledge } from "../../workers/knowledge/knowledge.ts";
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
  calibrate,
  type Decision,
  probabilities,
  trainLogit,
  type Weights,
} from "./logit.ts";
import { readMaterial } from "./names.ts";
import { trainRankers } from "./ranker.ts";
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

type CategoryDecision = Decision & LabelledLine;

function decisionOf(
  labelled: LabelledLine,
  examine: ReturnType<typeof createExaminer>,
): readonly CategoryDecision[] {
  const { one, block } = labelled;
  const { accountType, entryType } = one.item;
  const { categoryInput } = examine(one.item);
  if (accountType === null || categoryInput === null) return [];
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

function modelOf(weights: Weights, answers: readonly Answer[]): CategoriserModel {
  const rounded = [...weights]
    .filter(([, weight]) => Math.abs(weight) > WEIGHT_MIN)
    .map(([name, weight]) => [name, Math.round(weight * DECIMALS) / DECIMALS] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return { weights: Object.fromEntries(rounded), calibration: calibrate(answers) };
}

interface TrainedCategorisers {
  readonly shipped: CategoriserModel;
  /** For each fold the knowledge with models that have seen no merchant of it. */
  readonly ofFolds: readonly Knowledge[];
}

/** Parts that can be left out, to measure what they are worth. */
const PARTS = ["generated", "own", "ranker", "domains", "words"] as const;
type RecogniserPart = (typeof PARTS)[number];

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
  calibration: [],
};

/** The knowledge as if a part of it were missing. */
function withoutPart(part: RecogniserPart | null, knowledge: Knowledge): Knowledge {
  const nothing = { has: () => false };
  if (part === "domains") return { ...knowledge, domains: { core: nothing, older: nothing } };
  if (part === "words") return { ...knowledge, model: { ...knowledge.model, scale: 0 } };
  return knowledge;
}

async function trainCategorisers(
  all: readonly LabelledLine[],
  complete: Knowledge,
  missing: RecogniserPart | null,
): Promise<TrainedCategorisers> {
  const knowledge = withoutPart(missing, complete);
  const lines = all.filter(({ block }) => missing !== "own" || block !== "own");
  const count = missing === "generated" ? 0 : undefined;
  const taggers = createFoldTaggers(await readMaterial(), knowledge, count);
  const rankers = trainRankers(lines, taggers, knowledge);
  const unseen = taggers.map((tagger, fold): Knowledge => {
    const trained = rankers.ofFolds[fold] ?? rankers.shipped;
    const ranker = missing === "ranker" ? LONGEST_NAME : trained;
    return { ...knowledge, tagger, lexicon: { ...knowledge.lexicon, ranker } };
  });
  const examiners = unseen.map((own) => createExaminer(own));
  const decisions = lines.flatMap((labelled) => {
    const examine = examiners[labelled.fold];
    return examine === undefined ? [] : decisionOf(labelled, examine);
  });
  const weights = folds.map((fold) =>
    trainLogit(
      decisions.filter((decision) => decision.fold !== fold),
      OPTIONS,
    ),
  );
  const answers = decisions
    .filter(({ block }) => block !== "own")
    .flatMap((decision) => {
      const seenOthers = weights[decision.fold];
      const { fold } = decision;
      return seenOthers === undefined ? [] : [{ ...answerOf(decision, seenOthers), fold }];
    });
  return {
    shipped: modelOf(trainLogit(decisions, OPTIONS), answers),
    ofFolds: unseen.map((own, fold) => {
      const others = answers.filter((answer) => answer.fold !== fold);
      const categoriser = modelOf(weights[fold] ?? new Map<string, number>(), others);
      return { ...own, lexicon: { ...own.lexicon, categoriser } };
    }),
  };
}

type Block = LabelledLine["block"];

/** The outcomes of each block by models that have not seen the merchants of its lines. */
function crossValidate(
  lines: readonly LabelledLine[],
  ofFolds: readonly Knowledge[],
): ReadonlyMap<Block, readonly Outcome[]> {
  const examiners = ofFolds.map((own) => createExaminer(own));
  return new Map(
    LABELLED_BLOCKS.map((wanted) => [
      wanted,
      lines
        .filter(({ block }) => block === wanted)
        .flatMap(({ one, fold }) => {
          const examine = examiners[fold];
          return examine === undefined ? [] : [outcomeOf(one, examine(one.item))];
        }),
    ]),
  );
}

function measure(found: ReadonlyMap<Block, readonly Outcome[]>, showsErrors: boolean): void {
  for (const [block, outcomes] of found) {
    print(
      `\n=== ${block}\n\n${intervalsTable(outcomes)}\n\n${calibrationTable(outcomes)}\n\n${thresholdTable(outcomes)}`,
    );
    if (showsErrors) print(`\n${errorList(outcomes, true)}`);
  }
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

export async function runCategoriser(args: readonly string[]): Promise<void> {
  const lines = readLabelledLines();
  const missing = PARTS.find((part) => args.includes(`--without=${part}`)) ?? null;
  const { shipped, ofFolds } = await trainCategorisers(lines, readKnowledge(), missing);
  if (!args.includes("--measure")) {
    writeFileSync(FILE, `${JSON.stringify(shipped, null, 1)}\n`);
    return;
  }
  const found = crossValidate(lines, ofFolds);
  measure(found, args.includes("--errors"));
  if (args.includes("--write-baseline")) writeBaselines(CROSS_VALIDATED_FILE, baselinesOf(found));
  if (args.includes("--check") && !isKept(found)) process.exitCode = 1;
}
