import { describe, expect, it } from "vitest";
import type { BatchHead } from "../domain/batch.ts";
import { createBatchAdmission } from "./batch-admission.ts";

/** Batches of four chunks, 1 000 transactions; what each organization has waiting is made up. */
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
  return { state, admit: (org: string) => admission.admit(head(org)) };
}

describe("batch admission", () => {
  it("one organization gets half of what may wait, and others are accepted beside it", async () => {
    const unfinished: Record<string, number> = {};
    const { admit, state } = setUp(unfinished);
    const acceptAll = async (org: string): Promise<number> => {
      for (let count = 0; ; count += 1) {
        const admitted = await admit(org).catch(() => null);
        if (admitted === null) return count;
        state.pending += 4;
        unfinished[org] = (unfinished[org] ?? 0) + 1_000;
        admitted.release();
      }
    };
    expect([await acceptAll("a"), await acceptAll("b"), await acceptAll("c")]).toEqual([5, 3, 1]);
    expect(state.pending).toBeLessThanOrEqual(40);
  });

  it("an organization whose transactions are expensive is refused by their thread time, with a reason", async () => {
    const { admit, state } = setUp({ slow: 2_000, fast: 2_000 }, { slow: 4, fast: 0.02 });
    state.pending = 16;
    await expect(admit("slow")).rejects.toMatchObject({
      code: "overloaded",
      message: expect.stringContaining("2000 transactions of this organization") as unknown,
    });
    expect((await admit("fast")).waitingRecords).toBe(8);
  });

  it("a single batch is accepted however expensive it is, and what never ends counts no more than is in the log", async () => {
    const { admit, state } = setUp({ lost: 1_000_000 }, { slow: 100, lost: 100 });
    expect((await admit("slow")).waitingRecords).toBe(0);
    expect((await admit("lost")).waitingRecords).toBe(0);
    state.pending = 20;
    await expect(admit("lost")).rejects.toMatchObject({ code: "overloaded" });
  });

  it("batches that are being published at the same time count for each other", async () => {
    const { admit, state } = setUp({}, { slow: 4 });
    state.pending = 8;
    const [first, second] = [await admit("slow"), await admit("slow")];
    await expect(admit("slow")).rejects.toMatchObject({ code: "overloaded" });
    first.release();
    second.release();
    await admit("slow");
  });
});
