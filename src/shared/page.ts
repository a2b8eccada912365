// Lists are walked newest first by (createdAt, tie): a pair that never changes while a row lives, so that a walk
// neither repeats nor skips a row that was there from its start to its end.

/** The place of a row in its list. */
export interface Position {
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  /** Orders rows of the same millisecond. */
  readonly tie: string;
}

export interface PageRequest {
  /** 1..1000. */
  readonly limit: number;
  /** Inclusive lower bound of createdAt, milliseconds; null means none. */
  readonly createdAfter: number | null;
  /** Exclusive upper bound of createdAt, milliseconds; null means none. */
  readonly createdBefore: number | null;
  /** The last row of the page before; null means from the newest. */
  readonly after: Position | null;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Where the next page starts; null at the end. */
  readonly next: Position | null;
}
