// The process as an operator meets it: one per data folder, orderly ends, keys from the command line.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { LedgerlineError } from "../../src/shared/errors.ts";
import { createIngest } from "../../src/ingest/ingest.ts";
import {
  answered,
  type BatchResource,
  createClient,
  type Enriched,
  type Outcome,
  type StoredTransaction,
} from "../support/client.ts";
import { createLines, type WireTransaction } from "../support/lines.ts";
import { until } from "../support/poll.ts";
import {
  type ProcessOptions,
  type ServiceProcess,
  spawnProcess,
  startProcess,
} from "../support/process.ts";
import { temporaryFolder } from "../support/service.ts";

/** A process that does not outlive its test. */
async function start(options: ProcessOptions): Promise<ServiceProcess> {
  const service = await startProcess(options);
  onTestFinished(async () => {
    service.kill("SIGKILL");
    await service.exited;
  });
  return service;
}

interface Finished {
  readonly code: number | null;
  readonly output: string;
}

async function runCommand(dataFolder: string, args: readonly string[]): Promise<Finished> {
  const command = spawnProcess({ dataFolder, args });
  const { code } = await command.exited;
  return { code, output: command.output() };
}

function secretIn(output: string): string {
  const found = /ll_\w+/.exec(output)?.[0];
  if (found === undefined) throw new Error(`No key in: ${output}`);
  return found;
}

const transactions = (prefix: string, count: number, seed = 3): WireTransaction[] => {
  const next = createLines(seed);
  return Array.from({ length: count }, (_, index) => ({
    id: `${prefix}-${String(index)}`,
    ...next(),
  }));
};

const completed = (client: ReturnType<typeof createClient>, id: string): Promise<BatchResource> =>
  until(`batch ${id} is completed`, async () => {
    const batch = answered(await client.getBatch(id), 200);
    return batch.status === "completed" ? batch : null;
  });

/** Whether a file of the folder, at any depth, contains these words. */
const hasFileWith = (folder: string, words: string): boolean =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).some(
    (file) => file.isFile() && readFileSync(join(file.parentPath, file.name)).includes(words),
  );

it("a process that is killed as soon as it listens leaves its compiled code to the next one, and that of its threads", async () => {
  const folder = temporaryFolder();
  const env = { NODE_COMPILE_CACHE: folder };
  const service = await start({ dataFolder: temporaryFolder(), env });
  service.kill("SIGKILL");
  await service.exited;
  expect(hasFileWith(folder, "Ledgerline listens on")).toBe(true);
  expect(hasFileWith(folder, "The thread was started without its setup.")).toBe(true);
});

describe("a data folder", () => {
  it("a second service on the same folder reports it and exits, the first goes on", async () => {
    const dataFolder = temporaryFolder();
    const first = await start({ dataFolder });
    const client = createClient(first.url);
    const [one, two] = transactions("t", 2) as [WireTransaction, WireTransaction];
    answered(await client.enrich(one), 200);
    const second = await runCommand(dataFolder, ["serve"]);
    expect(second.code).toBe(1);
    expect(second.output).toContain(`Another Ledgerline already runs on the data folder`);
    expect(second.output).toContain(dataFolder);
    answered(await client.getTransaction(one.id), 200);
    answered(await client.enrich(two), 200);
  });

  it("can be opened again right after kill -9, as often as one likes", async () => {
    const dataFolder = temporaryFolder();
    for (const [index, one] of transactions("t", 3).entries()) {
      const service = await start({ dataFolder });
      const client = createClient(service.url);
      answered(await client.enrich(one), 200);
      const stored = await client.listAll<StoredTransaction>("/v3/transactions");
      expect(stored).toHaveLength(index + 1);
      service.kill("SIGKILL");
      await service.exited;
    }
  });

  it("started on by two at the same moment is served by exactly one", async () => {
    const dataFolder = temporaryFolder();
    const both = [spawnProcess({ dataFolder }), spawnProcess({ dataFolder })];
    onTestFinished(() => {
      for (const one of both) one.kill("SIGKILL");
    });
    const urls = await Promise.all(both.map((one) => one.listening));
    const outputs = both.map((one) => one.output()).join("\n--- the other:\n");
    expect(
      urls.filter((url) => url !== null),
      outputs,
    ).toHaveLength(1);
    const loser = both[urls.indexOf(null)];
    expect((await loser?.exited)?.code).toBe(1);
    expect(loser?.output()).toContain("Another Ledgerline already runs");
  });
});

describe("SIGTERM under load", () => {
  it("ends the process with 0; running calls are answered; nothing accepted is lost", async () => {
    const dataFolder = temporaryFolder();
    const service = await start({ dataFolder });
    const client = createClient(service.url);
    const accepted = answered(await client.submitBatch(transactions("batch", 20_000)), 200);
    const sent = transactions("single", 64, 5);
    const calls = sent.map((one) => client.enrich(one));
    // The calls are in flight when the first of them is answered.
    await Promise.race(calls);
    service.kill("SIGTERM");
    const outcomes: Outcome<Enriched>[] = await Promise.all(calls);
    const { code, signal } = await service.exited;
    expect({ code, signal }, service.output()).toEqual({ code: 0, signal: null });
    // A call that had not reached the service may be refused, but none that it took is cut off.
    const answers = outcomes.filter((outcome) => outcome.kind === "answered");
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.every((answer) => answer.status === 200)).toBe(true);

    const again = await start({ dataFolder });
    const after = createClient(again.url);
    expect(await completed(after, accepted.id)).toMatchObject({ progress: 20_000 });
    for (const [index, outcome] of outcomes.entries()) {
      const id = sent[index]?.id ?? "";
      if (outcome.kind === "answered") answered(await after.getTransaction(id), 200);
    }
    expect(answered(await after.results(accepted.id), 200).results).toHaveLength(20_000);
  });

  it("does not wait for idle connections, and the log is empty when the backlog was done", async () => {
    const dataFolder = temporaryFolder();
    const service = await start({ dataFolder });
    const client = createClient(service.url);
    const { id } = answered(await client.submitBatch(transactions("t", 500)), 200);
    await completed(client, id);
    service.kill("SIGTERM");
    expect((await service.exited).code).toBe(0);
    const database = new DatabaseSync(join(dataFolder, "ledgerline.db"), { readOnly: true });
    expect(database.prepare("SELECT count(*) AS n FROM log_records").get()?.["n"]).toBe(0);
    database.close();
  });

  it("while the service starts ends it with 0, or at once when it had not begun to listen to signals", async () => {
    const dataFolder = temporaryFolder();
    const starting = spawnProcess({ dataFolder, env: { LOG_LEVEL: "info" } });
    await until("the lock is taken", () =>
      existsSync(join(dataFolder, "ledgerline.lock")) ? true : null,
    );
    starting.kill("SIGTERM");
    const { code, signal } = await starting.exited;
    expect(code === 0 || signal === "SIGTERM", starting.output()).toBe(true);
    answered(await createClient((await start({ dataFolder })).url).call("GET", "/v3/batches"), 200);
  });
});

describe("a failure inside the service", () => {
  it("leaves no timer behind that would keep the process alive after it has stopped", async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const ingest = createIngest({
      publish: () => Promise.reject(new LedgerlineError("unavailable", "The disk is full.")),
      pending: () => 0,
      replyAddress: "local",
      onReply: () => undefined,
      insertBatch: () => Promise.resolve(),
      unfinished: () => Promise.resolve(0),
      threadMsPerTransaction: () => 0,
      nowMs: () => 0,
      newId: () => "id",
    });
    const input = {
      id: "t",
      description: "ANY",
      date: "2026-01-01",
      amount: 1,
      entryType: "outgoing",
      currency: "USD",
      accountHolderId: null,
      location: null,
    } as const;
    await expect(ingest.enrichOne("org", "request", input)).rejects.toThrow("disk is full");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is logged without the words of errors that are not ours: they may quote the payload", async () => {
    const dataFolder = temporaryFolder();
    const service = await start({ dataFolder });
    const client = createClient(service.url);
    answered(await client.createHolder("h", "consumer"), 200);
    const file = new DatabaseSync(join(dataFolder, "ledgerline.db"));
    file.exec(
      "CREATE TRIGGER fault BEFORE UPDATE ON store_holders BEGIN SELECT RAISE(ABORT, 'QUOTED'); END",
    );
    file.close();
    answered(await client.deleteHolder("h"), 500);
    service.kill("SIGTERM");
    await service.exited;
    expect(service.output()).toContain("request failed");
    expect(service.output()).not.toContain("QUOTED");
  });
});

describe("the keys of the command line", () => {
  const create = ["keys", "create", "--organization", "acme", "--role", "read", "write"];

  it("`keys create` and `keys revoke` take effect at once on a running service", async () => {
    const dataFolder = temporaryFolder();
    const service = await start({ dataFolder });
    const made = await runCommand(dataFolder, create);
    expect(made.code, made.output).toBe(0);
    const secret = secretIn(made.output);
    const client = createClient(service.url, secret);
    answered(await client.enrich(transactions("t", 1)[0] as WireTransaction), 200);
    expect(await client.listAll("/v3/transactions")).toHaveLength(1);
    // Another organization's: the key of the environment does not see it.
    expect(await createClient(service.url).listAll("/v3/transactions")).toHaveLength(0);

    const revoked = await runCommand(dataFolder, ["keys", "revoke", secret.split("_")[1] ?? ""]);
    expect(revoked.code, revoked.output).toBe(0);
    answered(await client.call("GET", "/v3/transactions"), 401);
    const again = await runCommand(dataFolder, ["keys", "revoke", secret.split("_")[1] ?? ""]);
    expect(again.code).toBe(1);
  });

  it("`keys create` without a service, on a folder that does not exist yet, gives a key for the service to come", async () => {
    const dataFolder = join(temporaryFolder(), "not", "yet");
    const made = await runCommand(dataFolder, create);
    expect(made.code, made.output).toBe(0);
    const service = await start({ dataFolder, env: { LEDGERLINE_API_KEY: "" } });
    // There is a key already, so that none is made and shown.
    expect(service.output()).not.toContain("first API key");
    const client = createClient(service.url, secretIn(made.output));
    answered(await client.call("GET", "/v3/transactions"), 200);
    const listed = await runCommand(dataFolder, ["keys", "list"]);
    expect(listed.output).toContain("acme");
    expect(listed.output).not.toContain(secretIn(made.output));
  });

  it("work while batches are being written, and neither side is refused", async () => {
    const dataFolder = temporaryFolder();
    const service = await start({ dataFolder });
    const client = createClient(service.url);
    const { id } = answered(await client.submitBatch(transactions("t", 24_960)), 200);
    const made = await Promise.all([1, 2, 3].map(() => runCommand(dataFolder, create)));
    for (const one of made) expect(one.code, one.output).toBe(0);
    await completed(client, id);
    for (const one of made) {
      const keyed = createClient(service.url, secretIn(one.output));
      answered(await keyed.call("GET", "/v3/batches"), 200);
    }
  });

  it("the first start without any key makes one, shows it once, and it survives kill -9", async () => {
    const dataFolder = temporaryFolder();
    const env = { LEDGERLINE_API_KEY: "" };
    const first = await start({ dataFolder, env });
    const secret = secretIn(first.output());
    answered(await createClient(first.url, secret).call("GET", "/v3/batches"), 200);
    first.kill("SIGKILL");
    await first.exited;
    const second = await start({ dataFolder, env });
    expect(second.output()).not.toContain("ll_");
    answered(await createClient(second.url, secret).call("GET", "/v3/batches"), 200);
  });
});
