/** A bank's export as its customers download it, and what is in it. */
export interface Shape {
  readonly bank: string;
  readonly text: string;
  readonly latin1?: boolean;
  /** Lines as `brief` shows them. */
  readonly expected: readonly string[];
  /** What the command must tell of its guesses. */
  readonly says?: string;
}
