// A well-known name that is written with one slip of the pen, also a short one. Nearly every short word is one slip from
// some name, so only the names of a hand-written table are looked for.

/** Shorter ones are other names as often. */
const LENGTH_MIN = 5;
/** Bounds the look-ups: each letter has about seventy ways to be wrong. */
const LENGTH_MAX = 24;
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Everything one slip away, the first letter left as it is: left out, exchanged, changed, added. */
function* slipsOf(name: string): Generator<string> {
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
 * The one merchant of whose name the folded text is a slip; null when there is none, or several.
 * @param find the merchant of a well-known name
 */
export function findSlip(name: string, find: (key: string) => number | null): number | null {
  if (name.length < LENGTH_MIN || name.length > LENGTH_MAX) return null;
  let found: number | null = null;
  for (const slip of slipsOf(name)) {
    const merchant = slip.length < LENGTH_MIN ? null : find(slip);
    if (merchant === null || merchant === found) continue;
    if (found !== null) return null;
    found = merchant;
  }
  return found;
}
