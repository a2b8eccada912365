// What was worked out for a line, kept for the lines that are like it: what a merchant or a bank writes comes again word for word.
import { createMetAgain } from "./met-again.ts";
import { hashSeed, hashText } from "./text/hash.ts";

/** Answers that are kept for sure, and at most twice as many. */
const LINES_KEPT = 1024;
/** Hashes of texts that were met once; a power of two. */
export const TEXTS_MET = 16_384;
/** Longer texts hardly come again. */
export const KEPT_TEXT_LENGTH_MAX = 128;

/** A bounded table: when values have to go, those go that were not asked for since the last time that some had to. */
interface Recent<Key, Value> {
  readonly get: (key: Key) => Value | undefined;
  readonly set: (key: Key, value: Value) => void;
}

/** @param keptMax values that are kept for sure, and at most twice as many */
export function createRecent<Key, Value>(keptMax: number): Recent<Key, Value> {
  let recent = new Map<Key, Value>();
  let earlier = new Map<Key, Value>();
  const set = (key: Key, value: Value): void => {
    if (recent.size >= keptMax) {
      earlier = recent;
      recent = new Map();
    }
    recent.set(key, value);
  };
  return {
    get: (key) => {
      const known = recent.get(key);
      if (known !== undefined) return known;
      const former = earlier.get(key);
      if (former !== undefined) set(key, former);
      return former;
    },
    set,
  };
}

interface KeptLine<Asked, Answer> {
  readonly asked: Asked;
  readonly answer: Answer;
}

/**
 * The function with its answers kept: of each text the last one, from the second time on that it is met, because texts come once or
 * often, and collecting what was kept without use costs a tenth of working it out. What is kept is bounded, and no answer depends on
 * the lines before. One for each thread.
 * @param isLike whether the answer to one line is the answer to another of the same text
 * @param saltOf differs for most lines of a text that are not alike: only what comes again as a whole is worth keeping
 */
export function keepByText<Asked extends { readonly description: string }, Answer>(
  answerTo: (asked: Asked) => Answer,
  isLike: (one: Asked, other: Asked) => boolean,
  saltOf: (asked: Asked) => number,
): (asked: Asked) => Answer {
  const recent = createRecent<string, KeptLine<Asked, Answer>>(LINES_KEPT);
  const isMetAgain = createMetAgain(TEXTS_MET);
  return (asked) => {
    const { description } = asked;
    if (description.length > KEPT_TEXT_LENGTH_MAX) return answerTo(asked);
    const known = recent.get(description);
    if (known !== undefined && isLike(known.asked, asked)) return known.answer;
    if (!isMetAgain(hashText(hashSeed ^ saltOf(asked), description))) return answerTo(asked);
    const answer = answerTo(asked);
    recent.set(description, { asked, answer });
    return answer;
  };
}
