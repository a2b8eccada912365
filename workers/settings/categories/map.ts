// Which entry of a customer's set stands for each of our own categories. In this order: the same words, words that we
// have written down for it from narrow to wide, hardly different words, and what the entry sounds like. Where nothing is
// near enough there is none: a wrong word is worse than `not enough information`.
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

/** Made when the first set is mapped: few threads ever map one. */
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
    // The model knows what shops are called; of the words for money that arrives it has learnt too little.
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

/** The entry that sounds like a category, where no other one does too: `Sushi` beside `Pizza` is not all that one eats. */
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
