import { describe, expect, it } from "vitest";
import type { Actor, AuditEntry } from "../model/audit.ts";
import type { StoredReapplication } from "../model/reapplication.ts";
import { createReapplications } from "./reapplications.ts";

const ABOUT_A = { subject: "a", details: {} };
const BY: Actor = { keyId: "k", requestId: "r" };

/** Reapplications over a store in memory. */
function setUp() {
  const rows: StoredReapplication[] = [];
  const calls = { counted: 0, begun: 0 };
  const entries: AuditEntry[] = [];
  const runningOf = (org: string) =>
    rows.find((row) => row.org === org && row.status === "running") ?? null;
  const reapplications = createReapplications({
    countTransactions: () => {
      calls.counted += 1;
      return Promise.resolve(7);
    },
    insertReapplication: (one, entry) => {
      const isNew = runningOf(one.org) === null && rows.every(({ id }) => id !== one.id);
      if (isNew) {
        rows.push(one);
        entries.push(entry);
      }
      return Promise.resolve(isNew || rows.some(({ id }) => id === one.id));
    },
    getReapplication: (org, id) =>
      Promise.resolve(rows.find((row) => row.org === org && row.id === id) ?? null),
    getRunning: (org) => Promise.resolve(runningOf(org)),
    listReapplications: () => Promise.resolve({ rows: [], next: null }),
    begun: () => {
      calls.begun += 1;
    },
    nowMs: () => 5,
    newId: () => "n",
  });
  return { reapplications, rows, calls, entries };
}

describe("reapplications", () => {
  it("one begins with the number of transactions there are", async () => {
    const { reapplications, calls, entries } = setUp();
    const begun = await reapplications.begin("o", "a", BY);
    expect(begun).toMatchObject({ id: "a", createdAt: 5, status: "running", total: 7 });
    expect(calls).toEqual({ counted: 1, begun: 1 });
    expect(entries).toEqual([
      { ...BY, org: "o", id: "n", createdAt: 5, action: "reapplication.created", ...ABOUT_A },
    ]);
    expect(await reapplications.get("o", "a")).toEqual(begun);
  });

  it("nothing is counted for one that is refused: on a large ledger that takes a while", async () => {
    const { reapplications, calls } = setUp();
    await reapplications.begin("o", "a", BY);
    for (let tries = 0; tries < 3; tries++)
      expect(await reapplications.begin("o", "b", BY)).toBe("running");
    expect(calls).toEqual({ counted: 1, begun: 1 });
    expect(await reapplications.begin("other", "c", BY)).toMatchObject({ id: "c" });
  });

  it("repeating one begins no second one, whether it runs or has ended", async () => {
    const { reapplications, rows } = setUp();
    const begun = await reapplications.begin("o", "a", BY);
    expect(await reapplications.begin("o", "a", BY)).toEqual(begun);
    rows.splice(0, 1, { ...(rows[0] as StoredReapplication), status: "completed" });
    expect(await reapplications.begin("o", "a", BY)).toMatchObject({
      id: "a",
      status: "completed",
    });
    expect(rows).toHaveLength(1);
  });
});
