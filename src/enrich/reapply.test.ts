import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { LedgerTransaction } from "../model/ledger-transaction.ts";
import type { StoredReapplication } from "../model/reapplication.ts";
import {
  advanceReapplication,
  type ChangedFacts,
  type ReapplyPorts,
  startReapplying,
} from "./reapply.ts";

const transaction = (id: string, accountHolderId: string | null): LedgerTransaction => ({
  org: "o",
  input: {
    id,
    description: `d ${id}`,
    date: "2024-01-01",
    amount: 1,
    entryType: "outgoing",
    currency: "USD",
    accountHolderId,
    location: null,
  },
  createdAt: 5,
  order: `order ${id}`,
  facts: '{"old":true}',
  error: null,
  override: null,
});

const begun: StoredReapplication = {
  org: "o",
  id: "r",
  createdAt: 10,
  updatedAt: 10,
  status: "running",
  total: 3,
  progress: 0,
  changed: 0,
  after: null,
};

function setUp(overrides: Partial<ReapplyPorts<string>> = {}) {
  const stored: { next: StoredReapplication; changes: readonly ChangedFacts[] }[] = [];
  const facts: ChangedFacts[] = [];
  const asked: unknown[] = [];
  const failures: unknown[] = [];
  const ports: ReapplyPorts<string> = {
    release: null,
    claim: () => Promise.resolve(null),
    list: () => Promise.resolve({ rows: [], next: null }),
    getHolders: (org, ids) =>
      Promise.resolve(
        ids
          .filter((id) => id !== "gone")
          .map((id) => ({ org, id, type: "consumer", name: null, categoryId: null, createdAt: 0 })),
      ),
    settingsOf: (org) => Promise.resolve(`settings of ${org}`),
    enrich: (_org, items, settings) => {
      asked.push(settings, ...items.map((item) => item.accountType));
      return Promise.resolve(items.map(() => '{"new":true}'));
    },
    renew: () => Promise.resolve(true),
    getTransactions: () => Promise.resolve([]),
    storeFacts: (_org, changes) => {
      facts.push(...changes);
      return Promise.resolve();
    },
    storeProgress: (next) => {
      stored.push({ next, changes: facts.splice(0) });
      return Promise.resolve(true);
    },
    failed: (error) => failures.push(error),
    nowMs: () => 20,
    ...overrides,
  };
  return { ports, stored, asked, failures };
}

describe("applying settings to stored transactions", () => {
  it("a page is enriched with what is set now, and only facts that differ are stored, for the order that was read", async () => {
    const pages: unknown[] = [];
    const { ports, stored, asked } = setUp({
      list: (org, page) => {
        pages.push([org, page]);
        const rows = [transaction("a", "h"), transaction("b", null)];
        return Promise.resolve({ rows, next: { createdAt: 5, tie: "order b" } });
      },
      enrich: (_org, items, settings) => {
        asked.push(settings, ...items.map((item) => item.accountType));
        return Promise.resolve(['{"old":true}', '{"new":true}']);
      },
    });
    expect(await advanceReapplication(ports, begun)).toMatchObject({
      status: "running",
      progress: 2,
      changed: 1,
    });
    // From the newest transaction, also where that is newer than the reapplication: clocks differ.
    expect(pages).toEqual([
      ["o", { createdAfter: null, createdBefore: null, after: null, limit: 250 }],
    ]);
    expect(asked).toEqual(["settings of o", "consumer", null]);
    expect(stored).toEqual([
      {
        next: expect.objectContaining({
          after: { createdAt: 5, tie: "order b" },
          updatedAt: 20,
        }) as unknown,
        changes: [
          {
            ...{ id: "b", order: "order b", facts: '{"new":true}' },
            ...{ entryType: "outgoing", currency: "USD" },
          },
        ],
      },
    ]);
  });

  it("a transaction whose holder is being deleted, or that cannot be enriched, stays as it is", async () => {
    const { ports, stored } = setUp({
      list: () =>
        Promise.resolve({ rows: [transaction("a", "gone"), transaction("b", "h")], next: null }),
      enrich: (_org, items) => Promise.resolve(items.map(() => null)),
    });
    expect(await advanceReapplication(ports, begun)).toMatchObject({
      status: "completed",
      changed: 0,
    });
    expect(stored[0]?.changes).toEqual([]);
  });

  it("a transaction that is corrected while its page is enriched has the new facts too, with what was decided", async () => {
    const seen = transaction("a", "h");
    const [corrected, submitted] = [
      { ...seen, order: "order a1", override: { location: null } },
      { ...transaction("b", "h"), order: "order b1", createdAt: 6 },
    ];
    const asked: unknown[] = [];
    const { ports, stored } = setUp({
      list: () => Promise.resolve({ rows: [seen, transaction("b", "h")], next: null }),
      getTransactions: (_org, ids) =>
        Promise.resolve([corrected, submitted].filter(({ input }) => ids.includes(input.id))),
      enrich: (_org, items) => {
        asked.push(items.map(({ override }) => override ?? null));
        return Promise.resolve(items.map(() => '{"new":true}'));
      },
    });
    expect(await advanceReapplication(ports, begun)).toMatchObject({ progress: 2, changed: 2 });
    // Of the submission that came meanwhile nothing is left to do: it has the facts of the new settings.
    expect(asked).toEqual([[null, null], [{ location: null }]]);
    expect(stored[0]?.changes.map(({ order }) => order)).toEqual([
      "order a",
      "order b",
      "order a1",
    ]);
  });

  it("pages are processed oldest first, and one that another process claimed is skipped", async () => {
    const claims = [
      { ...begun, progress: 250, after: { createdAt: 7, tie: "x" } },
      { ...begun, id: "taken" },
      { ...begun, id: "other", org: "p" },
    ];
    const nothingLeft = Promise.withResolvers<undefined>();
    const afters: unknown[] = [];
    const { ports, stored } = setUp({
      claim: () => {
        const claimed = claims.shift() ?? null;
        if (claimed === null) nothingLeft.resolve(undefined);
        return Promise.resolve(claimed);
      },
      list: (_org, { after }) => {
        afters.push(after);
        const next = afters.length === 3 ? null : { createdAt: 6, tie: "y" };
        return Promise.resolve({ rows: [transaction("a", null)], next });
      },
    });
    const storeProgress: typeof ports.storeProgress = (next, nowMs) =>
      next.id === "taken" ? Promise.resolve(false) : ports.storeProgress(next, nowMs);
    const reapplier = startReapplying({ ...ports, storeProgress });
    reapplier.wake();
    await nothingLeft.promise;
    await reapplier.close();
    expect(afters).toEqual([{ createdAt: 7, tie: "x" }, null, null]);
    expect(stored.map(({ next }) => [next.org, next.progress, next.status])).toEqual([
      ["o", 251, "running"],
      ["p", 1, "completed"],
    ]);
  });

  it("a page that takes minutes is done once, and by another process only when the first one is dead", async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const claim = { holder: "", untilMs: 0, isStored: false };
    const enriched: string[] = [];
    const processOf = (holder: string, isDead: () => boolean = () => false) =>
      startReapplying({
        ...setUp().ports,
        nowMs: Date.now,
        claim: (nowMs, untilMs) => {
          if (claim.isStored || claim.untilMs > nowMs || isDead()) return Promise.resolve(null);
          Object.assign(claim, { holder, untilMs });
          return Promise.resolve(begun);
        },
        renew: (_claimed, untilMs) => {
          const isHeld = claim.holder === holder && !isDead();
          if (isHeld) claim.untilMs = untilMs;
          return Promise.resolve(isHeld);
        },
        list: () => Promise.resolve({ rows: [transaction("a", null)], next: null }),
        enrich: async () => {
          enriched.push(holder);
          // By the fake clock.
          await new Promise((resolve) => setTimeout(resolve, 100_000));
          return [null];
        },
        storeProgress: () => {
          if (claim.holder !== holder || isDead()) return Promise.resolve(false);
          claim.isStored = true;
          return Promise.resolve(true);
        },
      });
    const [dying, second, third] = [
      processOf("dying", () => Date.now() - startedAtMs > 50_000),
      processOf("second"),
      processOf("third"),
    ];
    const startedAtMs = Date.now();
    dying.wake();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(claim.isStored).toBe(true);
    expect(enriched).toHaveLength(2);
    expect(enriched[0]).toBe("dying");
    await Promise.all([dying.close(), second.close(), third.close()]);
  });

  it("a failure is reported, and the next look goes on", async () => {
    let tries = 0;
    const looked = Promise.withResolvers<undefined>();
    const { ports, failures } = setUp({
      claim: () => {
        tries += 1;
        if (tries === 1) return Promise.reject(new Error("away"));
        looked.resolve(undefined);
        return Promise.resolve(null);
      },
    });
    const reapplier = startReapplying(ports);
    reapplier.wake();
    reapplier.wake();
    await looked.promise;
    await reapplier.close();
    expect(failures).toEqual([new Error("away")]);
  });
});
