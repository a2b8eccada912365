// What all readings of a document share: its lines with their marks, the form of numbers and dates, the currency, and the
// parts of the accounts.
import { minorDigits } from "../../src/model/currencies.ts";
import { type AccountPart, splitAccounts } from "./accounts.ts";
import { withBalanceLines } from "./balance-lines.ts";
import { joinCentredAmounts } from "./centred-amounts.ts";
import { splitCompactDates } from "./compact-dates.ts";
import { statementCurrency, inferCurrency } from "./currency.ts";
import type { DayOrder } from "./dates.ts";
import { voteDayOrder } from "./day-order.ts";
import { withDayTotals } from "./day-totals.ts";
import { withoutFaxBanners } from "./fax-banners.ts";
import { layOutLabelledRows } from "./labelled-rows.ts";
import { type PageLine, readLines } from "./layout.ts";
import { toLines, type TextLine } from "./lines.ts";
import { splitLists } from "./lists-side-by-side.ts";
import { addLostHeadings } from "./lost-headings.ts";
import { joinLostMarks } from "./lost-marks.ts";
import { type NumberFormat, voteDecimalMark } from "./money.ts";
import { splitJoinedDates } from "./joined-dates.ts";
import { joinShortYears } from "./short-years.ts";
import { splitSideBoxes } from "./side-boxes.ts";
import { alignPlainRows } from "./plain-rows.ts";
import { withPlainMarks } from "./printed-marks.ts";
import { withoutSideMenus } from "./side-menus.ts";
import { splitSideBySide } from "./side-by-side.ts";
import { withStackedLabels } from "./stacked-labels.ts";
import type { PageWord } from "./words.ts";
import { writeOutYears } from "./year-first-dates.ts";

export interface DocumentLines {
  readonly format: NumberFormat;
  readonly currency: string | null;
  readonly order: DayOrder;
  /** As they are printed. */
  readonly printed: readonly TextLine[];
  readonly lines: readonly PageLine[];
  readonly parts: readonly AccountPart[];
}

export function readDocumentLines(words: readonly PageWord[]): DocumentLines {
  const printed = withoutFaxBanners(toLines(withPlainMarks(words)));
  const whole = joinLostMarks(joinCentredAmounts(printed), voteDecimalMark(printed));
  const withDates = splitJoinedDates(writeOutYears(splitCompactDates(layOutLabelledRows(whole))));
  const aligned = alignPlainRows(joinShortYears(withDates));
  const { format, currency } = formatOf(aligned);
  const lines = withoutSideMenus(withBalanceLines(aligned, format));
  const order = voteDayOrder(lines, currency === "USD" || currency === null);
  const lists = splitLists(splitSideBoxes(lines, order, format), order, format);
  const divided = splitSideBySide(lists, order, format);
  const read = addLostHeadings(withDayTotals(withStackedLabels(readLines(divided, order, format))));
  return { format, currency, order, printed, lines: read, parts: splitAccounts(read, order) };
}

function formatOf(lines: readonly TextLine[]): { format: NumberFormat; currency: string | null } {
  const decimalMark = voteDecimalMark(lines);
  const currency = statementCurrency(lines, { decimalMark, scale: 2 }) ?? inferCurrency(lines);
  const digits = currency === null ? 2 : minorDigits(currency);
  return { format: { decimalMark, scale: digits === 3 ? 3 : 2, isWhole: digits === 0 }, currency };
}
