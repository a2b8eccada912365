// A seeded source of randomness: the same seed gives the same choices, so that a failure can be repeated.

export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** One of `choices`, which must not be empty. */
  pick<T>(choices: readonly T[]): T;
  /** True with this probability. */
  chance(probability: number): boolean;
}

/** mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty for tests. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    pick: <T>(choices: readonly T[]): T => {
      const choice = choices[integer(0, choices.length - 1)];
      if (choice === undefined) throw new Error("There is nothing to choose from");
      return choice;
    },
    chance: (probability) => next() < probability,
  };
}
