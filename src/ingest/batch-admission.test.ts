import { describe, expect, it } from "vitest";
import type { BatchHead } from "../model/batch.ts";
import { createBatchAdmission } from "./batch-admission.ts";

/**
 * Batches of four chunks, 1 000 transactions; the waiting work of each organization is simulated. As in a log, records count as
 * pending from the moment that their publishing starts.
 */
function setUp(
  unfinished: Record<string, number> = {},
  msPerTransaction: Record<string, number> = {},
) {
  const state = { pending: 0 };
  const admission = createBatchAdmission(
    {
      unfinished: (org) => Promise.resolve(unfinished[org] ?? 0),
      pending: () => state.pending,
      threadMsPerTransaction: (org) => msPerTransaction[org] ?? 0,
    },
    { batchRecordsMax: 40, batchThreadMsMax: 10_000 },
  );
  const head = (org: string): BatchHead => {
    return { org, id: "b", total: 1_000, chunkCount: 4, priority: "default", createdAt: 0 };
  };
  /** Starts a batch that stays in publishing until `published` is called. */
  const start = async (
    org: string,
  ): Promise<{ waitingRecords: number; published(): Promise<void> }> => {
    const started = Promise.withResolvers<number>();
    const publishing = Promise.withResolvers<undefined>();
    const admitted = admission.admit(head(org), (waitingRecords) => {
      state.pending += 4;
      started.resolve(waitingRecords);
      return publishing.promise;
    });
    admitted.catch(started.reject);
    const waitingRecords = await started.promise;
    return {
      waitingRecords,
      published: () => {
        publishing.resolve(undefined);
        return admitted;
      },
    };
  };
  return { state, start };
}

describe("batch admission", () => {
  it("one organization gets half of the budget, and others are still accepted", async () => {
    const unfinished: Record<string, number> = {};
    const { start, state } = setUp(unfinished);
    const acceptAll = async (org: string): Promise<number> => {
      for (let count = 0; ; count += 1) {
        const started = await start(org).catch(() => null);
        if (started === null) return count;
        unfinished[org] = (unfinished[org] ?? 0) + 1_000;
        await started.published();
      }
    };
    expect([await acceptAll("a"), await acceptAll("b"), await acceptAll("c")]).toEqual([5, 3, 1]);
    expect(state.pending).toBeLessThanOrEqual(40);
  });

  it("an organization whose transactions are expensive is refused by their thread time, with a reason", async () => {
    const { start, state } = setUp({ slow: 2_000, fast: 2_000 }, { slow: 4, fast: 0.02 });
    state.pending = 16;
    await expect(start("slow")).rejects.toMatchObject({
      code: "overloaded",
      message: expect.stringContaining("2000 transactions of this organization") as unknown,
    });
    expect((await start("fast")).waitingRecords).toBe(8);
  });

  it("a single batch is accepted however expensive it is, and what never ends counts no more than is in the log", async () => {
    const { start, state } = setUp({ lost: 1_000_000 }, { slow: 100, lost: 100 });
    expect((await start("slow")).waitingRecords).toBe(0);
    expect((await start("lost")).waitingRecords).toBe(0);
    state.pending = 20;
    await expect(start("lost")).rejects.toMatchObject({ code: "overloaded" });
  });

  it("batches that are being published count, also while the log was empty before them", async () => {
    const { start } = setUp({}, { slow: 4 });
    const [first, second] = [await start("slow"), await start("slow")];
    expect([first.waitingRecords, second.waitingRecords]).toEqual([0, 4]);
    await expect(start("slow")).rejects.toMatchObject({ code: "overloaded" });
    await Promise.all([first.published(), second.published()]);
    await start("slow");
  });

  it("a burst on an empty log is accepted up to its limits, and others are still accepted", async () => {
    const { start, state } = setUp();
    const acceptedOf = async (org: string): Promise<number> => {
      const burst = await Promise.allSettled(Array.from({ length: 20 }, () => start(org)));
      return burst.filter(({ status }) => status === "fulfilled").length;
    };
    expect([await acceptedOf("a"), await acceptedOf("b"), await acceptedOf("c")]).toEqual([
      5, 3, 1,
    ]);
    expect(state.pending).toBeLessThanOrEqual(40);
  });

  it("a batch counts no more once its publishing has ended and it is done", async () => {
    const { start, state } = setUp({}, { slow: 10 });
    const first = await start("slow");
    await expect(start("slow")).rejects.toMatchObject({ code: "overloaded" });
    state.pending = 0;
    await first.published();
    await start("slow");
  });
});
