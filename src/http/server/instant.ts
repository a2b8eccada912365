import type { ErrorWords } from "./validation.ts";

// Datetimes in queries, in every spelling that client libraries send: `T` or a space, a fraction of up to nine digits,
// `Z`, an offset or nothing (UTC), or a plain date. A `+` that was not percent-encoded arrives as a space.

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|\s?([+-]|\s)(\d{2}):?(\d{2})?)?)?$/;

/**
 * The instant in milliseconds since 1970, rounded up, or the error. Rows are stamped in whole milliseconds, so
 * that rounding up keeps both bounds exact: `created >= bound` and `created < bound` mean the same before and after.
 */
export function instantCeiling(value: string): number | ErrorWords {
  const match = INSTANT.exec(value);
  if (match === null) {
    return parsingError(value.length < 10 ? "input is too short" : "invalid character in datetime");
  }
  const [, date = "", clock = "00:00", seconds = "00", fraction = ""] = match;
  const whole = Date.parse(`${date}T${clock}:${seconds}Z`);
  // Date.parse lets 31 February roll over into March, and 24:00 into the next day; neither is a time on the calendar.
  const isReal =
    !Number.isNaN(whole) && new Date(whole).toISOString().startsWith(`${date}T${clock}`);
  if (!isReal) return parsingError("value is outside expected range");
  const offset = offsetMinutes(match);
  if (offset === null) return parsingError("timezone offset is outside expected range");
  return whole - offset * 60_000 + Math.ceil(Number(fraction.padEnd(9, "0")) / 1_000_000);
}

function offsetMinutes(match: RegExpExecArray): number | null {
  const [, , , , , , sign, hours, minutes = "00"] = match;
  if (hours === undefined) return 0;
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  const total = Number(hours) * 60 + Number(minutes);
  return sign === "-" ? -total : total;
}

function parsingError(error: string): ErrorWords {
  return {
    type: "datetime_from_date_parsing",
    msg: `Input should be a valid datetime or date, ${error}`,
    ctx: { error },
  };
}
