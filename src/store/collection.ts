// The collection port: the subset of a document database that the repositories need. It is written down once and
// kept by each engine, which all pass test/contract/store.contract.ts. Nothing outside src/store depends on which one runs.

export type FieldValue = string | number | null;
/**
 * `real` fields carry any finite number. `json` fields carry JSON text in a row, `bytes` fields a Uint8Array; an engine may
 * keep them in its own way. Neither of these two can be searched.
 */
export type FieldKind = "text" | "integer" | "real" | "json" | "bytes";

/** What one collection is made of. Every other property of a row is kept in the document next to the declared fields. */
export interface CollectionSpec<Row extends object> {
  readonly name: string;
  /** Declared fields: only these can be searched, ordered by, guarded and aggregated. */
  readonly fields: Readonly<Partial<Record<keyof Row & string, FieldKind>>>;
  /** Fields that identify a row; `org` first, so that no key of one organization can meet a row of another. */
  readonly key: readonly (keyof Row & string)[];
  readonly indexes: readonly Index<Row>[];
}

export interface Index<Row extends object> {
  readonly name: string;
  readonly fields: readonly (keyof Row & string)[];
  readonly unique?: boolean;
  /** The one engine that has it, where another index of the other serves the same queries; both when left out. */
  readonly engine?: EngineName;
}

type EngineName = "sqlite" | "mongodb";

/** A collection with the indexes that an engine has. */
export const forEngine = <Row extends object>(
  spec: CollectionSpec<Row>,
  engine: EngineName,
): CollectionSpec<Row> => ({
  ...spec,
  indexes: spec.indexes.filter((index) => index.engine === undefined || index.engine === engine),
});

export interface FieldCondition {
  readonly in?: readonly FieldValue[];
  readonly gte?: FieldValue;
  readonly lt?: FieldValue;
  readonly lte?: FieldValue;
  readonly ne?: FieldValue;
  /** A part of the text, as it is: letter case counts. No index serves it: every row of the other conditions is read. */
  readonly contains?: string;
}

/** All must hold. A bare value means equality; null means that the field is null. */
export type Where<Row extends object> = Readonly<
  Partial<Record<keyof Row & string, FieldValue | FieldCondition>>
>;

export interface RowQuery<Row extends object> {
  readonly where: Where<Row>;
  /** All fields in one direction, so that `after` can be a comparison of tuples. */
  readonly order?: {
    readonly fields: readonly (keyof Row & string)[];
    readonly direction: "asc" | "desc";
  };
  /** Values of the order fields of the last row seen; rows strictly after it follow. */
  readonly after?: readonly FieldValue[];
  /** Rows to skip, after `after`. */
  readonly offset?: number;
  readonly limit: number;
}

export interface Aggregate {
  readonly count: number;
  readonly sum: number;
  /** Null when there are no rows. */
  readonly max: number | null;
}

/**
 * All fields must be those of one index, whose first fields have one value in `where`: only the index is read. Of the
 * field behind those, other than the fields of `by`, what is out of bounds is not read either.
 */
export interface GroupQuery<Row extends object> {
  readonly where: Where<Row>;
  /** Rows with the same values of these fields are one group. */
  readonly by: readonly (keyof Row & string)[];
  /** The number that is added up; rows where it is null must be left out by `where`. */
  readonly of: keyof Row & string;
}

/** Sums are compensated: as exact as one number can be, however many rows are added up. */
export interface RowGroup {
  /** The values of the fields of `by`. */
  readonly values: readonly FieldValue[];
  readonly count: number;
  readonly sum: number;
  /** The sum of the squared distances from the mean. */
  readonly squaredDistances: number;
  readonly min: number;
  readonly max: number;
}

/** One step of an all-or-nothing write. */
export type Write =
  | InsertWrite
  | UpsertWrite
  | UpdateWrite
  | {
      readonly kind: "delete";
      readonly collection: string;
      readonly where: WhereAny;
      readonly limit?: number;
    }
  /** Ends the write with `unmet` unless exactly `count` rows match. */
  | {
      readonly kind: "require";
      readonly collection: string;
      readonly where: WhereAny;
      readonly count: number;
    };

interface InsertWrite {
  readonly kind: "insert";
  readonly collection: string;
  readonly row: object;
  /** `fail` ends the whole write with `exists`; `ignore` keeps the row that is there. */
  readonly ifExists: "fail" | "ignore";
}

interface UpsertWrite {
  readonly kind: "upsertMany";
  readonly collection: string;
  readonly rows: readonly object[];
  /** A row replaces the one that is there only if its value of this field is greater. */
  readonly guard: string;
  /** No row replaces one that is there and has 1 in this field. */
  readonly kept?: string;
}

interface UpdateWrite {
  readonly kind: "update";
  readonly collection: string;
  readonly where: WhereAny;
  readonly set: Readonly<Record<string, FieldValue>>;
  /** When nothing matches: go on, or end the whole write with `unmet`. */
  readonly ifNone: "ignore" | "fail";
}

type WhereAny = Readonly<Record<string, FieldValue | FieldCondition | undefined>>;

/** `changed[i]`: rows that step i changed. On failure nothing was changed and `step` names the step that ended it. */
export type WriteOutcome =
  | { readonly ok: true; readonly changed: readonly number[] }
  | { readonly ok: false; readonly step: number; readonly reason: "exists" | "unmet" };

/** A collection of rows of one shape. Every method throws LedgerlineError `unavailable` when the engine cannot be reached. */
export interface Collection<Row extends object> {
  get(key: Readonly<Partial<Row>>): Promise<Row | null>;
  find(query: RowQuery<Row>): Promise<Row[]>;
  /** Values of declared fields, in the order of `fields`, of the rows that the query finds: cheaper than whole rows. */
  values(
    query: RowQuery<Row>,
    fields: readonly (keyof Row & string)[],
  ): Promise<(readonly FieldValue[])[]>;
  /**
   * The key fields alone of the rows that the query finds. The order may be any: where an index has all fields of the query
   * and of the key, nothing else is read, and no row is.
   */
  keys(query: RowQuery<Row>): Promise<Partial<Row>[]>;
  /**
   * Groups of the matching rows, in any order. A row that is written meanwhile may be counted as it was, as it is, or, when
   * its place in the index changes, as both or neither.
   */
  groups(query: GroupQuery<Row>): Promise<RowGroup[]>;
  /** Count, sum and maximum of a declared integer field over the matching rows. */
  aggregate(
    where: Where<Row>,
    sum: keyof Row & string,
    max: keyof Row & string,
  ): Promise<Aggregate>;

  /**
   * Sets fields of the first rows that the query finds and returns those rows as they are then. Of several callers, on
   * several processes, each row goes to one at most. `set` must end the query's match for a row, and hold a value that
   * no other caller sets, so that a caller finds its own.
   */
  claim(query: RowQuery<Row>, set: Readonly<Partial<Row>>): Promise<Row[]>;

  // Steps for `Store.write`; they do nothing by themselves.
  insert(row: Row, ifExists: "fail" | "ignore"): Write;
  upsertMany(rows: readonly Row[], guard: keyof Row & string, kept?: keyof Row & string): Write;
  update(where: Where<Row>, set: Readonly<Partial<Row>>, ifNone: "ignore" | "fail"): Write;
  delete(where: Where<Row>, limit?: number): Write;
  require(where: Where<Row>, count: number): Write;
}

/** An open store. */
export interface Store {
  /** The collection of `spec`, created with its indexes when it is not there yet. */
  collection<Row extends object>(spec: CollectionSpec<Row>): Collection<Row>;
  /** Does all steps or none of them; resolves once they are durable. */
  write(steps: readonly Write[]): Promise<WriteOutcome>;
  /**
   * Does the steps one after the other, each of them durable before the next begins; a failure may leave the first ones
   * done. For steps that are harmless to repeat, by a caller that repeats them until they are done: an engine can be much
   * faster at these than at all or nothing. A `require` that does not hold ends them with false; the rows that it counts are
   * not held. No other step may be one that ends a write (`fail`).
   */
  apply(steps: readonly Write[]): Promise<boolean>;
}

/** @throws Error when a step could end a write: that is for `write`, which undoes what came before */
export function requireRepeatable(steps: readonly Write[]): void {
  for (const step of steps) {
    const ends =
      (step.kind === "insert" && step.ifExists === "fail") ||
      (step.kind === "update" && step.ifNone === "fail");
    if (ends) throw new Error(`A step of kind ${step.kind} may end a write: use write`);
  }
}
