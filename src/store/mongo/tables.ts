// Collections and their indexes, made when a collection is first used.
import { type Collection, type Db, MongoServerError } from "mongodb";
import type { StoredDocument, Table } from "./documents.ts";

export interface OpenTable {
  readonly table: Table;
  readonly documents: Collection<StoredDocument>;
  /** Resolves once the collection and its indexes are there. Tries again when the last try failed. */
  ready(): Promise<void>;
  /** Whether most of the rows that were written last were there already. */
  mostlyThere: boolean;
}

const NAMESPACE_EXISTS = 48;

export function openTable(db: Db, table: Table): OpenTable {
  const documents = db.collection<StoredDocument>(table.name);
  let made: Promise<void> | null = null;
  return {
    table,
    documents,
    mostlyThere: false,
    ready: () => {
      made ??= make(db, table, documents).catch((error: unknown) => {
        made = null;
        throw error;
      });
      return made;
    },
  };
}

/** Every process does this at its start; the server sees that what is asked for is there. */
async function make(db: Db, table: Table, documents: Collection<StoredDocument>): Promise<void> {
  try {
    // Before the first transaction: one that makes a collection meets every other that wants to make it too.
    await db.createCollection(table.name);
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === NAMESPACE_EXISTS)) throw error;
  }
  if (table.indexes.length === 0) return;
  const indexes = table.indexes.map((index) => ({
    name: index.name,
    key: Object.fromEntries(index.fields.map((field) => [field, 1] as const)),
    ...(index.unique === true ? { unique: true } : {}),
  }));
  // An index over rows that are there takes as long as it takes, and does not wait for members that are down.
  await documents.createIndexes(indexes, { commitQuorum: "majority", ...UNBOUNDED });
}

/** The driver takes this per operation too, though it does not declare it. */
const UNBOUNDED = { socketTimeoutMS: 0 };
