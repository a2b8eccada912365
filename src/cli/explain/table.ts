// Columns of text for people, no wider than a terminal.

/** What fits into a terminal, a mail and a bug report without being wrapped. */
export const LINE_LENGTH_MAX = 100;
const GAP = 2;
const CELL_LENGTH_MIN = 8;

/** Text of a line of the bank made safe for a terminal: no control characters, no line breaks. */
export const safeText = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");

const widthOf = (text: string): number => Array.from(text).length;

function cut(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join("")}…`;
}

/** The text in lines of at most `width` characters, broken at spaces where there are any. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = cut(word, width);
  }
  return [...lines, line];
}

/** Widths of the columns: what they need, the widest made narrower until a line fits. */
function widthsOf(rows: readonly (readonly string[])[], indent: number): number[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(0, ...rows.map((row) => widthOf(row[column] ?? ""))),
  );
  const room = LINE_LENGTH_MAX - indent - GAP * (count - 1);
  for (let over = widths.reduce((sum, one) => sum + one, 0) - room; over > 0; over--) {
    const widest = widths.indexOf(Math.max(...widths));
    const width = widths[widest] ?? 0;
    if (width <= CELL_LENGTH_MIN) break;
    widths[widest] = width - 1;
  }
  return widths;
}

/** The lines of each row, in aligned columns; the last column is wrapped, the others are cut. */
export function table(rows: readonly (readonly string[])[], indent: number): string[][] {
  const widths = widthsOf(rows, indent);
  const last = widths.length - 1;
  return rows.map((row) => {
    const tail = wrap(row[last] ?? "", Math.max(CELL_LENGTH_MIN, widths[last] ?? 0));
    return tail.map((piece, i) => {
      const cells = widths.map((width, column) => {
        if (column === last) return piece;
        const cell = i === 0 ? cut(row[column] ?? "", width) : "";
        return cell + " ".repeat(width - widthOf(cell));
      });
      return (" ".repeat(indent) + cells.join(" ".repeat(GAP))).trimEnd();
    });
  });
}
