// Generated lines with the label of each token. The same seed gives the same lines.
import { createRandom, type Random } from "../../test/support/random.ts";
import type { Knowledge } from "../../workers/knowledge/knowledge.ts";
import type { Line } from "../../workers/recogniser/line.ts";
import { LABEL, LABEL_COUNT, type Label } from "../../workers/recogniser/parse/labels.ts";
import { splitFields } from "../../workers/recogniser/parse/split.ts";
import { NO_SIZE } from "../../workers/recogniser/category/amount.ts";
import type { Hints } from "../../workers/recogniser/hints.ts";
import { normaliseText } from "../../workers/recogniser/text/normalise.ts";
import { tokenise } from "../../workers/recogniser/text/tokenise.ts";
import { createLines } from "./lines.ts";
import type { Material } from "./names.ts";
import { createNoise, type Piece } from "./noise.ts";

export interface GeneratedLine {
  readonly line: Line;
  /** The number of a label for each token. */
  readonly labels: Uint8Array;
}

/** Fields without a space between are separated as in the US. */
const HINTS: Hints = { direction: 1, home: "US", countries: [], size: NO_SIZE, mcc: null };

interface Rendered {
  readonly text: string;
  /** For each code unit. */
  readonly labels: readonly (Label | null)[];
}

function join(pieces: readonly Piece[]): Rendered {
  let text = "";
  const labels: (Label | null)[] = [];
  pieces.forEach((one, at) => {
    const gap = at === 0 ? "" : one.gap;
    text += gap + one.text;
    for (let i = 0; i < gap.length; i++) labels.push(null);
    for (let i = 0; i < one.text.length; i++) labels.push(one.label);
  });
  return { text, labels };
}

/** Letter for letter, so that the labels still fit. */
function inCase(text: string, change: (letter: string) => string): string {
  let changed = "";
  for (const letter of text) {
    const other = change(letter);
    changed += other.length === letter.length ? other : letter;
  }
  return changed;
}

/** What systems on the way do to a whole line. */
function wear({ text, labels }: Rendered, random: Random): Rendered {
  const drawn = random.next();
  let worn = text;
  if (drawn < 0.72) worn = inCase(worn, (letter) => letter.toUpperCase());
  else if (drawn < 0.82) worn = inCase(worn, (letter) => letter.toLowerCase());
  if (random.chance(0.12)) worn = worn.replace(/[*&]/gu, " ");
  const width = random.integer(18, 35);
  if (!random.chance(0.05) || worn.length <= width) return { text: worn, labels };
  return { text: worn.slice(0, width), labels: labels.slice(0, width) };
}

/** The label of most of a token's characters; null where it has none. */
function labelOf(labels: readonly (Label | null)[], start: number, end: number): number | null {
  const counts = new Uint16Array(LABEL_COUNT);
  for (let at = start; at < end; at++) {
    const label = labels[at];
    if (label != null) counts[LABEL[label]] = (counts[LABEL[label]] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  return most === 0 ? null : counts.indexOf(most);
}

/** Returns what makes one line after the other. */
export function createGenerator(
  material: Material,
  knowledge: Knowledge,
  seed: number,
): () => GeneratedLine {
  const random = createRandom(seed);
  const compose = createLines(createNoise(random, material));
  function generate(): GeneratedLine | null {
    const { text: written, labels } = wear(join(compose()), random);
    const text = normaliseText(written);
    // Where something was dropped inside, the labels do not fit any more.
    if (text !== written.trim()) return null;
    const skipped = written.length - written.trimStart().length;
    const line = splitFields({ text, tokens: tokenise(text) }, HINTS, knowledge);
    const found = line.tokens.map(({ start, end }) =>
      labelOf(labels, start + skipped, end + skipped),
    );
    const known = found.filter((label) => label !== null);
    if (known.length === 0 || known.length < found.length) return null;
    return { line, labels: Uint8Array.from(known) };
  }
  return () => {
    for (;;) {
      const made = generate();
      if (made !== null) return made;
    }
  };
}
