// npm run bench:versions -- [--quick] [--distributed] [--out FILE]
// What the v2 API costs next to the v3 API, in one run and in turn: the same transactions by a synchronous call of v2 with 4,000 and
// by a batch of v3 with 4,000, and by a batch of 24,960 of each, each from the first byte of the request to the last byte of its
// results. Without recurrence, which v3 does not have in its results. --distributed: on Kafka, a schema registry and MongoDB.
import { setTimeout as delay } from "node:timers/promises";
import { createLines, type WireTransaction } from "../test/support/lines.ts";
import { BATCH_MAX, type Installation, openDistributed, openEmbedded } from "./api/installation.ts";
import { openServices } from "./distributed/services.ts";
import { readOptions } from "./options.ts";
import { processSeconds } from "./process-usage.ts";
import {
  ascending,
  describeMachine,
  percent,
  percentile,
  printTable,
  type Row,
  row,
  writeReport,
} from "./table.ts";

const options = readOptions({ distributed: { type: "boolean", default: false } });
const ROUNDS = options.quick ? 3 : 9;
const SYNC_MAX = 4_000;
const HOLDERS = 100;
const SEED = 1;
/** What v2 may cost more. */
const GOAL = { kind: "max", value: 15 } as const;

interface Cost {
  readonly ms: number;
  /** Processor time of the service. */
  readonly seconds: number;
}

type Way = (installation: Installation, transactions: readonly WireTransaction[]) => Promise<void>;

const v2Item = ({ id, currency, ...rest }: WireTransaction): object => ({
  ...rest,
  transaction_id: id,
  iso_currency_code: currency,
});

/** Looks at a batch until it has ended. */
async function follow({ client, pauseMs }: Installation, id: string): Promise<void> {
  for (let status = ""; status !== "completed"; ) {
    const { body } = await client.get(`/v3/batches/${id}`);
    ({ status } = JSON.parse(body.toString()) as { status: string });
    if (status !== "completed") await delay(pauseMs);
  }
}

const idOf = (body: Buffer): string => (JSON.parse(body.toString()) as { id: string }).id;

const v3Batch: Way = async (installation, data) => {
  const { client } = installation;
  const body = JSON.stringify({ operation: "POST /v3/transactions", data });
  const id = idOf((await client.post("/v3/batches", body)).body);
  await follow(installation, id);
  await client.get(`/v3/batches/${id}/results`);
};

const v2Batch: Way = async (installation, transactions) => {
  const { client } = installation;
  const body = JSON.stringify(transactions.map(v2Item));
  const id = idOf((await client.post("/v2/transactions/async", body)).body);
  await follow(installation, id);
  await client.get(`/v2/transactions/async/${id}?with_recurrence=false`);
};

const v2Sync: Way = async ({ client }, transactions) => {
  const body = JSON.stringify(transactions.map(v2Item));
  await client.post("/v2/transactions/sync?with_recurrence=false", body);
};

async function costOf(
  installation: Installation,
  way: Way,
  transactions: readonly WireTransaction[],
): Promise<Cost> {
  const secondsBefore = processSeconds(installation.pid) ?? NaN;
  const startMs = performance.now();
  await way(installation, transactions);
  const ms = performance.now() - startMs;
  return { ms, seconds: (processSeconds(installation.pid) ?? NaN) - secondsBefore };
}

const middle = (numbers: readonly number[]): number => percentile(ascending(numbers), 0.5);

async function compare(
  installation: Installation,
  name: string,
  length: number,
  [v2, v3]: readonly [Way, Way],
): Promise<Row[]> {
  const next = createLines(SEED);
  const make = (prefix: string): WireTransaction[] =>
    Array.from({ length }, (_, index) => ({
      ...next(),
      id: `${prefix}-${String(index)}`,
      account_holder_id: `h${String(index % HOLDERS)}`,
    }));
  // The first of each is the compiler's.
  await costOf(installation, v2, make(`${name}-v2`));
  await costOf(installation, v3, make(`${name}-v3`));
  const costs: (readonly [Cost, Cost])[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [of2, of3] = [`${name}-v2-${String(round)}`, `${name}-v3-${String(round)}`];
    // In turn, so that neither is always the first.
    if (round % 2 === 0) {
      const cost2 = await costOf(installation, v2, make(of2));
      costs.push([cost2, await costOf(installation, v3, make(of3))]);
    } else {
      const cost3 = await costOf(installation, v3, make(of3));
      costs.push([await costOf(installation, v2, make(of2)), cost3]);
    }
  }
  return [
    row(`${name}: v2`, middle(costs.map(([cost]) => cost.ms)), "ms"),
    row(`${name}: v3`, middle(costs.map(([, cost]) => cost.ms)), "ms"),
    row(`${name}: more time`, percent(middle(costs.map(([a, b]) => a.ms / b.ms)) - 1), "%", GOAL),
    row(
      `${name}: more processor time`,
      percent(middle(costs.map(([a, b]) => a.seconds / b.seconds)) - 1),
      "%",
    ),
  ];
}

async function measure(installation: Installation): Promise<Row[]> {
  const { client, close } = installation;
  try {
    for (let index = 0; index < HOLDERS; index += 1)
      await client.post(
        "/v3/account_holders",
        JSON.stringify({ id: `h${String(index)}`, type: "consumer" }),
      );
    return [
      ...(await compare(installation, "4,000", SYNC_MAX, [v2Sync, v3Batch])),
      ...(await compare(installation, "24,960", BATCH_MAX, [v2Batch, v3Batch])),
    ];
  } finally {
    await close();
  }
}

async function measureDistributed(): Promise<Row[]> {
  const services = await openServices();
  try {
    return await measure(await openDistributed(services)("versions"));
  } finally {
    await services.stop();
  }
}

const machine = describeMachine();
process.stdout.write(`${JSON.stringify(machine)}\n`);
const rows = options.distributed ? await measureDistributed() : await measure(await openEmbedded());
printTable(rows);
if (options.out !== undefined) writeReport(options.out, machine, rows);
