// What was worked out for a line, kept for the lines that are like it: what a merchant or a bank writes comes again word for word.
import { createMetAgain } from "./met-again.ts";
import { hashSeed, hashText } from "./text/hash.ts";

/** Lines that each of the functions below keeps for sure, and at most twice as many. */
const LINES_KEPT = 1024;
/** Hashes of texts that were met once; a power of two. */
const TEXTS_MET = 16_384;
/** Longer texts hardly come again. */
const KEPT_TEXT_LENGTH_MAX = 128;

interface KeptLine<Asked, Answer> {
  readonly asked: Asked;
  readonly answer: Answer;
}

/**
 * The function with its answers kept: of each text the last one, from the second time on that it is met, because texts come once or
 * often, and collecting what was kept without use costs a tenth of working it out. When others have to go, those go that were not met since
 * the last time that some had to. What is kept is bounded, and no answer depends on the lines before. One for each thread.
 * @param isLike whether the answer to one line is the answer to another of the same text
 */
export function keepByText<Asked extends { readonly description: string }, Answer>(
  answerTo: (asked: Asked) => Answer,
  isLike: (one: Asked, other: Asked) => boolean,
): (asked: Asked) => Answer {
  let recent = new Map<string, KeptLine<Asked, Answer>>();
  let earlier = new Map<string, KeptLine<Asked, Answer>>();
  const isMetAgain = createMetAgain(TEXTS_MET);
  return (asked) => {
    const { description } = asked;
    if (description.length > KEPT_TEXT_LENGTH_MAX) return answerTo(asked);
    const ofRecent = recent.get(description);
    const known = ofRecent ?? earlier.get(description);
    const isKnown = known !== undefined && isLike(known.asked, asked);
    if (isKnown && known === ofRecent) return known.answer;
    if (known === undefined && !isMetAgain(hashText(hashSeed, description))) return answerTo(asked);
    const one = isKnown ? known : { asked, answer: answerTo(asked) };
    if (recent.size >= LINES_KEPT) {
      earlier = recent;
      recent = new Map();
    }
    recent.set(description, one);
    return one.answer;
  };
}
