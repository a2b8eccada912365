// Answers about a text and what belongs to it, kept where the hash of the text names: the engine's own tables file every text that they are
// asked about, which costs as much as many an answer when most texts are new.
import { createMetAgain } from "./met-again.ts";
import { hashSeed, hashText } from "./text/hash.ts";

interface KeptText<Answer> {
  readonly text: string;
  readonly other: string | null;
  readonly answer: Answer;
}

/** Hashes of texts that were met once, for each answer that is kept; a power of two. */
const MET_FOR_EACH = 4;

/**
 * The function with its answers kept, from the second time on that a text is met: another text of the same place replaces one, so that what is
 * kept is bounded. One for each thread.
 * @param answerTo depends on nothing else
 * @param placesMax a power of two
 */
export function keepByTexts<Answer>(
  answerTo: (text: string, other: string | null) => Answer,
  placesMax: number,
): (text: string, other: string | null) => Answer {
  const kept = new Array<KeptText<Answer> | null>(placesMax).fill(null);
  const isMetAgain = createMetAgain(placesMax * MET_FOR_EACH);
  return (text, other) => {
    const hash = hashText(hashSeed, text);
    const place = (hash ^ (hash >>> 16)) & (placesMax - 1);
    const known = kept[place];
    if (known != null && known.text === text && known.other === other) return known.answer;
    const answer = answerTo(text, other);
    if (isMetAgain(hash)) kept[place] = { text, other, answer };
    return answer;
  };
}
