// Parsers of command-line values: a text becomes a value, or an error that names the valid ones.
import { InvalidArgumentError } from "commander";
import {
  CREDITS_MAX_MAX,
  CREDITS_PER_SECOND_MAX,
  type CreditLimits,
  RATE_PER_SECOND_MAX,
} from "../model/api-key.ts";
import { COUNTRIES } from "../model/countries.ts";
import { CURRENCIES } from "../model/currencies.ts";

const ORGANIZATION_LENGTH_MAX = 64;
const NAME_LENGTH_MAX = 200;
/** As in the API. */
const DESCRIPTION_LENGTH_MAX = 1024;
const PORT_MAX = 65_535;
const STATUS_MIN = 200;
const STATUS_MAX = 599;
const LIMIT_MAX = 1_000;
const DATE = /^\d{4}-\d{2}-\d{2}/;
const INSTANT =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

export function parseDescription(text: string): string {
  if (Array.from(text).length > DESCRIPTION_LENGTH_MAX)
    throw new InvalidArgumentError(`At most ${String(DESCRIPTION_LENGTH_MAX)} characters.`);
  return text;
}

export function parseAmountOption(text: string): number {
  if (/^-/.test(text))
    throw new InvalidArgumentError(
      "An amount without a sign: --outgoing or --incoming gives the direction.",
    );
  if (!/^\d{1,15}(?:\.\d{1,15})?$/.test(text))
    throw new InvalidArgumentError("A number such as 6.50.");
  return Number(text);
}

export function parseCurrency(text: string): string {
  const code = text.toUpperCase();
  if (!CURRENCIES.some((known) => known === code))
    throw new InvalidArgumentError("A currency code such as USD.");
  return code;
}

export function parseCountry(text: string): string {
  const code = text.toUpperCase();
  if (!COUNTRIES.some((known) => known === code))
    throw new InvalidArgumentError("A country code such as US.");
  return code;
}

export function parseOrganization(text: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text) || text.length > ORGANIZATION_LENGTH_MAX) {
    throw new InvalidArgumentError("1 to 64 letters, digits, dots, dashes and underscores.");
  }
  return text;
}

/** The organization of the operator has a name that no tenant can have. */
export const parseAuditedOrganization = (text: string): string =>
  text === OPERATOR_ORGANIZATION ? text : parseOrganization(text);

const OPERATOR_ORGANIZATION = "_operator";

export function parseNameOption(text: string): string {
  if (text.length > NAME_LENGTH_MAX) throw new InvalidArgumentError("At most 200 characters.");
  return text;
}

/** 0 takes any free port. */
export const parsePort = (text: string): number => parseInteger(text, 0, PORT_MAX);

/** Of an HTTP answer. */
export const parseStatus = (text: string): number => parseInteger(text, STATUS_MIN, STATUS_MAX);

export const parseLimit = (text: string): number => parseInteger(text, 1, LIMIT_MAX);

/** An instant of ISO 8601 in milliseconds since 1970; a date alone is its midnight UTC. */
export function parseInstant(text: string): number {
  const instant = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant) || !isOnCalendar(DATE.exec(text)?.[0] ?? ""))
    throw new InvalidArgumentError("A time such as 2026-11-20T09:30:00Z, or a date.");
  return instant;
}

/** When something that is made now ends: both in milliseconds since 1970. */
export type Expiry = (nowMs: number) => number;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Ten years. */
const EXPIRY_DAYS_MAX = 3_650;

/** `90d` and `12h` from now on; a date is the end of that day in UTC. */
export function parseExpiry(text: string): Expiry {
  const [, digits = "", unit = ""] = /^(\d{1,5})([dh])$/.exec(text) ?? [];
  const lengthMs = Number(digits) * (unit === "h" ? HOUR_MS : DAY_MS);
  if (digits !== "" && lengthMs > 0 && lengthMs <= EXPIRY_DAYS_MAX * DAY_MS)
    return (nowMs) => nowMs + lengthMs;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || !isOnCalendar(text))
    throw new InvalidArgumentError(
      "Days or hours such as 90d or 12h, at most ten years, or a date such as 2027-01-31.",
    );
  const at = Date.parse(`${text}T00:00:00Z`) + DAY_MS;
  return () => at;
}

const GRACE_DAYS_MAX = 90;

/** Milliseconds. */
export function parseGrace(text: string): number {
  const [, digits = "", unit = ""] = /^(\d{1,4})([dh])$/.exec(text) ?? [];
  const lengthMs = Number(digits) * (unit === "h" ? HOUR_MS : DAY_MS);
  if (digits === "" || lengthMs > GRACE_DAYS_MAX * DAY_MS)
    throw new InvalidArgumentError(
      `Days or hours such as 7d or 12h, at most ${String(GRACE_DAYS_MAX)} days.`,
    );
  return lengthMs;
}

const PRINCIPAL_LENGTH_MAX = 200;

/** Appends a Kafka user to those that were named before. */
export function parsePrincipal(text: string, before: readonly string[] = []): readonly string[] {
  const [type = "", name = ""] = /^([A-Za-z]+):(.+)$/u.exec(text)?.slice(1) ?? [];
  // An access list for every user would give every user access.
  if (type === "" || name === "*" || text.length > PRINCIPAL_LENGTH_MAX || /\p{Cc}/u.test(text))
    throw new InvalidArgumentError("A Kafka user such as User:acme.");
  return [...before, text];
}

export const parseRate = (text: string): number => parseInteger(text, 0, RATE_PER_SECOND_MAX);

/** `50000:500`: so many at once, so many a second; `0`: any number. */
export function parseCredits(text: string): CreditLimits {
  if (text === "0") return { max: 0, perSecond: 0 };
  const [max = "", perSecond = "", ...more] = text.split(":");
  if (more.length > 0 || perSecond === "")
    throw new InvalidArgumentError("Two whole numbers such as 50000:500, or 0.");
  return {
    max: parseInteger(max, 1, CREDITS_MAX_MAX),
    perSecond: parseInteger(perSecond, 1, CREDITS_PER_SECOND_MAX),
  };
}

/** As `parseCredits`, or `default`: as the settings of the service say. */
export const parseGrantCredits = (text: string): CreditLimits | "settings" =>
  text === "default" ? "settings" : parseCredits(text);

/** Each of the values between commas, once. */
export function parseListOf<T extends string>(allowed: readonly T[]): (text: string) => T[] {
  return (text) => {
    const given = text.split(",");
    const chosen = allowed.filter((value) => given.includes(value));
    if (!given.every((value) => allowed.some((known) => known === value)))
      throw new InvalidArgumentError(`One or more of ${allowed.join(", ")}, separated by commas.`);
    return chosen;
  };
}

function parseInteger(text: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (value < min || value > max)
    throw new InvalidArgumentError(`A whole number from ${String(min)} to ${String(max)}.`);
  return value;
}

/** Date.parse lets 31 February roll over into March. */
function isOnCalendar(date: string): boolean {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
}

export type SetExitCode = (code: number) => void;

export type PrintLines = (lines: readonly string[]) => void;
