// Webhooks over real HTTP, from a batch that ends to a call that a receiver can verify.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook as Verifier } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { type Config, readConfig } from "../../src/config/config.ts";
import { answered, type BatchResource, type Client } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { useOrganizations } from "../support/organizations.ts";
import { until } from "../support/poll.ts";
import { answerWith, type Receiver, startReceiver } from "../support/receiver.ts";
import { startService } from "../support/service.ts";

const SECRET = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;

const WEBHOOKS: Config["webhooks"] = {
  ...readConfig({}, 1).webhooks,
  allowCidrs: ["127.0.0.0/8"],
  allowHttp: true,
};

interface WebhookBody {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly token: string | null;
  readonly disabled_reason: string | null;
  readonly consecutive_failures: number;
}

interface DeliveryBody {
  readonly event_id: string;
  readonly state: string;
  readonly attempt_count: number;
  readonly attempts?: readonly { readonly status: number | null; readonly error: string | null }[];
}

const organization = useOrganizations({ config: { webhooks: WEBHOOKS } });

async function register(
  client: Client,
  receiver: Receiver,
  fields: object = {},
): Promise<WebhookBody> {
  const body = {
    url: `${receiver.url}/hook`,
    events: ["batches.completed", "batches.error"],
    ...fields,
  };
  return answered(await client.call<WebhookBody>("POST", "/v3/webhooks", body), 200);
}

async function runBatch(client: Client, id = "t"): Promise<string> {
  const batch = answered(await client.submitBatch([coffee(id)]), 200);
  await until("the batch's end", async () => {
    const { status } = answered(
      await client.call<BatchResource>("GET", `/v3/batches/${batch.id}`),
      200,
    );
    return status === "processing" ? null : status;
  });
  return batch.id;
}

const calls = (receiver: Receiver, count: number): Promise<true> =>
  until(`${String(count)} calls`, () => (receiver.calls.length >= count ? true : null));

const deliveryOf = async (client: Client, webhook: string, event: string): Promise<DeliveryBody> =>
  answered(
    await client.call<DeliveryBody>("GET", `/v3/webhooks/${webhook}/deliveries/${event}`),
    200,
  );

const inState = (client: Client, webhook: string, event: string, state: string) =>
  until(`state ${state}`, async () => {
    const found = await deliveryOf(client, webhook, event);
    return found.state === state ? found : null;
  });

describe("webhooks", () => {
  it("a completed batch sends its subscriber one signed event with the token and the batch", async () => {
    const { client } = await organization();
    const receiver = await startReceiver();
    const webhook = await register(client, receiver, { token: "tok-1", hmac_secret: SECRET });
    const batchId = await runBatch(client);
    await calls(receiver, 1);
    const [call] = receiver.calls;
    const [event] = receiver.events();
    if (call === undefined || event === undefined) throw new Error("There should be a call");
    expect(event).toMatchObject({ event_type: "batches.completed" });
    const shown = answered(await client.call<object>("GET", `/v3/batches/${batchId}`), 200);
    expect(event.data).toEqual(shown);
    expect(call.headers).toMatchObject({
      "content-type": "application/json",
      "x-service-token": "tok-1",
      "webhook-id": event.event_id,
    });
    expect(call.headers["user-agent"]).toMatch(/^Ledgerline\//u);
    const headers = call.headers as Record<string, string>;
    expect(new Verifier(SECRET).verify(call.body, headers)).toEqual(event);
    const delivery = await inState(client, webhook.id, event.event_id, "delivered");
    expect(delivery.attempts).toMatchObject([{ number: 1, status: 200, error: null }]);
  });

  it("an endpoint that fails gets the same event with the same bytes again", async () => {
    const { client } = await organization();
    const receiver = await startReceiver((response, _, index) => {
      answerWith(index === 0 ? 500 : 204)(response, _, index);
    });
    const webhook = await register(client, receiver, { hmac_secret: SECRET });
    await runBatch(client);
    await calls(receiver, 2);
    const [first, second] = receiver.calls;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    const [event] = receiver.events();
    const delivery = await inState(client, webhook.id, event?.event_id ?? "", "delivered");
    expect(delivery.attempts).toMatchObject([
      { status: 500, error: "status" },
      { status: 204, error: null },
    ]);
  });

  it("a test returns its outcome and changes nothing; an event is sent again on demand", async () => {
    const { client } = await organization();
    const receiver = await startReceiver((response, call, index) => {
      answerWith(index === 0 ? 503 : 200)(response, call, index);
    });
    const webhook = await register(client, receiver);
    const path = `/v3/webhooks/${webhook.id}`;
    const tested = await client.call<{ status: number; error: string }>("POST", `${path}/test`);
    expect(answered(tested, 200)).toMatchObject({ status: 503, error: "status" });
    expect(receiver.events()[0]).toMatchObject({ event_type: "webhooks.test" });
    expect(answered(await client.call<WebhookBody>("GET", path), 200)).toMatchObject({
      consecutive_failures: 0,
    });
    await runBatch(client);
    await calls(receiver, 2);
    const eventId = receiver.events()[1]?.event_id ?? "";
    await inState(client, webhook.id, eventId, "delivered");
    answered(await client.call("POST", `${path}/deliveries/${eventId}/resend`), 200);
    await calls(receiver, 3);
    expect(receiver.calls[2]?.body).toBe(receiver.calls[1]?.body);
    expect(receiver.calls[2]?.headers["webhook-replay"]).toBe("1");
  });

  it("a recovery sends deliveries of a time range again, and shows its progress", async () => {
    const { client } = await organization();
    const receiver = await startReceiver();
    const webhook = await register(client, receiver);
    await runBatch(client, "a");
    await runBatch(client, "b");
    await calls(receiver, 2);
    for (const { event_id: id } of receiver.events())
      await inState(client, webhook.id, id, "delivered");
    const range = {
      since: "2020-01-01T00:00:00Z",
      until: "2100-01-01T00:00:00Z",
      states: ["delivered"],
    };
    const path = `/v3/webhooks/${webhook.id}`;
    const dry = await client.call("POST", `${path}/recover`, { ...range, dry_run: true });
    expect(answered(dry, 200)).toMatchObject({ dry_run: true, count: 2, capped: false });
    const started = await client.call<{ id: string }>("POST", `${path}/recover`, range);
    const { id } = answered(started, 200);
    await calls(receiver, 4);
    await until("the recovery's end", async () => {
      const now = await client.call<{ status: string }>("GET", `${path}/recoveries/${id}`);
      return answered(now, 200).status === "completed" ? true : null;
    });
    expect(receiver.calls).toHaveLength(4);
    expect(new Set(receiver.events().map((event) => event.event_id)).size).toBe(2);
    // With its webhook it is gone, though nothing of it is removed at once.
    answered(await client.call("DELETE", path), 204);
    answered(await client.call("GET", `${path}/recoveries/${id}`), 404);
  });

  it("of 50 that are created at once an organization gets ten", async () => {
    const { client } = await organization();
    const receiver = await startReceiver();
    const body = { url: receiver.url, events: ["batches.completed"] };
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => client.call("POST", "/v3/webhooks", body)),
    );
    const statuses = outcomes.map((one) => (one.kind === "answered" ? one.status : 0));
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 400)).toHaveLength(40);
  });

  it("a creation that is repeated under its idempotency key is answered as the first, and its token is kept nowhere in the clear", async () => {
    const { client, dataFolder, config, close } = await startService({
      config: { webhooks: WEBHOOKS },
    });
    const receiver = await startReceiver();
    const token = "a-token-that-must-not-be-found";
    const body = { url: receiver.url, events: ["batches.completed"], token, hmac_secret: SECRET };
    const headers = { "Idempotency-Key": "once" };
    const first = answered(
      await client.call<WebhookBody>("POST", "/v3/webhooks", body, headers),
      200,
    );
    const again = answered(
      await client.call<WebhookBody>("POST", "/v3/webhooks", body, headers),
      200,
    );
    expect(again).toEqual(first);
    expect(first.token).toBe(token);
    await close();
    if (config.distributed !== null) return;
    for (const file of readdirSync(dataFolder)) {
      const bytes = readFileSync(join(dataFolder, file));
      for (const secret of [token, SECRET]) expect(bytes.includes(secret), file).toBe(false);
    }
  });

  it("what is registered is called only for the events it wants, and not once it is gone", async () => {
    const { client } = await organization();
    const receiver = await startReceiver();
    const errors = await register(client, receiver, { events: ["batches.error"] });
    const gone = await register(client, receiver, { url: `${receiver.url}/gone` });
    expect(await client.call("DELETE", `/v3/webhooks/${gone.id}`)).toMatchObject({ status: 204 });
    await register(client, receiver, { url: `${receiver.url}/kept` });
    await runBatch(client);
    await calls(receiver, 1);
    expect(receiver.calls.map(({ path }) => path)).toEqual(["/kept"]);
    expect(
      answered(await client.call<WebhookBody>("GET", `/v3/webhooks/${errors.id}`), 200),
    ).toMatchObject({ enabled: true });
    expect(await client.call("GET", `/v3/webhooks/${gone.id}`)).toMatchObject({ status: 404 });
  });

  it("an address that is not public is not called, and does not count against the webhook", async () => {
    const { client } = await startService({
      config: { webhooks: { ...WEBHOOKS, allowCidrs: [] } },
      outbound: { lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 as const }]) },
    });
    const receiver = await startReceiver();
    const events = ["batches.completed"];
    const literal = await client.call("POST", "/v3/webhooks", { url: receiver.url, events });
    expect(literal).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "url"] }] } });
    const url = receiver.url.replace("127.0.0.1", "public.example.com");
    const webhook = answered(
      await client.call<WebhookBody>("POST", "/v3/webhooks", { url, events }),
      200,
    );
    const path = `/v3/webhooks/${webhook.id}`;
    const tested = await client.call<{ error: string }>("POST", `${path}/test`);
    expect(answered(tested, 200).error).toBe("address_refused");
    await runBatch(client);
    await until("the attempt", async () => {
      const page = await client.call<{ data: readonly DeliveryBody[] }>(
        "GET",
        `${path}/deliveries`,
      );
      return answered(page, 200).data.some((one) => one.attempt_count > 0) ? true : null;
    });
    expect(answered(await client.call<WebhookBody>("GET", path), 200).consecutive_failures).toBe(0);
    expect(receiver.calls).toHaveLength(0);
  });
});
