// Which mark separates the decimals. A column shows it itself ("12,30"), or another column of the file does; three digits
// behind a single mark ("1.234") are thousands, because almost no currency has three decimals.
import { type DecimalMark, decimalEvidence, parseAmount } from "../values/amount.ts";

export interface DecimalGuess {
  readonly mark: DecimalMark;
  /** `certain`: nothing can be read another way; `assumed`: `example` can. */
  readonly certainty: "given" | "certain" | "shown" | "assumed";
  /** Cells of the sample that show the mark. */
  readonly shownBy: number;
  /** The first cell that can be read both ways; null: none. */
  readonly example: string | null;
}

/** Currencies with three decimals. */
const THREE_DECIMALS = new Set(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]);
const GROUP = /(?<![\d.,])\d{1,3}([.,])\d{3}(?![\d.,])/u;

interface Votes {
  readonly commas: number;
  readonly points: number;
  readonly ambiguous: readonly string[];
}

/** The marks of all columns. `given`: the answer for all of them, or null. */
export function guessDecimals(
  columns: readonly (readonly string[])[],
  given: DecimalMark | null,
): DecimalGuess[] {
  const votes = columns.map(countVotes);
  const all = votes.reduce(
    (sum, one) => ({ commas: sum.commas + one.commas, points: sum.points + one.points }),
    { commas: 0, points: 0 },
  );
  const currencies = new Set(columns.flatMap((cells) => cells.filter(isThreeDecimals)));
  return votes.map((own) => {
    const [example = null] = own.ambiguous;
    if (given !== null) return { mark: given, certainty: "given", shownBy: 0, example };
    const shown = own.commas !== own.points ? own : all;
    if (shown.commas !== shown.points && (shown === own || example !== null)) {
      const mark = shown.commas > shown.points ? "," : ".";
      return { mark, certainty: "shown", shownBy: Math.max(shown.commas, shown.points), example };
    }
    if (example === null) return { mark: ".", certainty: "certain", shownBy: 0, example };
    const written = GROUP.exec(example)?.[1] === "," ? "," : ".";
    const other = written === "," ? "." : ",";
    const mark = currencies.size > 0 ? written : other;
    return { mark, certainty: "assumed", shownBy: 0, example };
  });
}

const isThreeDecimals = (cell: string): boolean => THREE_DECIMALS.has(cell.trim().toUpperCase());

function countVotes(cells: readonly string[]): Votes {
  const ambiguous: string[] = [];
  let commas = 0;
  let points = 0;
  for (const cell of cells) {
    const evidence = decimalEvidence(cell);
    if (evidence === ",") commas += 1;
    else if (evidence === ".") points += 1;
    else if (GROUP.test(cell) && parseAmount(cell, ".") !== null) ambiguous.push(cell);
  }
  return { commas, points, ambiguous };
}
