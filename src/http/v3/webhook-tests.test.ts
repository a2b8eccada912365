// Test calls to a webhook.
import { expect, test } from "vitest";
import {
  attempt,
  CREATED_AT_TEXT,
  fakeDeps,
  gate,
  startServer,
} from "../../../test/support/http-server.ts";
import * as schemas from "./webhook-schemas.ts";

const { webhooks } = fakeDeps([], []);

test("a test returns the outcome of the call, also when the endpoint failed", async () => {
  await using server = await startServer();
  const answer = await server.call("POST", "/v3/webhooks/w1/test");
  expect([answer.status, answer.json]).toEqual([
    200,
    {
      event_id: "e1",
      number: 1,
      at: CREATED_AT_TEXT,
      status: 500,
      error: "status",
      detail: "The endpoint answered 500",
      timings: { dns: 0.5, connect: 1, tls: null, first_byte: 2, total: 3.5 },
      response_body: "oops",
      retry_after: "30",
      replay: false,
      request_id: "q1",
      key_ids: ["k1"],
    },
  ]);
  expect(schemas.attempt.safeParse(answer.json).success).toBe(true);
});

test("a key has so many tests at the same time and no more", async () => {
  const { opened, open } = gate();
  await using server = await startServer(
    { webhooks: { ...webhooks, test: () => opened.then(() => attempt) } },
    { syncCallsPerKeyMax: 1 },
  );
  const calls = [1, 2].map(() => server.call("POST", "/v3/webhooks/w1/test"));
  const first = await Promise.race(calls);
  expect([first.status, first.headers.get("Retry-After")]).toEqual([429, "1"]);
  open();
  const statuses = (await Promise.all(calls)).map((answer) => answer.status);
  expect(statuses.toSorted()).toEqual([200, 429]);
});
