// Looks for many constants in a text in one pass over it, however many they are (Aho and Corasick, 1975).
import type { TextTest } from "./operations.ts";
import { createTrie, type Trie } from "./trie.ts";

/** For each test its constants, none of them empty, and what to answer where the test is true. */
export type Searches = Readonly<Record<TextTest, ReadonlyMap<string, number>>>;

/** Sets `truth` of every atom whose test is true of the text and adds it to `found`. They must be false before. */
export type Matcher = (text: string, truth: boolean[], found: number[]) => void;

export function createMatcher(searches: Searches): Matcher {
  const { is_substring, starts_with, ends_with } = searches;
  const constants = new Set(
    [is_substring, starts_with, ends_with].flatMap((one) => [...one.keys()]),
  );
  if (constants.size === 0) return () => undefined;
  return matcherOf(tablesOf(searches, createTrie([...constants])));
}

/** By state. */
interface Tables {
  readonly child: Trie["child"];
  readonly shorter: Int32Array;
  /** The longest suffix of the state, itself included, that is to be contained; 0: none. */
  readonly outputs: Int32Array;
  /** The atom of a state that is to be contained. */
  readonly contained: Int32Array;
  readonly starting: ReadonlyMap<number, number>;
  readonly ending: ReadonlyMap<number, number>;
}

const NONE = -1;

function tablesOf(searches: Searches, { child, count, ends, shorter }: Trie): Tables {
  const byState = (test: TextTest): (readonly [number, number])[] =>
    Array.from(searches[test], ([constant, atom]) => [ends.get(constant) ?? 0, atom]);
  const contained = new Int32Array(count).fill(NONE);
  for (const [state, atom] of byState("is_substring")) contained[state] = atom;
  const outputs = new Int32Array(count);
  // Those that are shorter come first.
  for (let state = 1; state < count; state++) {
    const isOutput = contained[state] !== NONE;
    outputs[state] = isOutput ? state : (outputs[shorter[state] ?? 0] ?? 0);
  }
  return {
    child,
    shorter,
    outputs,
    contained,
    starting: new Map(byState("starts_with")),
    ending: new Map(byState("ends_with")),
  };
}

function matcherOf({ child, shorter, outputs, contained, starting, ending }: Tables): Matcher {
  /** The longest end of what was read that is a state. */
  function step(state: number, unit: number): number {
    let longest = state;
    let next = child(longest, unit);
    while (next === 0 && longest !== 0) {
      longest = shorter[longest] ?? 0;
      next = child(longest, unit);
    }
    return next;
  }

  function tellStarts(text: string, tell: Tell): void {
    let state = 0;
    for (let place = 0; place < text.length; place++) {
      state = child(state, text.charCodeAt(place));
      if (state === 0) return;
      tell(starting.get(state));
    }
  }

  return (text, truth, found) => {
    const tell: Tell = (atom) => {
      if (atom === undefined) return;
      truth[atom] = true;
      found.push(atom);
    };
    if (starting.size > 0) tellStarts(text, tell);
    let state = 0;
    for (let place = 0; place < text.length; place++) {
      state = step(state, text.charCodeAt(place));
      // Behind a constant that was found before, all others were too: a pass stays linear, whatever the constants are.
      let output = outputs[state] ?? 0;
      while (output !== 0 && truth[contained[output] ?? NONE] !== true) {
        tell(contained[output]);
        output = outputs[shorter[output] ?? 0] ?? 0;
      }
    }
    if (ending.size === 0) return;
    for (; state !== 0; state = shorter[state] ?? 0) tell(ending.get(state));
  };
}

type Tell = (atom: number | undefined) => void;
