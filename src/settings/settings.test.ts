import { describe, expect, it } from "vitest";
import type { Profile } from "../model/tenant-settings.ts";
import { createProfiles, type ProfilePorts } from "./settings.ts";

interface Shared {
  readonly version: string;
  readonly profile: Profile;
}

function setUp(overrides: Partial<ProfilePorts<Shared>> = {}, bytes = 1) {
  const versions = new Map<string, string>();
  const calls = { rules: 0, shared: 0 };
  const ports: ProfilePorts<Shared> = {
    organization: (org) => {
      const profileVersion = versions.get(org);
      return Promise.resolve(
        profileVersion === undefined ? null : { profileVersion, features: ["naics2017"] },
      );
    },
    rules: () => {
      calls.rules += 1;
      return Promise.resolve([{ add_label: "x" }]);
    },
    mappings: () => Promise.resolve({}),
    corrections: () => Promise.resolve([]),
    share: (version, profile) => {
      calls.shared += 1;
      return { shared: { version, profile }, bytes };
    },
    ...overrides,
  };
  return { profiles: createProfiles(ports), versions, calls };
}

describe("profiles of organizations", () => {
  it("an organization that has never set anything has none, and nothing is read for it", async () => {
    const { profiles, calls } = setUp();
    expect(await profiles.of("o")).toBeNull();
    expect(calls.rules).toBe(0);
  });

  it("one is read whole once for each version, however many chunks ask at the same time", async () => {
    const { profiles, versions, calls } = setUp();
    versions.set("o", "1");
    const seen = await Promise.all([profiles.of("o"), profiles.of("o"), profiles.of("o")]);
    expect(new Set(seen).size).toBe(1);
    expect(seen[0]).toMatchObject({
      version: "1",
      profile: { rules: [{ add_label: "x" }], features: ["naics2017"] },
    });
    versions.set("o", "2");
    expect(await profiles.of("o")).toMatchObject({ version: "2" });
    await profiles.of("o");
    expect(calls.shared).toBe(2);
  });

  it("parts that were changed while they were read are read again, so that they belong together", async () => {
    const { profiles, versions, calls } = setUp({
      mappings: () => {
        // Somebody changes the sets after the rules were read.
        if (versions.get("o") === "1") versions.set("o", "2");
        return Promise.resolve({});
      },
    });
    versions.set("o", "1");
    expect(await profiles.of("o")).toMatchObject({ version: "2" });
    expect(calls.rules).toBe(2);
  });

  it("settings that change faster than they can be read are unavailable, not half read", async () => {
    let changes = 0;
    const { profiles } = setUp({
      organization: () => Promise.resolve({ profileVersion: String(changes++), features: [] }),
    });
    await expect(profiles.of("o")).rejects.toMatchObject({ code: "unavailable" });
  });

  it("a failure is nobody's profile: the next chunk reads again", async () => {
    let fails = true;
    const { profiles, versions } = setUp({
      corrections: () => (fails ? Promise.reject(new Error("away")) : Promise.resolve([])),
    });
    versions.set("o", "1");
    await expect(profiles.of("o")).rejects.toThrow("away");
    fails = false;
    expect(await profiles.of("o")).toMatchObject({ version: "1" });
  });

  it("memory is bounded: those that were not used for longest are forgotten and read again", async () => {
    const { profiles, versions, calls } = setUp({}, 30 * 1024 * 1024);
    for (const org of ["a", "b"]) versions.set(org, org);
    await profiles.of("a");
    await profiles.of("b");
    await profiles.of("a");
    versions.set("c", "c");
    await profiles.of("c");
    expect(calls.shared).toBe(3);
    await profiles.of("a");
    expect(calls.shared).toBe(3);
    await profiles.of("b");
    expect(calls.shared).toBe(4);
  });
});
