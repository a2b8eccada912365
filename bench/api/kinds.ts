// The kinds of requests of the mix: four of five read, one writes. Looking up an entity reads, though it is a POST.
import { createRandom } from "../../test/support/random.ts";
import { createSource } from "../calls.ts";
import { createHolders, HOLDERS } from "../distributed/installation.ts";
import { fill, type Installation } from "./installation.ts";

export interface Call {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

export interface Kind {
  readonly name: string;
  /** Of a hundred requests. */
  readonly share: number;
  call(): Call;
}

export interface Contents {
  readonly batches: number;
  readonly batchLength: number;
}

const WEBHOOKS = 10;
/** Events that nothing here causes: these webhooks are changed and never called. */
const EVENTS = [["batches.error"], ["batches.error", "reports.rejected"]] as const;
const SEED = 7;

/** Stores test data in a new installation and returns the requests to measure. */
export async function prepareKinds(
  installation: Installation,
  { batches, batchLength }: Contents,
  names: readonly string[],
): Promise<readonly Kind[]> {
  const { client } = installation;
  const random = createRandom(SEED);
  await createHolders(client);
  const source = createSource(HOLDERS, transactionId);
  const stored = batches * batchLength;
  const batchIds = await fill(installation, source, stored, batchLength);
  const webhookIds: string[] = [];
  for (let index = 0; index < WEBHOOKS; index += 1) {
    const input = { url: `https://example.com/${String(index)}`, events: EVENTS[0] };
    const { body } = await client.post("/v3/webhooks", JSON.stringify(input));
    webhookIds.push((JSON.parse(body.toString("utf8")) as { id: string }).id);
  }
  let changes = 0;
  let holders = 0;
  return [
    {
      name: "list transactions of a holder",
      share: 20,
      call: () => get(`/v3/transactions?account_holder_id=${random.pick(HOLDERS)}`),
    },
    {
      name: "get transaction",
      share: 25,
      call: () => get(`/v3/transactions/${transactionId(random.integer(1, stored))}`),
    },
    { name: "get batch", share: 10, call: () => get(`/v3/batches/${random.pick(batchIds)}`) },
    { name: "list account holders", share: 5, call: () => get("/v3/account_holders") },
    {
      name: "get categories",
      share: 5,
      call: () => get(`/v3/categories/${random.pick(["consumer", "business"])}`),
    },
    { name: "get rules", share: 5, call: () => get("/v3/rules") },
    {
      name: "resolve entity",
      share: 10,
      call: () => send("POST", "/v3/entities/resolve", { name: random.pick(names) }),
    },
    {
      name: "enrich transaction",
      share: 15,
      call: () => send("POST", "/v3/transactions", source.transactions(1)[0]),
    },
    {
      name: "change webhook",
      share: 2,
      call: () => {
        changes += 1;
        const events = EVENTS[changes % EVENTS.length];
        return send("PATCH", `/v3/webhooks/${random.pick(webhookIds)}`, { events });
      },
    },
    {
      name: "create account holder",
      share: 3,
      call: () => {
        holders += 1;
        return send("POST", "/v3/account_holders", {
          id: `new-${String(holders)}`,
          type: "consumer",
        });
      },
    },
  ];
}

const get = (path: string): Call => ({ method: "GET", path });

const send = (method: "POST" | "PATCH", path: string, body: unknown): Call => ({
  method,
  path,
  body: JSON.stringify(body),
});

const transactionId = (index: number): string => `bench-${String(index)}`;
