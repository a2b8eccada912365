// A web address in the line (`WWW.EXAMPLE.CO.UK`, `EXAMPLE.COM/BILL`): the registrable domain, also where the field was too narrow
// for all of it, or a terminal lost the dots.
import type { Knowledge } from "../../knowledge/knowledge.ts";
import type { Line, Span } from "../line.ts";
import { endingsOf, isRegistered } from "./domains.ts";

export interface WebAddress {
  /** Registrable domain, lower case; null where too little of it is left to know it. */
  readonly domain: string | null;
  /** The part before the public suffix: `example`. */
  readonly label: string;
  /** Tokens of the whole address. */
  readonly span: Span;
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
/** Shorter labels exist with most endings. */
const CUT_LABEL_LENGTH_MIN = 4;
/** A shorter label whose ending is lost may be part of another one. */
const LOST_ENDING_LABEL_LENGTH_MIN = 8;
/** `4OURHOUSE CO UK`. */
const GLUED_TOKENS_MAX = 3;
/** Longer addresses are not looked at to their end, which bounds the work on a text full of dots. */
const ADDRESS_TOKENS_MAX = 8;

/** Whether a token goes on with the address in front of it: after a dot, a hyphen, or `/COM` as some terminals write. */
function continues(line: Line, from: number, at: number, suffixes: ReadonlySet<string>): boolean {
  const token = line.tokens[at];
  if (token?.gap !== 1) return false;
  if (token.before === ".") return true;
  if (token.before === "/") return at === from + 1 && (token.text === "com" || token.text === "co");
  const previous = line.tokens[at - 1];
  // `EXAMPLE.COM-LONDON` ends at the suffix, `WWW.BLUE-KETTLE.COM` and `WWW.DE-SIGNAGE.COM` do not end before it.
  const isBehindMark = at === from + 2 && line.tokens[from]?.text === "www";
  const ended = !isBehindMark && previous?.before === "." && suffixes.has(previous.text);
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

/** `GOV.UK` and `WWW.COM` name no one company. */
const isUnusable = (label: string): boolean =>
  label.length < LABEL_LENGTH_MIN || label === "www" || britishSuffixes.has(label);

/** `WWWKETTLES.CO.UK`: the first dot was lost. */
const withoutGluedPrefix = (label: string): string =>
  label.startsWith("www") && label.length >= GLUED_LENGTH_MIN ? label.slice("www".length) : label;

/** What an address that a field cut off may have ended with, the likeliest first. */
const BRITISH_ENDINGS = ["co.uk", "com", "org.uk", "gov.uk", "ac.uk", "org", "net"] as const;
const ENDINGS = ["com", "org", "net", "gov", "edu"] as const;

/**
 * `.C` and `.CO` of a British line. Of 446 addresses in lines of councils that are short enough for their fields, and are in no list
 * with either ending, 71 of 100 end in `co.uk`, the others in `com`.
 */
const isBritishBeginning = (ending: string, home: string | null): boolean =>
  home === "GB" && ending !== "" && "co.uk".startsWith(ending);

/** The domain of the label whose ending the field cut off, when one that fits is registered, or likely enough. */
function completedDomain(
  label: string,
  ending: string,
  home: string | null,
  knowledge: Knowledge,
): string | null {
  if (label.length < (ending === "" ? LOST_ENDING_LABEL_LENGTH_MIN : CUT_LABEL_LENGTH_MIN))
    return null;
  for (const whole of home === "GB" ? BRITISH_ENDINGS : [...endingsOf(home), ...ENDINGS]) {
    const domain = `${label}.${whole}`;
    if (whole.startsWith(ending) && isRegistered(knowledge, domain)) return domain;
  }
  return isBritishBeginning(ending, home) ? `${label}.co.uk` : null;
}

/** The labels of an address whose ending was cut off: `WWW.BRUNELENGRAVING.CO` of a British line, `WWW.THURROCK.GOV.`. */
function cutAddress(
  labels: readonly string[],
  home: string | null,
  knowledge: Knowledge,
): Pick<WebAddress, "domain" | "label"> | null {
  const isAnnounced = labels[0] === "www" || labels[0] === "http" || labels[0] === "https";
  const first = isAnnounced ? 1 : 0;
  for (let at = first; at < labels.length; at++) {
    const ending = labels.slice(at + 1).join(".");
    const label = withoutGluedPrefix(labels[at] ?? "");
    if (isUnusable(label) || commonSuffixes.has(label)) continue;
    if (ending === "" && !isAnnounced) return null;
    const domain = completedDomain(label, ending, home, knowledge);
    if (domain !== null) return { label, domain };
  }
  // `WWW.LABELSANDTAGS.C`: too little is left of the ending.
  const label = withoutGluedPrefix(labels[first] ?? "");
  const isUsable = isAnnounced && !isUnusable(label) && !commonSuffixes.has(label);
  return isUsable ? { label, domain: null } : null;
}

/**
 * The labels with `uk` where the field cut it off: `EXAMPLE.CO.U` can only have been one, and of a British line so can
 * `EXAMPLE.CO.` and `EXAMPLE.GOV`.
 */
function withBritishEnding(
  labels: readonly string[],
  home: string | null,
  isDotBehind: boolean,
): readonly string[] {
  const last = labels.at(-1) ?? "";
  if (last === "u" && britishSuffixes.has(labels.at(-2) ?? ""))
    return [...labels.slice(0, -1), "uk"];
  const isCut = labels.length > 1 && (last === "gov" || (isDotBehind && britishSuffixes.has(last)));
  return isCut && home === "GB" ? [...labels, "uk"] : labels;
}

/** The address that the labels are, all of them; null when they do not end like one. */
function wholeAddress(
  labels: readonly string[],
  home: string | null,
  knowledge: Knowledge,
): Pick<WebAddress, "domain" | "label"> | null {
  const length = suffixLength(labels, knowledge.suffixes);
  const label = withoutGluedPrefix(labels[labels.length - length - 1] ?? "");
  const suffix = labels.slice(labels.length - length).join(".");
  if (length === 0 || isUnusable(label)) return null;
  const domain = `${label}.${suffix}`;
  if (!commonSuffixes.has(suffix) && knowledge.aliases.keys.find(domain) < 0) return null;
  // `EXAMPLE.CO` of a British line was `EXAMPLE.CO.UK` or `EXAMPLE.COM`.
  const isBritish = suffix === "co" && home === "GB";
  if (!isBritish && isRegistered(knowledge, domain)) return { domain, label };
  const completed = completedDomain(label, suffix, home, knowledge);
  return { domain: completed ?? (isBritish ? null : domain), label };
}

function addressAt(
  line: Line,
  from: number,
  home: string | null,
  knowledge: Knowledge,
): WebAddress | null {
  const end = dottedEnd(line, from, line.tokens.length, knowledge.suffixes);
  if (end - from < 2) return null;
  const isDotBehind = line.text[line.tokens[end - 1]?.end ?? 0] === ".";
  const labels = withBritishEnding(labelsOf(line, from, end), home, isDotBehind);
  const span = { from, to: end };
  // A word of the next field may hang on the end: `EXAMPLE.COM.LONDON`.
  for (let count = labels.length; count >= 2; count--) {
    const address = wholeAddress(labels.slice(0, count), home, knowledge);
    if (address !== null) return { ...address, span };
  }
  const cut = cutAddress(labels, home, knowledge);
  return cut === null ? null : { ...cut, span };
}

/** Endings that are glued to a label when a terminal leaves out the dots, with the dots. */
const GLUED_ENDINGS: readonly (readonly [glued: string, ending: string])[] = [
  ["couk", "co.uk"],
  ["orguk", "org.uk"],
  ["govuk", "gov.uk"],
  ["com", "com"],
];
const GLUED_LABEL_LENGTH_MIN = 5;

/** `WWWPODPOINTCOM`, `4OURHOUSE CO UK`: an address without its dots, when it is registered or stands behind WWW. */
function dotlessAt(line: Line, from: number, knowledge: Knowledge): WebAddress | null {
  const first = line.tokens[from];
  if (first === undefined || first.kind === "number" || first.kind === "mask") return null;
  const isAnnounced = line.tokens[from - 1]?.text === "www";
  const rest = (count: number): string =>
    line.tokens
      .slice(from + 1, from + count)
      .map(({ text }) => text)
      .join("");
  for (const [glued, ending] of GLUED_ENDINGS) {
    for (let count = 1; count <= GLUED_TOKENS_MAX; count++) {
      const text = first.text + rest(count);
      if (!text.endsWith(glued)) continue;
      const label = withoutGluedPrefix(text.slice(0, -glued.length));
      const domain = `${label}.${ending}`;
      if (label.length < GLUED_LABEL_LENGTH_MIN) continue;
      if (!isAnnounced && !isRegistered(knowledge, domain)) continue;
      return { domain, label, span: { from, to: from + count } };
    }
  }
  return null;
}

const joinsAddress = (before: string): boolean =>
  before === "." || before === "/" || before === "-";

/** The first address in the line. */
export function findAddress(
  line: Line,
  home: string | null,
  knowledge: Knowledge,
): WebAddress | null {
  const { tokens } = line;
  for (let from = 0; from < tokens.length; from++) {
    const next = tokens[from + 1];
    if (next?.gap === 1 && joinsAddress(next.before)) {
      const address = addressAt(line, from, home, knowledge);
      if (address !== null) return address;
    }
    const text = tokens[from]?.text ?? "";
    const mayBeDotless =
      text.endsWith("com") || text.endsWith("uk") || next?.text === "com" || next?.text === "co";
    if (!mayBeDotless) continue;
    const address = dotlessAt(line, from, knowledge);
    if (address !== null) return address;
  }
  return null;
}
