// Finds the known name that a mistyped one was meant to be.

/** Longer names are not compared: the cost grows with the square of the length. */
const COMPARED_LENGTH_MAX = 64;
/** With more than one edit in three letters, unrelated short names would match. */
const LETTERS_PER_EDIT = 3;
const EDITS_MAX = 3;

/**
 * The known name nearest to `name`, or null when none is near: the same letters in another case or with other separators
 * (`accountHolderId`); if there is none, the fewest edits (insert, delete, replace, swap neighbours), at most three and at most
 * one in `lettersPerEdit` letters.
 */
export function nearestName(
  name: string,
  known: Iterable<string>,
  lettersPerEdit = LETTERS_PER_EDIT,
): string | null {
  if (name.length > COMPARED_LENGTH_MAX) return null;
  const letters = lettersOf(name);
  let nearest: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const others = lettersOf(candidate);
    if (letters === others && letters !== "") return candidate;
    const longer = Math.max(letters.length, others.length);
    const editsMax = Math.min(EDITS_MAX, Math.floor(longer / lettersPerEdit));
    if (Math.abs(letters.length - others.length) > editsMax) continue;
    const edits = editDistance(letters, others);
    if (edits <= editsMax && edits < fewest) {
      nearest = candidate;
      fewest = edits;
    }
  }
  return nearest;
}

const lettersOf = (name: string): string => name.toLowerCase().replace(/[_.\s-]/g, "");

/** Optimal string alignment distance: a swap of two neighbours is one edit. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const edits = Math.min(
        distanceAt(last, column) + 1,
        distanceAt(current, column - 1) + 1,
        distanceAt(last, column - 1) + (isSame ? 0 : 1),
      );
      const isSwap =
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1];
      current.push(isSwap ? Math.min(edits, distanceAt(beforeLast, column - 2) + 1) : edits);
    }
    beforeLast = last;
    last = current;
  }
  return distanceAt(last, to.length);
}

const distanceAt = (row: readonly number[], column: number): number => row[column] ?? 0;
