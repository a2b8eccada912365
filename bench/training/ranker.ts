// npm run train -- ranker
// Trains the ranker on the candidates of the labelled lines, and writes models/ranker.json. The taggings come from taggers that have
// not seen the merchants of their lines, so that the ranker learns how far a tagging can be believed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { comparableName } from "../../test/eval/measure.ts";
import { readKnowledge } from "../../test/eval/knowledge.ts";
import type { Knowledge, TaggerModel } from "../../workers/knowledge/knowledge.ts";
import type { AccountType } from "../../src/model/transaction.ts";
import type { Line } from "../../workers/recogniser/line.ts";
import type { Candidate } from "../../workers/recogniser/rank/candidate.ts";
import { candidatesOf } from "../../workers/recogniser/rank/candidates.ts";
import type { ParsedLine } from "../../workers/recogniser/rank/line-view.ts";
import {
  CANDIDATE_CLASSES,
  EVIDENCE_NAMES,
  type EvidenceVector,
} from "../../workers/recogniser/rank/evidence.ts";
import {
  CALIBRATED_KINDS,
  calibratedKindOf,
  type RankerCalibration,
  type RankerModel,
} from "../../workers/recogniser/rank/ranker.ts";
import { createParser, type Parser } from "../../workers/recogniser/parser.ts";
import { partyOf, probabilityOfName } from "../../workers/recogniser/read.ts";
import { folds, type LabelledLine, readLabelledLines } from "./labelled.ts";
import {
  type Answer,
  calibrateFirst,
  type Decision,
  probabilities,
  trainLogit,
  type Weights,
} from "./logit.ts";
import { readMaterial } from "./names.ts";
import { createFoldTaggers } from "./tagger.ts";

const FILE = join(import.meta.dirname, "../../workers/knowledge/models/ranker.json");
const OPTIONS = { epochs: 30, rate: 0.1, pull: 0.002, start: () => 0 } as const;
/** Our own lines count less than real ones. */
const OWN_WEIGHT = 0.3;
const PERSONAL_CATEGORY = "peer to peer transfer";
const WEIGHT_MIN = 0.005;
const DECIMALS = 1e3;

interface RankerDecision extends Decision, LabelledLine {
  readonly line: Line;
  /** Of each choice, what calibration needs. */
  readonly named: readonly NamedChoice[];
}

interface NamedChoice {
  readonly candidate: Candidate;
  /** Whether it names a counterparty. */
  readonly isName: boolean;
  readonly isRight: boolean;
}

function evidenceOf(name: string, vector: EvidenceVector): readonly (readonly [string, number])[] {
  return EVIDENCE_NAMES.map(
    (evidence, at) => [`${name} ${evidence}`, vector[at] ?? 0] as const,
  ).filter(([, value]) => value !== 0);
}

/** The name that a candidate would answer; "" without a counterparty. */
function nameOf(
  { line, tagging, hints }: ParsedLine,
  candidate: Candidate,
  knowledge: Knowledge,
): string {
  const party = partyOf(line, candidate, tagging.flags, hints.home, knowledge);
  if (party.kind === "none") return "";
  if (party.kind === "named") return party.name;
  return knowledge.text(knowledge.merchants.name[party.merchant] ?? 0);
}

/**
 * Whether a candidate is of the type that the counterparty has, a person or an organization: of our own lines it is known who is a
 * person, and of real ones that no counterparty is whose line cannot be a transfer between persons.
 */
function wantedType({ block, one }: LabelledLine): (candidate: Candidate) => boolean {
  const { kind, categories } = one.label;
  if (block !== "own" && categories?.includes(PERSONAL_CATEGORY) === true) return () => true;
  const isPerson = block === "own" && kind === "person";
  return (candidate) => (candidate.class === "person") === isPerson;
}

function decisionOf(labelled: LabelledLine, parse: Parser, knowledge: Knowledge): RankerDecision {
  const { one, block } = labelled;
  const parsed = parse(one.item);
  const candidates = candidatesOf(parsed, knowledge);
  const right = new Set((one.label.merchants ?? []).map(comparableName));
  const named = candidates.map((candidate) => {
    const name = nameOf(parsed, candidate, knowledge);
    const isRight = right.has(comparableName(name));
    return { candidate, isName: name !== "", isRight };
  });
  const isWanted = wantedType(labelled);
  const hasWanted = named.some(({ candidate, isRight }) => isRight && isWanted(candidate));
  return {
    choices: named.map(({ candidate, isRight }) => ({
      evidence: evidenceOf(candidate.class, candidate.evidence),
      right: isRight && (!hasWanted || isWanted(candidate)),
    })),
    line: parsed.line,
    named,
    weight: block === "own" ? OWN_WEIGHT : 1,
    ...labelled,
  };
}

/** The likeliest choice of a decision, as likely as the recogniser takes it for before calibration. */
export function answerOf(
  { line, named, ...decision }: Pick<RankerDecision, "line" | "named" | "choices" | "weight">,
  weights: Weights,
): Answer & NamedChoice {
  const shares = probabilities(decision, weights);
  const ranked = named
    .map((choice, at) => ({ ...choice, probability: shares[at] ?? 0 }))
    .sort((a, b) => b.probability - a.probability);
  const [best] = ranked;
  if (best === undefined) throw new Error("That no counterparty is named is always a candidate.");
  return { ...best, probability: probabilityOfName(ranked, line), right: best.isRight };
}

/** The likeliest choices of lines by models that have not seen them. */
const foldAnswers = (decisions: readonly RankerDecision[], weights: readonly Weights[]) =>
  decisions
    .filter(({ block }) => block !== "own")
    .flatMap((decision) => {
      const seenOthers = weights[decision.fold];
      return seenOthers === undefined ? [] : [{ ...answerOf(decision, seenOthers), decision }];
    });

type FoldAnswer = ReturnType<typeof foldAnswers>[number];

/** Of each sort of account and of name; where those answers are few, of all accounts, or of all names. */
function calibrationOf(answers: readonly FoldAnswer[]): RankerCalibration {
  const named = answers.filter(({ isName }) => isName);
  const curvesOf = (accountType: AccountType) =>
    CALIBRATED_KINDS.map((kind) => {
      const ofKind = named.filter((answer) => calibratedKindOf(answer.candidate.class) === kind);
      const own = ofKind.filter(({ decision }) => decision.one.item.accountType === accountType);
      return [kind, calibrateFirst([own, ofKind, named])] as const;
    });
  return {
    consumer: Object.fromEntries(curvesOf("consumer")) as RankerCalibration["consumer"],
    business: Object.fromEntries(curvesOf("business")) as RankerCalibration["business"],
  };
}

function modelOf(weights: Weights, answers: readonly FoldAnswer[]): RankerModel {
  const rounded = CANDIDATE_CLASSES.map((name) => {
    const own = EVIDENCE_NAMES.map(
      (evidence) => [evidence, weights.get(`${name} ${evidence}`) ?? 0] as const,
    ).filter(([, weight]) => Math.abs(weight) > WEIGHT_MIN);
    return [
      name,
      Object.fromEntries(
        own.map(([evidence, weight]) => [evidence, Math.round(weight * DECIMALS) / DECIMALS]),
      ),
    ] as const;
  });
  return {
    weights: Object.fromEntries(rounded) as RankerModel["weights"],
    calibration: calibrationOf(answers),
  };
}

export interface TrainedRankers {
  readonly shipped: RankerModel;
  /** For each fold one that has seen no merchant of it. */
  readonly ofFolds: readonly RankerModel[];
  /** Share of right answers of those, 0..1. */
  readonly right: number;
}

/** @param taggers for each fold one that has seen no merchant of it */
export function trainRankers(
  lines: readonly LabelledLine[],
  taggers: readonly TaggerModel[],
  knowledge: Knowledge,
): TrainedRankers {
  const parsers = taggers.map((tagger) => createParser({ ...knowledge, tagger }));
  const decisions = lines.flatMap((labelled) => {
    const parse = parsers[labelled.fold];
    return parse === undefined ? [] : [decisionOf(labelled, parse, knowledge)];
  });
  const weights = folds.map((fold) =>
    trainLogit(
      decisions.filter((decision) => decision.fold !== fold),
      OPTIONS,
    ),
  );
  const answers = foldAnswers(decisions, weights);
  return {
    shipped: modelOf(trainLogit(decisions, OPTIONS), answers),
    ofFolds: weights.map((own, fold) =>
      modelOf(
        own,
        answers.filter(({ decision }) => decision.fold !== fold),
      ),
    ),
    right: answers.filter((answer) => answer.right).length / answers.length,
  };
}

export function writeRanker(model: RankerModel): void {
  writeFileSync(FILE, `${JSON.stringify(model, null, 2)}\n`);
}

export async function runRanker(): Promise<void> {
  const knowledge = readKnowledge();
  const taggers = createFoldTaggers(await readMaterial(), knowledge);
  const { shipped, right } = trainRankers(readLabelledLines(), taggers, knowledge);
  process.stdout.write(`right by cross-validation: ${(100 * right).toFixed(1)} %\n`);
  writeRanker(shipped);
}
