// Every schema of today is compatible in both directions with every released one (FULL_TRANSITIVE): producers and consumers
// outside are updated before or after the service, as their owners like. A release adds a folder to schemas/released, which
// never changes. test/kafka/compatibility.test.ts has a real registry check the same.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseSchema, readSchema } from "../../src/log/codec.ts";
import { readReleases } from "./releases.ts";

const released = readReleases();

/** The first direction in which records of one cannot be read with the other, or null. */
function conflict(today: string, before: string): string | null {
  const directions = [
    ["records of before cannot be read today", today, before],
    ["records of today cannot be read by before", before, today],
  ] as const;
  for (const [found, reader, writer] of directions) {
    try {
      parseSchema(reader).createResolver(parseSchema(writer));
    } catch {
      return found;
    }
  }
  return null;
}

it("every released record type is still there", () => {
  const folder = readdirSync(new URL("../../schemas/", import.meta.url));
  for (const { name } of released) expect(folder).toContain(`${name}.avsc`);
  expect(released.length).toBeGreaterThanOrEqual(5);
});

it.each(released)("$name is compatible in both directions with release $release", (one) => {
  expect(conflict(readSchema(one.name), one.text)).toBeNull();
});

describe("a change that is refused", () => {
  interface Field {
    readonly name: string;
    readonly type: unknown;
    readonly default?: unknown;
  }
  const before = readFileSync(
    new URL("../../schemas/released/1/EnrichmentRequest.avsc", import.meta.url),
    "utf8",
  );
  const changed = (change: (fields: readonly Field[]) => readonly Field[]): string => {
    const schema = JSON.parse(before) as { fields: readonly Field[] };
    return JSON.stringify({ ...schema, fields: change(schema.fields) });
  };
  const replaced = (name: string, change: (field: Field) => Field): string =>
    changed((fields) => fields.map((field) => (field.name === name ? change(field) : field)));

  it.each<[string, string, RegExp]>([
    [
      "a new field without a default",
      changed((fields) => [...fields, { name: "added", type: "string" }]),
      /cannot be read today/,
    ],
    [
      "a required field that is gone",
      changed((fields) => fields.filter(({ name }) => name !== "org")),
      /cannot be read by before/,
    ],
    [
      "a renamed field",
      replaced("org", (field) => ({ ...field, name: "organization" })),
      /cannot be read today/,
    ],
    ["another type", replaced("total", (field) => ({ ...field, type: "string" })), /today/],
    ["a wider type", replaced("total", (field) => ({ ...field, type: "long" })), /by before/],
    [
      "a new symbol of an enumeration",
      replaced("priority", (field) => ({
        ...field,
        type: { type: "enum", name: "Priority", symbols: ["default", "low", "high"] },
      })),
      /by before/,
    ],
    [
      "a new branch of a union",
      replaced("batch_id", (field) => ({ ...field, type: ["null", "string", "long"] })),
      /by before/,
    ],
  ])("%s", (_name, today, found) => {
    expect(conflict(today, before)).toMatch(found);
  });

  it("a new field with a default, and an optional one that is gone, are taken", () => {
    const added = { name: "added", type: ["null", "string"], default: null };
    expect(
      conflict(
        changed((fields) => [...fields, added]),
        before,
      ),
    ).toBeNull();
    const without = changed((fields) => fields.filter(({ name }) => name !== "reply_to"));
    expect(conflict(without, before)).toBeNull();
  });
});
