/** A bank's export as its customers download it, and what is in it. */
export interface Shape {
  readonly bank: string;
  readonly text: string;
  readonly latin1?: boolean;
  /** Lines as `brief` shows them. */
  readonly expected: readonly string[];
  /** Lines that are read once more with the joined description, because the clean name alone is weak. */
  readonly joined?: readonly string[];
  /** What the command must tell of its guesses. */
  readonly expectedNote?: string;
}
