import { expect, it } from "vitest";
import { openDatabase } from "../../sqlite/database.ts";
import type { CollectionSpec } from "../collection.ts";
import { createSqliteStore } from "./store.ts";

interface Row {
  readonly id: string;
  readonly place: number;
  readonly colour: string | null;
}

const earlier: CollectionSpec<Row> = {
  name: "things",
  fields: { id: "text" },
  key: ["id"],
  indexes: [],
};
const now: CollectionSpec<Row> = {
  ...earlier,
  fields: { id: "text", place: "integer", colour: "text" },
  indexes: [{ name: "place", fields: ["place"] }],
};

it("a field that is declared later is searched in rows of before too, and what it had is not lost", async () => {
  const database = openDatabase(":memory:");
  const rows: readonly Row[] = [
    { id: "a", place: 2, colour: 'it\'s "red"' },
    { id: "b", place: 1, colour: null },
  ];
  const before = createSqliteStore(database);
  const things = before.collection(earlier);
  await before.write(rows.map((row) => things.insert(row, "fail")));
  for (let opened = 0; opened < 2; opened += 1) {
    const later = createSqliteStore(database).collection(now);
    expect(await later.find({ where: { place: { gte: 1 } }, limit: 9 })).toHaveLength(2);
    expect(await later.get({ id: "a" })).toEqual(rows[0]);
    expect(await later.find({ where: { colour: null }, limit: 9 })).toEqual([rows[1]]);
  }
  await database.close();
});
