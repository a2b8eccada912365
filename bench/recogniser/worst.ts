// The line that takes longest, among many that were made for it.
import type { RecogniserInput } from "../../src/model/transaction.ts";
import { ascending, percentile } from "../table.ts";
import type { NastyLine } from "./nasty.ts";
import type { LookUp } from "./speed.ts";

/** Over all lines, of which each one's best counts: a pause of the collector makes no line slow. */
const PASSES = 3;
/** The slowest are measured again, more than are reported, because other load on the machine changes their order. */
const CANDIDATES = 200;
const SLOWEST = 20;
const TRIES = 5;

export interface SlowLine {
  readonly ms: number;
  readonly family: string;
  readonly description: string;
  readonly entryType: RecogniserInput["entryType"];
  readonly currency: string;
  readonly country: string | null;
}

export interface FamilyTimes {
  readonly family: string;
  readonly lines: number;
  readonly medianMs: number;
  readonly mostMs: number;
}

/** The times of all lines and of families are those in passing, one line after another: nothing is in the caches. */
export interface Worst {
  readonly lines: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  /** Slowest first; each is the best of several tries in a row. */
  readonly slowest: readonly SlowLine[];
  readonly families: readonly FamilyTimes[];
}

export function findWorst(lines: readonly NastyLine[], recognise: LookUp): Worst {
  const timed = lines.map((line) => ({ line, ms: Number.POSITIVE_INFINITY }));
  for (let pass = 0; pass < PASSES; pass++)
    for (const one of timed) one.ms = Math.min(one.ms, timeOf(one.line, recognise));
  const slowest = timed
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, CANDIDATES)
    .map(({ line }) => slowLineOf(line, recognise))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST);
  const all = ascending(timed.map(({ ms }) => ms));
  const byFamily = Map.groupBy(timed, ({ line }) => line.family);
  return {
    lines: lines.length,
    medianMs: percentile(all, 0.5),
    p99Ms: percentile(all, 0.99),
    mostMs: percentile(all, 1),
    slowest,
    families: [...byFamily].map(([family, ones]) => {
      const sorted = ascending(ones.map(({ ms }) => ms));
      return {
        family,
        lines: sorted.length,
        medianMs: percentile(sorted, 0.5),
        mostMs: percentile(sorted, 1),
      };
    }),
  };
}

function timeOf({ item }: NastyLine, recognise: LookUp): number {
  const startMs = performance.now();
  recognise(item);
  return performance.now() - startMs;
}

function slowLineOf(line: NastyLine, recognise: LookUp): SlowLine {
  const tries = Array.from({ length: TRIES }, () => timeOf(line, recognise));
  const { description, entryType, currency, country } = line.item;
  return { ms: Math.min(...tries), family: line.family, description, entryType, currency, country };
}
