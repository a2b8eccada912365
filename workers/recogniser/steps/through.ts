// Step: the payment went through somebody: who stands behind the mark, or in front of it.
import { isEmpty, isReference, type Line, type Span, startsWith } from "../line.ts";
import { flagsOfWord, type Knowledge } from "../../knowledge/knowledge.ts";
import { isLayoutWord } from "../../knowledge/layouts.ts";
import { type IntermediaryRow, WordFlag } from "../../knowledge/sections.ts";
import { nameKey } from "../text/keys.ts";
import { lookUp } from "../text/word-map.ts";
import { idField } from "./fields.ts";
import { addressed, independent, merchantParty, personal, recognisable } from "./found.ts";
import { aliasPartsOf } from "./alias-parts.ts";
import { findMerchant, type FoundMerchant, merchantOfWebsite } from "./merchant.ts";
import type { Decided, Party, PartyInput } from "./party-types.ts";
import { nameAfter } from "./person.ts";
import { isCutOff } from "./plausible.ts";
import { findWebsite } from "./website.ts";

/** What payroll services write between their own name and the employer's. */
const payWords: ReadonlySet<string> = new Set([
  "payroll",
  "pay",
  "salary",
  "wages",
  "direct",
  "dep",
  "eib",
  "s",
]);

/** `PAYCHEX EIB PAYROLL X1234 HARDIN FEED`: words of the bank and references between the service and who pays. */
function withoutBankWords({ line, context }: PartyInput, span: Span, knowledge: Knowledge): Span {
  const { countries } = context.hints;
  let from = span.from;
  while (from < span.to - 1) {
    const token = line.tokens[from];
    const text = token?.text ?? "";
    const banking = (flagsOfWord(knowledge, text) & WordFlag.banking) !== 0;
    const isBank = banking && isLayoutWord(knowledge.layouts, token, countries);
    if (!isReference(line, from) && !isBank && !payWords.has(text)) break;
    from++;
  }
  // References alone may be all there is of a name: `7 ELEVEN`.
  return from > span.from && isReference(line, from - 1) ? { from, to: span.to } : span;
}

/** The name of somebody unknown behind a processor or a payroll service. */
function nameBehind(input: PartyInput, span: Span, knowledge: Knowledge): Party {
  const rest = withoutBankWords(input, span, knowledge);
  return independent({ ...input, bankInternal: false }, rest, knowledge, true);
}

/** `INTUIT PAYROLL S QUICKBOOKS TWO RIVERS BREWING`: the service says its own name twice before it comes to the payer. */
function behindOwnName(
  input: PartyInput,
  known: Party,
  row: IntermediaryRow,
  span: Span,
  knowledge: Knowledge,
): Party | null {
  if (known.kind !== "merchant" || row.rule !== "through") return null;
  const { website } = knowledge.merchants;
  const isOwn = website[known.merchant] !== 0 && website[known.merchant] === website[row.merchant];
  if (!isOwn || known.span.from !== span.from || known.span.to >= span.to) return null;
  const payer = nameBehind(input, { from: known.span.to, to: span.to }, knowledge);
  return payer.kind === "named" ? payer : null;
}

/** Behind a transfer service: what was taken for the bank's own words (`CONF#`, `PMT TO`) may stand before the name. */
function behindRail(input: PartyInput, span: Span, knowledge: Knowledge): Party {
  const { line } = input;
  const near = personal(input, nameAfter(line, span.from, span.to), knowledge);
  if (near.kind !== "none") return near;
  const name = nameAfter(line, span.from);
  const party = personal(input, name, knowledge);
  return party.kind === "none" ? addressed(input, name, knowledge) : party;
}

/** `SWIG - LEHI`: places and references are all that stands there. */
function isPlace(line: Line, { from, to }: Span, knowledge: Knowledge): boolean {
  for (let at = from; at < to; at++) {
    const flags = flagsOfWord(knowledge, line.tokens[at]?.text ?? "");
    const isOnlyPlace = (flags & (WordFlag.place | WordFlag.plain)) === WordFlag.place;
    if (!isOnlyPlace && !isReference(line, at)) return false;
  }
  return true;
}

/** What is delivered by others than who makes or sells it. */
const deliveredTrades: ReadonlySet<string> = new Set([
  "food and drink",
  "cafes and coffee shops",
  "groceries",
]);

/**
 * Who delivers for others is who was paid, where those are of its own trade: `DOORDASH*CHIPOTLE`. And whoever
 * takes a card through a small shop's terminal is seldom the brand whose name his begins with: `PY *SUNDANCE WINDOW CLE`.
 */
function isBelievedBehind(
  { merchant, by, span: own }: Extract<Party, { kind: "merchant" }>,
  last: IntermediaryRow,
  line: Line,
  span: Span,
  knowledge: Knowledge,
): boolean {
  const { merchants, lexicon } = knowledge;
  if (last.rule === "through" && (by === "brand first" || by === "brand inside"))
    return isPlace(line, { from: own.to, to: span.to }, knowledge);
  if (last.rule !== "record" || last.merchant === merchant) return true;
  const tradeOf = (of: number): string =>
    lexicon.categories[(merchants.category[of] ?? 0) - 1] ?? "";
  const trade = tradeOf(last.merchant);
  return !deliveredTrades.has(trade) || !deliveredTrades.has(tradeOf(merchant));
}

/** Who stands behind the mark; null when it is the intermediary itself. */
function behindMark(
  input: PartyInput,
  last: IntermediaryRow,
  span: Span,
  parts: readonly string[],
  through: readonly number[],
  knowledge: Knowledge,
): Decided | null {
  const known = recognisable(input, span, parts, knowledge);
  const payer = known === null ? null : behindOwnName(input, known, last, span, knowledge);
  if (payer !== null) return { party: payer, through };
  if (known?.kind === "merchant" && isBelievedBehind(known, last, input.line, span, knowledge))
    return { party: known, through: withoutSame(through, known.merchant, knowledge) };
  if (last.rule === "record") return null;
  const named = known?.kind === "merchant" ? null : known;
  const party = named ?? nameBehind(input, span, knowledge);
  const isNamed = party.kind === "named" && !namesItself(party, last.merchant, knowledge);
  // Somebody was paid whose name is lost: a processor is not the answer then.
  const isLost = party.kind === "none" && isCutOff(input.line, span);
  return isNamed || isLost ? { party, through } : null;
}

/** `first` is the merchant whose alias the prefix also is: it knows more than the intermediary's row. */
function behind(
  input: PartyInput,
  rows: readonly IntermediaryRow[],
  last: IntermediaryRow,
  span: Span,
  parts: readonly string[],
  first: Party | null,
  knowledge: Knowledge,
): Decided {
  const through = rows.map((row) => row.merchant);
  const itself: Decided = {
    party: first ?? {
      kind: "merchant",
      merchant: last.merchant,
      span: { from: span.from - last.prefix.length, to: span.from },
      by: "intermediary",
    },
    through: withoutSame(through, last.merchant, knowledge),
  };
  if (isEmpty(span) && last.rule !== "person")
    return namedByField(input, rows, parts, knowledge) ?? itself;
  if (last.rule === "person") {
    const party = behindRail(input, span, knowledge);
    return party.kind === "none" ? itself : { party, through };
  }
  // Behind `EB` stands the title of an event: a name in it is there by chance.
  if (last.rule === "record" && isShorthand(last)) return itself;
  return behindMark(input, last, span, parts, through, knowledge) ?? itself;
}

/** `PAYPAL *EXAMPLE.COM`: all that stands behind the mark is an address, which was taken for the contact. */
export function merchantOfTail(input: PartyInput, knowledge: Knowledge): FoundMerchant | null {
  const website = findWebsite(input.line, input.tail, input.context.hints.home, knowledge);
  if (website?.span.from !== input.tail.from) return null;
  const merchant = merchantOfWebsite(website.domain, input.context, knowledge);
  return merchant < 0 ? null : { merchant, span: website.span, by: "website" };
}

/** `PAYPAL DES:INST XFER ID:UBER`: a wallet that says whom it paid in a field of the bank, or by an address. */
function namedByField(
  input: PartyInput,
  rows: readonly IntermediaryRow[],
  parts: readonly string[],
  knowledge: Knowledge,
): Decided | null {
  if (rows[0]?.rule !== "through") return null;
  const field = input.labelled ? idField(input.line) : null;
  const found =
    field === null
      ? merchantOfTail(input, knowledge)
      : findMerchant(input.line, parts, field, input.context, knowledge);
  if (found === null || (field !== null && found.span.from !== field.from)) return null;
  const through = rows.map((row) => row.merchant);
  return {
    party: merchantParty(found),
    through: withoutSame(through, found.merchant, knowledge),
  };
}

/** `HLU*HULU`: the words behind the prefix are the intermediary's own name. */
function namesItself(party: Party, merchant: number, knowledge: Knowledge): boolean {
  if (party.kind !== "named") return false;
  const own = nameKey(knowledge.text(knowledge.merchants.name[merchant] ?? 0));
  return nameKey(party.name).startsWith(own);
}

/** Amazon through Amazon Pay is just Amazon. */
function withoutSame(
  through: readonly number[],
  merchant: number,
  knowledge: Knowledge,
): readonly number[] {
  const { website, name } = knowledge.merchants;
  return through.filter((other) => {
    const sameSite = website[other] !== 0 && website[other] === website[merchant];
    return other !== merchant && !sameSite && name[other] !== name[merchant];
  });
}

/** The line begins with a mark of an intermediary. Of `PAYPAL *EBAY INC` the innermost is looked up: eBay was paid. */
export function throughParties(
  input: PartyInput,
  rows: readonly IntermediaryRow[],
  last: IntermediaryRow,
  inner: Span,
  parts: readonly string[],
  knowledge: Knowledge,
): Decided {
  const start = inner.from - last.prefix.length;
  const own = { from: start, to: input.span.to };
  const found = findMerchant(input.line, parts, own, input.context, knowledge);
  if (found?.span.from !== start) return behind(input, rows, last, inner, parts, null, knowledge);
  const first = merchantParty(found);
  if (found.span.to <= inner.from) return behind(input, rows, last, inner, parts, first, knowledge);
  const around = rows.slice(0, -1).map((row) => row.merchant);
  return { party: first, through: withoutSame(around, found.merchant, knowledge) };
}

/** A mark of this many letters without its star may be a word. */
const INNER_MARK_LENGTH_MIN = 6;

/** `JOHNSON PLUMBING QUICKBOOKS PAYROLL`, `RAV TRUCK SQ *STL T`: where a mark stands behind the name. */
function innerMark(
  line: Line,
  span: Span,
  knowledge: Knowledge,
): { readonly at: number; readonly row: IntermediaryRow } | null {
  for (let at = span.from + 1; at < span.to; at++) {
    for (const row of lookUp(knowledge.intermediaries, line.tokens[at]) ?? []) {
      if (row.rule !== "through" || !startsWith(line, at, span.to, row.prefix)) continue;
      const isMarked = line.tokens[at + row.prefix.length]?.before === "*";
      const length = row.prefix.join("").length;
      if (isMarked || (!row.star && length >= INNER_MARK_LENGTH_MIN)) return { at, row };
    }
  }
  return null;
}

/** A name in front of the mark of a service: the service stands between. */
export function beforeMark(input: PartyInput, knowledge: Knowledge): Decided | null {
  const mark = innerMark(input.line, input.span, knowledge);
  if (mark === null) return null;
  const span = { from: input.span.from, to: mark.at };
  const found = findMerchant(
    input.line,
    aliasPartsOf(input.line, knowledge),
    span,
    input.context,
    knowledge,
  );
  if (found !== null) return null;
  const party = independent({ ...input, bankInternal: false }, span, knowledge, true);
  return party.kind === "named" ? { party, through: [mark.row.merchant] } : null;
}

/** `EB FROM CHECKING`: a mark of few letters without its star is more likely the bank's own. */
export const isShorthand = (row: IntermediaryRow): boolean =>
  !row.star && row.prefix.join("").length < 4;
