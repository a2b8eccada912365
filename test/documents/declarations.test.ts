// One name for one thing: a reader who meets a name in two files may take it for the same thing.
import { expect, it } from "vitest";
import { declarations, declaredTwice } from "./declarations.ts";

const all = declarations();

it("every type of src and workers is declared in one file", () => {
  const types = all.filter(({ kind }) => kind === "type");
  expect(types.length).toBeGreaterThan(900);
  expect(declaredTwice(types)).toEqual([]);
});

it("every function that a file exports has a name that no other file declares", () => {
  const functions = all.filter(({ kind }) => kind === "function");
  expect(functions.length).toBeGreaterThan(2_000);
  const exported = new Set(functions.filter((one) => one.exported).map(({ name }) => name));
  expect(declaredTwice(functions.filter(({ name }) => exported.has(name)))).toEqual([]);
});
