// Three of the facts, read out of their JSON text without parsing all of it: that is done for every transaction that is stored.
// The text has no spaces, and a quotation mark inside a value is escaped, so that a property's name with its quotation marks and
// its colon can stand nowhere but where the property is.
import type { Facts } from "../model/facts.ts";

const GENERAL = '"categories":{"general":';
const NO_CATEGORIES = '"categories":null';
const ORGANIZATION = '{"entities":{"counterparty":{"type":"organization",';
const NOT_AN_ORGANIZATION = [
  '{"entities":null,',
  '{"entities":{"counterparty":null,',
  '{"entities":{"counterparty":{"type":"person",',
];
const NAME = '"name":';
const CONFIDENCE = '"confidence":';

/** The category; null: none is decided. */
export function labelOfFacts(facts: string): string | null {
  const at = facts.indexOf(GENERAL);
  if (at >= 0) return jsonTextAt(facts, at + GENERAL.length);
  if (facts.includes(NO_CATEGORIES)) return null;
  return parsed(facts).categories?.general ?? null;
}

/** The name of the counterparty where it is an organization; null: it is a person, or has no name. */
export function merchantOfFacts(facts: string): string | null {
  if (facts.startsWith(ORGANIZATION)) {
    // The first one is its own: that of its parent stands behind it.
    const at = facts.indexOf(NAME, ORGANIZATION.length);
    if (at >= 0) return jsonTextAt(facts, at + NAME.length);
  }
  if (NOT_AN_ORGANIZATION.some((opening) => facts.startsWith(opening))) return null;
  const counterparty = parsed(facts).entities?.counterparty ?? null;
  return counterparty?.type === "organization" ? counterparty.name : null;
}

/** How likely the category is right, 0 to 1; null: none is decided. */
export function confidenceOfFacts(facts: string): number | null {
  const at = facts.lastIndexOf(CONFIDENCE);
  if (at < 0) return null;
  // A number: parseFloat stops at what follows it, and makes NaN of null.
  const confidence = Number.parseFloat(facts.slice(at + CONFIDENCE.length));
  return Number.isNaN(confidence) ? null : confidence;
}

/** The JSON text or null that begins at `from`. */
function jsonTextAt(facts: string, from: number): string | null {
  if (facts[from] !== '"') return null;
  let end = facts.indexOf('"', from + 1);
  // An even number of backslashes in front of it escapes each other, an odd one the quotation mark.
  while (backslashesBefore(facts, end) % 2 === 1) end = facts.indexOf('"', end + 1);
  const inside = facts.slice(from + 1, end);
  return inside.includes("\\") ? (JSON.parse(facts.slice(from, end + 1)) as string) : inside;
}

function backslashesBefore(facts: string, end: number): number {
  let count = 0;
  while (facts[end - 1 - count] === "\\") count += 1;
  return count;
}

/** Facts in another order of properties: what was corrected is written by others. */
const parsed = (facts: string): Partial<Facts> => JSON.parse(facts) as Partial<Facts>;
