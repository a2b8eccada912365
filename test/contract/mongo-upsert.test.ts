// What others do between the operations of an upsert without a transaction.
import { randomUUID } from "node:crypto";
import { type Collection, MongoClient } from "mongodb";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { CollectionSpec } from "../../src/store/collection.ts";
import { withDeadline } from "../../src/store/mongo/deadline.ts";
import { type Fields, type StoredDocument, toTable } from "../../src/store/mongo/documents.ts";
import { type OpenTable, openTable } from "../../src/store/mongo/tables.ts";
import { upsertRows } from "../../src/store/mongo/upsert.ts";

const url = process.env["TEST_MONGODB_URL"];
if (url === undefined)
  throw new Error("TEST_MONGODB_URL must be the URL of a MongoDB replica set for tests");

interface Note {
  readonly org: string;
  readonly id: string;
  readonly order: string;
}

const noteSpec: CollectionSpec<Note> = {
  name: "notes",
  fields: { org: "text", id: "text", order: "text" },
  key: ["org", "id"],
  indexes: [],
};

const note = (order: string, id = "a"): Note => ({ org: "o", id, order });

describe("upserts of MongoDB", () => {
  const client = new MongoClient(url, { writeConcern: { w: "majority" } });
  const db = client.db(`ledgerline-test-${randomUUID()}`);
  let open: OpenTable;
  beforeEach(async () => {
    open = openTable(db, toTable(noteSpec));
    await open.ready();
    await open.documents.deleteMany({});
  });
  afterAll(async () => {
    await db.dropDatabase();
    await client.close();
  });

  const upsert = (rows: readonly Note[], table = open): Promise<number> =>
    withDeadline(10_000, (call) => upsertRows(table, { rows, guard: "order" }, call));
  const orderOf = async (id = "a"): Promise<unknown> => {
    const filter: Fields = { _id: { org: "o", id } };
    return (await open.documents.findOne(filter))?.["order"];
  };

  /** The table as a slow caller sees it: `meanwhile` happens after the first operation of this name. */
  function after(
    operation: "insertMany" | "bulkWrite" | "find",
    meanwhile: () => Promise<unknown>,
  ): OpenTable {
    let met = false;
    const once = async (): Promise<void> => {
      if (met) return;
      met = true;
      await meanwhile();
    };
    const documents = new Proxy(open.documents, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (name !== operation || typeof member !== "function") return member;
        return (...parameters: unknown[]): unknown => {
          const result: unknown = Reflect.apply(member, target, parameters);
          if (result instanceof Promise) return result.finally(once);
          const cursor = result as ReturnType<Collection<StoredDocument>["find"]>;
          return { toArray: () => cursor.toArray().finally(once) };
        };
      },
    });
    return { ...open, documents };
  }

  it("a row that is deleted after the insert was refused is inserted after all", async () => {
    await upsert([note("5")]);
    const table = after("insertMany", () => open.documents.deleteMany({}));
    expect(await upsert([note("3")], table)).toBe(1);
    expect(await orderOf()).toBe("3");
  });

  it("a lesser row that comes in place of one that was deleted is replaced", async () => {
    await upsert([note("5")]);
    const table = after("bulkWrite", async () => {
      await open.documents.deleteMany({});
      await upsert([note("1")]);
    });
    expect(await upsert([note("3")], table)).toBe(1);
    expect(await orderOf()).toBe("3");
  });

  it("a row that comes after it was looked for is replaced if it is less, and stays if it is not", async () => {
    await upsert([note("5", "x"), note("5", "y")]);
    open.mostlyThere = true;
    const table = after("find", () => upsert([note("1"), note("9", "b")]));
    table.mostlyThere = true;
    expect(await upsert([note("3"), note("3", "b"), note("6", "x"), note("4", "y")], table)).toBe(
      2,
    );
    expect(await orderOf()).toBe("3");
    expect(await orderOf("b")).toBe("9");
    expect(await orderOf("x")).toBe("6");
    expect(await orderOf("y")).toBe("5");
  });

  it("rows of one key leave the greatest of them", async () => {
    const rows = ["2", "9", "1", "7"].map((order) => note(order));
    await upsert(rows);
    expect(await orderOf()).toBe("9");
    await upsert(rows.map(({ order }) => note(`${order}5`)));
    expect(await orderOf()).toBe("95");
  });

  it("half a surrogate pair in a key is stored as what it is not, and found again", async () => {
    expect(await upsert([note("1", "a\uD83D")])).toBe(1);
    expect(await upsert([note("1", "a\uD83D")])).toBe(0);
    expect(await upsert([note("2", "a\uD83D")])).toBe(1);
    expect(await orderOf("a\uFFFD")).toBe("2");
  });
});
