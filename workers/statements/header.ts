// The header of a statement, from its first page alone: what a quick check of a document needs.
import type { StatementHeader } from "../../src/model/bank-statement.ts";
import { type AccountKind, findAccountKind } from "./account-kind.ts";
import type { AccountPart } from "./accounts.ts";
import { statementCurrency } from "./currency.ts";
import { type DocumentLines, readDocumentLines } from "./document.ts";
import type { DocumentFacts } from "./document-facts.ts";
import { findHolder } from "./holder.ts";
import { impliedPeriod } from "./implied-period.ts";
import { findInstitution } from "./institution.ts";
import type { PageLine } from "./layout.ts";
import type { TextLine } from "./lines.ts";
import { toDecimal } from "./money.ts";
import type { Period } from "./period.ts";
import { isDated } from "./rows.ts";
import { toSegments } from "./segments.ts";
import type { PageWord } from "./words.ts";

/**
 * Institution, holder, period and the first account.
 * @param words of the first page; those of others are left out
 * @param facts of the file; null: not known
 */
export function readStatementHeader(
  words: readonly PageWord[],
  facts: DocumentFacts | null = null,
): StatementHeader {
  const first = Math.min(...words.map(({ page }) => page));
  const document = readDocumentLines(words.filter(({ page }) => page === first));
  const segments = toSegments(headLines(document));
  const institution = findInstitution(segments, facts);
  return {
    institution,
    holder: findHolder(segments, institution),
    period: periodOfDocument(document),
    accounts: firstAccount(document),
  };
}

/** The first that is printed, or what else shows it. */
export const periodOfDocument = ({ parts, lines, printed, order }: DocumentLines): Period | null =>
  parts.find(({ period }) => period !== null)?.period ??
  impliedPeriod(
    printed,
    lines.filter(isRow).flatMap(({ dates }) => dates.slice(0, 1)),
    order,
  );

/** Lines that are not rows of a table: names in rows are those of others. */
function headLines({ printed, lines }: DocumentLines): TextLine[] {
  const start = lines.find((line) => line.header !== null || isRow(line));
  if (start === undefined) return [...printed];
  const end = lines.findLast(
    (line) => line.money.some(({ isCertain }) => isCertain) || isRow(line),
  );
  return printed.filter(({ top }) => top < start.top || (end !== undefined && top > end.bottom));
}

const isRow = (line: PageLine): boolean => isDated(line) && line.facts.length === 0;

function firstAccount(document: DocumentLines): StatementHeader["accounts"] {
  const { parts, format, currency } = document;
  const part =
    parts.find(({ number }) => number !== null) ??
    parts.find(({ openings, closings }) => openings.length + closings.length > 0);
  if (part === undefined) return [];
  const { type } = kindOfPart(part, parts);
  const decimal = (units: number | undefined): string | null =>
    units === undefined ? null : toDecimal(units, format.scale);
  return [
    {
      type,
      number: part.number,
      opening: decimal(part.openings[0]),
      closing: decimal(part.closings[0] ?? part.weakClosings[0]),
      currency: statementCurrency(part.lines, format) ?? currency,
    },
  ];
}

/** The product stands above the rows, or at the start of the document. */
export function kindOfPart(part: AccountPart, parts: readonly AccountPart[]): AccountKind {
  const end = part.lines.findIndex(isRow);
  const own = findAccountKind(end < 0 ? part.lines : part.lines.slice(0, end), part.number);
  if (own.type !== null || parts.length === 0) return own;
  const [first] = parts;
  if (first === undefined || first === part || first.lines.some(isRow)) return own;
  return { name: own.name, type: findAccountKind(first.lines, part.number).type };
}
