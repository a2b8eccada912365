// The simplest substitute for a recogniser: the description is looked up among the merchants' names with a
// search library and its default settings, and the first hit is the answer. Only the time is compared. They answer less:
// no category, no place, no intermediary, and a hit for nearly every line, even if it names no merchant.
import Fuse from "fuse.js";
import MiniSearch from "minisearch";
import type { Knowledge } from "../../workers/knowledge/knowledge.ts";
import { longestName } from "../../test/eval/simple.ts";
import { ascending } from "../table.ts";
import { measureSpeed, type LookUp, type Rounds, type Speed, speedOf } from "./speed.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";

const WARM_UP_LINES = 2;

export interface Compared {
  readonly name: string;
  readonly speed: Speed;
  /** How long it takes for a line, measured by the recogniser over the same lines. */
  readonly timesAsLong: number;
}

export interface ReferencePlan {
  /** The slow one goes on to the next line as long as it has taken less than this. */
  readonly budgetMs: number;
  readonly rounds: Rounds;
}

/** Every name once: chains of the same name in several countries are several merchants. */
export function merchantNames(knowledge: Knowledge): readonly string[] {
  const all = Array.from(knowledge.merchants.name, (id) => knowledge.text(id));
  return [...new Set(all)].filter((name) => name !== "");
}

function fuseLookUp(names: readonly string[]): LookUp {
  const fuse = new Fuse(names);
  return ({ description }) => fuse.search(description, { limit: 1 })[0]?.item ?? null;
}

function miniSearchLookUp(names: readonly string[]): LookUp {
  const index = new MiniSearch<{ id: number; name: string }>({ fields: ["name"] });
  index.addAll(names.map((name, id) => ({ id, name })));
  return ({ description }) => {
    const id = index.search(description)[0]?.id as number | undefined;
    return id === undefined ? null : (names[id] ?? null);
  };
}

/** How many lines of the front it gets through until the time is up, in one round. */
function speedUntil(items: readonly RecogniserInput[], lookUp: LookUp, budgetMs: number): Speed {
  // The compiler's.
  for (const item of items.slice(0, WARM_UP_LINES)) lookUp(item);
  const startMs = performance.now();
  let done = 0;
  let lastsMs = 0;
  for (const item of items) {
    lookUp(item);
    done++;
    lastsMs = performance.now() - startMs;
    if (lastsMs >= budgetMs) break;
  }
  return speedOf(done, [(lastsMs * 1000) / done]);
}

/** The references: the longest known name and MiniSearch over all of the lines, Fuse.js over those that it completes in time. */
export function compareWithReferences(
  items: readonly RecogniserInput[],
  start: () => LookUp,
  tables: Knowledge,
  { budgetMs, rounds }: ReferencePlan,
): readonly Compared[] {
  const names = merchantNames(tables);
  const longest: LookUp = ({ description }) => longestName(description, tables);
  const all = measureSpeed(items, start, rounds);
  const simple = measureSpeed(items, () => longest, rounds);
  const search = miniSearchLookUp(names);
  const miniSearch = measureSpeed(items, () => search, rounds);
  const fuse = speedUntil(items, fuseLookUp(names), budgetMs);
  const front = speedOfFront(items, fuse.lines, start, rounds.count);
  return [
    { name: "recogniser", speed: all, timesAsLong: 1 },
    { name: "longest known name", speed: simple, timesAsLong: simple.medianUs / all.medianUs },
    { name: "MiniSearch", speed: miniSearch, timesAsLong: miniSearch.medianUs / all.medianUs },
    { name: "recogniser, lines of Fuse.js", speed: front, timesAsLong: 1 },
    { name: "Fuse.js", speed: fuse, timesAsLong: fuse.medianUs / front.medianUs },
  ];
}

/** Rounds over all lines of which the front is timed: over a few lines alone, everything would be in the caches. */
function speedOfFront(
  items: readonly RecogniserInput[],
  lines: number,
  start: () => LookUp,
  rounds: number,
): Speed {
  const round = (): number => {
    const lookUp = start();
    const startMs = performance.now();
    for (const item of items.slice(0, lines)) lookUp(item);
    const lastsMs = performance.now() - startMs;
    for (const item of items.slice(lines)) lookUp(item);
    return (lastsMs * 1000) / lines;
  };
  return speedOf(lines, ascending(Array.from({ length: rounds }, round)));
}
