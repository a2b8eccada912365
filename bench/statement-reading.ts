// npm run bench:statement-reading -- [FOLDER] [--quick]
// What reading bank statements costs, by the pool as the service uses it: pages of text and of scans, the header alone while
// nothing and while a scan is read, memory. Then public samples are drawn as scans and photos, and what is recognised is
// compared with their text layers: a row is right when date, amount, direction and balance are.
// FOLDER holds PDF files; without it, a made statement is read.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { BankStatement } from "../src/model/bank-statement.ts";
import { alignColumns } from "../src/cli/columns.ts";
import { openStatementPool, type StatementPool } from "../src/pool/statements.ts";
import { GOOD_STATEMENT } from "../test/support/hostile-statements.ts";
import { makePdf } from "../test/support/pdf.ts";
import { type ScanDefects, scanPdf } from "../test/support/scans.ts";
import { describeMachine } from "./table.ts";

const SCANS: Readonly<Record<string, ScanDefects>> = {
  scan: { turn: 0.7, noise: 14, quality: 75 },
  photo: { turn: -2.4, shadow: 0.5, noise: 10, quality: 60 },
  "sideways, small": { turn: 90, noise: 8, quality: 70, width: 1_100 },
};
/** Longer documents say nothing more about a page. */
const PAGES_MAX = 4;
const THREADS = 2;
const VERIFIES = 20;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function timed<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const started = performance.now();
  const result = await work();
  return [result, performance.now() - started];
}

const rowsOf = ({ accounts }: BankStatement): string[] =>
  accounts.flatMap(({ transactions }) =>
    transactions.map(({ date, amount, direction, balance }) =>
      [date, amount, direction, balance].join(" "),
    ),
  );

interface Sample {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly statement: BankStatement;
  /** Per page of text. */
  readonly pageMs: number;
}

async function readSamples(pool: StatementPool, folder: string): Promise<Sample[]> {
  const paths = existsSync(folder) ? globSync("{,more/}*.pdf", { cwd: folder }).sort() : [];
  const files = paths.map((name) => ({
    name,
    bytes: new Uint8Array(readFileSync(join(folder, name))),
  }));
  const made = { name: "made", bytes: makePdf([GOOD_STATEMENT]) };
  const samples: Sample[] = [];
  for (const { name, bytes } of files.length === 0 ? [made] : files) {
    await pool.read(bytes, "");
    const [statement, ms] = await timed(() => pool.read(bytes, ""));
    if (!("fault" in statement) && statement.pagesRecognised.length === 0)
      samples.push({ name, bytes, statement, pageMs: ms / statement.pages });
  }
  return samples;
}

/** Milliseconds of reading headers one after the other while `other` runs. */
async function verifyTimes(
  pool: StatementPool,
  bytes: Uint8Array,
  count: number,
): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1)
    times.push((await timed(() => pool.verify(bytes, "")))[1]);
  return times;
}

const ms = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`;

async function measureSpeed(pool: StatementPool, samples: readonly Sample[]): Promise<string[][]> {
  const longest = samples.toSorted((a, b) => b.statement.pages - a.statement.pages)[0];
  if (longest === undefined) throw new Error("There is no statement to measure.");
  const pages = Math.min(longest.statement.pages, PAGES_MAX);
  const scan = await scanPdf(longest.bytes, pages, SCANS["scan"] ?? {});
  await pool.verify(scan, "");
  const verifyText = await verifyTimes(pool, longest.bytes, VERIFIES);
  const verifyScan = await verifyTimes(pool, scan, 3);
  await pool.read(scan, "");
  let rssBytes = 0;
  const watch = setInterval(() => (rssBytes = Math.max(rssBytes, pool.state().rssBytes)), 100);
  const documents = Array.from({ length: THREADS }, () => timed(() => pool.read(scan, "")));
  const busyText = await verifyTimes(pool, longest.bytes, VERIFIES);
  const busyScan = await verifyTimes(pool, scan, 1);
  const scanMs = Math.max(...(await Promise.all(documents)).map(([, time]) => time));
  clearInterval(watch);
  const scannedPage = scanMs / pages / THREADS;
  const textPage = median(samples.map(({ pageMs }) => pageMs));
  const perHour = (pageMs: number): string =>
    Math.round(3_600_000 / pageMs / 3).toLocaleString("en");
  return [
    ["", "measured", "goal"],
    ["page of text", ms(textPage), "30 ms"],
    ["scanned page, both threads busy", ms(scannedPage), "2,500 ms"],
    ["verify, text", ms(median(verifyText)), "50 ms"],
    ["verify, text, while scans are read", ms(median(busyText)), "50 ms"],
    ["verify, scan", ms(median(verifyScan)), "1,500 ms"],
    ["verify, scan, while scans are read", ms(median(busyScan)), "1,500 ms"],
    ["memory while scans are read", `${String(Math.round(rssBytes / 1e6))} MB`, "700 MB"],
    ["statements of 3 pages an hour, text", perHour(textPage), ""],
    ["statements of 3 pages an hour, scans", perHour(scannedPage), ""],
  ];
}

async function measureQuality(
  pool: StatementPool,
  samples: readonly Sample[],
): Promise<string[][]> {
  const table = [["drawn as", "statement", "rows right", "invented", "exact", "verdicts"]];
  for (const [name, defects] of Object.entries(SCANS)) {
    const all = { rows: 0, found: 0, extra: 0, exact: 0 };
    for (const sample of samples) {
      const scan = await scanPdf(sample.bytes, sample.statement.pages, defects);
      const read = await pool.read(scan, "");
      const expected = rowsOf(sample.statement);
      const given = "fault" in read ? [] : rowsOf(read);
      const left = [...given];
      const found = expected.filter((row) => {
        const at = left.indexOf(row);
        if (at >= 0) left.splice(at, 1);
        return at >= 0;
      }).length;
      const isExact = found === expected.length && left.length === 0;
      all.rows += expected.length;
      all.found += found;
      all.extra += left.length;
      all.exact += isExact ? 1 : 0;
      const verdicts =
        "fault" in read ? read.fault : read.accounts.map(({ verdict }) => verdict).join(", ");
      table.push([
        ...[name, sample.name, `${String(found)}/${String(expected.length)}`],
        ...[String(left.length), isExact ? "yes" : "no", verdicts],
      ]);
    }
    table.push([
      ...[name, "all", `${String(all.found)}/${String(all.rows)}`, String(all.extra)],
      ...[`${String(all.exact)}/${String(samples.length)}`, ""],
    ]);
  }
  return table;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false } },
});
const { node, cores, processor, loadBefore } = describeMachine();
process.stdout.write(
  `${processor}, ${String(cores)} cores, Node ${node}, load before ${String(loadBefore)}\n\n`,
);
const pool = openStatementPool(THREADS);
try {
  const samples = await readSamples(pool, positionals[0] ?? "../shared/data/statements");
  process.stdout.write(`${alignColumns(await measureSpeed(pool, samples)).join("\n")}\n\n`);
  const short = samples.filter(({ statement: { pages } }) => pages <= PAGES_MAX);
  const chosen = values.quick ? short.slice(0, 3) : short;
  process.stdout.write(`${alignColumns(await measureQuality(pool, chosen)).join("\n")}\n`);
} finally {
  await pool.close();
}
