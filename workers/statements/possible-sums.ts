// What amounts whose directions are open may sum to.

/** An amount that is never negative, with 1 where it is added, -1 where it is subtracted, and 0 where it may be either. */
export type SignedUnits = readonly [units: number, sign: -1 | 0 | 1];

/** How a sum is made of the one before it, in the first way that was found, and whether in others too. */
interface Path {
  readonly ways: number;
  readonly sign: -1 | 1;
  readonly before: number;
}

/** Sums that are followed at once; more are too many to decide anything. */
const SUMS_MAX = 20_000;

type PossibleSums = ReadonlySet<number> | "undecided";

/** Of fewer open directions the sums are made sooner than found. */
const REMEMBERED_OPEN_MIN = 4;
const REMEMBERED_MAX = 16;
/** The same amounts are asked for from and to each printed balance, in each order and each other reading of a page. */
const remembered = new Map<string, PossibleSums>();

/** What amounts may sum to; `undecided`: too many sums. */
export function possibleSums(amounts: readonly SignedUnits[]): PossibleSums {
  if (amounts.filter(([, sign]) => sign === 0).length < REMEMBERED_OPEN_MIN) return sumsOf(amounts);
  const key = amounts.join(" ");
  const found = remembered.get(key) ?? sumsOf(amounts);
  remembered.delete(key);
  remembered.set(key, found);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
  return found;
}

function sumsOf(amounts: readonly SignedUnits[]): PossibleSums {
  let sums = new Set([0]);
  for (const amount of amounts) {
    const next = new Set<number>();
    for (const sum of sums) for (const part of partsOf(amount)) next.add(sum + part);
    if (next.size > SUMS_MAX) return "undecided";
    sums = next;
  }
  return sums;
}

const partsOf = ([units, sign]: SignedUnits): readonly number[] => {
  if (sign !== 0) return [sign * units];
  return units === 0 ? [-units] : [-units, units];
};

/** How each sum is made, amount by amount; only where `possibleSums` is not `undecided`. */
export function followSums(amounts: readonly SignedUnits[]): Map<number, Path>[] {
  let sums = new Map<number, Path>([[0, { ways: 1, sign: 1, before: 0 }]]);
  return amounts.map((amount) => {
    const next = new Map<number, Path>();
    for (const [before, { ways }] of sums)
      for (const part of partsOf(amount)) {
        const known = next.get(before + part);
        const path: Path = { ways, sign: part > 0 || amount[1] === 1 ? 1 : -1, before };
        next.set(before + part, known === undefined ? path : { ...known, ways: 2 });
      }
    sums = next;
    return next;
  });
}
