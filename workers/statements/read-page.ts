// A page as readers make it and understanding takes it.
import type { Affine } from "./affine.ts";
import type { Perspective } from "./perspective.ts";
import type { PageWord } from "./words.ts";

/** One page, however it was read. */
export interface ReadPage {
  /** From 1. */
  readonly page: number;
  readonly words: readonly PageWord[];
  /** From the coordinates of the words, whose lines are level, to those of the page as it is seen; of a photo, once it was flattened. */
  readonly toSeen: Affine;
  /** Of a photo that was flattened: from there to the coordinates of the photo. */
  readonly perspective?: Perspective;
}
