// What a reader makes and all understanding starts from. PDF text and optical recognition give the same list.
import type { WordSource } from "../../src/model/bank-statement.ts";

/** One word on a page. Lengths are in points (1/72 inch), y grows downwards from the top of the page. */
export interface PageWord {
  /** From 1. */
  readonly page: number;
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** 0 to 1; 1 for text of a PDF. */
  readonly confidence: number;
  /** Left out: the text layer. */
  readonly source?: WordSource;
  /** The word as it is printed, if it was moved to lay out a row; left out: it was not. */
  readonly printed?: PageWord;
  /** Of a number that was recognised several times: what else was read, of which the balances may choose one. */
  readonly others?: readonly string[];
  /** Whether it was found behind the label of a balance, where the page was recognised without a number. Left out: it was not. */
  readonly isFoundLate?: true;
}
