// What is worth keeping: most names and texts come once, and collecting what was kept of those costs more than to work it out
// again for the others.

/**
 * Returns whether a text of the hash came before, as far as no other took its place since. One for each thread.
 * @param hashesMax hashes that are kept; a power of two
 */
export function createMetAgain(hashesMax: number): (hash: number) => boolean {
  const met = new Int32Array(hashesMax);
  return (hash) => {
    const place = (hash ^ (hash >>> 16)) & (hashesMax - 1);
    const isAgain = met[place] === hash;
    met[place] = hash;
    return isAgain;
  };
}
