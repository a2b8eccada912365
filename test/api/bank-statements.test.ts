// Bank statements by the API, from the file to enriched transactions in both versions.
import { describe, expect, it } from "vitest";
import { answered, API_KEY, type Client } from "../support/client.ts";
import { lockPdf } from "../support/pdf.ts";
import { until } from "../support/poll.ts";
import { startReceiver } from "../support/receiver.ts";
import { shared, startService } from "../support/service.ts";
import { formOf, inactiveStatementFile, statementFile } from "../support/statement-files.ts";
import { submitStatement } from "../support/things.ts";
import { callableWebhooks } from "../support/webhooks.ts";

type Json = Readonly<Record<string, unknown>>;

interface Statement extends Json {
  readonly status: string;
  readonly file: { readonly no_pages: number; readonly size: number };
  readonly error: { readonly code: string; readonly fault: string } | null;
}
interface Results {
  readonly accounts: readonly { readonly transactions: readonly (Json & { id: string })[] }[];
}

const setUp = shared(async (atEnd) => {
  const receiver = await startReceiver(undefined, atEnd);
  const service = await startService({ config: { webhooks: callableWebhooks } }, atEnd);
  const { client } = service;
  answered(await client.createHolder("holder", "consumer"), 200);
  const webhook = {
    url: receiver.url,
    events: ["bank_statements.completed", "bank_statements.error"],
  };
  answered(await client.call("POST", "/v3/webhooks", webhook), 200);
  return { service, client, receiver };
});

async function ok<Body = Json>(method: string, path: string, body?: unknown): Promise<Body> {
  return answered(await setUp().client.call<Body>(method, path, body), 200);
}

const ended = (id: string): Promise<Statement> =>
  until(`the end of ${id}`, async () => {
    const found = await ok<Statement>("GET", `/v3/bank_statements/${id}`);
    return found.status === "processing" ? null : found;
  });

const submit = (bytes: Uint8Array, fields = {}): Promise<string> =>
  submitStatement(setUp().service.url, API_KEY, { name: "file.pdf", bytes }, fields);

const received = (id: string, type: string): Promise<Json> =>
  until(`the event of ${id}`, () => {
    const found = setUp()
      .receiver.events()
      .find(({ data }) => data.id === id);
    return found?.event_type === type ? found.data : null;
  });

/** Uploads to the v2 API. */
async function submitOld(client: Client, query: string, mark: string): Promise<Json> {
  const { service } = setUp();
  expect(client).toBe(service.client);
  const response = await fetch(`${service.url}/datasources/bank_statements?${query}`, {
    method: "POST",
    headers: { "X-API-Key": API_KEY },
    body: formOf(statementFile(mark)),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Json;
}

describe("a statement by v3", () => {
  it("is completed with its accounts and rows, its event, and transactions that are enriched in the ledger", async () => {
    const { bytes } = statementFile("v3");
    const id = await submit(bytes, { account_holder_id: "holder" });
    const statement = await ended(id);
    expect(statement).toMatchObject({
      ...{ id, name: "file.pdf", status: "completed", error: null },
      file: { no_pages: 1, size: bytes.length },
    });
    expect(await received(id, "bank_statements.completed")).toEqual(statement);
    const { accounts } = await ok<Results>("GET", `/v3/bank_statements/${id}/results`);
    expect(accounts).toMatchObject([
      {
        number: "1234-5678",
        opening_balance: 100,
        closing_balance: 145,
        start_date: "2026-01-01",
        end_date: "2026-01-31",
        is_balance_reconciled: true,
        verdict: "reconciled",
        total_incoming: 50,
        total_outgoing: 5,
        currency: "EUR",
        transactions: [
          { date: "2026-01-02", amount: 5, entry_type: "outgoing", running_balance: 95 },
          { date: "2026-01-05", amount: 50, entry_type: "incoming", running_balance: 145 },
        ],
      },
    ]);
    const [coffee] = accounts[0]?.transactions ?? [];
    const path = `/v3/transactions/${coffee?.id ?? ""}`;
    const stored = await until("the enriched transaction", async () => {
      const outcome = await setUp().client.call<Json>("GET", path);
      return outcome.kind === "answered" && outcome.status === 200 ? outcome.body : null;
    });
    expect(stored).toMatchObject({
      account_holder_id: "holder",
      description: "Coffee house v3",
      amount: 5,
      currency: "EUR",
    });
    expect(stored["categories"]).not.toBeNull();
  });

  it("has evidence for each row: page, box and text of what is printed", async () => {
    const id = await submit(statementFile("evidence").bytes);
    await ended(id);
    const { transactions } = await ok<{ transactions: readonly Json[] }>(
      "GET",
      `/v3/bank_statements/${id}/evidence`,
    );
    const box = expect.any(Array) as number[];
    expect(transactions).toMatchObject([
      { amount: { page: 1, text: "-5.00", source: "text", confidence: 1, box } },
      { balance: { page: 1, text: "145.00", box } },
    ]);
  });

  it("repeated under its idempotency key it is the same one, and another file is refused", async () => {
    const { service } = setUp();
    const send = async (mark: string) => {
      const response = await fetch(`${service.url}/v3/bank_statements`, {
        method: "POST",
        headers: { "X-Api-Key": API_KEY, "Idempotency-Key": "once" },
        body: formOf({ ...statementFile(mark), name: "once.pdf" }),
      });
      return { status: response.status, id: ((await response.json()) as Json)["id"] };
    };
    const first = await send("once");
    expect(first.status).toBe(200);
    expect(await send("once")).toEqual(first);
    expect(await send("twice")).toEqual({ status: 422, id: undefined });
    const { data } = await ok<{ data: readonly Json[] }>("GET", "/v3/bank_statements?limit=1000");
    expect(data.filter(({ name }) => name === "once.pdf")).toMatchObject([{ id: first.id }]);
  });

  it("verify answers from the first page", async () => {
    const id = await submit(statementFile("verify").bytes);
    expect(await ok("POST", `/v3/bank_statements/${id}/verify`)).toMatchObject({
      start_date: "2026-01-01",
      end_date: "2026-01-31",
      accounts: [{ number: "1234-5678", opening_balance: 100, closing_balance: 145 }],
    });
  });

  it("a locked file is opened by its password; without it the statement and its event say so", async () => {
    const locked = await lockPdf(statementFile("locked").bytes, "sesame");
    const opened = await ended(await submit(locked, { password: "sesame" }));
    expect(opened.status).toBe("completed");
    const closed = await submit(locked);
    expect(await ended(closed)).toMatchObject({
      status: "error",
      error: { code: "invalid_bank_statement", fault: "password_needed" },
    });
    expect(await received(closed, "bank_statements.error")).toMatchObject({ status: "error" });
    const { client } = setUp();
    const path = `/v3/bank_statements/${closed}`;
    answered(await client.call("GET", `${path}/results`), 404);
    answered(await client.call("POST", `${path}/verify`), 400);
  });

  it("of a period without transactions is completed in both versions, without a batch", async () => {
    const id = await submit(inactiveStatementFile().bytes, { account_holder_id: "holder" });
    expect(await ended(id)).toMatchObject({ status: "completed", error: null });
    expect(await ok("GET", `/v3/bank_statements/${id}/results`)).toMatchObject({
      accounts: [
        {
          ...{ number: "1234-5678", opening_balance: 145, closing_balance: 145 },
          ...{ start_date: "2026-02-01", end_date: "2026-02-28", verdict: "reconciled" },
          ...{ total_incoming: 0, total_outgoing: 0, transactions: [] },
        },
      ],
    });
    const path = `/datasources/bank_statements/${id}`;
    expect(await ok("GET", path)).toMatchObject({
      ...{ status: "processed", complete: true, error_code: null, batch_id: null },
      statements: [{ begin_balance: 145, end_balance: 145, is_balance_reconciled: true }],
    });
    expect(await ok("GET", `${path}/transactions`)).toEqual([]);
  });

  it("is deleted, and its transactions stay", async () => {
    const { client } = setUp();
    const id = await submit(statementFile("deleted").bytes, { account_holder_id: "holder" });
    await ended(id);
    const { accounts } = await ok<Results>("GET", `/v3/bank_statements/${id}/results`);
    const transaction = `/v3/transactions/${accounts[0]?.transactions[0]?.id ?? ""}`;
    await until("the enriched transaction", async () => {
      const outcome = await client.call("GET", transaction);
      return outcome.kind === "answered" && outcome.status === 200 ? true : null;
    });
    answered(await client.call("DELETE", `/v3/bank_statements/${id}`), 204);
    for (const part of ["", "/results", "/evidence"])
      answered(await client.call("GET", `/v3/bank_statements/${id}${part}`), 404);
    answered(await client.call("GET", transaction), 200);
  });
});

describe("a statement by v2", () => {
  it("is queued in the answer, then processed with a batch that finishes, and its transactions are a plain list", async () => {
    const { client } = setUp();
    const query = "account_holder_id=of-v2&account_type=business";
    const submitted = await submitOld(client, query, "v2");
    expect(submitted).toMatchObject({
      status: "queued",
      account_type: "business",
      batch_id: null,
      statements: null,
    });
    const path = `/datasources/bank_statements/${String(submitted["id"])}`;
    const processed = await until("the processed document", async () => {
      const found = await ok("GET", path);
      return found["status"] === "processed" ? found : null;
    });
    expect(processed).toMatchObject({
      complete: true,
      bank_accounts: [{ account_number: "1234-5678" }],
      statements: [{ begin_balance: 100, end_balance: 145, is_balance_reconciled: true }],
    });
    const batch = `/v2/transactions/async/${String(processed["batch_id"])}`;
    await until("the finished batch", async () => {
      const { status } = await ok("GET", batch);
      return status === "finished" ? status : null;
    });
    const transactions = await ok<readonly Json[]>("GET", `${path}/transactions`);
    expect(transactions).toMatchObject([
      { description: "Salary", entry_type: "incoming", account_holder_id: "of-v2", error: null },
      { description: "Coffee house v2", entry_type: "outgoing", transaction_type: "business" },
    ]);
    expect(transactions[1]?.["labels"]).not.toBeNull();
    const ledger = await ok<{ transactions: readonly Json[] }>(
      "GET",
      "/v2/account-holder/of-v2/transactions",
    );
    expect(ledger.transactions).toHaveLength(2);
  });

  it("without an account holder its transactions have the labels of the type that was sent", async () => {
    const { client } = setUp();
    const { id } = await submitOld(client, "account_type=consumer", "alone");
    const path = `/datasources/bank_statements/${String(id)}`;
    const labelled = await until("the enriched transactions", async () => {
      const outcome = await client.call<readonly Json[]>("GET", `${path}/transactions`);
      if (outcome.kind !== "answered" || outcome.status !== 200) return null;
      return outcome.body[0]?.["labels"] == null ? null : outcome.body;
    });
    expect(labelled).toMatchObject([
      { account_holder_id: null, transaction_type: "consumer" },
      { account_holder_id: null, transaction_type: "consumer" },
    ]);
    await ok("PATCH", path, { name: "January" });
    const [found] = await ok<readonly Json[]>("GET", "/datasources/bank_statements?query=JANU");
    expect(found).toMatchObject({ id, name: "January" });
  });
});
