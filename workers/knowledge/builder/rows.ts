// Reads the hand-written tables. A table is plain text: `#` starts a comment line, one row a line, fields separated by
// ` | `, lists by `;`. Every complaint names the file and the line.

export interface Row {
  readonly file: string;
  /** 1 for the first line. */
  readonly line: number;
  readonly fields: readonly string[];
}

export interface TableFile {
  readonly name: string;
  readonly text: string;
}

/** Collects what is wrong with the tables, so that one run shows all of it. */
export interface Problems {
  readonly add: (row: Pick<Row, "file" | "line">, sentence: string) => void;
  readonly list: () => readonly string[];
}

export function createProblems(): Problems {
  const found: string[] = [];
  return {
    add: (row, sentence) => found.push(`${row.file}:${String(row.line)}: ${sentence}`),
    list: () => found,
  };
}

export function parseRows(
  file: TableFile,
  fieldsMin: number,
  fieldsMax: number,
  problems: Problems,
): Row[] {
  const rows: Row[] = [];
  file.text.split("\n").forEach((text, index) => {
    const content = text.trim();
    if (content === "" || content.startsWith("#")) return;
    const fields = content.split("|").map((field) => field.trim());
    const row = { file: file.name, line: index + 1, fields };
    if (fields.length < fieldsMin || fields.length > fieldsMax) {
      const wanted =
        fieldsMin === fieldsMax
          ? String(fieldsMin)
          : `${String(fieldsMin)} to ${String(fieldsMax)}`;
      problems.add(row, `A row has ${wanted} fields, this one has ${String(fields.length)}.`);
    } else if (fields[0] === "") {
      problems.add(row, "The first field is empty.");
    } else {
      rows.push(row);
    }
  });
  return rows;
}

const SOURCE = /^#\s*From[: ]\s*\S/u;

/** The first row above which no comment states where the rows are from (`# From …`), by its line; 0 = every row has a source. */
export function rowWithoutSource({ text }: TableFile): number {
  const lines = text.split("\n").map((line) => line.trim());
  const first = lines.findIndex((line) => line !== "" && !line.startsWith("#"));
  const isStated = lines.slice(0, Math.max(0, first)).some((line) => SOURCE.test(line));
  return first < 0 || isStated ? 0 : first + 1;
}

export const field = (row: Row, index: number): string => row.fields[index] ?? "";

/** `-` and the empty field mean none. */
export const optional = (text: string): string | null =>
  text === "" || text === "-" ? null : text;

export const list = (text: string): string[] =>
  text === "-"
    ? []
    : text
        .split(";")
        .map((item) => item.trim())
        .filter((item) => item !== "");
