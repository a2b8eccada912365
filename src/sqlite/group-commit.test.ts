import { describe, expect, it } from "vitest";
import { openDatabase } from "./database.ts";

/** Does these writes in one commit: each leaves a row with its name, and those in capitals throw behind that. */
async function rowsOf(names: readonly string[]): Promise<{
  readonly rows: readonly unknown[];
  readonly refused: readonly string[];
}> {
  const database = openDatabase(":memory:");
  database.define("CREATE TABLE t (name TEXT)");
  const refused: string[] = [];
  const writes = names.map((name) =>
    database
      .write(() => {
        database.run("INSERT INTO t (name) VALUES (?)", [name]);
        if (name === name.toUpperCase()) throw new Error(name);
      })
      .catch((error: unknown) => {
        refused.push((error as Error).message);
      }),
  );
  await Promise.all(writes);
  const rows = database.all("SELECT name FROM t ORDER BY rowid").map((row) => row["name"]);
  await database.close();
  return { rows, refused };
}

describe("a write that throws is undone alone, wherever it stands in its commit", () => {
  it.each([
    { names: ["A"], rows: [], refused: ["A"] },
    { names: ["A", "b"], rows: ["b"], refused: ["A"] },
    { names: ["A", "B", "c", "D", "e"], rows: ["c", "e"], refused: ["A", "B", "D"] },
    { names: ["a", "B", "c"], rows: ["a", "c"], refused: ["B"] },
    { names: ["a", "b", "C"], rows: ["a", "b"], refused: ["C"] },
    { names: ["A", "b", "C", "d", "E"], rows: ["b", "d"], refused: ["A", "C", "E"] },
  ])("$names", async ({ names, rows, refused }) => {
    expect(await rowsOf(names)).toEqual({ rows, refused });
  });
});

it("a write sees what was written before it in the same commit, and nothing of what was undone", async () => {
  const database = openDatabase(":memory:");
  database.define("CREATE TABLE t (name TEXT)");
  const add = (name: string, fails: boolean): Promise<unknown> =>
    database.write(() => {
      database.run("INSERT INTO t (name) VALUES (?)", [name]);
      if (fails) throw new Error(name);
      return database.all("SELECT name FROM t").map((row) => row["name"]);
    });
  const outcomes = await Promise.allSettled([add("A", true), add("b", false), add("c", false)]);
  expect(
    outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : null)),
  ).toEqual([null, ["b"], ["b", "c"]]);
  await database.close();
});

it("commits after one whose write threw undo single writes too, with or without savepoints", async () => {
  const database = openDatabase(":memory:");
  database.define("CREATE TABLE t (number INTEGER)");
  for (let commit = 0; commit < 40; commit += 1) {
    const add = (number: number, fails: boolean): Promise<unknown> =>
      database.write(() => {
        database.run("INSERT INTO t (number) VALUES (?)", [number]);
        if (fails) throw new Error("refused");
      });
    const fails = commit % 19 === 0;
    await Promise.allSettled([add(commit, false), add(-1, fails), add(-2, true)]);
  }
  const count = (number: string): unknown =>
    database.get(`SELECT count(*) AS count FROM t WHERE number ${number}`)?.["count"];
  expect([count(">= 0"), count("= -1"), count("= -2")]).toEqual([40, 37, 0]);
  await database.close();
});
