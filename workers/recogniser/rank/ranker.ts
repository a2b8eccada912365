// Chooses among the candidates of a line: a conditional logit (McFadden 1974), whose probability is calibrated by isotonic
// regression on lines that it was not trained on (Zadrozny and Elkan 2002), for each sort of name and of account.
import type { AccountType } from "../../../src/model/transaction.ts";
import { type CalibrationCurve, interpolate } from "./calibration.ts";
import {
  CANDIDATE_CLASSES,
  type CandidateClass,
  EVIDENCE_NAMES,
  type Evidence,
  type EvidenceVector,
} from "./evidence.ts";

/** Candidates that are calibrated together: merchants of the tables, words of the line, web addresses. */
export const CALIBRATED_KINDS = ["merchant", "words", "address"] as const;
export type CalibratedKind = (typeof CALIBRATED_KINDS)[number];

const KINDS: Readonly<Record<CandidateClass, CalibratedKind>> = {
  curated: "merchant",
  brand: "merchant",
  name: "words",
  person: "words",
  address: "address",
  none: "words",
};

export const calibratedKindOf = (name: CandidateClass): CalibratedKind => KINDS[name];

/** Account → sort of candidate → probability of the model, ascending, and the share of right answers there, 0..1. */
export type RankerCalibration = Readonly<
  Record<AccountType, Readonly<Record<CalibratedKind, CalibrationCurve>>>
>;

/** What training left, see knowledge/models/ranker.json. */
export interface RankerModel {
  /** What is missing is 0. */
  readonly weights: Readonly<Record<CandidateClass, Readonly<Partial<Record<Evidence, number>>>>>;
  readonly calibration: RankerCalibration;
}

interface Rankable {
  readonly class: CandidateClass;
  readonly evidence: EvidenceVector;
}

export interface Ranked<T> {
  readonly candidate: T;
  /** What the evidence weighs together. */
  readonly score: number;
  /** Of the candidate among all of the line, 0..1, as the model states it. */
  readonly probability: number;
}

export interface Ranker {
  /** Best first; of equal ones the first given. At least one candidate must be given. */
  readonly rank: <T extends Rankable>(candidates: readonly T[]) => readonly Ranked<T>[];
  /** How often a candidate of the class is right at such a probability, 0..1. Null: an account of unknown type. */
  readonly calibrate: (
    probability: number,
    candidateClass: CandidateClass,
    accountType: AccountType | null,
  ) => number;
  /** What each piece of evidence adds to the score of a candidate, the weightiest first. */
  readonly contributions: (candidate: Rankable) => readonly (readonly [Evidence, number])[];
}

/** Up to here the engine's sort, which makes lists of its own, costs more than moving elements. */
const FEW = 16;

/** The best score first; of equal ones the first. */
function sortFew(list: { readonly score: number }[]): void {
  for (let i = 1; i < list.length; i++) {
    const one = list[i];
    if (one === undefined) return;
    let at = i;
    for (; at > 0; at--) {
      const before = list[at - 1];
      if (before === undefined || before.score >= one.score) break;
      list[at] = before;
    }
    list[at] = one;
  }
}

export function createRanker({ weights, calibration }: RankerModel): Ranker {
  const vectors = Object.fromEntries(
    CANDIDATE_CLASSES.map((name) => [
      name,
      Float64Array.from(EVIDENCE_NAMES, (evidence) => weights[name][evidence] ?? 0),
    ]),
  ) as Record<CandidateClass, Float64Array>;
  const scoreOf = ({ class: name, evidence }: Rankable): number => {
    const own = vectors[name];
    let score = 0;
    for (let at = 0; at < evidence.length; at++) score += (evidence[at] ?? 0) * (own[at] ?? 0);
    return score;
  };
  return {
    rank: (candidates) => {
      const ranked = candidates.map((candidate) => ({
        candidate,
        score: scoreOf(candidate),
        probability: 0,
      }));
      if (ranked.length <= FEW) sortFew(ranked);
      else ranked.sort((a, b) => b.score - a.score);
      const most = ranked[0]?.score ?? 0;
      let sum = 0;
      for (const one of ranked) sum += one.probability = Math.exp(one.score - most);
      for (const one of ranked) one.probability /= sum;
      return ranked;
    },
    calibrate: (probability, candidateClass, accountType) =>
      interpolate(
        calibration[accountType ?? "consumer"][calibratedKindOf(candidateClass)],
        probability,
      ),
    contributions: (candidate) =>
      EVIDENCE_NAMES.map((name, at) => {
        const value = candidate.evidence[at] ?? 0;
        return [name, value * (weights[candidate.class][name] ?? 0)] as const;
      })
        .filter(([, weight]) => weight !== 0)
        .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])),
  };
}

/** @throws Error when a class is missing, or a name of a class or of evidence is unknown */
export function checkRankerModel(model: RankerModel): RankerModel {
  for (const name of CANDIDATE_CLASSES)
    if (!(name in model.weights)) throw new Error(`The ranker has no weights of ${name}.`);
  const classes: ReadonlySet<string> = new Set(CANDIDATE_CLASSES);
  const known: ReadonlySet<string> = new Set(EVIDENCE_NAMES);
  for (const [name, own] of Object.entries(model.weights)) {
    if (!classes.has(name)) throw new Error(`The ranker has weights of ${name}, an unknown class.`);
    for (const evidence of Object.keys(own))
      if (!known.has(evidence))
        throw new Error(`The ranker has a weight of ${evidence}, which is not measured.`);
  }
  return model;
}
