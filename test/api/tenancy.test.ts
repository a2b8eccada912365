// One organization never sees another's data: every route with an id of somebody else is a 404.
import { describe, expect, it } from "vitest";
import { openKeys } from "../../src/commands.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { answered, createClient } from "../support/client.ts";
import { startService } from "../support/service.ts";
import { coffee } from "../support/coffee.ts";

describe("tenancy", () => {
  it("ids of another organization are not found, its lists are empty, its cursors are refused, equal ids do not meet", async () => {
    const { client, url, config } = await startService();
    const opened = await openKeys(config, createLogger("silent"));
    const { secret } = await opened.keys.create("other", null, ["read", "write"]);
    await opened.close();
    const other = createClient(url, secret);

    answered(await client.createHolder("h", "consumer"), 200);
    for (const id of ["t1", "t2"])
      answered(await client.enrich(coffee(id, { account_holder_id: "h" })), 200);
    const batch = answered(await client.submitBatch([coffee("t3")]), 200);
    const webhook = answered(
      await client.call<{ id: string }>("POST", "/v3/webhooks", {
        url: "https://example.com/hook",
        events: ["batches.completed"],
      }),
      200,
    );
    const hook = `/v3/webhooks/${webhook.id}`;
    const range = { since: "2024-01-01T00:00:00Z", until: "2025-01-01T00:00:00Z" };

    const foreign: [string, string, unknown?][] = [
      ["GET", "/v3/account_holders/h"],
      ["DELETE", "/v3/account_holders/h"],
      ["POST", "/v3/account_holders/h/transactions/delete", { transaction_ids: ["t1"] }],
      ["GET", "/v3/transactions/t1"],
      ["DELETE", "/v3/transactions/t1"],
      ["POST", "/v3/transactions/t1/assign", { account_holder_id: "h" }],
      ["GET", `/v3/batches/${batch.id}`],
      ["GET", `/v3/batches/${batch.id}/results`],
      ["GET", hook],
      ["PATCH", hook, { enabled: false }],
      ["DELETE", hook],
      ["POST", `${hook}/test`],
      ["GET", `${hook}/deliveries`],
      ["GET", `${hook}/deliveries/e`],
      ["POST", `${hook}/deliveries/e/resend`],
      ["POST", `${hook}/recover`, range],
      ["POST", `${hook}/recover`, { ...range, dry_run: true }],
      ["GET", `${hook}/recoveries/r`],
    ];
    for (const [method, path, body] of foreign) {
      expect([method, path, await other.call(method, path, body)]).toMatchObject([
        method,
        path,
        { status: 404 },
      ]);
    }
    for (const list of ["transactions", "account_holders", "batches", "webhooks"]) {
      expect(await other.listAll(`/v3/${list}`)).toEqual([]);
    }
    const page = answered(
      await client.call<{ next_cursor: string }>("GET", "/v3/transactions?limit=1"),
      200,
    );
    answered(await other.call("GET", `/v3/transactions?cursor=${page.next_cursor}`), 422);
    answered(await client.call("GET", `/v3/batches?cursor=${page.next_cursor}`), 422);

    expect(
      answered(await other.enrich(coffee("t1", { account_holder_id: "h" })), 200).error?.code,
    ).toBe("account_holder_not_found");
    answered(await other.createHolder("h", "business"), 200);
    answered(await other.enrich(coffee("t1", { account_holder_id: "h", amount: 99 })), 200);
    expect(answered(await client.getTransaction("t1"), 200).amount).toBe(6.5);
    answered(await other.deleteHolder("h"), 204);
    expect(answered(await client.getTransaction("t1"), 200).amount).toBe(6.5);
  });
});
