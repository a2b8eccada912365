// The figures that the recogniser has reached, block by block, which a change may not lose.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { createExaminer } from "../../workers/recogniser/recogniser.ts";
import { type Case, readCases } from "./cases.ts";
import {
  FIGURE_NAMES,
  FIGURES,
  type Figure,
  intervalOf,
  outcomeOf,
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

export const readBaselines = (): Baselines =>
  JSON.parse(readFileSync(BASELINE_FILE, "utf8")) as Baselines;

export const ownCases = (set: "development" | "holdout"): readonly Case[] =>
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
    ...countryBlocks(),
  ]);

const rounded = (percent: number): number => Math.round(percent * 10) / 10;

export function baselineOf(examine: ReturnType<typeof createExaminer>): Baselines {
  const blocks = [...comparedBlocks()].map(([name, cases]) => {
    const outcomes = cases.map((one) => outcomeOf(one, examine(one.item)));
    const figures: Partial<Record<Figure, Reached>> = {};
    for (const figure of FIGURE_NAMES) {
      const ratio = ratioOf(outcomes, FIGURES[figure]);
      const interval = intervalOf(outcomes, FIGURES[figure]);
      if (ratio === null || interval === null) continue;
      figures[figure] = { reached: rounded(percentOf(ratio)), low: rounded(interval.low) };
    }
    return [name, { lines: cases.length, figures }] as const;
  });
  return Object.fromEntries(blocks);
}
