// The order of acceptance decides what is in the ledger, also when the log is behind, when something is deleted
// meanwhile, and when the process is killed before it has noted what it did.
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { answered, type Client, createClient, type StoredTransaction } from "../support/client.ts";
import { createLines, type WireTransaction } from "../support/lines.ts";
import { until } from "../support/poll.ts";
import { startProcess } from "../support/process.ts";
import { startService, temporaryFolder } from "../support/service.ts";

const BACKLOG = 24_960;
const DAY_MS = 86_400_000;

function transaction(id: string, description: string, holder: string | null): WireTransaction {
  return { id, ...createLines(11)(), description, account_holder_id: holder };
}

/** A batch whose last transaction is `last`: the log needs a while to get to it. */
function backlog(last: WireTransaction): WireTransaction[] {
  const next = createLines(12);
  const filler = Array.from({ length: BACKLOG - 1 }, (_, index) => ({
    id: `filler-${String(index)}`,
    ...next(),
  }));
  return [...filler, last];
}

const completed = (client: Client, id: string): Promise<true> =>
  until(`batch ${id} is completed`, async () =>
    answered(await client.getBatch(id), 200).status === "completed" ? true : null,
  );

describe("a submission that is still in the log", () => {
  it("does not come back when a later one of its id has been deleted with its account holder", async () => {
    const { client } = await startService();
    answered(await client.createHolder("old", "consumer"), 200);
    answered(await client.createHolder("new", "consumer"), 200);
    const batch = answered(
      await client.submitBatch(backlog(transaction("t", "FIRST", "old"))),
      200,
    );
    answered(await client.enrich(transaction("t", "SECOND", "new")), 200);
    answered(await client.deleteHolder("new"), 204);
    expect(answered(await client.getBatch(batch.id), 200).status).toBe("processing");
    await completed(client, batch.id);
    expect((await client.getTransaction("t")) as object).toMatchObject({ status: 404 });
  });

  it("does not lose against an assignment that was made from what it replaces", async () => {
    const { client } = await startService();
    answered(await client.createHolder("a", "consumer"), 200);
    answered(await client.createHolder("b", "consumer"), 200);
    answered(await client.enrich(transaction("t", "FIRST", "a")), 200);
    const { id } = answered(
      await client.submitBatch(backlog(transaction("t", "SECOND", "a"))),
      200,
    );
    const assigned = await client.assign("t", "b");
    await completed(client, id);
    const stored = answered(await client.getTransaction("t"), 200);
    expect(assigned.kind).toBe("answered");
    expect(stored.description).toBe("SECOND");
  });

  it("does not win against a later one, nor come back after that one was deleted", async () => {
    const { client } = await startService();
    const first = await client.submitBatch(backlog(transaction("t", "FIRST", null)));
    answered(await client.enrich(transaction("t", "SECOND", null)), 200);
    answered(await client.deleteTransaction("t"), 204);
    await completed(client, answered(first, 200).id);
    expect((await client.getTransaction("t")) as object).toMatchObject({ status: 404 });
  });
});

describe("kill -9 right after an answer", () => {
  it("brings no earlier submission of an id back whose later one was deleted with its account holder", async () => {
    const dataFolder = temporaryFolder();
    const service = await startProcess({ dataFolder });
    const client = createClient(service.url);
    answered(await client.createHolder("old", "consumer"), 200);
    answered(await client.createHolder("new", "consumer"), 200);
    answered(await client.enrich(transaction("t", "FIRST", "old")), 200);
    answered(await client.enrich(transaction("t", "SECOND", "new")), 200);
    answered(await client.deleteHolder("new"), 204);
    service.kill("SIGKILL");
    await service.exited;
    const again = await startProcess({ dataFolder });
    onTestFinished(() => {
      again.kill("SIGKILL");
    });
    const after = createClient(again.url);
    // The next answer comes after every redelivered record.
    answered(await after.enrich(transaction("other", "OTHER", null)), 200);
    expect((await after.getTransaction("t")) as object).toMatchObject({ status: 404 });
  });
});

describe("a deletion of an account holder", () => {
  it("that failed half-way is finished by asking again", async () => {
    const { client, dataFolder } = await startService();
    answered(await client.createHolder("h", "consumer"), 200);
    answered(await client.enrich(transaction("t", "ANY", "h")), 200);
    const file = new DatabaseSync(join(dataFolder, "ledgerline.db"));
    onTestFinished(() => {
      file.close();
    });
    file.exec(
      "CREATE TRIGGER fault BEFORE DELETE ON store_transactions BEGIN SELECT RAISE(ABORT, 'fault'); END",
    );
    file.exec(
      "CREATE TRIGGER fault_too BEFORE UPDATE ON store_transactions BEGIN SELECT RAISE(ABORT, 'fault'); END",
    );
    expect((await client.deleteHolder("h")) as object).toMatchObject({ status: 500 });
    file.exec("DROP TRIGGER fault; DROP TRIGGER fault_too");
    await client.deleteHolder("h");
    expect((await client.getTransaction("t")) as object).toMatchObject({ status: 404 });
    expect(await client.listAll("/v3/transactions")).toEqual([]);
    answered(await client.createHolder("h", "business"), 200);
  });
});

describe("an idempotency key", () => {
  it("that is used for another batch after its 24 hours accepts that batch", async () => {
    let nowMs = Date.parse("2026-01-01T00:00:00Z");
    const { client } = await startService({ clock: () => nowMs, monotonicClock: () => nowMs });
    const first = answered(
      await client.submitBatch([transaction("one", "FIRST", null)], "key"),
      200,
    );
    await completed(client, first.id);
    nowMs += DAY_MS + 1_000;
    const second = answered(
      await client.submitBatch([transaction("two", "SECOND", null)], "key"),
      200,
    );
    await completed(client, second.id);
    const { results } = answered(await client.results(second.id), 200);
    expect(results.map((result) => result.id)).toEqual(["two"]);
    expect(answered(await client.getTransaction("two"), 200).description).toBe("SECOND");
  });
});

describe("a walk through the list of transactions", () => {
  it("does not skip one that is assigned to another account holder meanwhile", async () => {
    const { client } = await startService();
    answered(await client.createHolder("a", "consumer"), 200);
    const sent = Array.from({ length: 9 }, (_, index) =>
      transaction(`t-${String(index)}`, "ANY", null),
    );
    const { id } = answered(await client.submitBatch(sent), 200);
    await completed(client, id);
    interface ListPage {
      readonly next_cursor: string | null;
      readonly data: readonly StoredTransaction[];
    }
    const page = async (cursor: string): Promise<ListPage> =>
      answered(await client.call<ListPage>("GET", `/v3/transactions?limit=3${cursor}`), 200);
    const first = await page("");
    const seen = first.data.map((row) => row.id);
    const notSeen = sent.map((one) => one.id).filter((one) => !seen.includes(one));
    answered(await client.assign(notSeen[0] ?? "", "a"), 200);
    for (let next = first.next_cursor; next !== null; ) {
      const more = await page(`&cursor=${next}`);
      seen.push(...more.data.map((row) => row.id));
      next = more.next_cursor;
    }
    expect(seen.toSorted()).toEqual(sent.map((one) => one.id));
  });
});
