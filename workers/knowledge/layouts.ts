// Descriptor templates: words that banks put around a name, indexed by their first words; listed in tables/layouts.txt.
import type { Token } from "../recogniser/text/tokenise.ts";
import { lookUp, type WordMap, wordMap } from "../recogniser/text/word-map.ts";
import { packArea, type LayoutRow } from "./sections.ts";

export interface LayoutPhrase {
  readonly words: readonly string[];
  /** Packed countries whose banks write it; none = everywhere. */
  readonly countries: readonly number[];
}

type LayoutPhraseIndex = ReadonlyMap<string, readonly LayoutPhrase[]>;

export interface Layouts {
  /** First word → phrases that a name may follow, longest first. */
  readonly before: WordMap<readonly LayoutPhrase[]>;
  /**
   * First word → phrases behind which no name follows, longest first, and after them those of several words that a name
   * may follow (`BILL PAY`), which say the same when they stand behind one.
   */
  readonly closing: WordMap<readonly LayoutPhrase[]>;
  /** Words that may end a line; each is its own phrase. */
  readonly end: WordMap<readonly LayoutPhrase[]>;
  /** Every word of a descriptor template, and where it is used: such a word alone is never a name. */
  readonly words: WordMap<LayoutPhrase>;
}

function byFirstWord(rows: readonly LayoutRow[], place: LayoutRow["place"]): LayoutPhraseIndex {
  const map = new Map<string, LayoutPhrase[]>();
  for (const row of rows) {
    if (row.place !== place) continue;
    const phrase = { words: row.words, countries: row.countries.map(packArea) };
    const first = row.words[0] ?? "";
    const list = map.get(first);
    if (list === undefined) map.set(first, [phrase]);
    else list.push(phrase);
  }
  for (const same of map.values()) same.sort((a, b) => b.words.length - a.words.length);
  return map;
}

function closingOf(before: LayoutPhraseIndex, after: LayoutPhraseIndex): LayoutPhraseIndex {
  const map = new Map(after);
  for (const [first, phrases] of before) {
    const long = phrases.filter(({ words }) => words.length > 1);
    if (long.length > 0) map.set(first, [...(map.get(first) ?? []), ...long]);
  }
  return map;
}

/** A word of a phrase that is written everywhere is written everywhere. */
function wordsOf(rows: readonly LayoutRow[]): ReadonlyMap<string, LayoutPhrase> {
  const map = new Map<string, LayoutPhrase>();
  for (const row of rows) {
    for (const word of row.words) {
      const known = map.get(word);
      const everywhere = row.countries.length === 0 || known?.countries.length === 0;
      const countries = everywhere
        ? []
        : [...(known?.countries ?? []), ...row.countries.map(packArea)];
      map.set(word, { words: [word], countries });
    }
  }
  return map;
}

export function indexLayouts(rows: readonly LayoutRow[]): Layouts {
  const before = byFirstWord(rows, "before");
  return {
    before: wordMap(before),
    closing: wordMap(closingOf(before, byFirstWord(rows, "after"))),
    end: wordMap(byFirstWord(rows, "end")),
    words: wordMap(wordsOf(rows)),
  };
}

/** Whether banks write the phrase where the account is; for an unknown place only templates without a country. */
export const isWritten = ({ countries: of }: LayoutPhrase, countries: readonly number[]): boolean =>
  of.length === 0 || of.some((country) => countries.includes(country));

/** Whether a bank there uses the word in a descriptor template. */
export function isLayoutWord(
  { words }: Layouts,
  word: Token | undefined,
  countries: readonly number[],
): boolean {
  const phrase = lookUp(words, word);
  return phrase !== undefined && isWritten(phrase, countries);
}
