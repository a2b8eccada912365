// Words by which entries of customers' category sets are read (entry-words.txt).
import { readWordTable, sectionOf } from "../../../src/shared/word-table.ts";

const table = readWordTable(new URL("entry-words.txt", import.meta.url));
const wordsOf = (section: string): ReadonlySet<string> => new Set(sectionOf(table, section));

export const stopWords = wordsOf("stop words");
export const prepositions = wordsOf("prepositions");
export const conjunctions = wordsOf("conjunctions");
export const numberNames = wordsOf("number names");
export const qualifierWords = wordsOf("qualifiers");
export const genericWords = wordsOf("generic");
/** Words that only say that money is meant, by the direction of the entry. */
export const moneyWords = {
  outgoing: wordsOf("outgoing money"),
  incoming: wordsOf("incoming money"),
} as const;
/** Words that mean the other direction, by the direction of the entry. */
export const contraryWords = {
  outgoing: wordsOf("contrary to outgoing"),
  incoming: wordsOf("contrary to incoming"),
} as const;
