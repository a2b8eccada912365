// How many lines one thread recognises a second: `node bench/recogniser.ts [FILE]`. Without a file it makes lines
// from its own patterns; a CSV file needs a column description, descriptor or merchant, any other file is one line each.
// Prints a table and one line of JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { createRecogniser, type RecogniserItem } from "../workers/enrichment/enrichment.ts";
import { openKnowledge } from "../workers/enrichment/knowledge/knowledge.ts";

const ROUNDS = 7;
const LINES_MIN = 20_000;

const names = [
  "STARBUCKS",
  "TESCO STORES",
  "WAL-MART",
  "AMZN MKTP US*2K4LM8",
  "MILL LANE GARAGE",
  "SHELL OIL",
  "HARBOR DENTAL GROUP",
  "NETFLIX.COM",
  "SQ *CORNER BAKERY",
  "PAYPAL *VINYLSHOP",
  "UBER   *TRIP",
  "DOORDASH*WENDYS",
];
const patterns = [
  (name: string, i: number) => `${name} #${String(1000 + i)} AUSTIN TX`,
  (name: string, i: number) =>
    `PURCHASE AUTHORIZED ON 01/23 ${name} PORTLAND OR S${String(1e12 + i)} CARD ${String(1000 + i)}`,
  (name: string) => `${name.padEnd(25).slice(0, 25)}FREDERICKSBURVA`,
  (name: string, i: number) =>
    `CHECKCARD 0122 ${name} 800-555-${String(1000 + i)} CA ${String(1e15 + i)}`,
  (name: string, i: number) =>
    `${name} DES:PAYMENT ID:${String(1e9 + i)} INDN:JANE DOE CO ID:1234567890 PPD`,
  (name: string) => name,
];
const plain = [
  "ZELLE TO JOHN SMITH ON 01/23 REF # PP0ABC123",
  "MONTHLY SERVICE FEE",
  "ONLINE TRANSFER TO SAV ...1234",
  "INTEREST PAID",
  "ACME CORP DIRECT DEP PPD ID: 1234567890",
];

function madeLines(): string[] {
  const lines: string[] = [];
  for (let i = 0; i < 500; i++) {
    const pattern = patterns[i % patterns.length];
    const name = names[(i * 7) % names.length];
    if (pattern !== undefined && name !== undefined) lines.push(pattern(name, i));
    lines.push(plain[i % plain.length] ?? "");
  }
  return lines;
}

function linesOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  if (!file.endsWith(".csv")) return text.split("\n").filter((line) => line !== "");
  const rows = parse(text, { columns: true, relax_quotes: true }) as unknown as Record<
    string,
    string | undefined
  >[];
  return rows.map((row) => row["description"] ?? row["descriptor"] ?? row["merchant"] ?? "");
}

const file = process.argv[2];
const lines = file === undefined ? madeLines() : linesOf(file);
const bytes = readFileSync(join(import.meta.dirname, "../workers/enrichment/knowledge.bin"));
const shared = new SharedArrayBuffer(bytes.length);
new Uint8Array(shared).set(bytes);

const openedAt = performance.now();
const recognise = createRecogniser(openKnowledge(shared));
const openMs = performance.now() - openedAt;

const itemOf = (description: string): RecogniserItem => ({
  description,
  amount: 12.5,
  outgoing: true,
  currency: "USD",
  accountType: "consumer",
  rawAddress: null,
  country: null,
});
const items = lines.map(itemOf);
const repeats = Math.max(1, Math.ceil(LINES_MIN / items.length));

/** Microseconds a line, JSON text included, since that is what leaves the thread. */
function measure(): number {
  const startedAt = performance.now();
  for (let repeat = 0; repeat < repeats; repeat++)
    for (const item of items) JSON.stringify(recognise(item));
  return ((performance.now() - startedAt) * 1000) / (repeats * items.length);
}

const rounds = Array.from({ length: ROUNDS }, measure);
const best = Math.min(...rounds);
const median = rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? best;
const result = {
  bench: "recogniser",
  lines: items.length,
  openMs: Number(openMs.toFixed(1)),
  medianMicroseconds: Number(median.toFixed(2)),
  bestMicroseconds: Number(best.toFixed(2)),
  linesPerSecond: Math.round(1e6 / median),
};
for (const [name, value] of Object.entries(result))
  process.stdout.write(`${name.padEnd(22)}${String(value)}\n`);
process.stdout.write(`${JSON.stringify(result)}\n`);
