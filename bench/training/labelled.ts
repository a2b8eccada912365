// The labelled lines that training learns from and is measured on: the real blocks and our own lines for development. Lines of one
// merchant are always in the same fold.
import { ownCases } from "../../test/eval/baseline.ts";
import type { Case } from "../../test/eval/cases.ts";
import { groupOf } from "../../test/eval/measure.ts";
import { REAL_BLOCKS, readRealBlocks } from "../../test/eval/real-lines.ts";

export const LABELLED_BLOCKS = [...REAL_BLOCKS, "own"] as const;
export type LabelledBlock = (typeof LABELLED_BLOCKS)[number];

export interface LabelledLine {
  readonly block: LabelledBlock;
  readonly one: Case;
  readonly fold: number;
}

const FOLDS = 5;

/** The fold of a group of lines, 0..4: the same in every program. */
function foldOf(group: string): number {
  let hash = 0;
  for (let at = 0; at < group.length; at++) hash = (Math.imul(hash, 31) + group.charCodeAt(at)) | 0;
  return ((Math.imul(hash, 0x9e3779b1) >>> 0) % FOLDS) | 0;
}

export const folds: readonly number[] = Array.from({ length: FOLDS }, (_, fold) => fold);

/** Without DATA_DIR only our own. */
export function readLabelledLines(): readonly LabelledLine[] {
  const blocks: readonly (readonly [LabelledBlock, readonly Case[]])[] = [
    ...readRealBlocks(),
    ["own", ownCases("development")],
  ];
  return blocks.flatMap(([block, cases]) =>
    cases.map((one) => ({ block, one, fold: foldOf(groupOf(one)) })),
  );
}
