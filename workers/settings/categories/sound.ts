// The category of an entry without a listed word, guessed by the model for unknown names.
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { createWordModel, type SoundOf } from "../../recogniser/category/word-model.ts";
import { normaliseText } from "../../recogniser/text/normalise.ts";
import { tokenise } from "../../recogniser/text/tokenise.ts";
import { lookUp } from "../../recogniser/text/word-map.ts";

/** Below this it is wrong too often for words that are not names. */
const PROBABILITY_MIN = 0.6;

const models = new WeakMap<Knowledge, SoundOf>();

/** The word model of the thread. */
function modelOf(knowledge: Knowledge): SoundOf {
  const model = models.get(knowledge) ?? createWordModel(knowledge);
  models.set(knowledge, model);
  return model;
}

/** One of our own categories of money that leaves; null where the model is not sure. */
export function soundsLike(entry: string, knowledge: Knowledge): string | null {
  const words = tokenise(normaliseText(entry))
    .filter(({ kind }) => kind === "word" || kind === "mixed")
    .map((token) => lookUp(knowledge.abbreviations, token) ?? token.text);
  if (words.length === 0) return null;
  const shares = modelOf(knowledge)(words, true);
  const best = shares.reduce((most, share, at) => (share > (shares[most] ?? 0) ? at : most), 0);
  if ((shares[best] ?? 0) < PROBABILITY_MIN) return null;
  return knowledge.lexicon.categories[best] ?? null;
}
