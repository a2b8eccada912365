// The lines that the recogniser is timed on: its own, made from patterns, and tables of statement lines.
import { readCases } from "../../test/eval/cases.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";

/** Of a longer table as many as this, from all of it: a round over them lasts a second or two. */
const LINES_MAX = 40_000;
const NAME_LENGTH_MAX = 42;

export interface LineSet {
  readonly name: string;
  readonly items: readonly RecogniserInput[];
}

const names = [
  "STARBUCKS",
  "TESCO STORES",
  "WAL-MART",
  "AMZN MKTP US*2K4LM8",
  "MILL ROAD GARAGE",
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

const itemOf = (description: string): RecogniserInput => ({
  description,
  amount: 12.5,
  entryType: "outgoing",
  currency: "USD",
  accountType: "consumer",
  rawAddress: null,
  country: null,
});

export function ownLines(): LineSet {
  const items: RecogniserInput[] = [];
  for (let i = 0; i < 500; i++) {
    const pattern = patterns[i % patterns.length];
    const name = names[(i * 7) % names.length];
    if (pattern !== undefined && name !== undefined) items.push(itemOf(pattern(name, i)));
    items.push(itemOf(plain[i % plain.length] ?? ""));
  }
  return { name: "own lines", items };
}

/** @throws Error when no column of the table is a description, or it has no lines */
export function linesOf(file: string): LineSet {
  // As much of the path as a table has room for: files in two folders may have the same name.
  const name = file.slice(-NAME_LENGTH_MAX);
  const items = readCases(file)
    .map(({ item }) => item)
    .filter(({ description }) => description !== "");
  if (items.length === 0) throw new Error(`${file} has no lines.`);
  return { name, items: spread(items, LINES_MAX) };
}

/** At most `countMax` of them, at even distances, so that no part of a sorted table is left out. */
export function spread<T>(all: readonly T[], countMax: number): readonly T[] {
  if (all.length <= countMax) return all;
  return Array.from(
    { length: countMax },
    (_, i) => all[Math.floor((i * all.length) / countMax)],
  ).filter((one) => one !== undefined);
}
