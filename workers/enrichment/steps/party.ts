// Step: who is the counterparty and who stood in between. Joins what the look-up steps find; every look-up is tried in
// the order of how seldom it is wrong.
import { isEmpty, type Line, type Span } from "../line.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { IntermediaryRow } from "../knowledge/sections.ts";
import { peelIntermediaries } from "./intermediary.ts";
import {
  findCutMerchant,
  findMerchant,
  type FoundMerchant,
  type MerchantContext,
  merchantOfWebsite,
  partsOf,
} from "./merchant.ts";
import { displayName, independentName } from "./name.ts";
import { idField } from "./fields.ts";
import { companyWords } from "./name-words.ts";
import { isPersonName, nameAfter, transferName } from "./person.ts";
import { isCutOff, isPlausible } from "./plausible.ts";
import { nameKey } from "../text/keys.ts";
import { tokenise } from "../text/tokenise.ts";
import { findWebsite, type Website } from "./website.ts";

export type Party =
  | { readonly kind: "merchant"; readonly merchant: number; readonly span: Span }
  | {
      readonly kind: "named";
      readonly type: "person" | "organization";
      readonly name: string;
      readonly website: string | null;
      readonly span: Span;
    }
  | { readonly kind: "none" };

export interface Parties {
  readonly party: Party;
  /** Merchant indexes, outermost first. */
  readonly through: readonly number[];
}

export interface PartyInput {
  readonly line: Line;
  /** The line without wrappings and place. */
  readonly span: Span;
  /** What was cut off behind it: the place, and often an address on the web. */
  readonly tail: Span;
  readonly context: MerchantContext;
  /** The wording says that this is the bank's own business: a fee, interest, cash, a transfer between own accounts. */
  readonly bankInternal: boolean;
  /** What the wording leaves over is shorthand: no name is made from it. */
  readonly mute: boolean;
  readonly afterWording: boolean;
  /** A labelled field of the bank names the party. */
  readonly labelled: boolean;
  /** A card terminal wrote the line: a card wrapping or a place. Behind a processor it always did. */
  readonly card: boolean;
  /** A payment between accounts: the name is as likely a person's. */
  readonly rail: boolean;
}

const none: Party = { kind: "none" };

const merchantParty = (found: FoundMerchant): Party => ({
  kind: "merchant",
  merchant: found.merchant,
  span: found.span,
});

/** Everything that names a known merchant or a website, best evidence first. */
function recognisable(
  input: PartyInput,
  span: Span,
  parts: readonly string[],
  knowledge: Knowledge,
): Party | null {
  const { line, context } = input;
  const website = frontWebsite(input, span, knowledge);
  const ofWebsite = website === null ? -1 : merchantOfWebsite(website.domain, context, knowledge);
  const found = findMerchant(line, parts, span, context, knowledge);
  const siteFirst = website !== null && (found === null || website.span.from <= found.span.from);
  if (found !== null && !(siteFirst && ofWebsite >= 0)) return merchantParty(found);
  if (website !== null && ofWebsite >= 0)
    return { kind: "merchant", merchant: ofWebsite, span: website.span };
  const cut = findCutMerchant(line, parts, span, context, knowledge);
  if (cut !== null) return merchantParty(cut);
  if (website === null) return abbreviated(input, span, parts, knowledge);
  return websiteParty(input, website.domain, website.label, website.span, website.complete);
}

/** Behind other words a short address is more likely the end of a name (`TOWN HOUSE.IT`) than one of its own. */
const INNER_LABEL_LENGTH_MIN = 6;

function frontWebsite(input: PartyInput, span: Span, knowledge: Knowledge): Website | null {
  const website = findWebsite(input.line, span, input.context.hints.home, knowledge);
  if (website === null || website.label.length >= INNER_LABEL_LENGTH_MIN) return website;
  return website.span.from === span.from ? website : null;
}

/** A second look with abbreviations spelled out. */
function abbreviated(
  input: PartyInput,
  span: Span,
  parts: readonly string[],
  knowledge: Knowledge,
): Party | null {
  const { abbreviations } = knowledge;
  if (!parts.some((part) => abbreviations.has(part))) return null;
  const spelled = parts.map((part) => abbreviations.get(part) ?? part);
  const found = findMerchant(input.line, spelled, span, input.context, knowledge);
  return found === null ? null : merchantParty(found);
}

/** Nobody knows the website, but it stands in the line: it names the party and is its website. */
function websiteParty(
  input: PartyInput,
  domain: string,
  label: string,
  span: Span,
  complete: boolean,
): Party {
  const text = label.replaceAll("-", " ");
  const tokens = tokenise(text);
  const name = displayName({ text, tokens }, { from: 0, to: tokens.length });
  const certain = complete || input.context.hints.home === "GB";
  return { kind: "named", type: "organization", name, website: certain ? domain : null, span };
}

/** At least this much of a name must be in its website: `STREAMCO HELP.STREAMCO.COM`. */
const SHARED_LENGTH_MIN = 5;

/** The website behind the place, if it says the name. Others belong to processors and app stores. */
function ownWebsite(
  input: PartyInput,
  name: Span,
  knowledge: Knowledge,
): { readonly domain: string; readonly merchant: number } | null {
  const { line, tail, context } = input;
  const website = findWebsite(line, tail, context.hints.home, knowledge);
  if (website?.complete !== true || website.label.length < SHARED_LENGTH_MIN) return null;
  const key = partsOf(line).slice(name.from, name.to).join("");
  const label = website.label.replaceAll("-", "");
  if (!key.startsWith(label) && !label.startsWith(key)) return null;
  return {
    domain: website.domain,
    merchant: merchantOfWebsite(website.domain, context, knowledge),
  };
}

function independent(
  input: PartyInput,
  span: Span,
  knowledge: Knowledge,
  processor = false,
): Party {
  if ((input.bankInternal || input.mute) && !input.labelled) return none;
  const name = independentName(input.line, span, knowledge, input.afterWording);
  if (name === null) return none;
  const { labelled, afterWording } = input;
  const evidence = { card: input.card || processor, processor, labelled, afterWording };
  if (!isPlausible(input.line, name, evidence, knowledge)) return none;
  const own = ownWebsite(input, name, knowledge);
  if (own !== null && own.merchant >= 0)
    return { kind: "merchant", merchant: own.merchant, span: name };
  return {
    kind: "named",
    type: "organization",
    name: displayName(input.line, name),
    website: own === null ? null : own.domain,
    span: name,
  };
}

/** A person behind a payment rail, or the company that the words behind it are. */
function personal(input: PartyInput, name: Span, knowledge: Knowledge): Party {
  const { line } = input;
  if (isEmpty(name)) return none;
  if (isPersonName(line, name, knowledge)) {
    return {
      kind: "named",
      type: "person",
      name: displayName(line, name),
      website: null,
      span: name,
    };
  }
  for (let at = name.from; at < name.to; at++) {
    if (!companyWords.has(line.tokens[at]?.text ?? "")) continue;
    return independent(
      { ...input, afterWording: true, bankInternal: false, labelled: true },
      name,
      knowledge,
    );
  }
  return none;
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
): Parties {
  const through = rows.map((row) => row.merchant);
  const itself: Parties = {
    party: first ?? {
      kind: "merchant",
      merchant: last.merchant,
      span: { from: span.from - last.prefix.length, to: span.from },
    },
    through: withoutSame(through, last.merchant, knowledge),
  };
  if (isEmpty(span)) return namedByField(input, rows, parts, knowledge) ?? itself;
  if (last.rule === "person") {
    const party = personal(input, nameAfter(input.line, span.from), knowledge);
    return party.kind === "none" ? itself : { party, through };
  }
  // Behind `EB` stands the title of an event: a name in it is there by chance.
  if (last.rule === "record" && isShorthand(last)) return itself;
  const known = recognisable(input, span, parts, knowledge);
  if (known !== null && known.kind === "merchant")
    return { party: known, through: withoutSame(through, known.merchant, knowledge) };
  if (last.rule === "record") return itself;
  const party = known ?? independent({ ...input, bankInternal: false }, span, knowledge, true);
  if (party.kind === "named")
    return namesItself(party, last.merchant, knowledge) ? itself : { party, through };
  // Somebody was paid whose name is lost: a processor is not the answer then.
  return isCutOff(input.line, span) ? { party, through } : itself;
}

/** `PAYPAL *EXAMPLE.COM`: all that stands behind the mark is an address, which was taken for the contact. */
function merchantOfTail(input: PartyInput, knowledge: Knowledge): FoundMerchant | null {
  const website = findWebsite(input.line, input.tail, input.context.hints.home, knowledge);
  if (website?.span.from !== input.tail.from) return null;
  const merchant = merchantOfWebsite(website.domain, input.context, knowledge);
  return merchant < 0 ? null : { merchant, span: website.span };
}

/** `PAYPAL DES:INST XFER ID:UBER`: a wallet that says whom it paid in a field of the bank, or by an address. */
function namedByField(
  input: PartyInput,
  rows: readonly IntermediaryRow[],
  parts: readonly string[],
  knowledge: Knowledge,
): Parties | null {
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
function throughParties(
  input: PartyInput,
  rows: readonly IntermediaryRow[],
  last: IntermediaryRow,
  inner: Span,
  parts: readonly string[],
  knowledge: Knowledge,
): Parties {
  const start = inner.from - last.prefix.length;
  const own = { from: start, to: input.span.to };
  const found = findMerchant(input.line, parts, own, input.context, knowledge);
  if (found?.span.from !== start) return behind(input, rows, last, inner, parts, null, knowledge);
  const first = merchantParty(found);
  if (found.span.to <= inner.from) return behind(input, rows, last, inner, parts, first, knowledge);
  const around = rows.slice(0, -1).map((row) => row.merchant);
  return { party: first, through: withoutSame(around, found.merchant, knowledge) };
}

/** No intermediary is marked: a known merchant, a person behind a transfer, or an independent. */
function directParty(input: PartyInput, parts: readonly string[], knowledge: Knowledge): Party {
  const { line, span } = input;
  const known = recognisable(input, span, parts, knowledge);
  if (known !== null) return !input.bankInternal || startsSpan(known, span) ? known : none;
  const transfer = input.rail ? span : transferName(line);
  const party = transfer === null ? none : personal(input, transfer, knowledge);
  return party.kind === "none" ? independent(input, span, knowledge) : party;
}

export function findParties(input: PartyInput, knowledge: Knowledge): Parties {
  const parts = partsOf(input.line);
  const { span: inner, rows } = peelIntermediaries(input.line, input.span, knowledge);
  const last = rows[rows.length - 1];
  if (last === undefined || (input.bankInternal && isShorthand(last)))
    return { party: directParty(input, parts, knowledge), through: [] };
  return throughParties(input, rows, last, inner, parts, knowledge);
}

/** `EB FROM CHECKING`: a mark of few letters without its star is more likely the bank's own. */
const isShorthand = (row: IntermediaryRow): boolean => !row.star && row.prefix.join("").length < 4;

const startsSpan = (party: Party, span: Span): boolean =>
  party.kind !== "none" && party.span.from === span.from;
