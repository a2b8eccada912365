// The line taken apart: every token belongs to one part, each with what it is and where it stands.
import type { Excerpt, ExplainedPart, PartKind } from "../../../src/model/explanation.ts";
import type { Facts } from "../../../src/model/facts.ts";
import type { Reading } from "../recogniser.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { isReference, type Line, type Span } from "../line.ts";
import { isLabel } from "../steps/fields.ts";
import { peelIntermediaries } from "../steps/intermediary.ts";
import { type Labels, labelTail, labelValues } from "./tail.ts";

interface PartLabel {
  readonly kind: PartKind;
  readonly means: string | null;
}

interface Glued {
  readonly token: number;
  readonly length: number;
  readonly state: string;
}

interface Labelled extends Labels {
  readonly of: readonly PartLabel[];
  glued(): Glued | null;
}

function createLabels(line: Line): Labelled {
  const of: PartLabel[] = line.tokens.map(() => ({ kind: "rest", means: null }));
  let glued: Glued | null = null;
  return {
    of,
    glued: () => glued,
    set: (from, to, kind, means = null) => {
      for (let at = from; at < to; at++) of[at] = { kind, means };
    },
    glueState: (token, length, state) => {
      glued = { token, length, state };
    },
  };
}

/** Tokens as written. */
export function excerptOf(line: Line, span: Span): Excerpt {
  const start = line.tokens[span.from]?.start ?? 0;
  const end = span.to > span.from ? (line.tokens[span.to - 1]?.end ?? start) : start;
  return { text: line.text.slice(start, end), start, end };
}

/** Words in front of a label that belong to it: `ORIG CO NAME:`, `CO ID:`. */
const labelBegins: ReadonlySet<string> = new Set(["orig", "co", "ind", "entry", "merchant", "b"]);

/** First token of the label that ends in front of token `at`. */
function labelFrom(line: Line, from: number, at: number): number {
  let first = at - 1;
  while (first > from && labelBegins.has(line.tokens[first - 1]?.text ?? "")) first--;
  return first;
}

/** The value of a field that begins at a token: words as such, a number as a reference, however long it is. */
function labelField(line: Line, at: number, end: number, labels: Labelled): void {
  let to = at;
  while (to < end && !isLabel(line, to + 1) && !isReference(line, to)) to++;
  if (to > at) labels.set(at, to, "field");
  else if (labels.of[at]?.kind === "phone") labels.set(at, at + 1, "reference");
}

/** What stands around the name: fields with their labels, or the phrases of the bank with dates and numbers. */
function labelAround(line: Line, span: Span, inFields: boolean, labels: Labelled): void {
  labelValues(line, span, inFields ? "field" : "wrapping", labels);
  if (inFields && span.from === 0 && span.to > 0) labels.set(0, 1, "wrapping");
  for (let at = span.from + 1; at <= span.to; at++) {
    if (!isLabel(line, at) || line.tokens[at - 1]?.kind !== "word") continue;
    labels.set(labelFrom(line, span.from, at), at, "label");
    if (at < span.to) labelField(line, at, span.to, labels);
  }
}

/** The words of the wording that are nothing better: a row may have gaps. */
function labelWording({ line, wording }: Reading, labels: Labelled): void {
  if (wording === null) return;
  const words = new Set(wording.row.parts.flat());
  const mayBecome: ReadonlySet<PartKind> = new Set(["wrapping", "field", "rest"]);
  for (let at = wording.from; at < wording.to; at++) {
    const kind = labels.of[at]?.kind ?? "name";
    if (words.has(line.tokens[at]?.text ?? "") && mayBecome.has(kind))
      labels.set(at, at + 1, "wording");
  }
}

/** The marks in front of the name whose owners are in the answer. */
function labelMarks(reading: Reading, knowledge: Knowledge, labels: Labels): void {
  const { line, placed, parties } = reading;
  const { party, through } = parties;
  let { from } = placed.span;
  for (const { merchant, prefix } of peelIntermediaries(line, placed.span, knowledge).rows) {
    const to = from + prefix.length;
    const isParty = party.kind === "merchant" && party.merchant === merchant;
    const name = knowledge.text(knowledge.merchants.name[merchant] ?? 0);
    if (isParty || through.includes(merchant)) labels.set(from, to, "mark", name);
    from = to;
  }
}

function labelName({ parties }: Reading, facts: Facts, labels: Labels): void {
  const { party } = parties;
  if (party.kind === "none" || party.by === "intermediary") return;
  labels.set(party.span.from, party.span.to, "name", facts.entities?.counterparty?.name ?? null);
}

function labelStoreNumber({ line, placed, parties }: Reading, facts: Facts, labels: Labels): void {
  const number = facts.location?.structured?.store_number ?? null;
  const { party } = parties;
  if (number === null || party.kind === "none") return;
  for (let at = party.span.to; at < placed.span.to; at++) {
    if (line.tokens[at]?.text.toUpperCase() !== number) continue;
    labels.set(at, at + 1, "store number", number);
    return;
  }
}

/** Whether a token goes on with the part in front of it. Numbers that stand apart are different numbers. */
function goesOn(line: Line, at: number, before: PartLabel, label: PartLabel): boolean {
  if (before.kind !== label.kind || before.means !== label.means) return false;
  if (label.kind !== "reference") return label.kind !== "label" || !isLabel(line, at);
  const token = line.tokens[at];
  return token?.gap === 1 && token.before !== " ";
}

/** With the sign that belongs to it: `SQ *`, `#1234`. */
function withSign(line: Line, excerpt: Excerpt, kind: PartKind): Excerpt {
  let { start, end } = excerpt;
  if (kind === "mark") end += /^ *\*/u.exec(line.text.slice(end))?.[0].length ?? 0;
  if (kind === "store number" && line.text.charAt(start - 1) === "#") start--;
  return { text: line.text.slice(start, end), start, end };
}

const cut = (line: Line, start: number, end: number): Excerpt => ({
  text: line.text.slice(start, end),
  start,
  end,
});

/** Each part from its first token to its last; a state that was glued to a city is cut off it. */
function gather(line: Line, labels: Labelled): ExplainedPart[] {
  const parts: ExplainedPart[] = [];
  const glued = labels.glued();
  let from = 0;
  for (let to = 1; to <= labels.of.length; to++) {
    const label = labels.of[from];
    const next = labels.of[to];
    if (label === undefined) break;
    const ended = glued?.token === to - 1;
    if (next !== undefined && !ended && goesOn(line, to, label, next)) continue;
    const whole = excerptOf(line, { from, to });
    const at = ended ? Math.max(whole.start, whole.end - glued.length) : whole.end;
    if (at > whole.start)
      parts.push({ ...label, ...withSign(line, cut(line, whole.start, at), label.kind) });
    if (ended) parts.push({ kind: "state", means: glued.state, ...cut(line, at, whole.end) });
    from = to;
  }
  return parts;
}

/** The parts of a line in their order. */
export function partsOfLine(
  reading: Reading,
  facts: Facts,
  knowledge: Knowledge,
): readonly ExplainedPart[] {
  const { line, hints, peeled, placed } = reading;
  const labels = createLabels(line);
  const end = line.tokens.length;
  labelAround(line, { from: 0, to: peeled.span.from }, peeled.rail, labels);
  labelAround(line, { from: peeled.span.to, to: end }, peeled.rail, labels);
  labelValues(line, placed.span, "rest", labels);
  const tail = { from: placed.span.to, to: peeled.span.to };
  labelTail(line, tail, placed.place, hints, knowledge, labels);
  labelWording(reading, labels);
  labelMarks(reading, knowledge, labels);
  labelName(reading, facts, labels);
  labelStoreNumber(reading, facts, labels);
  return gather(line, labels);
}
