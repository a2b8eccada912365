// Both versions of the API show one stored transaction: what is submitted by one is what is submitted by the other, and every
// row of the table that has how their words map is true of 2,000 lines.
import { describe, expect, it } from "vitest";
import { answered, type Client } from "../support/client.ts";
import { readDocument } from "../support/documents.ts";
import { createLines, type WireTransaction } from "../support/lines.ts";
import { until } from "../support/poll.ts";
import { shared, startService } from "../support/service.ts";

const LINES = 2_000;
const SEED = 20_261_124;
const TYPES = ["consumer", "business", "unknown", "freelance"] as const;
/** The account holder of each line in turn; null: none. */
const HOLDERS = [...TYPES.map((type) => `holder-${type}`), null];
const MCCS = [5411, 5814, 4111];
const ADDRESSES = ["Oakland, CA", "12 High Street, Leeds", null];

type Json = Readonly<Record<string, unknown>>;

interface Pair {
  readonly sent: WireTransaction;
  readonly type: (typeof TYPES)[number] | null;
  readonly v2: Json;
  readonly v3: Json;
}

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, key) => (found as Json | null | undefined)?.[key] ?? null, value);
const counterparty = (v3: Json, field: string): unknown =>
  at(v3, "entities", "counterparty", field);
const isPerson = (v3: Json): boolean => counterparty(v3, "type") === "person";

function v2Item(sent: WireTransaction): Json {
  const { id, currency, entry_type: entryType, location, ...rest } = sent;
  return {
    ...rest,
    transaction_id: id,
    iso_currency_code: currency,
    entry_type: entryType === "incoming" ? "credit" : "debit",
    location: location?.raw_address ?? null,
    country: location?.country ?? null,
  };
}

function createSent(prefix: string): WireTransaction[] {
  const next = createLines(SEED);
  return Array.from({ length: LINES }, (_, index) => {
    const address = ADDRESSES[index % ADDRESSES.length] ?? null;
    return {
      ...next(),
      id: `${prefix}-${String(index)}`,
      account_holder_id: HOLDERS[index % HOLDERS.length] ?? null,
      ...(index % 7 === 0 ? { location: { raw_address: address, country: "US" } } : {}),
    };
  });
}

async function byV2(client: Client, sent: readonly WireTransaction[]): Promise<readonly Json[]> {
  const batch = await client.call<{ id: string; status: string }>(
    "POST",
    "/v2/transactions/async",
    sent.map(v2Item),
  );
  const { id, status } = answered(batch, 202);
  expect(status).toBe("started");
  const path = `/v2/transactions/async/${id}?with_recurrence=false`;
  const done = await until("the batch is finished", async () => {
    const found = answered(
      await client.call<{ status: string; results: Json[] }>("GET", path),
      200,
    );
    return found.status === "finished" ? found : null;
  });
  expect(answered(await client.getBatch(id), 200).status).toBe("completed");
  return done.results;
}

async function byV3(client: Client, sent: readonly WireTransaction[]): Promise<readonly Json[]> {
  const { id } = answered(await client.submitBatch(sent), 200);
  const done = await until("the batch is completed", async () => {
    const found = answered(await client.results(id), 200);
    return found.status === "completed" ? found : null;
  });
  return done.results as unknown as readonly Json[];
}

const setUp = shared(async (atEnd) => {
  const { client } = await startService({}, atEnd);
  for (const type of TYPES)
    answered(await client.call("POST", "/v2/account-holder", { id: `holder-${type}`, type }), 200);
  const [sentByV2, sentByV3] = [createSent("v2"), createSent("v3")];
  const v2 = await byV2(client, sentByV2);
  const v3 = await byV3(client, sentByV3);
  const pairs = sentByV2.map((sent, index): Pair => {
    const type = TYPES[index % HOLDERS.length] ?? null;
    return { sent, type, v2: v2[index] ?? {}, v3: v3[index] ?? {} };
  });
  return { client, pairs };
});

/** What each row of the table promises of a pair. */
const ROWS: Readonly<Record<string, (pair: Pair) => readonly (readonly [unknown, unknown])[]>> = {
  "`merchant`, `merchant_id`": ({ v2, v3 }) => [
    [v2["merchant"], isPerson(v3) ? null : counterparty(v3, "name")],
    [v2["merchant_id"], isPerson(v3) ? null : counterparty(v3, "id")],
  ],
  "`person`": ({ v2, v3 }) => [[v2["person"], isPerson(v3) ? counterparty(v3, "name") : null]],
  "`website`, `logo`, `mcc`": ({ v2, v3 }) => [
    [v2["website"], counterparty(v3, "website")],
    [v2["logo"], counterparty(v3, "logo")],
    [v2["mcc"], counterparty(v3, "mccs") ?? []],
  ],
  "`intermediaries`": ({ v2, v3 }) => [
    [
      v2["intermediaries"],
      ((at(v3, "entities", "intermediaries") ?? []) as readonly Json[]).map(
        ({ id, name, website, logo }) => ({ id, name, website, logo }),
      ),
    ],
  ],
  "`labels`": ({ v2, v3, type }) => [
    [
      v2["labels"],
      [
        type === null
          ? "missing account holder information"
          : (at(v3, "categories", "general") ?? "not enough information"),
      ],
    ],
  ],
  "`transaction_type`": ({ v2, type }) => [
    [
      v2["transaction_type"],
      { consumer: "consumer", business: "business", freelance: "business", unknown: "unknown" }[
        type ?? "unknown"
      ],
    ],
  ],
  "`location`, `location_structured`": ({ v2, v3 }) => [
    [v2["location"], at(v3, "location", "raw_address")],
    ...(
      [
        ["address", "street"],
        ["city", "city"],
        ["state", "state"],
        ["postcode", "postcode"],
        ["country", "country_code"],
        ["country_name", "country"],
        ["latitude", "latitude"],
        ["longitude", "longitude"],
        ["google_maps_url", "google_maps_url"],
        ["apple_maps_url", "apple_maps_url"],
        ["store_number", "store_number"],
        ["house_number", "house_number"],
      ] as const
    ).map(
      ([field, ofV3]) =>
        [at(v2, "location_structured", field), at(v3, "location", "structured", ofV3)] as const,
    ),
  ],
  "`confidence`": ({ v2, v3 }) => [[v2["confidence"], v3["confidence"] ?? null]],
};

/** Rows that are about more than results of the same input, each with a test of its own: below, and of codes in `v2-transactions.test.ts`. */
const OTHER_ROWS = [
  "`entry_type` `credit`, `debit`",
  "batch `started`, `finished`, `error`",
  "a result with `error` and `error_details`",
  "`mcc` without a merchant",
];

/** The first cells of the table of the section. */
function documented(): readonly string[] {
  const [, section = ""] = readDocument("docs/reference/v2.md").split("\n## Transactions\n");
  const [table = ""] = section.split("\n\n- ");
  return [...table.matchAll(/^\| (.+?) \|/gm)]
    .map(([, cell = ""]) => cell)
    .slice(1)
    .filter((cell) => !/^-+$/.test(cell));
}

describe("2,000 lines by both versions", () => {
  it("are in the table whose every row is tested", () => {
    expect(documented().toSorted()).toEqual([...Object.keys(ROWS), ...OTHER_ROWS].toSorted());
  });

  it.each(Object.entries(ROWS))("have the same facts: %s", (_, pairsOf) => {
    const { pairs } = setUp();
    expect(pairs).toHaveLength(LINES);
    let known = 0;
    for (const pair of pairs) {
      for (const [inV2, inV3] of pairsOf(pair)) {
        expect([pair.sent.description, inV2 ?? null]).toEqual([pair.sent.description, inV3]);
        if (inV3 !== null) known += 1;
      }
    }
    expect(known).toBeGreaterThan(0);
  });

  it("are read by v3 when v2 submitted them, and by v2 when v3 did, with the direction in the words of each", async () => {
    const { client, pairs } = setUp();
    for (const holder of ["holder-consumer", "holder-freelance"]) {
      const inV3 = await client.listAll<Json>(`/v3/transactions?account_holder_id=${holder}`);
      const path = `/v2/account-holder/${holder}/transactions?per_page=10000&with_recurrence=false`;
      const page = answered(await client.call<{ transactions: Json[] }>("GET", path), 200);
      const inV2 = new Map(page.transactions.map((one) => [one["transaction_id"], one]));
      expect(inV2.size).toBe((2 * LINES) / HOLDERS.length);
      expect(inV3).toHaveLength(inV2.size);
      for (const v3 of inV3) {
        const v2 = inV2.get(v3["id"]) ?? {};
        expect(v2).toMatchObject({
          description: v3["description"],
          date: v3["date"],
          amount: v3["amount"],
          iso_currency_code: v3["currency"],
          entry_type: v3["entry_type"],
          account_holder_id: v3["account_holder_id"],
          labels: [at(v3, "categories", "general")],
          website: counterparty(v3, "website"),
        });
      }
      const sent = pairs.filter((pair) => pair.sent.account_holder_id === holder);
      for (const { sent: one } of sent)
        expect(inV2.get(one.id)?.["entry_type"]).toBe(one.entry_type);
    }
  });
});

describe("4,000 at once, some of account holders that are not there", () => {
  const items = (createHolders: boolean): Json[] => {
    const next = createLines(SEED + 1);
    return Array.from({ length: 4_000 }, (_, index) => ({
      ...v2Item({
        ...next(),
        id: `t${String(index)}`,
        account_holder_id: index % 4 === 0 ? `missing-${String(index)}` : "there",
      }),
      mcc: MCCS[index % MCCS.length],
      ...(createHolders ? { account_holder_type: TYPES[(index / 4) % 2] ?? "consumer" } : {}),
    }));
  };
  const missing = Array.from({ length: 1_000 }, (_, index) => `missing-${String(4 * index)}`);
  const submit = (client: Client, body: unknown, query = "") =>
    client.call<Json[] & { missingIds: string[] }>(
      "POST",
      `/v2/transactions/sync?with_recurrence=false${query}`,
      body,
    );

  it("are refused as a whole with all missing ids; with their types they are created, answered in order, and again the same", async () => {
    const { client } = await startService();
    answered(await client.createHolder("there", "consumer"), 200);
    for (const [body, query] of [
      [items(false), ""],
      [items(true), "&create_account_holder=false"],
    ] as const) {
      const refused = answered(await submit(client, body, query), 404);
      expect(refused.missingIds.toSorted()).toEqual(missing.toSorted());
    }
    expect(await client.listAll("/v3/transactions")).toEqual([]);
    expect(await client.listAll("/v3/account_holders")).toHaveLength(1);
    const first = answered(await submit(client, items(true)), 200);
    expect(first.map((one) => one["transaction_id"])).toEqual(
      items(true).map((one) => one["transaction_id"]),
    );
    expect(await client.listAll("/v3/account_holders")).toHaveLength(1_001);
    expect(answered(await submit(client, items(false)), 200)).toEqual(first);
    expect(await client.listAll("/v3/transactions")).toHaveLength(4_000);
  });
});

it("a result that has an error has its code and its sentence in both versions", async () => {
  const { client } = await startService();
  const next = createLines(SEED);
  answered(await client.createHolder("h", "consumer"), 200);
  const sent = { ...next(), id: "t", account_holder_id: "gone" };
  const [v3] = await byV3(client, [sent]);
  const batches = await client.listAll<{ id: string }>("/v3/batches");
  const path = `/v2/transactions/async/${batches[0]?.id ?? ""}`;
  const found = answered(await client.call<{ results: Json[] }>("GET", path), 200);
  expect(v3?.["error"]).toMatchObject({ code: "account_holder_not_found" });
  expect(found.results).toEqual([
    {
      transaction_id: "t",
      error: at(v3, "error", "code"),
      error_details: at(v3, "error", "message"),
    },
  ]);
});
