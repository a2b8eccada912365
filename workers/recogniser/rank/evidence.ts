import { zerosOf } from "../zeros.ts";
import { CANDIDATE_KINDS, type CandidateKind } from "../../../src/model/explanation.ts";

// What the ranker looks at of a candidate: named numbers. Every class of candidates has weights of its own for them.

/** What sort of candidate it is. */
export const CANDIDATE_CLASSES = CANDIDATE_KINDS;

export type CandidateClass = CandidateKind;

/** By its name: what it measures, in the words of `explain`. */
export const EVIDENCE = {
  bias: "candidates of this sort as such",
  // How it was found
  abbreviated: "found with abbreviations spelled out",
  cutOff: "found by the beginning of its name",
  typo: "found with one typo",
  address: "found by a web address",
  shortened: "without a last word that was cut off",
  completed: "with a last word completed",
  longer: "with a word next to it that may be of the name",
  withoutCity: "without a city at its end",
  beforeDash: "without what stands behind a dash",
  mark: "found by its mark as an intermediary",
  // The name it was found by
  ambiguous: "the name is also a word, a place or a person's",
  single: "the name is one word when written normally",
  length: "letters of the name (logarithm)",
  short: "the name has fewer than four letters",
  words: "words of the name",
  ordinary: "only words that many names hold",
  unknownWords: "words that are in no table",
  noWords: "no word at all",
  legalForm: "a legal form behind the name",
  trade: "words of a trade in the name",
  given: "a given name first",
  surname: "a surname last",
  title: "a form of address in front",
  personal: "probability of being a person's name, of those of being a name",
  repeated: "without its repetition",
  endsInCity: "a city is called like the end of the name",
  dashInside: "a dash between spaces in the name",
  endsOrdinary: "an ordinary word at the end of the name",
  full: "the line is as long as a field",
  // Where it stands
  least: "lowest probability of being a name among its tokens",
  mean: "mean probability of being a name among its tokens",
  most: "highest probability of being a name in the line",
  starts: "begins where the first name begins",
  whole: "covers all of the name it stands in",
  before: "letters of the same name in front of it (logarithm)",
  behind: "letters of the same name behind it (logarithm)",
  elsewhere: "letters of other names in the line (logarithm)",
  explained: "only ordinary words of the same name behind it",
  otherFront: "a word in front that is not an ordinary one",
  order: "names in front of it",
  web: "probability of being a mere address",
  marked: "probability of being the mark of an intermediary",
  between: "stands between buyers and sellers",
  betweenElsewhere: "stands between, times letters of other names in the line",
  betweenBehind: "stands between, times letters behind",
  record: "a marketplace or delivery service",
  recordElsewhere: "a marketplace or delivery service, times letters of other names in the line",
  behindRecord: "behind a marketplace or delivery service",
  holdsMerchant: "a known merchant inside",
  tokens: "tokens of the line",
  names: "names in the line",
  // What is known of it
  atHome: "listed in the country of the account",
  abroad: "trades in other countries",
  otherState: "trades in other states",
  unusual: "such an amount is rare there",
  uncategorised: "no category is known",
  otherTrade: "words of another trade behind it",
  tradeBefore: "words of a trade in front of it",
  // The line
  internal: "the bank's own business, by the wording",
  wording: "a transaction-type pattern matches",
  incoming: "money arrives",
  // Two at once
  ambiguousBehind: "ambiguous, times letters behind",
  ambiguousStarts: "ambiguous, and begins where the first name begins",
  ambiguousWhole: "ambiguous, and covers all of the name",
  ambiguousLeast: "ambiguous, times lowest probability",
  singleBehind: "one word, times letters behind",
  singleBefore: "one word, times letters in front",
  ordinaryBehind: "ordinary words, times letters behind",
} as const;

export type Evidence = keyof typeof EVIDENCE;

export const EVIDENCE_NAMES = Object.keys(EVIDENCE) as readonly Evidence[];

/** Evidence → its place in a vector. */
export const AT = Object.fromEntries(
  EVIDENCE_NAMES.map((name, place) => [name, place]),
) as Readonly<Record<Evidence, number>>;

/** A number for each evidence, by its place; 0 where there is none. */
export type EvidenceVector = number[];

export const createEvidence: () => EvidenceVector = zerosOf(EVIDENCE_NAMES.length);
