// Step: who the words of a span are: a known merchant, a website, a person, or somebody no table knows.
import { isEmpty, type Line, type Span } from "../line.ts";
import { flagsOfWord, type Knowledge } from "../../knowledge/knowledge.ts";
import { WordFlag } from "../../knowledge/sections.ts";
import { tokenise } from "../text/tokenise.ts";
import { lookUpText } from "../text/word-map.ts";
import { completeName } from "./complete.ts";
import type { PartyEvidence } from "./confidence.ts";
import { aliasPartsOf } from "./alias-parts.ts";
import { findMerchant, type FoundMerchant, merchantOfWebsite } from "./merchant.ts";
import { findCutMerchant } from "./cut-merchant.ts";
import { findMisspelt } from "./misspelt.ts";
import { displayName } from "./display-name.ts";
import { independentName } from "./name.ts";
import { companyWords, nobodyWords } from "./name-words.ts";
import { officeParts } from "./offices.ts";
import { none, type Party, type PartyInput } from "./party-types.ts";
import {
  isAddressed,
  isFamilyNameFirst,
  isGivenName,
  isPersonName,
  isUnknownPerson,
  personAtStart,
  wholeName,
} from "./person.ts";
import { isCompanyLike, isPlausible, type NameEvidence } from "./plausible.ts";
import { findWebsite, type Website } from "./website.ts";

export const merchantParty = (found: FoundMerchant): Party => ({
  kind: "merchant",
  merchant: found.merchant,
  span: found.span,
  by: found.by,
});

/** Everything that names a known merchant or a website, best evidence first. */
export function recognisable(
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
    return { kind: "merchant", merchant: ofWebsite, span: website.span, by: "website" };
  const cut = findCutMerchant(line, parts, span, context, knowledge);
  if (cut !== null) return merchantParty(cut);
  if (website === null)
    return abbreviated(input, span, parts, knowledge) ?? misspelt(input, span, parts, knowledge);
  return websiteParty(input, website.domain, website.label, website.span, website.complete);
}

/** Behind other words a short address is more likely the end of a name (`TOWN HOUSE.IT`) than one of its own. */
const INNER_LABEL_LENGTH_MIN = 6;

function frontWebsite(input: PartyInput, span: Span, knowledge: Knowledge): Website | null {
  const website = findWebsite(input.line, span, input.context.hints.home, knowledge);
  if (website === null || website.label.length >= INNER_LABEL_LENGTH_MIN) return website;
  return website.span.from === span.from ? website : null;
}

/** `IL DEPT OF REV`: a second look with the words of offices in place of what statements make of them. */
function ofOffice(
  input: PartyInput,
  span: Span,
  parts: readonly string[],
  knowledge: Knowledge,
): Party | null {
  const { home } = input.context.hints;
  const spelled = home === "US" ? officeParts(input.line, span, parts) : null;
  if (spelled === null) return null;
  const found =
    findMerchant(input.line, spelled, span, input.context, knowledge) ??
    findCutMerchant(input.line, spelled, span, input.context, knowledge);
  return found?.span.from === span.from ? merchantParty(found) : null;
}

/** A second look with abbreviations spelled out. */
function abbreviated(
  input: PartyInput,
  span: Span,
  parts: readonly string[],
  knowledge: Knowledge,
): Party | null {
  const { abbreviations } = knowledge;
  const office = ofOffice(input, span, parts, knowledge);
  if (office !== null) return office;
  if (!parts.some((part) => lookUpText(abbreviations, part) !== undefined)) return null;
  const spelled = parts.map((part) => lookUpText(abbreviations, part) ?? part);
  const found = findMerchant(input.line, spelled, span, input.context, knowledge);
  return found === null ? null : merchantParty(found);
}

function misspelt(
  input: PartyInput,
  span: Span,
  parts: readonly string[],
  knowledge: Knowledge,
): Party | null {
  const found = findMisspelt(input.line, parts, span, input.context, knowledge);
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
  return {
    kind: "named",
    type: "organization",
    name,
    website: certain ? domain : null,
    span,
    by: "unknown website",
  };
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
  const key = aliasPartsOf(line, knowledge).slice(name.from, name.to).join("");
  const label = website.label.replaceAll("-", "");
  if (!key.startsWith(label) && !label.startsWith(key)) return null;
  return {
    domain: website.domain,
    merchant: merchantOfWebsite(website.domain, context, knowledge),
  };
}

export function independent(
  input: PartyInput,
  span: Span,
  knowledge: Knowledge,
  processor = false,
): Party {
  if ((input.bankInternal || input.mute) && !input.labelled) return none;
  const { countries } = input.context.hints;
  const name = independentName(input.line, span, countries, knowledge, input.afterWording);
  if (name === null) return none;
  const { labelled, afterWording } = input;
  const evidence = { card: input.card || processor, processor, labelled, afterWording };
  if (!isPlausible(input.line, name, evidence, knowledge)) return none;
  const own = ownWebsite(input, name, knowledge);
  if (own !== null && own.merchant >= 0)
    return { kind: "merchant", merchant: own.merchant, span: name, by: "website" };
  const whole = completeName(input.line, name, fieldStart(input, name), knowledge);
  return {
    kind: "named",
    type: "organization",
    name: displayName(input.line, whole.span, whole.lastWord, knowledge.abbreviations),
    website: own === null ? null : own.domain,
    span: whole.span,
    lastWord: whole.lastWord,
    by: own === null ? nameEvidence(input, evidence, name, knowledge) : "unknown website",
  };
}

/** A processor's mark stands in the same field as the name behind it. */
const fieldStart = (input: PartyInput, name: Span): number => Math.min(input.span.from, name.from);

function nameEvidence(
  input: PartyInput,
  evidence: NameEvidence,
  name: Span,
  knowledge: Knowledge,
): PartyEvidence {
  if (evidence.processor) return "name behind processor";
  if (evidence.labelled) return "labelled name";
  // Who pays wages is named, whatever he is called.
  if (input.paysWages) return "labelled name";
  const isCompany = isCompanyLike(input.line, name, knowledge);
  if (evidence.card && (isCompany || !isEmpty(input.tail))) return "name on card";
  return isCompany ? "bare name" : "bare words";
}

/** A person behind a payment rail, or the company that the words behind it are. */
export function personal(input: PartyInput, name: Span, knowledge: Knowledge): Party {
  const { line } = input;
  if (isEmpty(name)) return none;
  const person = personAtStart(line, name, true, knowledge);
  if (person !== null) return personParty(line, person, knowledge);
  const isName = isFamilyNameFirst(line, name, knowledge) || isGivenName(line, name, knowledge);
  if (isName) return personParty(line, name, knowledge);
  if (isPersonName(line, name, knowledge) || isUnknownPerson(line, name, knowledge))
    return personParty(line, name, knowledge);
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

/** Behind TO or FROM of a transfer service stands who it is, known or not: `ZELLE PAYMENT TO LAWN GUY PETE`. */
export function addressed(input: PartyInput, start: Span, knowledge: Knowledge): Party {
  const { line } = input;
  if (isEmpty(start) || !isAddressed(line, start.from)) return none;
  const name = wholeName(line, start);
  const words = line.tokens.slice(name.from, name.to).map(({ text }) => text);
  if (words.every((text) => text.length < 3 || nobodyWords.has(text))) return none;
  const isOfTrade = (text: string): boolean =>
    companyWords.has(text) || (flagsOfWord(knowledge, text) & WordFlag.plain) !== 0;
  if (!words.some(isOfTrade)) return personParty(line, name, knowledge);
  const told = { ...input, afterWording: false, bankInternal: false, labelled: true };
  return independent(told, name, knowledge);
}

export function personParty(line: Line, span: Span, knowledge: Knowledge): Party {
  const middle = span.from + 1;
  const name = isFamilyNameFirst(line, span, knowledge)
    ? `${displayName(line, { from: middle, to: span.to })} ${displayName(line, { from: span.from, to: middle })}`
    : displayName(line, span);
  return { kind: "named", type: "person", name, website: null, span, by: "person" };
}
