import { expect, test } from "vitest";
import { createCursors } from "./cursor.ts";

const scope = { org: "acme", list: "batches" };
const position = { createdAt: 1_714_979_289_010, tie: "töp/\u{1f600}\u0000" };
const cursors = createCursors("secret");
const cursor = cursors.write(scope, position);

test("a cursor brings back the position it was written for, and is safe in a URL", () => {
  expect(cursors.read(scope, cursor)).toEqual(position);
  expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
});

test("a cursor is worth nothing in another organization, list or installation", () => {
  expect(cursors.read({ ...scope, org: "other" }, cursor)).toBeNull();
  expect(cursors.read({ ...scope, list: "transactions" }, cursor)).toBeNull();
  expect(createCursors("another").read(scope, cursor)).toBeNull();
});

test("every changed, cut or padded cursor is refused", () => {
  for (let index = 0; index < cursor.length; index += 1) {
    const other = cursor[index] === "A" ? "B" : "A";
    const changed = cursor.slice(0, index) + other + cursor.slice(index + 1);
    expect(cursors.read(scope, changed)).toBeNull();
    expect(cursors.read(scope, cursor.slice(0, index))).toBeNull();
  }
  for (const foreign of [`${cursor}=`, `${cursor} `, `${cursor}A`, "%", "MTIz", "x".repeat(5000)]) {
    expect(cursors.read(scope, foreign)).toBeNull();
  }
});
