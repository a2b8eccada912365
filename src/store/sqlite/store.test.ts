import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../sqlite/database.ts";
import type { CollectionSpec } from "../collection.ts";
import { createSqliteStore } from "./store.ts";

interface ThingRow {
  readonly id: string;
  readonly size: number;
  readonly name: string | null;
  // In the document:
  readonly note: string | null;
  readonly more?: { readonly of: number };
}

const things: CollectionSpec<ThingRow> = {
  name: "things",
  fields: { id: "text", size: "integer", name: "text" },
  key: ["id"],
  indexes: [],
};

it("rows of one list are stored as they are, whatever fields they have and in whatever order", async () => {
  const database = openDatabase(":memory:");
  onTestFinished(() => database.close());
  const store = createSqliteStore(database);
  const rows = store.collection<ThingRow>(things);
  const written: readonly ThingRow[] = [
    { id: "a", size: 1, name: "first", note: null },
    { id: "b", size: 2, name: null, note: null },
    { id: "c", size: 3, name: "noted", note: "a word" },
    { note: "another order", name: "mixed", size: 4, id: "d" },
    { id: "e", size: 5, name: null, note: null, more: { of: 7 } },
    { id: "f", size: 6, name: "last", note: null },
  ];
  await store.write([rows.upsertMany(written, "size")]);
  const order = { fields: ["id"] as const, direction: "asc" as const };
  expect(await rows.find({ where: {}, order, limit: 10 })).toEqual(written);
});
