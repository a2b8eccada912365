// A parsed line as the candidates look at it: how likely each token is of a name, worked out once.
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { matchPatterns, type PatternMatch } from "../../knowledge/patterns.ts";
import { WordFlag } from "../../knowledge/sections.ts";
import type { Hints } from "../hints.ts";
import type { Line, Span } from "../line.ts";
import { LABEL, LABEL_COUNT } from "../parse/labels.ts";
import { cityKind } from "../parse/cities.ts";
import type { Tagging } from "../parse/tagger.ts";
import { hashSeed, hashText } from "../text/hash.ts";
import { lookUp } from "../text/word-map.ts";
import { zerosOfAnyLength } from "../zeros.ts";
import { AT, createEvidence, type EvidenceVector } from "./evidence.ts";

/** A line that was parsed. */
export interface ParsedLine {
  readonly line: Line;
  readonly hints: Hints;
  readonly tagging: Tagging;
  /** What the words of the bank say. */
  readonly wording: PatternMatch | null;
  /** They say that it is the bank's own business. */
  readonly internal: boolean;
}

/** A run of tokens that the tagger calls a name. */
export interface NameSpan extends Span {
  readonly isPerson: boolean;
}

/** A name none of whose tokens is one at least this likely is not looked up. */
const LIKELY_MIN = 0.05;
/** From here on a token counts as one of the name. */
export const NAME_MIN = 0.3;
/** Fewer letters behind or in front of a span do not count. */
const COVERED = 1;

const ORDINARY = WordFlag.plain | WordFlag.place | WordFlag.banking;
const CITY_TOKENS_MAX = 3;
const NOT_ASKED = -2;
const zeros = zerosOfAnyLength();

export const log1 = (count: number): number => Math.log(1 + count);
export const bit = (is: boolean): number => (is ? 1 : 0);

/** Runs of tokens that have the same of the two labels. */
function runsOf(labels: readonly number[]): readonly NameSpan[] {
  const spans: NameSpan[] = [];
  const count = labels.length;
  for (let from = 0; from < count; ) {
    const label = labels[from];
    if (label !== LABEL.name && label !== LABEL.person) {
      from++;
      continue;
    }
    let to = from + 1;
    while (to < count && labels[to] === label) to++;
    spans.push({ from, to, isPerson: label === LABEL.person });
    from = to;
  }
  return spans;
}

/** What the tagger labels a name; where it labels nothing so, what is a name with some probability. */
export function nameSpans({ labels, marginals }: Tagging): readonly NameSpan[] {
  const labelled = runsOf(labels);
  if (labelled.length > 0) return labelled;
  const possible = labels.map((label, at) => {
    const name = marginals[at * LABEL_COUNT + LABEL.name] ?? 0;
    const person = marginals[at * LABEL_COUNT + LABEL.person] ?? 0;
    if (name + person < NAME_MIN) return label;
    return name < person ? LABEL.person : LABEL.name;
  });
  return runsOf(possible);
}

/** Folded texts of the tokens with abbreviations spelled out; the same array where there are none. */
export function spelledParts(
  { tokens }: Line,
  parts: readonly string[],
  knowledge: Knowledge,
): readonly string[] {
  let spelled: string[] | null = null;
  for (let at = 0; at < tokens.length; at++) {
    const whole = lookUp(knowledge.abbreviations, tokens[at]);
    if (whole === undefined) continue;
    spelled ??= [...parts];
    spelled[at] = whole;
  }
  return spelled ?? parts;
}

/** Probability of a token of being of a name. */
export const nameProbability = (marginals: Tagging["marginals"], token: number): number =>
  (marginals[token * LABEL_COUNT + LABEL.name] ?? 0) +
  (marginals[token * LABEL_COUNT + LABEL.person] ?? 0);

/** Whether names are looked up that hold the token. */
export function mayBeOfName(marginals: Tagging["marginals"], token: number): boolean {
  const base = token * LABEL_COUNT;
  const half =
    (marginals[base + LABEL.web] ?? 0) +
    (marginals[base + LABEL.purpose] ?? 0) +
    (marginals[base + LABEL.wrapper] ?? 0);
  const whole = nameProbability(marginals, token) + (marginals[base + LABEL.prefix] ?? 0);
  return whole + half / 2 >= LIKELY_MIN;
}

export class LineView {
  readonly parsed: ParsedLine;
  readonly knowledge: Knowledge;
  readonly count: number;
  /** Folded texts of the tokens. */
  readonly parts: readonly string[];
  /** The same with abbreviations spelled out; the same array where there are none. */
  readonly spelled: readonly string[];
  readonly spans: readonly NameSpan[];
  /** Probability of each token of being of a name. */
  private readonly names: number[];
  /** The highest of them. */
  readonly most: number;
  /** Letters of names in front of each token, each as much as it is likely one; as exact as the ranker learned from them. */
  private readonly letters: number[];
  /** Tokens in front of each one that may be of a name. */
  private readonly likely: number[] = [0];
  /** See `cityBefore`; null before that is asked. */
  private cities: number[] | null = null;
  private found: readonly PatternMatch[] | null = null;

  constructor(parsed: ParsedLine, knowledge: Knowledge) {
    const { tokens } = parsed.line;
    const { marginals } = parsed.tagging;
    const parts: string[] = [];
    this.parsed = parsed;
    this.knowledge = knowledge;
    this.count = tokens.length;
    this.parts = parts;
    this.names = zeros(tokens.length);
    this.letters = zeros(tokens.length + 1);
    let most = 0;
    let letters = 0;
    let likely = 0;
    for (let at = 0; at < tokens.length; at++) {
      const text = tokens[at]?.text ?? "";
      const name = nameProbability(marginals, at);
      letters = Math.fround(letters + name * text.length);
      if (mayBeOfName(marginals, at)) likely += 1;
      if (name > most) most = name;
      parts.push(text);
      this.names[at] = Math.fround(name);
      this.letters[at + 1] = letters;
      this.likely.push(likely);
    }
    this.most = most;
    this.spelled = spelledParts(parsed.line, parts, knowledge);
    this.spans = nameSpans(parsed.tagging);
  }

  probability(token: number, label: number): number {
    return this.parsed.tagging.marginals[token * LABEL_COUNT + label] ?? 0;
  }

  nameAt(token: number): number {
    return this.names[token] ?? 0;
  }

  /** Of the probability of the span of being a name, the share of being a person's; 0..1. */
  personalOf({ from, to }: Span): number {
    let person = 0;
    let name = 0;
    for (let at = from; at < to; at++) {
      person += this.probability(at, LABEL.person);
      name += this.nameAt(at);
    }
    return name === 0 ? 0 : person / name;
  }

  /** Letters of names between two tokens, each as much as it is likely one. */
  lettersOf(from: number, to: number): number {
    return Math.max(0, (this.letters[to] ?? 0) - (this.letters[from] ?? 0));
  }

  /** Whether any token of the span may be of a name. */
  isLikely(from: number, to: number): boolean {
    return (this.likely[to] ?? 0) > (this.likely[from] ?? 0);
  }

  /** The least probability of the span of being a name. */
  leastOf({ from, to }: Span): number {
    let least = 1;
    for (let at = from; at < to; at++) least = Math.min(least, this.nameAt(at));
    return least;
  }

  /** A run of name tokens around the span: where it begins and ends. */
  around({ from, to }: Span): Span {
    let start = from;
    let end = to;
    while (start > 0 && this.nameAt(start - 1) > NAME_MIN) start--;
    while (end < this.count && this.nameAt(end) > NAME_MIN) end++;
    return { from: start, to: end };
  }

  /** What the tables know of a token's word, see WordFlag. */
  flags(at: number): number {
    return this.parsed.tagging.flags[at] ?? 0;
  }

  isOrdinary(at: number): boolean {
    return (this.flags(at) & ORDINARY) !== 0;
  }

  /** Token at which a city's name begins that ends in front of the token `to`; -1 = none does. */
  cityBefore(to: number): number {
    this.cities ??= new Array<number>(this.count + 1).fill(NOT_ASKED);
    const known = this.cities[to] ?? NOT_ASKED;
    if (known !== NOT_ASKED) return known;
    let found = -1;
    for (let start = Math.max(1, to - CITY_TOKENS_MAX); start < to && found < 0; start++)
      if (this.isCity(start, to)) found = start;
    this.cities[to] = found;
    return found;
  }

  private isCity(from: number, to: number): boolean {
    let hash: number = hashSeed;
    let length = 0;
    for (let at = from; at < to; at++) {
      const part = this.parts[at] ?? "";
      hash = hashText(hash, part);
      length += part.length;
    }
    return cityKind(this.knowledge, hash, length) === "city";
  }

  isOrdinarySpan({ from, to }: Span): boolean {
    for (let at = from; at < to; at++) if (!this.isOrdinary(at)) return false;
    return true;
  }

  /** Only ordinary words, numbers and codes between two tokens. */
  isExplained(from: number, to: number): boolean {
    for (let at = from; at < to; at++) {
      const token = this.parsed.line.tokens[at];
      const isWord = token?.kind === "word" && token.text.length > 2;
      if (isWord && !this.isOrdinary(at)) return false;
    }
    return true;
  }

  /** A trade that the words of a name between two tokens tell, other than this category's; -1 = any. */
  hasTrade(from: number, to: number, except = -1): boolean {
    const { knowledge, parsed, count } = this;
    this.found ??= matchPatterns(knowledge.nameWords, parsed.line.tokens, 0, count, 2);
    return this.found.some(
      ({ from: start, to: end, row }) =>
        start >= from && end <= to && row.category !== except && this.nameAt(start) > NAME_MIN,
    );
  }

  /** What the line is evidence of, for every candidate. */
  lineEvidence(): EvidenceVector {
    const { internal, wording, hints } = this.parsed;
    const evidence = createEvidence();
    evidence[AT.bias] = 1;
    evidence[AT.internal] = bit(internal);
    evidence[AT.wording] = bit(wording !== null);
    evidence[AT.incoming] = bit(hints.direction === 0);
    return evidence;
  }

  /** What every candidate has: evidence of the line, and its position. */
  evidenceAt(span: Span): EvidenceVector {
    const whole = this.around(span);
    let sum = 0;
    for (let at = span.from; at < span.to; at++) sum += this.nameAt(at);
    const before = this.lettersOf(whole.from, span.from);
    const behind = this.lettersOf(span.to, whole.to);
    const inside = this.lettersOf(span.from, span.to);
    const all = this.lettersOf(0, this.count);
    const evidence = this.lineEvidence();
    evidence[AT.least] = this.leastOf(span);
    evidence[AT.mean] = sum / Math.max(1, span.to - span.from);
    evidence[AT.starts] = bit(span.from === this.spans[0]?.from);
    evidence[AT.whole] = bit(before < COVERED && behind < COVERED);
    evidence[AT.before] = log1(before);
    evidence[AT.behind] = log1(behind);
    evidence[AT.elsewhere] = log1(Math.max(0, all - inside - before - behind));
    return evidence;
  }
}
