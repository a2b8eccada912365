// What a benchmark prints: rows with their goals as a table, and the same as JSON.
import { writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";

/** `max`: reached when the value is not above the goal; `min`: when it is not below. */
export interface Goal {
  readonly kind: "max" | "min";
  readonly value: number;
}

export interface Row {
  readonly name: string;
  readonly value: number | null;
  readonly unit: string;
  readonly goal?: Goal;
}

export interface Machine {
  /** Of the minute before: above a few tenths, others were using the machine and the numbers are too low. */
  readonly loadBefore: number | null;
  readonly cores: number;
  readonly processor: string;
  readonly node: string;
}

/** To be asked before the first measurement: the benchmark itself is load too. */
export function describeMachine(): Machine {
  return {
    loadBefore: loadavg()[0] ?? null,
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? "unknown",
    node: process.version,
  };
}

export function row(name: string, value: number | null, unit: string, goal?: Goal): Row {
  return goal === undefined ? { name, value, unit } : { name, value, unit, goal };
}

export function percent(share: number | null): number | null {
  return share === null ? null : 100 * share;
}

export const ascending = (numbers: readonly number[]): number[] =>
  numbers.toSorted((a, b) => a - b);

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function printTable(rows: readonly Row[]): void {
  process.stdout.write(`${"".padEnd(NAME_WIDTH + 25)}goal         reached\n`);
  for (const one of rows) process.stdout.write(`${tableLine(one)}\n`);
}

/** A table of numbers: a line for each name, a column for each title. */
export function printMatrix(
  title: string,
  columns: readonly string[],
  lines: ReadonlyMap<string, readonly (number | null)[]>,
): void {
  const heads = columns.map((column) => column.padStart(MATRIX_WIDTH)).join(" ");
  process.stdout.write(`\n${title.padEnd(NAME_WIDTH)}${heads}\n`);
  for (const [name, values] of lines) {
    const cells = values.map((value) => shown(value).padStart(MATRIX_WIDTH)).join(" ");
    process.stdout.write(`${name.padEnd(NAME_WIDTH)}${cells}\n`);
  }
}

/** @param more further output of the benchmark after its rows */
export function writeReport(
  file: string,
  machine: object,
  rows: readonly Row[],
  more: object = {},
): void {
  const report = {
    machine,
    rows: rows.map((one) => ({ ...one, reached: isReached(one) })),
    ...more,
  };
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}

const NAME_WIDTH = 44;
const MATRIX_WIDTH = 16;

function isReached({ value, goal }: Row): boolean | null {
  if (goal === undefined || value === null) return null;
  return goal.kind === "max" ? value <= goal.value : value >= goal.value;
}

function shown(value: number | null): string {
  if (value === null) return "not known";
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toFixed(2);
}

function tableLine(one: Row): string {
  const { goal } = one;
  const reached = isReached(one);
  return [
    one.name.padEnd(NAME_WIDTH),
    shown(one.value).padStart(10),
    one.unit.padEnd(12),
    goal === undefined
      ? ""
      : `${goal.kind === "max" ? "<=" : ">="} ${shown(goal.value)}`.padEnd(12),
    reached === null ? "" : reached ? "yes" : "no",
  ]
    .join(" ")
    .trimEnd();
}
