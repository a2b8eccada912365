// The first corrections of an organization against submissions of the same transactions and kill -9: a chunk that is being
// enriched was read before them. CHAOS_SEED repeats the choices of a run, not its timing.
import { expect, it } from "vitest";
import { answered, type Client, createClient } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { until } from "../support/poll.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import { createRandom, type Random } from "../support/random.ts";
import { temporaryFolder } from "../support/service.ts";

const ROUNDS = Number(process.env["CHAOS_ROUNDS"] ?? 4);
const SEED = Number(process.env["CHAOS_SEED"] ?? Math.floor(Math.random() * 1_000_000));
const IDS = Array.from({ length: 24 }, (_, index) => `t${String(index)}`);

const submission = (id: string) => coffee(id, { account_holder_id: "h" });
const nameOf = (id: string): string => `Corner Shop ${id}`;

/** Submits the transactions again and again, alone and in batches, until the signal. */
async function submitAgain(client: Client, random: Random, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    if (random.chance(0.3)) await client.submitBatch(IDS.map(submission));
    else await client.enrich(submission(random.pick(IDS)));
  }
}

async function complete(client: Client): Promise<void> {
  const { id } = answered(await client.submitBatch(IDS.map(submission)), 200);
  await until("the batch is completed", async () =>
    answered(await client.getBatch(id), 200).status === "completed" ? true : null,
  );
}

/** Ids of transactions whose correction was acknowledged before the process was killed. */
async function correctUntilKilled(
  service: ServiceProcess,
  client: Client,
  random: Random,
): Promise<ReadonlySet<string>> {
  const acknowledged = new Set<string>();
  const ended = new AbortController();
  const target = random.integer(1, IDS.length - 1);
  const correct = async (id: string): Promise<void> => {
    const path = `/v2/account-holder/h/transactions/${id}`;
    const answer = await client.call("PUT", path, { merchant: nameOf(id) });
    if (answer.kind === "answered" && answer.status === 200) acknowledged.add(id);
    if (acknowledged.size >= target) {
      service.kill("SIGKILL");
      ended.abort();
    }
  };
  const submitting = [1, 2, 3].map(() => submitAgain(client, random, ended.signal));
  for (let from = 0; from < IDS.length && !ended.signal.aborted; from += 6)
    await Promise.all(IDS.slice(from, from + 6).map(correct));
  service.kill("SIGKILL");
  ended.abort();
  await Promise.all([...submitting, service.exited]);
  return acknowledged;
}

it(`of ${String(ROUNDS)} organizations that begin to correct while they submit, none loses a correction to kill -9 (CHAOS_SEED=${String(SEED)})`, async () => {
  const random = createRandom(SEED);
  let corrected = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const dataFolder = temporaryFolder();
    const first = await startProcess({ dataFolder });
    const client = createClient(first.url);
    answered(await client.createHolder("h", "consumer"), 200);
    await complete(client);
    const acknowledged = await correctUntilKilled(first, client, random);
    corrected += acknowledged.size;

    const second = await startProcess({ dataFolder });
    const next = createClient(second.url);
    try {
      // Behind everything that was accepted before the kill.
      await complete(next);
      for (const id of acknowledged) {
        const { entities } = answered(await next.getTransaction(id), 200);
        expect([round, id, entities]).toMatchObject([
          round,
          id,
          { counterparty: { name: nameOf(id) } },
        ]);
      }
    } finally {
      second.kill("SIGKILL");
      await second.exited;
    }
  }
  expect(corrected).toBeGreaterThan(0);
});
