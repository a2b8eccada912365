// Labelled lines to learn from: which tokens of a labelled line are its name and its city. Nothing is known of the others but that they
// are not a name.
import type { Label as CaseLabel } from "../../test/eval/cases.ts";
import { comparableName } from "../../test/eval/measure.ts";
import type { Knowledge } from "../../workers/knowledge/knowledge.ts";
import type { Line, Span } from "../../workers/recogniser/line.ts";
import { LABEL, LABEL_COUNT } from "../../workers/recogniser/parse/labels.ts";
import { splitFields } from "../../workers/recogniser/parse/split.ts";
import { hintsOf } from "../../workers/recogniser/hints.ts";
import { normaliseText } from "../../workers/recogniser/text/normalise.ts";
import { tokenise } from "../../workers/recogniser/text/tokenise.ts";
import { type LabelledLine, readLabelledLines } from "./labelled.ts";
import type { Material } from "./names.ts";

export interface LabelledSample extends LabelledLine {
  readonly line: Line;
  /** Labels that each token may have, a bit each. */
  readonly allowed: Uint32Array;
  /** The tokens of the name as they were found, null where no counterparty is named, or the name is not in the line as it is known. */
  readonly name: Span | null;
  /** False where it is not known which tokens are the name: nothing can be learned from the line. */
  readonly isUsable: boolean;
}

const ANY = 2 ** LABEL_COUNT - 1;
const NAMES = (1 << LABEL.name) | (1 << LABEL.person);
const OTHERS = ANY & ~NAMES;

/** Of our own lines it is known who is a person. */
function namesOf({ block, one }: LabelledLine): number {
  if (block !== "own") return NAMES;
  return one.label.kind === "person" ? 1 << LABEL.person : 1 << LABEL.name;
}
const SPAN_TOKENS_MAX = 9;
/** A shorter beginning of a name is not evidence. */
const BEGINNING_LENGTH_MIN = 5;

interface Target {
  readonly key: string;
  /** A label, and not another name of the same merchant: its beginning counts too. */
  readonly isLabel: boolean;
}

/** How much words read like a target; 0: not at all. */
function likenessOf(key: string, { key: wanted, isLabel }: Target): number {
  if (key === "" || wanted === "") return 0;
  if (key === wanted) return 100 + key.length + (isLabel ? 20 : 0);
  const isBeginning = isLabel && key.length >= BEGINNING_LENGTH_MIN && wanted.startsWith(key);
  return isBeginning ? 50 + key.length : 0;
}

/** The tokens that read most like one of the targets. */
function findTarget({ tokens }: Line, targets: readonly Target[]): Span | null {
  let best: { readonly span: Span; readonly score: number } | null = null;
  for (let from = 0; from < tokens.length; from++) {
    let key = "";
    for (let to = from + 1; to <= Math.min(tokens.length, from + SPAN_TOKENS_MAX); to++) {
      key += comparableName(tokens[to - 1]?.text ?? "");
      const score = Math.max(0, ...targets.map((target) => likenessOf(key, target)));
      if (score > (best?.score ?? 0)) best = { span: { from, to }, score };
    }
  }
  return best?.span ?? null;
}

function targetsOf(
  { merchants }: CaseLabel,
  aliases: ReadonlyMap<string, readonly string[]>,
): readonly Target[] {
  return (merchants ?? [])
    .filter((name) => name !== "")
    .flatMap((name) => {
      const key = comparableName(name);
      const others = (aliases.get(key) ?? []).map((alias) => ({ key: alias, isLabel: false }));
      return [{ key, isLabel: true }, ...others];
    });
}

function sampleOf(
  labelled: LabelledLine,
  aliases: ReadonlyMap<string, readonly string[]>,
  knowledge: Knowledge,
): LabelledSample {
  const { one } = labelled;
  const text = normaliseText(one.item.description);
  const hints = hintsOf(one.item, knowledge);
  const line = splitFields({ text, tokens: tokenise(text) }, hints, knowledge);
  const { merchants, cities } = one.label;
  const mustBeEmpty = merchants?.every((name) => name === "") === true;
  const mayBeEmpty = merchants?.includes("") === true;
  const name = findTarget(line, targetsOf(one.label, aliases));
  const isUsable = mustBeEmpty || (name !== null && !mayBeEmpty);
  const city = findTarget(
    line,
    (cities ?? []).map((known) => ({ key: comparableName(known), isLabel: true })),
  );
  const isIn = (span: Span | null, at: number): boolean =>
    span !== null && at >= span.from && at < span.to;
  const allowed = Uint32Array.from(line.tokens, (_, at) => {
    if (!isUsable) return ANY;
    if (isIn(name, at)) return namesOf(labelled);
    return isIn(city, at) ? 1 << LABEL.city : OTHERS;
  });
  return { ...labelled, line, allowed, name, isUsable };
}

/** The labelled lines of every block. */
export function readLabelledSamples(
  material: Material,
  knowledge: Knowledge,
): readonly LabelledSample[] {
  const aliases = new Map<string, string[]>();
  for (const [name = "", ...others] of material.merchants) {
    const key = comparableName(name);
    aliases.set(key, [...(aliases.get(key) ?? []), ...others.map(comparableName)]);
  }
  return readLabelledLines()
    .map((labelled) => sampleOf(labelled, aliases, knowledge))
    .filter(({ line }) => line.tokens.length > 0);
}
