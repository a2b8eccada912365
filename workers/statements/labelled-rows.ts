// Statements without a table, which print each value of a transaction in a line of its own behind its label ("Date: …",
// "Amount: …"): they are laid out as a table, whose rows are read as those of any other.
import { ROLE_PHRASES, type StatementColumn } from "./lexicon.ts";
import { makeLine, type TextLine } from "./lines.ts";
import type { PageWord } from "./words.ts";

type Block = Map<StatementColumn, readonly PageWord[]>;

/** Fewer are facts about the account. */
const BLOCKS_MIN = 3;
/** Left edges of the made columns, in points: far enough apart for any text. */
const COLUMNS: readonly (readonly [StatementColumn, number])[] = [
  ["date", 0],
  ["description", 1_000],
  ["debit", 3_000],
  ["credit", 4_000],
  ["amount", 5_000],
  ["balance", 6_000],
];

/** The same lines where the document is not of this kind. */
export function layOutLabelledRows(lines: readonly TextLine[]): readonly TextLine[] {
  const blocks: Block[] = [];
  const others: TextLine[] = [];
  for (const line of lines) {
    const role = labelOf(line);
    if (role === "date") blocks.push(new Map());
    const block = blocks.at(-1);
    if (role === null || block === undefined || block.has(role)) others.push(line);
    else block.set(role, line.words.slice(1));
  }
  const rows = blocks.filter((block) => block.has("balance") || block.has("amount"));
  if (rows.length < BLOCKS_MIN) return lines;
  return [
    ...others,
    ...rows.flatMap((block, at) => (at === 0 ? [header(block), row(block)] : [row(block)])),
  ];
}

/** Of a line that is a label of one word and a value. */
function labelOf(line: TextLine): StatementColumn | null {
  const [first] = line.words;
  if (first?.text.endsWith(":") !== true || line.words.length < 2) return null;
  const found = ROLE_PHRASES.find(([, phrases]) => phrases.has(line.plain[0] ?? ""));
  const role = found?.[0] ?? null;
  return COLUMNS.some(([column]) => column === role) ? role : null;
}

function row(block: Block): TextLine {
  const [date] = block.get("date") ?? [];
  const { page = 0, top = 0, bottom = 0 } = date ?? {};
  return makeLine(
    COLUMNS.flatMap(([role, at]) => {
      const words = block.get(role) ?? [];
      const shift = at - (words[0]?.left ?? 0);
      return words.map((word) => ({
        ...word,
        printed: word,
        ...{ page, top, bottom, left: word.left + shift, right: word.right + shift },
      }));
    }),
  );
}

function header(block: Block): TextLine {
  const [date] = block.get("date") ?? [];
  const { page = 0, top = 0, bottom = 0 } = date ?? {};
  const width = bottom - top;
  return makeLine(
    COLUMNS.map(([text, left]) => ({
      ...{ text, page, left, right: left + width, confidence: 1 },
      ...{ top: top - width, bottom: top },
    })),
  );
}
