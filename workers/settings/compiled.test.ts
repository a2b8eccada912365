import { describe, expect, it } from "vitest";
import type { TenantSettings } from "../../src/model/tenant-settings.ts";
import type { SettingsRef } from "../protocol.ts";
import { createCompiledSettingsReader } from "./compiled.ts";

const NOTHING: TenantSettings = { rules: [], mappings: {}, corrections: [], features: [] };

function refOf(key: string, settings: TenantSettings = NOTHING): SettingsRef {
  const text = new TextEncoder().encode(JSON.stringify(settings));
  const bytes = new SharedArrayBuffer(text.length);
  new Uint8Array(bytes).set(text);
  return { key, bytes };
}

describe("what a thread keeps of settings", () => {
  it("one is compiled once, as long as it is among the last that were used", () => {
    const read = createCompiledSettingsReader();
    const [one, other] = [read(refOf("a")), read(refOf("b"))];
    expect(one).not.toBe(other);
    expect([read(refOf("a")), read(refOf("b"))]).toEqual([one, other]);
    expect(read(refOf("a"))).toBe(one);
    expect(read(refOf("b"))).toBe(other);
  });

  it("however small they are it keeps some thousands, since each takes heap of its own", () => {
    const read = createCompiledSettingsReader();
    const used = read(refOf("used"));
    const unused = read(refOf("unused"));
    for (let other = 0; other < 10_000; other++) {
      read(refOf(String(other)));
      if (other % 1_000 === 0) expect(read(refOf("used"))).toBe(used);
    }
    expect(read(refOf("unused"))).not.toBe(unused);
  });

  it("however large one is it is kept until another is used", () => {
    const read = createCompiledSettingsReader();
    const large = refOf("large", {
      ...NOTHING,
      mappings: { set: { incoming: { x: "y".repeat(45_000_000) }, outgoing: {} } },
    });
    const one = read(large);
    expect(read(large)).toBe(one);
    read(refOf("other"));
    expect(read(large)).not.toBe(one);
  });
});
