import { describe, expect, it } from "vitest";
import type { GrantedOrganization } from "../../model/kafka-grant.ts";
import { LedgerlineError } from "../../shared/errors.ts";
import { createGrantTable } from "./grant-table.ts";

const grant = (id: string, endsAt: number | null = null, org = "acme"): GrantedOrganization => ({
  org,
  credits: null,
  secrets: [{ org, id, secret: Buffer.from(id), endsAt }],
});

function setUp(grants: readonly GrantedOrganization[] = [grant("made-1")]) {
  const state = { grants, loads: 0, nowMs: 0, isAway: false };
  const table = createGrantTable({
    loadGrants: () => {
      state.loads += 1;
      return state.isAway
        ? Promise.reject(new LedgerlineError("unavailable", "away"))
        : Promise.resolve(state.grants);
    },
    isKeyId: (id) => id.startsWith("made-"),
    nowMs: () => state.nowMs,
  });
  return { state, table };
}

describe("the table of grants", () => {
  it("a thousand made-up ids cost no read, and evict nothing", async () => {
    const { state, table } = setUp();
    expect(await table.find("made-1")).toMatchObject({ org: "acme" });
    for (let count = 0; count < 1_000; count += 1)
      expect(await table.find(`guess-${String(count)}`)).toBeNull();
    expect(state.loads).toBe(1);
    expect(table.known("made-1")).toMatchObject({ org: "acme" });
  });

  it("a secret that was just made is found at once; one that was revoked costs one read in all", async () => {
    const { state, table } = setUp();
    await table.find("made-1");
    state.grants = [grant("made-2")];
    expect(await table.find("made-2")).toMatchObject({ id: "made-2" });
    expect(state.loads).toBe(2);
    for (let count = 0; count < 100; count += 1) expect(await table.find("made-1")).toBeNull();
    expect(state.loads).toBe(3);
  });

  it("many records at once with a new secret share a read that began after the first of them", async () => {
    const { state, table } = setUp([]);
    const before = table.isGranted("acme");
    state.grants = [grant("made-3")];
    const found = await Promise.all(Array.from({ length: 50 }, () => table.find("made-3")));
    expect(found.every((one) => one?.id === "made-3")).toBe(true);
    expect(await before).toBe(false);
    expect(state.loads).toBeLessThanOrEqual(2);
  });

  it("what is revoked is refused within ten seconds, and no record waits for the read before that", async () => {
    const { state, table } = setUp();
    await table.find("made-1");
    state.grants = [];
    state.nowMs = 4_999;
    expect(await table.find("made-1")).not.toBeNull();
    expect([state.loads, await table.isGranted("acme")]).toEqual([1, true]);
    state.nowMs = 5_000;
    expect(await table.find("made-1")).not.toBeNull();
    expect(state.loads).toBe(2);
    // The read that this one began has ended by now.
    expect(await table.isGranted("acme")).toBe(false);
    state.nowMs = 15_000;
    expect(await table.find("made-1")).toBeNull();
  });

  it("without the store nothing is known for longer than that: neither accepted nor refused", async () => {
    const { state, table } = setUp();
    await table.find("made-1");
    state.isAway = true;
    state.nowMs = 9_999;
    expect(await table.find("made-1")).not.toBeNull();
    state.nowMs = 10_000;
    await expect(table.find("made-1")).rejects.toMatchObject({ code: "unavailable" });
    await expect(table.isGranted("acme")).rejects.toMatchObject({ code: "unavailable" });
    expect(await table.find("guess")).toBeNull();
    state.isAway = false;
    expect(await table.find("made-1")).not.toBeNull();
  });

  it("a secret with an end is valid until that moment and not a millisecond longer", async () => {
    const { state, table } = setUp([grant("made-1", 3_000)]);
    state.nowMs = 2_999;
    expect(await table.find("made-1")).not.toBeNull();
    state.nowMs = 3_000;
    expect([await table.find("made-1"), table.known("made-1")]).toEqual([null, null]);
  });
});
