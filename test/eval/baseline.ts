// The figures that the recogniser has reached, block by block, which a change may not lose.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Case, readCases } from "./cases.ts";
import {
  FIGURE_NAMES,
  FIGURES,
  type Figure,
  intervalOf,
  type Outcome,
  percentOf,
  ratioOf,
} from "./measure.ts";
import { readRealBlocks } from "./real-lines.ts";

export const BASELINE_FILE = join(import.meta.dirname, "baseline.json");

/** Percent. */
interface Reached {
  readonly reached: number;
  /** Lower end of the interval of 95 %: less is a loss, not chance. */
  readonly low: number;
}

export interface Baseline {
  readonly lines: number;
  readonly figures: Readonly<Partial<Record<Figure, Reached>>>;
}

/** By the name of the block. */
export type Baselines = Readonly<Record<string, Baseline>>;

/** The same for models that have not seen the merchants of the lines, see bench/training/categoriser.ts. */
export const CROSS_VALIDATED_FILE = join(import.meta.dirname, "cross-validated.json");

export const readBaselines = (file = BASELINE_FILE): Baselines =>
  JSON.parse(readFileSync(file, "utf8")) as Baselines;

export function writeBaselines(file: string, baselines: Baselines): void {
  writeFileSync(file, `${JSON.stringify(baselines, null, 2)}\n`);
}

/** `payments`: wordings of ten countries for payments between persons, wages, cash, fees and intermediaries, held out too. */
export const ownCases = (set: "development" | "holdout" | "payments"): readonly Case[] =>
  readCases(join(import.meta.dirname, `${set}.csv`));

/** Countries whose lines were written from what is known of their statements, by people who did not see the recogniser's tables. */
const COUNTRIES_FOLDER = join(import.meta.dirname, "countries");

/** Country (ISO 3166-1 alpha-2, small) → its lines. */
export const countryBlocks = (): ReadonlyMap<string, readonly Case[]> =>
  new Map(
    readdirSync(COUNTRIES_FOLDER)
      .sort()
      .map((file) => [file.replace(".csv", ""), readCases(join(COUNTRIES_FOLDER, file))]),
  );

/** The blocks that are compared with their baseline. The real ones are missing where their files are not found. */
export const comparedBlocks = (): ReadonlyMap<string, readonly Case[]> =>
  new Map<string, readonly Case[]>([
    ...readRealBlocks(),
    ["own", ownCases("holdout")],
    ["payments", ownCases("payments")],
    ...countryBlocks(),
  ]);

const rounded = (percent: number): number => Math.round(percent * 10) / 10;

/** What the outcomes of a block reach. */
function reachedBy(outcomes: readonly Outcome[]): Baseline {
  const figures: Partial<Record<Figure, Reached>> = {};
  for (const figure of FIGURE_NAMES) {
    const ratio = ratioOf(outcomes, FIGURES[figure]);
    const interval = intervalOf(outcomes, FIGURES[figure]);
    if (ratio === null || interval === null) continue;
    figures[figure] = { reached: rounded(percentOf(ratio)), low: rounded(interval.low) };
  }
  return { lines: outcomes.length, figures };
}

export const baselinesOf = (blocks: Iterable<readonly [string, readonly Outcome[]]>): Baselines =>
  Object.fromEntries(Array.from(blocks, ([name, outcomes]) => [name, reachedBy(outcomes)]));

/** One sentence for each figure of a block that is below its interval, or was measured on other lines. */
export function lossesOf(outcomes: readonly Outcome[], { lines, figures }: Baseline): string[] {
  if (outcomes.length !== lines)
    return [`${String(outcomes.length)} lines are measured, the baseline has ${String(lines)}.`];
  return FIGURE_NAMES.flatMap((figure) => {
    const before = figures[figure];
    if (before === undefined) return [];
    const ratio = ratioOf(outcomes, FIGURES[figure]);
    const now = ratio === null ? 0 : percentOf(ratio);
    if (now >= before.low) return [];
    return [`${figure} is ${now.toFixed(1)} %, and was ${String(before.reached)} %.`];
  });
}
