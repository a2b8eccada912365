// What a real registry accepts: schemas of releases one after the other, and a change that would break readers.
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { readSchema, type SchemaRegistry } from "../../src/log/codec.ts";
import { createConfluentRegistry } from "../../src/log/kafka/registry.ts";
import { realServices } from "../support/distributed.ts";

const releases = new URL("../schemas/0.1/", import.meta.url);
const { schemaRegistryUrl: url } = realServices("compatibility");

function openRegistry(): SchemaRegistry {
  return createConfluentRegistry({ url, nowMs: Date.now, random: Math.random, wait });
}

function isSame(schema: string, other: string): boolean {
  return JSON.stringify(JSON.parse(schema)) === JSON.stringify(JSON.parse(other));
}

interface RecordSchema {
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: unknown }[];
}

it.each(readdirSync(releases).map((file) => [file.replace(".avsc", ""), file]))(
  "%s of release 0.1, then of today: taken; both are then read by their ids; a field without a default: refused",
  async (name, file) => {
    const registry = openRegistry();
    const subject = `${name}-${randomUUID()}-value`;
    const released = readFileSync(new URL(file, releases), "utf8");
    const first = await registry.register(subject, released);
    const current = readSchema(name);
    const second = await registry.register(subject, current);
    // One that has not changed since is the same.
    expect(second === first).toBe(isSame(released, current));
    // Again, by another process that starts at the same time, and after that.
    const others = await Promise.all(
      [1, 2, 3].map(() => openRegistry().register(subject, current)),
    );
    expect(new Set([...others, second]).size).toBe(1);

    const config = await fetch(`${url}/config/${subject}`);
    expect(await config.json()).toMatchObject({ compatibilityLevel: "BACKWARD" });
    const text = await openRegistry().schema(first);
    const names = (JSON.parse(released) as RecordSchema).fields.map((field) => field.name);
    const read = JSON.parse(text ?? "") as RecordSchema;
    expect(read.fields.map((field) => field.name)).toEqual(names);

    const schema = JSON.parse(current) as RecordSchema;
    const added = { name: "new_field_without_default", type: "string" };
    const changes: RecordSchema[] = [
      { ...schema, fields: [...schema.fields, added] },
      {
        ...schema,
        fields: schema.fields.map((field, index) =>
          index === 0 ? { ...field, type: "boolean" } : field,
        ),
      },
    ];
    for (const change of changes) {
      await expect(registry.register(subject, JSON.stringify(change))).rejects.toMatchObject({
        code: "misconfigured",
      });
    }
  },
);

it("an unknown schema id fails, and an id that is registered later works after ten seconds", async () => {
  const clock = { nowMs: 0 };
  const registry = createConfluentRegistry({
    url,
    nowMs: () => clock.nowMs,
    random: Math.random,
    wait,
  });
  expect(await registry.schema(2_000_000_001)).toBeNull();
  const id = await openRegistry().register(`late-${randomUUID()}-value`, readSchema("DeadLetter"));
  clock.nowMs = 10_001;
  expect(await registry.schema(id)).not.toBeNull();
});
