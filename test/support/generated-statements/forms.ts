// Forms of numbers and dates that generated statements print.

/** Month from 1. */
export type DateForm = (year: number, month: number, day: number) => string;

export const two = (value: number): string => String(value).padStart(2, "0");
export const inGroups =
  (mark: string, group: string, places: RegExp) =>
  (units: number): string => {
    const digits = String(units).padStart(3, "0");
    return digits.slice(0, -2).replaceAll(places, group) + mark + digits.slice(-2);
  };
export const THOUSANDS = /\B(?=(?:\d{3})+$)/gu;
export const LAKHS = /\B(?=(?:\d{2})*\d{3}$)/gu;
export const POINT = inGroups(".", ",", THOUSANDS);

/** Names of months are those of the language of the statement. */
export const numeric = (mark: string): DateForm => {
  return (year, month, day) => [two(day), two(month), String(year)].join(mark);
};
const monthName = (month: number): string =>
  "January February March April May June July August September October November December".split(
    " ",
  )[month - 1] ?? "";
export const short = (month: number): string => monthName(month).slice(0, 3);

export const DAY_NAME: readonly DateForm[] = [
  (year, month, day) => `${two(day)} ${short(month)} ${String(year)}`,
  (year, month, day) => `${String(day)} ${monthName(month)} ${String(year)}`,
  (year, month, day) => `${two(day)}-${short(month)}-${String(year)}`,
  (year, month, day) => `${two(day)} ${short(month)} ${two(year % 100)}`,
  numeric("/"),
];
export const DAY_NAME_ONLY: readonly DateForm[] = [
  (_, month, day) => `${two(day)} ${short(month)}`,
  (_, month, day) => `${String(day)} ${short(month).toUpperCase()}`,
];
