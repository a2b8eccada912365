/** The rules that are still to be visited for a transaction, in their order. */
export interface Agenda {
  /** Begins a transaction: nothing is visited yet, and only what must always be visited is to be. */
  start(): void;
  /** An atom is true now: those behind the rule being visited that wait for it are to be visited. */
  wake(atom: number): void;
  /** The next rule; -1: there is none left. */
  next(): number;
}

/**
 * @param waiting for each rule the atoms of which one must be true for it to do anything; null: it must always be visited
 */
export function createAgenda(waiting: readonly (readonly number[] | null)[]): Agenda {
  const words = Math.ceil(waiting.length / 32);
  const always = new Int32Array(words);
  const waiters = new Map<number, number[]>();
  const set = (bits: Int32Array, rule: number): void => {
    bits[rule >> 5] = (bits[rule >> 5] ?? 0) | (1 << (rule & 31));
  };
  for (const [rule, atoms] of waiting.entries()) {
    if (atoms === null) set(always, rule);
    for (const atom of new Set(atoms)) {
      const rules = waiters.get(atom);
      if (rules === undefined) waiters.set(atom, [rule]);
      else rules.push(rule);
    }
  }
  const left = new Int32Array(words);
  let current = -1;
  return {
    start() {
      left.set(always);
      current = -1;
    },
    wake(atom) {
      for (const rule of waiters.get(atom) ?? []) {
        if (rule > current) set(left, rule);
      }
    },
    next() {
      for (let word = (current + 1) >> 5; word < words; word++) {
        const bits = left[word] ?? 0;
        if (bits === 0) continue;
        const lowest = bits & -bits;
        left[word] = bits ^ lowest;
        current = word * 32 + 31 - Math.clz32(lowest);
        return current;
      }
      return -1;
    },
  };
}
