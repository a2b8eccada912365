import { z } from "zod";
import { domainOf } from "../../shared/domain-name.ts";
import { DATE_TYPE, type ErrorWords, FIELD_ERRORS_MAX, listWords } from "./validation.ts";
import { instantCeiling } from "./instant.ts";
import { declareItems } from "./unknown-names.ts";

// Building blocks of the request schemas. They run for each of up to 24 960 items of a batch: a check is one plain
// function, and work that only a refused value needs (counting, wording) happens after the refusal.

/** Text of `min`..`max` characters, counted as people count them (code points), not as UTF-16 units. */
export function text(min: number, max: number) {
  return z
    .string()
    .check((context) => {
      const words = textWords(context.value, min, max);
      if (words !== null) refuse(context, words);
    })
    .meta({ minLength: min, maxLength: max });
}

/** The same without the spaces around it. */
export function trimmedText(min: number, max: number) {
  return z
    .string()
    .transform((value) => value.trim())
    .pipe(text(min, max))
    .meta({ minLength: min, maxLength: max });
}

/** A real calendar date `YYYY-MM-DD`. */
export function calendarDate() {
  return z
    .string({ error: DATE_TYPE.type })
    .check((context) => {
      const words = dateWords(context.value);
      if (words !== null) refuse(context, words);
    })
    .meta({ format: "date" });
}

/** An instant: text in, milliseconds since 1970 out, rounded up. */
export function instantText() {
  return z
    .string()
    .transform((value, context) => {
      const instant = instantCeiling(value);
      if (typeof instant === "number") return instant;
      refuse(context, instant);
      return z.NEVER;
    })
    .meta({ format: "date-time" });
}

/** A bound on the time of creation. */
export function instantBound() {
  return instantText().nullish().meta({ format: "date-time" });
}

/** Text that a header carries as it is: up to `max` characters of ASCII, spaces inside alone. */
export function headerText(max: number) {
  return z
    .string()
    .check((context) => {
      if (context.value.length <= max && HEADER_TEXT.test(context.value)) return;
      refuse(context, {
        type: "string_pattern_mismatch",
        msg: `String should be at most ${String(max)} ASCII characters, visible ones at both ends`,
      });
    })
    .meta({ maxLength: max, pattern: HEADER_TEXT.source });
}

/** A domain, or the address of a page at one; the domain comes out. */
export function domainName(max: number) {
  return text(1, max).transform((value, context) => {
    const domain = domainOf(value);
    if (domain !== null) return domain;
    refuse(context, {
      type: "value_error",
      msg: "Value error, a website is a domain such as example.com",
    });
    return z.NEVER;
  });
}

/** `limit` of a list. */
export function pageLimit(defaultLimit: number) {
  return queryNumber(1, PAGE_LIMIT_MAX, defaultLimit);
}

/** A number in a query. The text is converted first; a text that is not a whole number is refused as a text. */
export function queryNumber(min: number, max: number, defaultNumber: number) {
  const number = z.number().min(min).max(max).default(defaultNumber);
  return z
    .preprocess(
      (value) => (typeof value === "string" && WHOLE_NUMBER.test(value) ? Number(value) : value),
      number,
    )
    .meta({ type: "integer", minimum: min, maximum: max, default: defaultNumber });
}

/**
 * A list of `min`..`max` items. Its length is checked before any item is looked at, and looking ends once there are
 * as many errors as an answer shows: a hostile list costs no more than a good one.
 */
export function boundedList<Item extends z.ZodType>(
  item: Item,
  bounds: { readonly min: number; readonly max: number },
  itemName: string | null,
) {
  return longList(item, bounds, itemName).transform((values, context) => {
    const parsed: z.output<Item>[] = [];
    let errorCount = 0;
    for (const [index, value] of values.entries()) {
      const result = item.safeParse(value, { reportInput: true });
      if (result.success) {
        parsed.push(result.data);
        continue;
      }
      for (const issue of result.error.issues) {
        context.issues.push({ ...issue, path: [index, ...issue.path] } as z.core.$ZodRawIssue);
      }
      errorCount += result.error.issues.length;
      if (errorCount >= FIELD_ERRORS_MAX) break;
    }
    return parsed;
  });
}

/** The same for so many items that their route checks them in steps, see `long-list.ts`: only their number is checked. */
export function longList(
  item: z.ZodType,
  bounds: { readonly min: number; readonly max: number },
  itemName: string | null,
) {
  // An item without a name is a text, which has its own bounds.
  const items =
    itemName === null
      ? { type: "string", ...item.meta() }
      : { $ref: `#/components/schemas/${itemName}` };
  const list = z
    .array(z.unknown())
    // Not the library's own checks of a length: they also look at the length of a text that was sent in place of a list.
    .check((context) => {
      const { length } = context.value;
      if (length < bounds.min) refuse(context, listWords("too_short", bounds.min, length));
      if (length > bounds.max) refuse(context, listWords("too_long", bounds.max, length));
    })
    .meta({ items, minItems: bounds.min, maxItems: bounds.max });
  declareItems(list, item);
  return list;
}

/** A bounded list in which nothing comes twice. */
export function distinctList<Item extends z.ZodType<string>>(
  item: Item,
  bounds: { readonly min: number; readonly max: number },
  itemName: string | null,
) {
  return boundedList(item, bounds, itemName)
    .check((context) => {
      const { value } = context;
      const repeated = value.findIndex((one, index) => value.indexOf(one) < index);
      if (repeated < 0) return;
      const params = { type: "value_error", msg: "Value error, this is in the list already" };
      context.issues.push({ code: "custom", input: null, path: [repeated], params });
    })
    .meta({ uniqueItems: true });
}

/** Texts or nulls under at most `max` names, none of which is looked at. */
export function namedTexts(max: number) {
  return z
    .unknown()
    .transform((value, context) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        refuse(context, DICTIONARY);
        return z.NEVER;
      }
      const entries = Object.entries(value);
      if (entries.length > max) {
        const actual = String(entries.length);
        const msg = `Dictionary should have at most ${String(max)} items after validation, not ${actual}`;
        refuse(context, { type: "too_long", msg });
        return z.NEVER;
      }
      for (const [name, text] of entries) {
        if (typeof text === "string" || text === null) continue;
        context.issues.push({ code: "custom", input: null, path: [name], params: { ...STRING } });
      }
      return value as Readonly<Record<string, string | null>>;
    })
    .meta({
      type: "object",
      maxProperties: max,
      additionalProperties: { type: ["string", "null"] },
    });
}

const DICTIONARY: ErrorWords = { type: "dict_type", msg: "Input should be a valid dictionary" };
const STRING: ErrorWords = { type: "string_type", msg: "Input should be a valid string" };

/** What a header carries without losing anything at its ends. */
const HEADER_TEXT = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/;
/** Bounds the rows of one page: memory for one answer, and time on the store. */
const PAGE_LIMIT_MAX = 1000;
const WHOLE_NUMBER = /^[+-]?\d{1,15}$/;

function refuse(
  context: { readonly value?: unknown; readonly issues: z.core.$ZodRawIssue[] },
  words: ErrorWords,
): void {
  context.issues.push({ code: "custom", input: null, params: { ...words } });
}

function textWords(value: string, min: number, max: number): ErrorWords | null {
  if (value.length < min) {
    const unit = min === 1 ? "character" : "characters";
    return {
      type: "string_too_short",
      msg: `String should have at least ${String(min)} ${unit}`,
      ctx: { min_length: min },
    };
  }
  if (value.length > max && isLonger(value, max)) {
    return {
      type: "string_too_long",
      msg: `String should have at most ${String(max)} characters`,
      ctx: { max_length: max },
    };
  }
  // A lone surrogate is not text: UTF-8 cannot carry it, so it could neither be stored nor answered as it came.
  if (!value.isWellFormed()) {
    return {
      type: "string_unicode",
      msg: "Input should be a valid string, unable to parse raw data as a unicode string",
    };
  }
  return null;
}

function isLonger(value: string, max: number): boolean {
  if (value.length > max * 2) return true;
  return Array.from(value).length > max;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

function dateWords(value: string): ErrorWords | null {
  if (!DATE.test(value)) {
    const error = value.length < 10 ? "input is too short" : "invalid character in date";
    return dateError(error);
  }
  const year = Number(value.slice(0, 4));
  const month = Number(value.slice(5, 7));
  const day = Number(value.slice(8, 10));
  if (year === 0) return dateError("year value is outside expected range");
  if (month < 1 || month > 12) return dateError("month value is outside expected range of 1-12");
  if (day < 1 || day > daysInMonth(year, month)) {
    return dateError("day value is outside expected range");
  }
  return null;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function dateError(error: string): ErrorWords {
  return {
    type: "date_from_datetime_parsing",
    msg: `Input should be a valid date or datetime, ${error}`,
    ctx: { error },
  };
}
