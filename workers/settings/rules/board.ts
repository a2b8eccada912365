/**
 * Where the answers to atoms are written down. An atom is a question with yes or no that compares one property with a
 * constant. Many rules ask the same or nearly the same; it is answered once, when the property is read or changes, and
 * not where a rule asks.
 */
export interface Board {
  /** By atom. */
  readonly truth: boolean[];
  /** @param chance how often the answer is yes, roughly: rules wait for the atom that seldom is */
  add(chance: number): number;
  chance(atom: number): number;
  /** To be called with each atom that is true after its property was read. */
  wake: (atom: number) => void;
}

export function createBoard(): Board {
  const truth: boolean[] = [];
  const chances: number[] = [];
  return {
    truth,
    add: (chance) => {
      chances.push(chance);
      return truth.push(false) - 1;
    },
    chance: (atom) => chances[atom] ?? 1,
    wake: () => undefined,
  };
}

/** The atoms of one property, as long as it reads the same. */
export interface Answers {
  /** Those that are true. */
  readonly yes: number[];
  /** Makes all false. */
  clear(): void;
  add(atom: number): void;
  /** Wakes those that are true. */
  wake(): void;
}

export function createAnswers(board: Board): Answers {
  const yes: number[] = [];
  return {
    yes,
    clear() {
      for (const atom of yes) board.truth[atom] = false;
      yes.length = 0;
    },
    add(atom) {
      board.truth[atom] = true;
      yes.push(atom);
    },
    wake() {
      for (const atom of yes) board.wake(atom);
    },
  };
}
