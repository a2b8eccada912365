// The hash (FNV-1a) by which texts are filed in the tables of the knowledge and by which tokens are passed quickly.

const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

export const hashSeed = SEED;

/** Continues a hash over one more code unit. */
export const hashUnit = (hash: number, unit: number): number => Math.imul(hash ^ unit, PRIME);

/** Continues a hash over more text: hashing "ab" then "c" equals hashing "abc". Start with `hashSeed`. */
export function hashText(hash: number, text: string): number {
  let h = hash;
  for (let i = 0; i < text.length; i++) h = hashUnit(h, text.charCodeAt(i));
  return h;
}
