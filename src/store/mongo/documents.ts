// How a row is kept: its fields as they are, under an `_id` made of its key fields.
import { type CollectionSpec, type FieldValue, forEngine, type Index } from "../collection.ts";

export type Fields = Record<string, unknown>;

/** A row in the database. */
export interface StoredDocument {
  /** The key fields in the order of the spec, so that rows of one key prefix are neighbours in the index of `_id`. */
  readonly _id: Fields;
  readonly [field: string]: unknown;
}

/** What an engine needs to know of a collection. */
export interface Table {
  readonly name: string;
  readonly fields: readonly string[];
  readonly bytesFields: readonly string[];
  readonly key: readonly string[];
  readonly indexes: readonly Index<Record<string, FieldValue>>[];
}

/**
 * Counts how often a transaction held the row. A row that is only read in a transaction can be changed by others before
 * it commits; one that is written can not. No row shows it.
 */
export const HELD = "_held";

/** What a query leaves out. The key is in the row's own fields too. */
export const ROW_PROJECTION = { _id: 0, [HELD]: 0 } as const;

export function toTable<Row extends object>(spec: CollectionSpec<Row>): Table {
  const kinds = Object.entries(spec.fields);
  return {
    name: spec.name,
    fields: kinds.map(([field]) => field),
    bytesFields: kinds.filter(([, kind]) => kind === "bytes").map(([field]) => field),
    key: spec.key,
    indexes: forEngine(spec, "mongodb").indexes as unknown as Table["indexes"],
  };
}

/** The `_id` of the row with these key fields. */
export function toId(table: Table, row: object): Fields {
  const fields = row as Fields;
  const id: Fields = {};
  for (const field of table.key) id[field] = fields[field];
  return id;
}

export function toDocument(table: Table, row: object): StoredDocument {
  const document: Fields & { _id: Fields } = { _id: toId(table, row), ...row };
  // A declared field is always there, so that a search for null finds what a search in an index finds.
  for (const field of table.fields) document[field] ??= null;
  return document;
}

/** The row of a document that was read with ROW_PROJECTION; the document itself becomes it. */
export function rowOfDocument(table: Table, document: Fields): object {
  for (const field of table.bytesFields) {
    const value = document[field];
    // A plain Uint8Array like every engine gives, not the driver's Buffer.
    if (value instanceof Uint8Array)
      document[field] = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  return document;
}
