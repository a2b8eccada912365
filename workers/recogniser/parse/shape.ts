// The shape of a token: which classes of characters it is made of.
import { hashSeed, hashUnit } from "../text/hash.ts";
import type { Token } from "../text/tokenise.ts";
import { isMixedReference } from "./references.ts";

const GRAVE = 0x60;
const COLON = 0x3a;
const CAPITAL_A = 0x41;
const CAPITAL_Z = 0x5a;

/** Class of a character in a shape: digit, capital, small letter, other. */
function classOf(code: number): number {
  if (code < COLON) return 1;
  if (code >= CAPITAL_A && code <= CAPITAL_Z) return 2;
  return code > GRAVE ? 3 : 4;
}

const SHAPE_LENGTH_MAX = 8;
const DIGITS_SHAPE_MAX = 12;

/** The classes of its characters, runs of one class at most two long; for numbers and references, how long they are. */
export function shapeOf(text: string, token: Token): number {
  const { kind, start, end } = token;
  if (kind === "mask") return 0x7fff_0000;
  if (kind === "number") return 0x7ffe_0000 + Math.min(end - start, DIGITS_SHAPE_MAX);
  if (isMixedReference(token)) return 0x7ffd_0000 + Math.min(end - start, DIGITS_SHAPE_MAX);
  let shape: number = hashSeed;
  let last = 0;
  let run = 0;
  let length = 0;
  for (let at = start; at < end && length < SHAPE_LENGTH_MAX; at++) {
    const found = classOf(text.charCodeAt(at));
    run = found === last ? run + 1 : 1;
    last = found;
    if (run > 2) continue;
    shape = hashUnit(shape, found);
    length += 1;
  }
  return shape;
}
