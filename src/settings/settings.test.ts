import { describe, expect, it } from "vitest";
import type { TenantSettings } from "../model/tenant-settings.ts";
import { createSettingsReader, type SettingsPorts } from "./settings.ts";

interface Shared {
  readonly version: string;
  readonly settings: TenantSettings;
}

function setUp(overrides: Partial<SettingsPorts<Shared>> = {}, bytes = 1) {
  const versions = new Map<string, string>();
  const calls = { rules: 0, shared: 0 };
  const ports: SettingsPorts<Shared> = {
    organization: (org) => {
      const settingsVersion = versions.get(org);
      return Promise.resolve(
        settingsVersion === undefined ? null : { settingsVersion, features: ["naics2017"] },
      );
    },
    rules: () => {
      calls.rules += 1;
      return Promise.resolve([{ add_label: "x" }]);
    },
    mappings: () => Promise.resolve({}),
    corrections: () => Promise.resolve([]),
    boundModels: () => Promise.resolve({}),
    share: (version, settings) => {
      calls.shared += 1;
      return { shared: { version, settings }, bytes };
    },
    ...overrides,
  };
  return { settings: createSettingsReader(ports), versions, calls };
}

describe("settings of organizations", () => {
  it("an organization that has never set anything has none, and nothing is read for it", async () => {
    const { settings, calls } = setUp();
    expect(await settings.of("o")).toBeNull();
    expect(calls.rules).toBe(0);
  });

  it("one is read whole once for each version, however many chunks ask at the same time", async () => {
    const { settings, versions, calls } = setUp();
    versions.set("o", "1");
    const seen = await Promise.all([settings.of("o"), settings.of("o"), settings.of("o")]);
    expect(new Set(seen).size).toBe(1);
    expect(seen[0]).toMatchObject({
      version: "1",
      settings: { rules: [{ add_label: "x" }], features: ["naics2017"] },
    });
    versions.set("o", "2");
    expect(await settings.of("o")).toMatchObject({ version: "2" });
    await settings.of("o");
    expect(calls.shared).toBe(2);
  });

  it("parts that were changed while they were read are read again, so that they belong together", async () => {
    const { settings, versions, calls } = setUp({
      mappings: () => {
        // The sets are changed after the rules were read.
        if (versions.get("o") === "1") versions.set("o", "2");
        return Promise.resolve({});
      },
    });
    versions.set("o", "1");
    expect(await settings.of("o")).toMatchObject({ version: "2" });
    expect(calls.rules).toBe(2);
  });

  it("settings that change faster than they can be read are unavailable, not half read", async () => {
    let changes = 0;
    const { settings } = setUp({
      organization: () => Promise.resolve({ settingsVersion: String(changes++), features: [] }),
    });
    await expect(settings.of("o")).rejects.toMatchObject({ code: "unavailable" });
  });

  it("a failure is not kept as settings: the next chunk reads again", async () => {
    let fails = true;
    const { settings, versions } = setUp({
      corrections: () => (fails ? Promise.reject(new Error("away")) : Promise.resolve([])),
    });
    versions.set("o", "1");
    await expect(settings.of("o")).rejects.toThrow("away");
    fails = false;
    expect(await settings.of("o")).toMatchObject({ version: "1" });
  });

  it("memory is bounded: the least recently used settings are evicted", async () => {
    const { settings, versions, calls } = setUp({}, 30 * 1024 * 1024);
    for (const org of ["a", "b"]) versions.set(org, org);
    await settings.of("a");
    await settings.of("b");
    await settings.of("a");
    versions.set("c", "c");
    await settings.of("c");
    expect(calls.shared).toBe(3);
    await settings.of("a");
    expect(calls.shared).toBe(3);
    await settings.of("b");
    expect(calls.shared).toBe(4);
  });
});
