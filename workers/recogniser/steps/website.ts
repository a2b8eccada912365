// Step: a web address in the line (`WWW.EXAMPLE.CO.UK`, `EXAMPLE.COM/BILL`): the registrable domain, also where the
// field was too narrow for all of it.
import type { Line, Span } from "../line.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";

export interface Website {
  /** Registrable domain, lower case. */
  readonly domain: string;
  /** The part before the public suffix: `example`. */
  readonly label: string;
  /** Tokens of the whole address. */
  readonly span: Span;
  /** Nothing had to be guessed. */
  readonly complete: boolean;
}

/** Endings a plain word may not be mistaken for: only these make an unknown merchant's website. */
const commonSuffixes: ReadonlySet<string> = new Set([
  "com",
  "co.uk",
  "org",
  "org.uk",
  "net",
  "gov.uk",
  "ac.uk",
  "gov",
  "edu",
  "io",
  "co",
  "ca",
  "com.au",
  "de",
  "fr",
  "es",
  "it",
  "nl",
  "ie",
  "eu",
  "info",
  "biz",
  "me",
  "us",
  "app",
  "shop",
  "online",
  "ltd.uk",
  "uk",
  "uk.com",
  "eu.com",
  "co.nz",
  "co.za",
  "in",
  "co.in",
  "be",
  "ch",
  "at",
  "se",
  "dk",
  "no",
  "pl",
  "pt",
]);

/** What stands before `.uk`. */
const britishSuffixes: ReadonlySet<string> = new Set(["co", "org", "gov", "ac", "ltd"]);

const LABEL_LENGTH_MIN = 2;
const GLUED_LENGTH_MIN = 7;
/** Longer addresses are not looked at to their end, which bounds the work on a text full of dots. */
const ADDRESS_TOKENS_MAX = 8;

/** Whether a token goes on with the address in front of it: after a dot, a hyphen, or `/COM` as some terminals write. */
function continues(line: Line, from: number, at: number, suffixes: ReadonlySet<string>): boolean {
  const token = line.tokens[at];
  if (token?.gap !== 1) return false;
  if (token.before === ".") return true;
  if (token.before === "/") return at === from + 1 && (token.text === "com" || token.text === "co");
  const previous = line.tokens[at - 1];
  // `EXAMPLE.COM-LONDON` ends at the suffix, `WWW.BLUE-KETTLE.COM` does not end before it.
  const ended = previous?.before === "." && suffixes.has(previous.text);
  return token.before === "-" && !ended;
}

function dottedEnd(line: Line, from: number, to: number, suffixes: ReadonlySet<string>): number {
  const last = Math.min(to, from + ADDRESS_TOKENS_MAX);
  let end = from + 1;
  while (end < last && continues(line, from, end, suffixes)) end++;
  return end;
}

/** The words of the address between dots; hyphens stay inside a word. */
function labelsOf(line: Line, from: number, end: number): string[] {
  const labels: string[] = [];
  let label = "";
  for (let i = from; i < end; i++) {
    const text = line.tokens[i]?.text ?? "";
    const hyphen = i > from && line.tokens[i]?.before === "-";
    if (i > from && !hyphen) labels.push(label);
    label = hyphen ? `${label}-${text}` : text;
  }
  return [...labels, label];
}

/** Number of labels in the longest suffix the address ends with, 0 when none. */
function suffixLength(labels: readonly string[], suffixes: ReadonlySet<string>): number {
  const isSuffix = (text: string): boolean => commonSuffixes.has(text) || suffixes.has(text);
  const last = labels[labels.length - 1] ?? "";
  const two = `${labels[labels.length - 2] ?? ""}.${last}`;
  if (labels.length > 2 && isSuffix(two)) return 2;
  return labels.length > 1 && isSuffix(last) ? 1 : 0;
}

/** `example.co.u`, and in the UK `example.co`, were `example.co.uk` before the field ended. */
function completed(labels: readonly string[], home: string | null): readonly string[] | null {
  const last = labels[labels.length - 1] ?? "";
  const before = labels[labels.length - 2] ?? "";
  if (last === "u" && britishSuffixes.has(before)) return [...labels.slice(0, -1), "uk"];
  if (last === "co" && home === "GB" && labels.length > 1) return [...labels, "uk"];
  return null;
}

/** `GOV.UK` and `WWW.COM` name nobody. */
const isNoLabel = (label: string): boolean =>
  label.length < LABEL_LENGTH_MIN || label === "www" || britishSuffixes.has(label);

/** `WWWKETTLES.CO.UK`: the first dot was lost. */
const withoutGluedPrefix = (label: string): string =>
  label.startsWith("www") && label.length >= GLUED_LENGTH_MIN ? label.slice("www".length) : label;

function addressAt(
  line: Line,
  from: number,
  to: number,
  home: string | null,
  knowledge: Knowledge,
): Website | null {
  const end = dottedEnd(line, from, to, knowledge.suffixes);
  if (end - from < 2) return null;
  const written = labelsOf(line, from, end);
  const guess = completed(written, home);
  const labels = guess ?? written;
  // A word of the next field may hang on the end: `EXAMPLE.COM.LONDON`.
  for (let count = labels.length; count >= 2; count--) {
    const used = labels.slice(0, count);
    const length = suffixLength(used, knowledge.suffixes);
    const label = withoutGluedPrefix(used[used.length - length - 1] ?? "");
    const suffix = used.slice(used.length - length).join(".");
    if (length === 0 || isNoLabel(label)) continue;
    const domain = `${label}.${suffix}`;
    if (!commonSuffixes.has(suffix) && knowledge.aliases.keys.find(domain) < 0) continue;
    return { domain, label, span: { from, to: end }, complete: guess === null };
  }
  return null;
}

export function findWebsite(
  line: Line,
  span: Span,
  home: string | null,
  knowledge: Knowledge,
): Website | null {
  for (let from = span.from; from < span.to; from++) {
    const next = line.tokens[from + 1];
    if (next?.gap !== 1 || (next.before !== "." && next.before !== "/" && next.before !== "-"))
      continue;
    const website = addressAt(line, from, span.to, home, knowledge);
    if (website !== null) return website;
  }
  return null;
}
