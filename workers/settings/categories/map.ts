// Maps each of our own categories to an entry of a customer's set. In this order: the same words, listed words from narrow
// to wide, similar spellings, and the guess of the category model. Without a close entry there is no mapping: a wrong
// entry is worse than `not enough information`.
import type { CategorySet } from "../../../src/model/categories.ts";
import type { CategoryMapping } from "../../../src/model/category-set.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { createPhraseIndex } from "./phrases.ts";
import { createScorer, type Scorer } from "./score.ts";
import { soundsLike } from "./sound.ts";
import { type CategoryWords, openCategoryWords } from "./words.ts";

interface DirectionScorer {
  readonly words: CategoryWords;
  readonly score: Scorer;
}

/** Created when the first set is mapped: few threads map one. */
let directions: { readonly incoming: DirectionScorer; readonly outgoing: DirectionScorer } | null =
  null;

function openDirections(): NonNullable<typeof directions> {
  const words = openCategoryWords();
  const incoming = createPhraseIndex(words.incoming);
  const outgoing = createPhraseIndex(words.outgoing);
  return {
    incoming: { words: words.incoming, score: createScorer(incoming, outgoing, "incoming") },
    outgoing: { words: words.outgoing, score: createScorer(outgoing, incoming, "outgoing") },
  };
}

/** The mapping of all our categories, of consumers and of companies, to the entries of the set. */
export function mapCategories(set: CategorySet, knowledge: Knowledge): CategoryMapping {
  directions ??= openDirections();
  return {
    // The model was trained on names of shops, hardly on words for money that arrives.
    incoming: mapDirection(set.incoming, directions.incoming, () => null),
    outgoing: mapDirection(set.outgoing, directions.outgoing, (entry) =>
      soundsLike(entry, knowledge),
    ),
  };
}

interface Nearest {
  readonly entry: string;
  readonly score: number;
  /** Words of the entry: of equally near ones the shorter is the wider. */
  readonly length: number;
}

function mapDirection(
  entries: readonly string[],
  { words, score }: DirectionScorer,
  sound: (entry: string) => string | null,
): Record<string, string | null> {
  const nearest = new Map<string, Nearest>();
  const parts = new Set<string>();
  const unknown: string[] = [];
  for (const entry of entries) {
    const meaning = score(entry);
    if (meaning.isUnknown) unknown.push(entry);
    for (const category of meaning.parts) parts.add(category);
    for (const [category, value] of meaning.scores) {
      const candidate = { entry, score: value, length: meaning.length };
      if (isNearer(candidate, nearest.get(category))) nearest.set(category, candidate);
    }
  }
  const sounding = soundingAlone(unknown, sound);
  return Object.fromEntries(
    [...words.keys()].map((category) => {
      const heard = parts.has(category) ? undefined : sounding.get(category);
      return [category, nearest.get(category)?.entry ?? heard ?? null];
    }),
  );
}

const isNearer = (one: Nearest, other: Nearest | undefined): boolean =>
  other === undefined ||
  one.score > other.score ||
  (one.score === other.score && one.length < other.length);

/** The entry that the model maps to a category, if it is the only one: with `Pizza` in the set, `Sushi` is not all food. */
function soundingAlone(
  entries: readonly string[],
  sound: (entry: string) => string | null,
): ReadonlyMap<string, string> {
  const alone = new Map<string, string>();
  const several = new Set<string>();
  for (const entry of entries) {
    const category = sound(entry);
    if (category === null) continue;
    if (alone.has(category)) several.add(category);
    alone.set(category, entry);
  }
  for (const category of several) alone.delete(category);
  return alone;
}
