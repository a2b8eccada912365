import fc from "fast-check";
import { expect, test } from "vitest";
import { buildKeyTable, openKeyTable } from "./key-table.ts";
import { buildNearTable, findNear, isOneTypo } from "./near-table.ts";

const keys = ["chickfila", "cheesecakefactory", "homewoodsuites", "walgreens", "short"].sort();
const table = openKeyTable(buildKeyTable(keys));
const near = buildNearTable(keys, (index) => keys[index] !== "walgreens");
const found = (text: string): string | null => {
  const [first, ...others] = findNear(near, table, text);
  expect(others).toEqual([]);
  return first === undefined ? null : table.keyAt(first);
};

test.each([
  ["a letter left out", "chickfla"],
  ["a letter too many", "chickfilaa"],
  ["another letter", "chickfils"],
  ["two letters exchanged", "chikcfila"],
])("finds a key with %s", (_slip, text) => {
  expect(found(text)).toBe("chickfila");
});

test("finds nothing that is two slips away or too short", () => {
  expect(found("chikfla")).toBeNull();
  expect(found("shor")).toBeNull();
});

test.each(["walgreensx", "walgreenz", "walgeens", "walgreesn"])(
  "does not find %j: its key may not be found with a slip",
  (text) => {
    expect(found(text)).toBeNull();
  },
);

test("finds all that a text may have been", () => {
  const alike = ["nochildsupport", "nhchildsupport", "ncchildsupport"].sort();
  const all = findNear(
    buildNearTable(alike, () => true),
    openKeyTable(buildKeyTable(alike)),
    "nbchildsupport",
  );
  expect(all).toHaveLength(3);
});

test("every slip of a key is found, and is one slip away", () => {
  fc.assert(
    fc.property(fc.nat(16), fc.constantFrom("q", "7", "é"), fc.nat(3), (at, letter, kind) => {
      const key = "cheesecakefactory";
      const place = Math.min(at, key.length - 2);
      const text = [
        key.slice(0, place) + key.slice(place + 1),
        key.slice(0, place) + letter + key.slice(place),
        key.slice(0, place) + letter + key.slice(place + 1),
        key.slice(0, place) + key.charAt(place + 1) + key.charAt(place) + key.slice(place + 2),
      ][kind];
      if (text === undefined || text === key) return;
      expect(isOneTypo(key, text)).toBe(true);
      expect(found(text)).toBe(key);
    }),
  );
});
