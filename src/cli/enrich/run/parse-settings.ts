// How a file is to be parsed, as flags and saved profiles give it.
import { z } from "zod";
import { type Mapping, parseMapping } from "../guess/mapping.ts";
import { InputError } from "../input-error.ts";
import type { ParseOptions } from "../parsed-file.ts";
import { printable } from "../values/printable.ts";

export const DELIMITER_NAMES = ["comma", "semicolon", "tab", "bar"] as const;
export const DECIMAL_NAMES = ["point", "comma"] as const;
export const DATE_FORMATS = ["dmy", "mdy", "ymd"] as const;

const DELIMITERS = { comma: ",", semicolon: ";", tab: "\t", bar: "|" } as const;
const DECIMALS = { point: ".", comma: "," } as const;
const DATE_ORDERS = { dmy: "DMY", mdy: "MDY", ymd: "YMD" } as const;
const MAP_CHARACTERS_MAX = 4_096;

/** The same in a profile file and on the command line; null: guessed. */
const settingsSchema = z.strictObject({
  map: z.string().max(MAP_CHARACTERS_MAX).nullable().default(null),
  encoding: z.string().min(1).max(40).nullable().default(null),
  delimiter: z.enum(DELIMITER_NAMES).nullable().default(null),
  decimal: z.enum(DECIMAL_NAMES).nullable().default(null),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/u)
    .nullable()
    .default(null),
  date_format: z.enum(DATE_FORMATS).nullable().default(null),
});
const profileSchema = settingsSchema.extend({ version: z.literal(1) });

export type ParseSettings = z.infer<typeof settingsSchema>;

export const GUESS_ALL: ParseSettings = {
  map: null,
  encoding: null,
  delimiter: null,
  decimal: null,
  currency: null,
  date_format: null,
};

/** Throws InputError for a --map that cannot be read. `nowMs`: today's date for files without dates. */
export function toParseOptions(settings: ParseSettings, nowMs: number): ParseOptions {
  const { map, encoding, delimiter, decimal, currency, date_format: dates } = settings;
  const mapping: Mapping = parseMapping(map);
  return {
    mapping: dates === null ? mapping : { ...mapping, dates: DATE_ORDERS[dates] },
    encoding,
    delimiter: delimiter === null ? null : DELIMITERS[delimiter],
    decimal: decimal === null ? null : DECIMALS[decimal],
    currency,
    today: new Date(nowMs).toISOString().slice(0, 10),
  };
}

/** What is given takes precedence over what the profile contains. */
export function mergeSettings(given: ParseSettings, profile: ParseSettings): ParseSettings {
  return {
    map: given.map ?? profile.map,
    encoding: given.encoding ?? profile.encoding,
    delimiter: given.delimiter ?? profile.delimiter,
    decimal: given.decimal ?? profile.decimal,
    currency: given.currency ?? profile.currency,
    date_format: given.date_format ?? profile.date_format,
  };
}

export function writeProfile(settings: ParseSettings): string {
  return `${JSON.stringify({ version: 1, ...settings }, null, 2)}\n`;
}

/** Throws InputError, with the field, for a text that is not a profile. */
export function readProfile(name: string, text: string): ParseSettings {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InputError(
      `${name} is not a parse profile: it is not JSON. Make one with --save-profile.`,
      error,
    );
  }
  const read = profileSchema.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue?.path.join(".") ?? "";
    throw new InputError(
      `${name} is not a parse profile: ${field === "" ? "" : `${printable(field)}: `}${printable(issue?.message ?? "", 200)}. Correct it, or make a new one with --save-profile.`,
    );
  }
  const { map, encoding, delimiter, decimal, currency, date_format } = read.data;
  return { map, encoding, delimiter, decimal, currency, date_format };
}
