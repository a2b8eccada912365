import fc from "fast-check";
import { expect, test } from "vitest";
import { hashSeed, hashText } from "../recogniser/text/hash.ts";
import { buildKeyTable, openKeyTable } from "./key-table.ts";

const tableOf = (keys: readonly string[]) => openKeyTable(buildKeyTable([...new Set(keys)].sort()));

test("finds every key, nothing else, and all keys with a prefix", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.string(), (keys, other) => {
      const table = tableOf(keys);
      for (const key of keys) expect(table.keyAt(table.find(key))).toBe(key);
      expect(table.find(other) >= 0).toBe(keys.includes(other));
      const [first, end] = table.prefixRange(other);
      expect(end - first).toBe(new Set(keys.filter((key) => key.startsWith(other))).size);
    }),
  );
});

test("finds a key by its parts", () => {
  const table = tableOf(["dollartree", "dollar"]);
  const hash = hashText(hashText(hashSeed, "dollar"), "tree");
  expect(table.keyAt(table.findJoined(hash, ["at", "dollar", "tree"], 1, 3))).toBe("dollartree");
  expect(table.findJoined(hashSeed, [], 0, 0)).toBe(-1);
});
