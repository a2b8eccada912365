// How a name becomes a key of the alias table: its folded tokens joined without anything between them, so that
// WAL-MART, WAL MART and WALMART are one key.
import { normaliseText } from "./normalise.ts";
import { tokenise } from "./tokenise.ts";

/** Folded tokens of a name. */
export const nameTokens = (name: string): readonly string[] =>
  tokenise(normaliseText(name)).map((token) => token.text);

/** Key of a name: `Marks & Spencer` → `marksspencer`. */
export const nameKey = (name: string): string => nameTokens(name).join("");
