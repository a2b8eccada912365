// Reports rows of the merchant tables that no line of any block ever used: `node test/eval/unused-rows.ts [--list]`. A row is used
// when its merchant is a candidate for a line, or stands in between. With --list every row is printed, else the number of each table.
// Without the public files (see CONTRIBUTING.md) only our own lines count.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readTables } from "../../workers/knowledge/builder/inputs.ts";
import {
  createProblems,
  field,
  parseRows,
  type Row,
} from "../../workers/knowledge/builder/rows.ts";
import { createExaminer } from "../../workers/recogniser/recogniser.ts";
import type { Knowledge } from "../../workers/knowledge/knowledge.ts";
import { comparedBlocks, countryBlocks, ownCases } from "./baseline.ts";
import type { Case } from "./cases.ts";
import { readKnowledge } from "./knowledge.ts";

const TABLES = join(import.meta.dirname, "../../workers/knowledge/tables");
const MERCHANT_TABLE = /^(?:merchants-.*|intermediaries)\.txt$/u;
const FIELDS_MAX = 20;

/** Names of the merchants that lines use, as they are written in the tables. */
export function usedNames(cases: Iterable<Case>, knowledge: Knowledge): ReadonlySet<string> {
  const examine = createExaminer(knowledge);
  const merchants = new Set<number>();
  for (const { item } of cases) {
    const { ranked, through } = examine(item).reading;
    for (const { candidate } of ranked) merchants.add(candidate.merchant);
    for (const merchant of through) merchants.add(merchant);
  }
  merchants.delete(-1);
  const names = [...merchants].map((one) => knowledge.text(knowledge.merchants.name[one] ?? 0));
  return new Set(names);
}

/** The rows of each table whose name is not among those that are used. */
export function unusedRows(
  tables: ReturnType<typeof readTables>,
  used: ReadonlySet<string>,
): ReadonlyMap<string, { readonly rows: number; readonly unused: readonly Row[] }> {
  return new Map(
    tables
      .filter(({ name }) => MERCHANT_TABLE.test(name))
      .map((table) => {
        const rows = parseRows(table, 1, FIELDS_MAX, createProblems());
        const unused = rows.filter((row) => !row.fields.slice(0, 2).some((name) => used.has(name)));
        return [table.name, { rows: rows.length, unused }];
      }),
  );
}

function main(): void {
  const { values } = parseArgs({ options: { list: { type: "boolean", default: false } } });
  const cases = [
    ...[...comparedBlocks().values(), ...countryBlocks().values()].flat(),
    ...ownCases("development"),
    ...ownCases("holdout"),
    ...ownCases("payments"),
  ];
  const found = unusedRows(readTables(TABLES), usedNames(cases, readKnowledge()));
  let all = 0;
  let unusedInAll = 0;
  for (const [table, { rows, unused }] of found) {
    all += rows;
    unusedInAll += unused.length;
    process.stdout.write(
      `${table}: ${String(unused.length)} of ${String(rows)} rows are not used\n`,
    );
    if (values.list)
      for (const row of unused)
        process.stdout.write(`  ${row.file}:${String(row.line)}: ${field(row, 0)}\n`);
  }
  process.stdout.write(
    `${String(unusedInAll)} of ${String(all)} rows of merchants are a candidate for none of ${String(cases.length)} lines.\n`,
  );
}

if (import.meta.main) main();
