// Opening and closing balances of which text recognition read the label alone: where on the page their numbers should stand, and
// what several views of such a place show. Only an account that becomes exact with such a balance keeps it.
import type { Box } from "./affine.ts";
import { readDocumentLines } from "./document.ts";
import type { PageLine } from "./layout.ts";
import { levelWords } from "./level-words.ts";
import type { FactKind } from "./lexicon.ts";
import { bandOfLine } from "./lines.ts";
import type { Money } from "./money.ts";
import type { PageWord } from "./words.ts";

const ENDS: ReadonlySet<FactKind> = new Set(["opening", "closing", "weak closing"]);
/** Of one page: each is read in several views. */
const PLACES_MAX = 4;
/** Lines with a number, the nearest ones first, that may show where the numbers of a label stand. */
const NUMBERS_AROUND = 6;
/** In heights of a line: how far the numbers of a column end from each other, and how much wider one may be than the others. */
const EDGE_TOLERANCE = 0.6;
const WIDER_MAX = 4;
const LABEL_GAP = 0.5;

/**
 * The places of balances that were not read, as wide as the numbers above and below them, from behind their labels.
 * @param words of one page
 */
export function placesOfLostEnds(words: readonly PageWord[]): Box[] {
  if (!words.some(({ source }) => source === "ocr")) return [];
  const { lines } = readDocumentLines(levelWords(words));
  const numbers = lines.flatMap((line) => {
    const money = line.money.findLast(({ isCertain }) => isCertain);
    return money === undefined ? [] : [{ line, money }];
  });
  return lines
    .filter(isLabelAlone)
    .map((line) => placeBehind(line, numbers))
    .filter((place) => place !== null)
    .slice(0, PLACES_MAX);
}

/** Whether a line is the label of one balance, without a number. */
const isLabelAlone = ({ facts, money, dates }: PageLine): boolean =>
  facts.length === 1 &&
  facts.every((fact) => ENDS.has(fact.kind) && fact.money === null) &&
  dates.length === 0 &&
  money.length === 0;

interface NumberOfLine {
  readonly line: PageLine;
  readonly money: Money;
}

/** null: no number shows where the one of the label stands, or other words do. */
function placeBehind(label: PageLine, numbers: readonly NumberOfLine[]): Box | null {
  const height = label.bottom - label.top;
  const start = leftOf(label);
  const isAligned = ({ line }: NumberOfLine): boolean => Math.abs(leftOf(line) - start) < height;
  const around = numbers
    .toSorted(
      (a, b) =>
        Number(isAligned(b)) - Number(isAligned(a)) ||
        distance(a.line, label) - distance(b.line, label),
    )
    .slice(0, NUMBERS_AROUND);
  const [nearest] = around;
  if (nearest === undefined) return null;
  const column = around.filter(
    ({ money }) => Math.abs(money.right - nearest.money.right) < height * EDGE_TOLERANCE,
  );
  const left = Math.min(...column.map(({ money }) => money.left)) - height * WIDER_MAX;
  const behind = label.words.filter((word) => word.right < nearest.money.left).at(-1);
  if (behind === undefined) return null;
  const [word = behind] = nearest.money.words;
  // Lines of a photo were made level by moving their words.
  const band = bandOfLine(label);
  const moved = (word.printed?.top ?? word.top) - word.top;
  return [
    Math.max(left, behind.right + height * LABEL_GAP),
    band.top + moved,
    Math.max(...column.map(({ money }) => money.right)) + height * LABEL_GAP,
    band.bottom + moved,
  ];
}

const leftOf = ({ words }: PageLine): number => words[0]?.left ?? 0;
const distance = (a: PageLine, b: PageLine): number => Math.abs(a.top - b.top);

/** Views that must show the same digits: a speck changes one of them and not the others. */
const AGREEING_MIN = 2;

/** The reading whose digits most views show, and of those the most frequent one; null: hardly two views agree. */
export function agreedReading(texts: readonly string[]): string | null {
  const [same] = groupsOf(texts, (text) => text.replaceAll(/\D/gu, ""));
  return same === undefined || same.length < AGREEING_MIN
    ? null
    : (groupsOf(same, (text) => text)[0]?.[0] ?? null);
}

/** The largest first; of equal ones, the one that begins first. */
const groupsOf = (texts: readonly string[], keyOf: (text: string) => string): string[][] =>
  [...Map.groupBy(texts, keyOf).values()].sort((a, b) => b.length - a.length);
