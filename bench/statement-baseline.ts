// What a simple open tool does, for comparison: lines by height, a regular expression for rows, the sign as printed.
import type { PageWord } from "../workers/statements/words.ts";

interface BaselineRow {
  /** YYYY-MM-DD; null: the date has no year. */
  readonly date: string | null;
  /** Minor units, below zero with a minus. */
  readonly units: number;
  readonly balance: number | null;
}

const HALF_LINE = 5;
const ROW =
  /^(?<date>\d{4}-\d\d-\d\d|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{1,2}[ -]\p{L}{3,9}\.?[ -]\d{2,4})\s+.*?(?<amount>[-(]?[^\d\s-]{0,3}[\d.,']+[.,]\d\d\)?-?)(?:\s+(?<balance>-?[^\d\s-]{0,3}[\d.,']+[.,]\d\d))?(?:\s*(?:CR|DR|Cr|Dr))?$/u;

/** All lines that look like a row. */
export function readBaseline(words: readonly PageWord[]): BaselineRow[] {
  const lines = new Map<string, PageWord[]>();
  for (const word of words) {
    const key = `${String(word.page)} ${String(Math.round(word.top / HALF_LINE))}`;
    lines.set(key, [...(lines.get(key) ?? []), word]);
  }
  return [...lines.values()].flatMap((line) => {
    const text = [...line]
      .sort((a, b) => a.left - b.left)
      .map((word) => word.text)
      .join(" ");
    const groups = ROW.exec(text)?.groups;
    if (groups === undefined) return [];
    const { date = "", amount = "", balance } = groups;
    return [
      {
        date: isoOf(date),
        units: unitsOf(amount),
        balance: balance === undefined ? null : unitsOf(balance),
      },
    ];
  });
}

/** Of numbers, the day first unless that is not a month. */
function isoOf(text: string): string | null {
  if (/^\d{4}-/u.test(text)) return text;
  const parts = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2,4})$/u.exec(text);
  if (parts === null) {
    const at = Date.parse(`${text.replaceAll("-", " ")} UTC`);
    return Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10);
  }
  const [a = 0, b = 0, year = 0] = parts.slice(1).map(Number);
  const [day, month] = b > 12 ? [b, a] : [a, b];
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${String(year < 100 ? 2000 + year : year)}-${two(month)}-${two(day)}`;
}

function unitsOf(text: string): number {
  const digits = Number(text.replaceAll(/\D/gu, ""));
  return /^[-(]|-$/u.test(text) ? -digits : digits;
}
