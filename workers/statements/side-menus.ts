// The menu of a web page left of its table, on a screenshot or in print: "Payments" there does not name the rows next to it.
import { MENU_WORD } from "./lexicon.ts";
import { makeLine, type TextLine } from "./lines.ts";
import { tableHeaderOf } from "./table-header.ts";

/** Items of a menu on a page, and those of them whose words are known. */
const ITEMS_MIN = 5;
const KNOWN_MIN = 3;
const HEADER_CELLS_MIN = 3;
/** Between a menu and the table next to it, in heights of a line. */
const GAP_MIN = 1.5;

/** The part of a page that is left of an edge and between two heights. */
interface Menu {
  readonly edge: number;
  readonly top: number;
  readonly bottom: number;
}

/** The lines without the words of such menus. Where anything next to its words has a digit, all of them stay. */
export function withoutSideMenus(lines: readonly TextLine[]): readonly TextLine[] {
  const menus = new Map(
    [...Map.groupBy(lines, ({ page }) => page)].map(([page, own]) => [page, menuOf(own)]),
  );
  return lines.flatMap((line) => {
    const menu = menus.get(line.page) ?? null;
    if (menu === null) return [line];
    const words = line.words.filter((word) => !isInMenu(menu, line, word.right));
    if (words.length === line.words.length) return [line];
    return words.length === 0 ? [] : [makeLine(words)];
  });
}

const isInMenu = ({ edge, top, bottom }: Menu, line: TextLine, right: number): boolean =>
  right < edge && line.top >= top && line.bottom <= bottom;

function menuOf(lines: readonly TextLine[]): Menu | null {
  const known = lines.filter(({ plain }) => MENU_WORD.has(plain[0] ?? ""));
  if (known.length < KNOWN_MIN) return null;
  const edge = edgeOfTable(lines);
  const left = known.filter(({ words }) => (words[0]?.right ?? edge) < edge);
  const [first, last] = [left[0], left.at(-1)];
  if (first === undefined || last === undefined || left.length < KNOWN_MIN) return null;
  const menu = { edge, top: first.top, bottom: last.bottom };
  const items = lines
    .map((line) => line.words.filter(({ right }) => isInMenu(menu, line, right)))
    .filter(({ length }) => length > 0);
  const areWords = items.flat().every(({ text }) => !/\d/u.test(text));
  return items.length >= ITEMS_MIN && areWords ? menu : null;
}

/** Left of the first whole header; -Infinity: there is none. */
function edgeOfTable(lines: readonly TextLine[]): number {
  for (const [at, line] of lines.entries()) {
    const cells = tableHeaderOf(line, lines[at - 1], []) ?? [];
    if (cells.length < HEADER_CELLS_MIN) continue;
    return Math.min(...cells.map(({ left }) => left)) - (line.bottom - line.top) * GAP_MIN;
  }
  return Number.NEGATIVE_INFINITY;
}
