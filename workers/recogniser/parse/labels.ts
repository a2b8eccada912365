// What a token of a bank line is. The tagger gives every token one of these.
import { PART_KINDS, type PartKind } from "../../../src/model/explanation.ts";

export type Label = PartKind;

export const LABEL_COUNT = PART_KINDS.length;

/** Label → its number. */
export const LABEL = Object.fromEntries(PART_KINDS.map((label, at) => [label, at])) as Readonly<
  Record<Label, number>
>;
