// What the category texts of a bank's export stand for among our own categories.

/** A text in one direction of the money. */
export interface BankCategory {
  /** Our own category; null where none is certain. */
  readonly category: string | null;
  /** All of our categories that agree with the text, narrower ones included: "Dining" is also `cafes and coffee shops`. */
  readonly agreeing: readonly string[];
}

/** By direction, in the order of the texts. */
export interface BankCategories {
  readonly incoming: readonly BankCategory[];
  readonly outgoing: readonly BankCategory[];
}
