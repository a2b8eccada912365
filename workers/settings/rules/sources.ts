// A source is something of a transaction that rules ask about; it knows all atoms about itself and answers them together.
import { type Answers, type Board, createAnswers } from "./board.ts";
import { createMatcher, type Matcher } from "./matcher.ts";
import type { TextTest } from "./operations.ts";

/** A text property, as it is or in one case. */
export interface TextSource {
  /** What it reads now. */
  text: string;
  /** The atom that compares it with a constant, which is not empty except for `==`. */
  atom(test: TextTest | "==", constant: string): number;
  /** The property reads this now. */
  read(text: string): void;
}

/** Chances that a test of so many characters is true: short ones are in many texts. */
const CHANCES = [1, 0.5, 0.2, 0.05, 0.01] as const;

/**
 * @param fold makes of the property what the source reads
 * @param equalChance how often the property is the same as a constant
 */
export function createTextSource(
  board: Board,
  fold: (text: string) => string,
  equalChance: number,
): TextSource {
  const equal = new Map<string, number>();
  const searches: Readonly<Record<TextTest, Map<string, number>>> = {
    is_substring: new Map(),
    starts_with: new Map(),
    ends_with: new Map(),
  };
  const answers = createAnswers(board);
  let match: Matcher | null = null;
  let unfolded: string | null = null;

  function atom(test: TextTest | "==", constant: string): number {
    const atoms = test === "==" ? equal : searches[test];
    const known = atoms.get(constant);
    if (known !== undefined) return known;
    const added = board.add(chanceOf(test, constant));
    atoms.set(constant, added);
    return added;
  }

  function chanceOf(test: TextTest | "==", constant: string): number {
    if (test === "==") return constant === "" ? 1 : equalChance;
    return CHANCES[Math.min(constant.length, CHANCES.length - 1)] ?? 1;
  }

  function answer(text: string): void {
    answers.clear();
    const found = equal.get(text);
    if (found !== undefined) answers.add(found);
    match ??= createMatcher(searches);
    match(text, board.truth, answers.yes);
  }

  const source: TextSource = {
    text: "",
    atom,
    read(text) {
      if (text !== unfolded) {
        unfolded = text;
        source.text = fold(text);
        answer(source.text);
      }
      answers.wake();
    },
  };
  return source;
}

/** What has values rather than a text: labels, codes, or the amount. */
export interface ValueSource<Value> {
  /** The atom that says whether the value is among them. */
  atom(value: Value): number;
  read(values: readonly Value[]): void;
}

export function createValueSource<Value>(board: Board, chance: number): ValueSource<Value> {
  const atoms = new Map<Value, number>();
  const answers: Answers = createAnswers(board);
  return {
    atom(value) {
      const known = atoms.get(value);
      if (known !== undefined) return known;
      const added = board.add(chance);
      atoms.set(value, added);
      return added;
    },
    read(values) {
      if (atoms.size === 0) return;
      answers.clear();
      for (const value of values) {
        const atom = atoms.get(value);
        if (atom !== undefined) answers.add(atom);
      }
      answers.wake();
    },
  };
}
