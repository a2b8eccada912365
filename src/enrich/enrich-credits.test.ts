// What records of outside producers cost, and when it is given back.
import { describe, expect, it } from "vitest";
import { requestFor, setUpEnrich } from "../../test/support/enrich-world.ts";

describe("credits of the enrich stage", () => {
  it("a signed record costs a credit for each transaction, and what Ledgerline published costs none again", async () => {
    const { run, runSigned, credits } = setUpEnrich();
    expect(await run(requestFor([null, null]))).toBe("done");
    expect(credits).toEqual([]);
    expect(await runSigned(requestFor([null, null], { origin: "kafka" }))).toBe("done");
    expect(credits).toEqual(["o 2"]);
  });

  it("a record without enough credits is postponed before anything is done", async () => {
    const postponed = { org: "o", waitMs: 700 };
    const { runSigned, work, stored, replies } = setUpEnrich({
      takeCredits: () => Promise.resolve(postponed),
    });
    expect(await runSigned(requestFor([null], { origin: "kafka" }))).toEqual(postponed);
    expect([work, stored, replies]).toEqual([[], [], []]);
  });

  it("a record that could not be stored gets its credits back, so that no attempt costs them again", async () => {
    const { runSigned, credits } = setUpEnrich({
      storeChunk: () => Promise.reject(new Error("the store is away")),
    });
    await expect(runSigned(requestFor([null], { origin: "kafka" }))).rejects.toThrow("away");
    expect(credits).toEqual(["o 1", "given back"]);
  });

  it("a record whose reply could not be sent is paid for once, however often it is tried again", async () => {
    const outcomes = [() => Promise.reject(new Error("the log is away")), () => Promise.resolve()];
    const { runSigned, credits } = setUpEnrich({
      reply: () => outcomes.shift()?.() ?? Promise.resolve(),
    });
    const signed = requestFor([null], { origin: "kafka" });
    await expect(runSigned(signed)).rejects.toThrow("away");
    expect(await runSigned(signed)).toBe("done");
    expect(credits).toEqual(["o 1", "given back", "o 1"]);
  });

  it("a chunk that is stored is paid for, also where its batch could not be ended at once", async () => {
    const { runSigned, credits } = setUpEnrich({
      chunkStored: () => Promise.reject(new Error("the store is away")),
    });
    const chunk = requestFor([null], { origin: "kafka", batchId: "b" });
    await expect(runSigned(chunk)).rejects.toThrow("away");
    expect(credits).toEqual(["o 1"]);
  });

  it("a chunk of a batch that is stored already costs nothing when it is delivered again", async () => {
    const { runSigned, credits } = setUpEnrich({ hasChunk: () => Promise.resolve(true) });
    const chunk = requestFor([null], { origin: "kafka", batchId: "b" });
    expect(await runSigned(chunk)).toBe("done");
    expect(credits).toEqual([]);
  });
});
