// The line that a fax prints at the top of each page: a day, a time, telephone numbers, and the page.
import type { TextLine } from "./lines.ts";

const TIME = /\b\d{1,2}:\d{2}\b/u;
const PARTY = /\b(?:from|to|fax) ?[:#]/iu;
const PAGE = /\bp(?:age|g)?\.? ?\d{1,3} ?(?:\/|of) ?\d{1,3}\b/iu;
const AMOUNT = /\d[.,]\d\d\b/u;

/** Without such lines, whose day and numbers would be a row. */
export const withoutFaxBanners = (lines: readonly TextLine[]): readonly TextLine[] =>
  lines.filter((line) => !isFaxBanner(line));

/** "2026-04-15 10:42  FROM: COPY CENTER 207 555 0148  TO: 18665550199  P.01/04" */
function isFaxBanner({ words }: TextLine): boolean {
  const text = words.map((word) => word.text).join(" ");
  return TIME.test(text) && PARTY.test(text) && PAGE.test(text) && !AMOUNT.test(text);
}
