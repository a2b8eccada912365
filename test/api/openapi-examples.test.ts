// The examples of the served OpenAPI document, called as "Try it out" of the documentation calls them.
import { expect, it } from "vitest";
import { API_KEY } from "../support/client.ts";
import { until } from "../support/poll.ts";
import { startReceiver } from "../support/receiver.ts";
import { formOf, statementFile } from "../support/statement-files.ts";
import { callableWebhooks } from "../support/webhooks.ts";
import { shared, startService } from "../support/service.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly example?: string;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Call extends Operation {
  readonly method: string;
  readonly path: string;
}

const setUp = shared(async (atEnd) => {
  const receiver = await startReceiver(undefined, atEnd);
  const service = await startService({ config: { webhooks: callableWebhooks } }, atEnd);
  const response = await fetch(`${service.url}/openapi/v3.json`);
  const { paths } = (await response.json()) as {
    paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, operation]): Call => ({ ...operation, path, method: method.toUpperCase() }),
    ),
  );
  return { service, receiver, calls };
});

/** Whose answer has the id that an example cannot know, by the path up to the parameter. */
const ID_FROM: Readonly<Record<string, string>> = {
  "/v3/batches/{id}": "create_batch",
  "/v3/webhooks/{id}": "create_webhook",
  "/v3/webhooks/{id}/deliveries/{event_id}": "list_deliveries",
  "/v3/webhooks/{id}/recoveries/{recovery_id}": "recover_webhook",
  "/v3/reports/{id}": "create_report",
  "/ops/reports/{id}": "create_report",
  "/ops/corrections/{id}": "move_report",
  "/v3/reapplications/{id}": "create_reapplication",
  "/v3/bank_statements/{id}": "create_bank_statement",
};

/** Holders and webhooks before what needs them; what removes something in the end. */
function rank({ operationId, method }: Call): number {
  // Each takes with it what is about it.
  const last = ["delete_transaction", "delete_account_holder"].indexOf(operationId);
  if (last >= 0) return 10 + last;
  if (method === "DELETE" || operationId.startsWith("reset_")) return 9;
  const first = ["create_webhook", "create_account_holder", "enrich_transaction", "create_batch"];
  const index = first.indexOf(operationId);
  if (index >= 0) return index;
  if (operationId === "delete_account_holder_transactions") return 8;
  if (operationId === "set_category_set") return 4;
  return method === "POST" ? 5 : method === "PATCH" ? 6 : 7;
}

it("every documented example succeeds on a new installation", async () => {
  const { service, receiver, calls } = setUp();
  const ids = new Map<string, string>();
  const outcomes: unknown[] = [];
  for (const call of calls.toSorted((one, other) => rank(one) - rank(other))) {
    const { operationId, path, method } = call;
    // An event has to be delivered before its delivery can be shown.
    if (operationId === "resend_delivery") await waitForDelivery(service.url, ids);
    if (operationId === "get_bank_statement_results") await waitForStatement(service.url, ids);
    const target = path.replace(/\{(\w+)\}/g, (parameter, name: string, at: number) => {
      const place = path.slice(0, at + parameter.length);
      const example = call.parameters?.find(
        (one) => one.in === "path" && one.name === name,
      )?.example;
      return encodeURIComponent(example ?? ids.get(ID_FROM[place] ?? "") ?? "no example");
    });
    const content = call.requestBody?.content["application/json"];
    if (content !== undefined && content.example === undefined)
      throw new Error(`${operationId} has no example`);
    // The host of the example is not ours.
    const body = JSON.stringify(content?.example ?? null).replace(
      "https://example.com",
      receiver.url,
    );
    const isForm = call.requestBody?.content["multipart/form-data"] !== undefined;
    const answer = await fetch(service.url + target, {
      method,
      headers: {
        "X-Api-Key": API_KEY,
        ...(content === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(content === undefined ? {} : { body }),
      // A file cannot be in a document.
      ...(isForm ? { body: formOf(statementFile("example")) } : {}),
    });
    const text = await answer.text();
    outcomes.push([operationId, answer.status, answer.headers.get("Ledgerline-Warning")]);
    remember(ids, operationId, text);
    if (answer.status >= 400)
      expect([operationId, target, text]).toEqual([operationId, target, ""]);
  }
  const succeeds = calls.map(({ operationId, responses }) => [
    operationId,
    "200" in responses ? 200 : 204,
    null,
  ]);
  expect(outcomes.toSorted()).toEqual(succeeds.toSorted());
});

function remember(ids: Map<string, string>, operationId: string, text: string): void {
  if (text === "") return;
  const json = JSON.parse(text) as {
    id?: string;
    data?: { event_id?: string }[];
    corrected?: { correction_id?: string };
  } | null;
  const id = json?.corrected?.correction_id ?? json?.data?.[0]?.event_id ?? json?.id;
  if (id !== undefined) ids.set(operationId, id);
}

async function waitForStatement(url: string, ids: Map<string, string>): Promise<void> {
  const statement = `${url}/v3/bank_statements/${ids.get("create_bank_statement") ?? ""}`;
  await until("the statement", async () => {
    const answer = await fetch(statement, { headers: { "X-Api-Key": API_KEY } });
    const { status } = (await answer.json()) as { readonly status: string };
    return status === "processing" ? null : status;
  });
}

async function waitForDelivery(url: string, ids: Map<string, string>): Promise<void> {
  const list = `${url}/v3/webhooks/${ids.get("create_webhook") ?? ""}/deliveries?state=delivered`;
  await until("the delivery", async () => {
    const answer = await fetch(list, { headers: { "X-Api-Key": API_KEY } });
    remember(ids, "list_deliveries", await answer.text());
    return ids.get("list_deliveries") ?? null;
  });
}
