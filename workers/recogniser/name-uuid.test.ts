import fc from "fast-check";
import { parse, v3, v5 } from "uuid";
import { expect, test } from "vitest";
import { uuidOfName } from "./name-uuid.ts";

test("the ids are those of the standard: what the library makes", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string({ unit: "grapheme" }), (namespace, name) => {
      const bytes = parse(namespace);
      expect(uuidOfName(3, bytes, name)).toBe(v3(name, namespace));
      expect(uuidOfName(5, bytes, name)).toBe(v5(name, namespace));
    }),
  );
});
