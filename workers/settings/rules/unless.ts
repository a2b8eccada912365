/**
 * Atoms of which one must be true for something to be so. It is said of an expression ("false unless") or of a rule ("does
 * nothing unless"), and always means as well that it cannot fail while all of them are false. Null: nothing can be said.
 * No atoms at all: never.
 */
export interface Unless {
  readonly atoms: readonly number[];
  /** That one of them is true, roughly. */
  readonly chance: number;
}

export const NEVER: Unless = { atoms: [], chance: 0 };

export const unlessAtom = (atom: number, chance: number): Unless => ({ atoms: [atom], chance });

/** Where each of several must be so for all to be so. */
export function either(all: readonly (Unless | null)[]): Unless | null {
  const atoms: number[] = [];
  let chance = 0;
  for (const one of all) {
    if (one === null) return null;
    for (const atom of one.atoms) atoms.push(atom);
    chance += one.chance;
  }
  return { atoms, chance };
}

/** Where each of several is enough: the one that is least often true. */
export function rarest(all: readonly (Unless | null)[]): Unless | null {
  return all.reduce(
    (best, one) => (one !== null && (best === null || one.chance < best.chance) ? one : best),
    null,
  );
}
