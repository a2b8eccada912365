// The merchants that may be meant in a line: whose names stand in or around the tokens that are likely a name, whole, cut off or
// with a typo.
import { flagsOfWord, type Knowledge } from "../../knowledge/knowledge.ts";
import { findNear } from "../../knowledge/near-table.ts";
import {
  AliasFlag,
  type IntermediaryRow,
  type IntermediaryRule,
  packArea,
} from "../../knowledge/sections.ts";
import { type Span, startsWith } from "../line.ts";
import { LABEL } from "../parse/labels.ts";
import { hashSeed, hashText } from "../text/hash.ts";
import { lookUp } from "../text/word-map.ts";
import type { Candidate } from "./candidate.ts";
import { AT, type Evidence, type EvidenceVector } from "./evidence.ts";
import { bit, type LineView, log1, type ParsedLine } from "./line-view.ts";
import { officeParts } from "./offices.ts";
import { type MerchantContext, type AliasOwner, asOwner, ownerOf } from "./owner.ts";

/** Longest alias in tokens. */
export const ALIAS_TOKENS_MAX = 7;
const ALIAS_LENGTH_MIN = 2;
/** A beginning must show so much of a name, and fit no more aliases. */
const BEGINNING_LENGTH_MIN = 7;
const BEGINNING_ALIASES_MAX = 12;
/** A field of a line is hardly shorter, so that a shorter beginning of an unchecked name was not cut off there. */
const UNCHECKED_BEGINNING_LENGTH_MIN = 15;
/** Aliases that are looked at, of which unchecked ones do not count. */
const BEGINNING_ALIASES_READ_MAX = 100;
const SHORT_MAX = 4;
export const WORDS_COUNTED_MAX = 6;
const TRADE_REACH = 4;
/** A whole name takes precedence over its beginning, and one in the position of a name over one elsewhere. */
const WHOLE_MERIT = 10;
const NAME_MERIT = 5;
/** An address holds the name too, as `MIND` stands in `WWW.MIND.ORG.UK`, and is more certain. */
const ADDRESS_MERIT = 20;
const NAME_LIKELY = 0.5;

/**
 * Where a merchant of this line would have to be.
 * @param sizedFor see MerchantContext
 */
export function merchantContextOf(
  { line, hints, tagging }: ParsedLine,
  sizedFor: number[],
): MerchantContext {
  const { labels } = tagging;
  const at = hints.home === null ? -1 : labels.lastIndexOf(LABEL.state);
  const code = line.tokens[at]?.text.toUpperCase() ?? "";
  const state = code.length === 2 ? packArea(`${hints.home ?? ""}-${code}`) : 0;
  return { hints, state, sizedFor };
}

/** How a merchant was found, other than by its whole name. */
export type WayFound = Extract<Evidence, "abbreviated" | "cutOff" | "typo" | "address" | "mark">;

/** A way in which a merchant was found. */
interface MerchantFinding {
  readonly owner: AliasOwner;
  readonly span: Span;
  readonly length: number;
  readonly found: readonly WayFound[];
  readonly merit: number;
}

/** Evidence of what else the name of the merchant stands in or next to. */
function addSurroundings(
  view: LineView,
  span: Span,
  category: number,
  evidence: EvidenceVector,
): void {
  const name = view.around(span);
  const start = view.spans[0]?.from ?? 0;
  const reach = Math.min(view.count, span.to + TRADE_REACH);
  const isInFront = (evidence[AT.before] ?? 0) > 0;
  const isBehind = (evidence[AT.behind] ?? 0) > 0;
  evidence[AT.otherFront] = bit(isInFront && !view.isExplained(name.from, span.from));
  evidence[AT.explained] = bit(isBehind && view.isExplained(span.to, name.to));
  evidence[AT.marked] = view.probability(span.from, LABEL.prefix);
  evidence[AT.otherTrade] = bit(category >= 0 && view.hasTrade(span.to, reach, category));
  evidence[AT.tradeBefore] = bit(start < span.from && view.hasTrade(start, span.from));
}

/** Evidence of standing between others, or of selling for others. */
function addRule(rule: IntermediaryRule | undefined, evidence: EvidenceVector): void {
  if (rule === undefined) return;
  const elsewhere = evidence[AT.elsewhere] ?? 0;
  if (rule === "record") {
    evidence[AT.record] = 1;
    evidence[AT.recordElsewhere] = elsewhere;
    return;
  }
  evidence[AT.between] = 1;
  evidence[AT.betweenElsewhere] = elsewhere;
  evidence[AT.betweenBehind] = evidence[AT.behind] ?? 0;
}

/** Products of two pieces of evidence. */
function addProducts(evidence: EvidenceVector): void {
  const product = (to: number, one: number, other: number): void => {
    evidence[to] = (evidence[one] ?? 0) * (evidence[other] ?? 0);
  };
  product(AT.ambiguousBehind, AT.ambiguous, AT.behind);
  product(AT.ambiguousStarts, AT.ambiguous, AT.starts);
  product(AT.ambiguousWhole, AT.ambiguous, AT.whole);
  product(AT.ambiguousLeast, AT.ambiguous, AT.least);
  product(AT.singleBehind, AT.single, AT.behind);
  product(AT.singleBefore, AT.single, AT.before);
  product(AT.ordinaryBehind, AT.ordinary, AT.behind);
}

function candidateOf(
  view: LineView,
  { owner: { merchant, flags, fit, unusual }, span, length, found }: MerchantFinding,
): Candidate {
  const { merchants, between } = view.knowledge;
  const category = (merchants.category[merchant] ?? 0) - 1;
  const evidence = view.evidenceAt(span);
  for (const way of found) evidence[AT[way]] = 1;
  evidence[AT.ambiguous] = bit((flags & AliasFlag.weak) !== 0);
  evidence[AT.single] = bit((flags & AliasFlag.single) !== 0);
  evidence[AT.ordinary] = bit(view.isOrdinarySpan(span));
  evidence[AT.length] = log1(length);
  evidence[AT.short] = bit(length < SHORT_MAX);
  evidence[AT.words] = Math.min(WORDS_COUNTED_MAX, span.to - span.from);
  evidence[AT.atHome] = bit(fit === "exact");
  evidence[AT.abroad] = bit(fit === "none");
  evidence[AT.otherState] = bit(fit === "state");
  evidence[AT.unusual] = bit(unusual);
  evidence[AT.uncategorised] = bit(category < 0);
  addSurroundings(view, span, category, evidence);
  addRule(between.get(merchant), evidence);
  addProducts(evidence);
  return {
    class: (flags & AliasFlag.hand) === 0 ? "brand" : "curated",
    span,
    merchant,
    lastWord: null,
    evidence,
  };
}

/** Whether the one holds all words of the other and more behind them, each the whole name of a hand-written merchant: `UBER EATS`, `UBER`. */
function isMoreExact(one: MerchantFinding, other: MerchantFinding): boolean {
  return (
    one.span.from === other.span.from &&
    one.span.to > other.span.to &&
    one.found.length === 0 &&
    other.found.length === 0 &&
    (one.owner.flags & other.owner.flags & AliasFlag.hand) !== 0 &&
    (one.owner.flags & AliasFlag.weak) === 0
  );
}

/** Keeps the best finding of every merchant: a longer name before a shorter one, a whole one before a beginning. */
export class Findings {
  private readonly best: MerchantFinding[] = [];
  private readonly view: LineView;

  constructor(view: LineView) {
    this.view = view;
  }

  add(owner: AliasOwner | null, span: Span, length: number, found: readonly WayFound[]): void {
    if (owner === null) return;
    const isWhole = !found.includes("cutOff") && !found.includes("typo");
    const isName = this.view.leastOf(span) > NAME_LIKELY;
    const isAddress = found.includes("address");
    const merit =
      length +
      (isWhole ? WHOLE_MERIT : 0) +
      (isName ? NAME_MERIT : 0) +
      (isAddress ? ADDRESS_MERIT : 0);
    const finding = { owner, span, length, found, merit };
    const known = this.placeOf(owner.merchant);
    if (known < 0) this.best.push(finding);
    else if ((this.best[known]?.merit ?? 0) < merit) this.best[known] = finding;
  }

  /** Where the finding of the merchant is, -1 = it was not found yet. */
  private placeOf(merchant: number): number {
    for (let at = 0; at < this.best.length; at++)
      if (this.best[at]?.owner.merchant === merchant) return at;
    return -1;
  }

  /** Whether a name was found that holds all of the span. */
  covers({ from, to }: Span): boolean {
    return this.best.some(({ span }) => span.from <= from && span.to >= to);
  }

  /** Whether a merchant with the website of this one was found. */
  holdsWebsiteOf(merchant: number): boolean {
    const { website } = this.view.knowledge.merchants;
    const wanted = website[merchant] ?? 0;
    return wanted !== 0 && this.best.some(({ owner }) => website[owner.merchant] === wanted);
  }

  list(): Candidate[] {
    const listed: Candidate[] = [];
    for (const finding of this.best)
      if (!this.best.some((other) => isMoreExact(other, finding)))
        listed.push(candidateOf(this.view, finding));
    return listed;
  }
}

const WHOLE: readonly WayFound[] = [];
const ABBREVIATED: readonly WayFound[] = ["abbreviated"];
const MARK: readonly WayFound[] = ["mark"];

/** Every alias in or around a name, also with abbreviations spelled out. */
export function addAliases(view: LineView, context: MerchantContext, findings: Findings): void {
  const { knowledge, parts, spelled, count } = view;
  const { keys } = knowledge.aliases;
  const isSpelled = spelled !== parts;
  for (let from = 0; from < count; from++) {
    let hash: number = hashSeed;
    let other: number = hashSeed;
    let length = 0;
    const end = Math.min(count, from + ALIAS_TOKENS_MAX);
    if (!view.isLikely(from, end)) continue;
    for (let to = from + 1; to <= end; to++) {
      const part = parts[to - 1] ?? "";
      hash = hashText(hash, part);
      if (isSpelled) other = hashText(other, spelled[to - 1] ?? "");
      length += part.length;
      if (length < ALIAS_LENGTH_MIN || !view.isLikely(from, to)) continue;
      const alias = keys.findJoined(hash, parts, from, to);
      if (alias >= 0) findings.add(ownerOf(alias, context, knowledge), { from, to }, length, WHOLE);
      if (!isSpelled || other === hash) continue;
      const whole = keys.findJoined(other, spelled, from, to);
      if (whole < 0) continue;
      findings.add(ownerOf(whole, context, knowledge), { from, to }, length, ABBREVIATED);
    }
  }
}

/** The intermediary whose mark stands at the token. */
function markAt({ knowledge, count, parsed }: LineView, at: number): IntermediaryRow | undefined {
  const rows = lookUp(knowledge.intermediaries, parsed.line.tokens[at]);
  return rows?.find(({ prefix }) => startsWith(parsed.line, at, count, prefix));
}

/** `EB  ANNUAL CONFERENCE`: marketplaces and delivery services, which sell in their own name, by their marks in front of a name. */
export function addMarks(view: LineView, context: MerchantContext, findings: Findings): void {
  const { knowledge, count, parsed } = view;
  const { labels } = parsed.tagging;
  for (let at = 0; at < count; at++) {
    if (labels[at] !== LABEL.prefix) continue;
    const row = markAt(view, at);
    if (row?.rule !== "record") continue;
    // `AMZN MKTP` is also a name in the tables.
    if (findings.holdsWebsiteOf(row.merchant)) continue;
    const span = { from: at, to: at + row.prefix.length };
    const owner = asOwner(row.merchant, AliasFlag.hand, context, knowledge);
    findings.add(owner, span, row.prefix.join("").length, MARK);
  }
}

/** Offices whose names are written in short: `IL DEPT OF REV`. */
export function addOffices(view: LineView, context: MerchantContext, findings: Findings): void {
  const { knowledge, spelled, parsed } = view;
  const { keys } = knowledge.aliases;
  for (const { from, to } of view.spans) {
    const parts = officeParts(parsed.line, { from, to }, spelled);
    if (parts === null) continue;
    for (let end = to; end > from + 1; end--) {
      const alias = keys.find(parts.slice(from, end).join(""));
      if (alias < 0) continue;
      const length = parts.slice(from, end).join("").length;
      const span = { from, to: end };
      findings.add(ownerOf(alias, context, knowledge), span, length, ABBREVIATED);
      break;
    }
  }
}

/** An unchecked name is only believed to be cut off where a field is: late, and inside a word. */
const isCutOff = (parts: readonly string[], length: number, knowledge: Knowledge): boolean =>
  length >= UNCHECKED_BEGINNING_LENGTH_MIN && flagsOfWord(knowledge, parts.at(-1) ?? "") === 0;

/** The one owner, by name, of the aliases that begin with the words; null when there are several or none. */
function onlyOwner(
  parts: readonly string[],
  context: MerchantContext,
  knowledge: Knowledge,
): AliasOwner | null {
  const text = parts.join("");
  const [first, end] = knowledge.aliases.keys.prefixRange(text);
  if (end - first > BEGINNING_ALIASES_READ_MAX) return null;
  const { name } = knowledge.merchants;
  const ignored = isCutOff(parts, text.length, knowledge) ? 0 : AliasFlag.unchecked;
  let only: AliasOwner | null = null;
  let count = 0;
  for (let alias = first; alias < end; alias++) {
    const owner = ownerOf(alias, context, knowledge);
    if (owner === null || (owner.flags & ignored) !== 0) continue;
    count += 1;
    if (count > BEGINNING_ALIASES_MAX) return null;
    if (owner.fit === "none" || owner.fit === "state") continue;
    if (only !== null && name[only.merchant] !== name[owner.merchant]) return null;
    only ??= owner;
  }
  return only;
}

/** Names that a field cut off, or that hold a typo, where no name stands whole. */
export function addInexact(view: LineView, context: MerchantContext, findings: Findings): void {
  const { knowledge, parts, spelled, parsed } = view;
  for (const { from, to } of view.spans) {
    let end = to;
    while (end > from && parsed.line.tokens[end - 1]?.kind !== "word") end--;
    const span = { from, to: end };
    const name = parts.slice(from, end).join("");
    if (name.length < BEGINNING_LENGTH_MIN || findings.covers(span)) continue;
    const written = parts.slice(from, end);
    findings.add(onlyOwner(written, context, knowledge), span, name.length, ["cutOff"]);
    const whole = spelled === parts ? written : spelled.slice(from, end);
    if (whole.join("") !== name) {
      const owner = onlyOwner(whole, context, knowledge);
      findings.add(owner, span, name.length, ["cutOff", "abbreviated"]);
    }
    const { near, keys } = knowledge.aliases;
    for (const alias of findNear(near, keys, name))
      findings.add(ownerOf(alias, context, knowledge), span, name.length, ["typo"]);
  }
}
