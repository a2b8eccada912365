// Category sets with the expected mapping of our own categories. Each file describes its format at the top.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CategoryMapping } from "../../src/model/category-set.ts";
import type { CategorySet } from "../../src/model/categories.ts";

interface Expected {
  readonly direction: keyof CategoryMapping;
  readonly category: string;
  /** What is right there; null: nothing. */
  readonly right: readonly (string | null)[];
}

export interface LabelledSet {
  readonly name: string;
  readonly set: CategorySet;
  readonly expected: readonly Expected[];
}

/** Counts of expectations. `missed`: no entry although one is expected. */
interface Outcome {
  readonly right: number;
  readonly missed: number;
  readonly wrong: number;
  /** One line for each that is not right. */
  readonly faults: readonly string[];
}

const listOf = (text: string): string[] => text.split("|").map((word) => word.trim());

export function readLabelledSets(file: string): LabelledSet[] {
  const text = readFileSync(join(import.meta.dirname, "category-sets", file), "utf8");
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const lines = part.split("\n");
      const words = (start: string): string[] => {
        const line = lines.find((one) => one.startsWith(start));
        if (line === undefined) throw new Error(`${lines[0] ?? ""} has no line ${start}`);
        return listOf(line.slice(start.length));
      };
      return {
        name: lines[0] ?? "",
        set: { incoming: words("in:"), outgoing: words("out:") },
        expected: lines.flatMap(expectedOf),
      };
    });
}

function expectedOf(line: string): Expected[] {
  const found = /^([<>]) (.*?) = (.*)$/.exec(line);
  if (found === null) return [];
  const [, sign, category = "", right = ""] = found;
  const words = listOf(right).map((word) => (word === "-" ? null : word));
  return [{ direction: sign === "<" ? "incoming" : "outgoing", category, right: words }];
}

export function judge({ name, expected }: LabelledSet, mapping: CategoryMapping): Outcome {
  const outcome = { right: 0, missed: 0, wrong: 0 };
  const faults: string[] = [];
  for (const { direction, category, right } of expected) {
    const mapped = mapping[direction][category] ?? null;
    const kind = right.includes(mapped) ? "right" : mapped === null ? "missed" : "wrong";
    outcome[kind] += 1;
    if (kind !== "right") faults.push(`${name}: ${kind}: ${category} as ${String(mapped)}`);
  }
  return { ...outcome, faults };
}
