// A well-known name with one typo, also a short one. Nearly every short word is one typo from some name, so only the names
// of a curated table are searched.

/** Shorter ones are other names as often. */
const LENGTH_MIN = 5;
/** Bounds the look-ups: each letter has about seventy ways to be wrong. */
const LENGTH_MAX = 24;
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** All texts at edit distance 1 with the same first letter: a letter left out, swapped, changed or added. */
function* typosOf(name: string): Generator<string> {
  for (let at = 1; at <= name.length; at++) {
    const before = name.slice(0, at);
    const after = name.slice(at);
    for (const letter of LETTERS) yield before + letter + after;
    if (after === "") continue;
    const rest = after.slice(1);
    yield before + rest;
    if (rest !== "") yield `${before}${rest[0] ?? ""}${after[0] ?? ""}${rest.slice(1)}`;
    for (const letter of LETTERS) yield before + letter + rest;
  }
}

/**
 * The only merchant whose name with a typo is the folded text; null when none or several match.
 * @param find the merchant of a well-known name
 */
export function findTypo(name: string, find: (key: string) => number | null): number | null {
  if (name.length < LENGTH_MIN || name.length > LENGTH_MAX) return null;
  let found: number | null = null;
  for (const typo of typosOf(name)) {
    const merchant = typo.length < LENGTH_MIN ? null : find(typo);
    if (merchant === null || merchant === found) continue;
    if (found !== null) return null;
    found = merchant;
  }
  return found;
}
