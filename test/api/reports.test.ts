// Reports over real HTTP, from an incorrect result to the corrected results of later transactions.
import { v3 as uuidV3 } from "uuid";
import { describe, expect, it } from "vitest";
import type { Facts } from "../../src/model/facts.ts";
import { answered, type Client, createClient, type Enriched } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { runCommandOn } from "../support/command.ts";
import { useOrganizations } from "../support/organizations.ts";
import { until } from "../support/poll.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import type { TestService } from "../support/service.ts";
import { createKeysOf } from "../support/things.ts";
import { callableWebhooks } from "../support/webhooks.ts";

interface ReportBody {
  readonly id: string;
  readonly transaction_id: string;
  readonly status: string;
  readonly rejection_reason: string | null;
}

interface Moved extends ReportBody {
  readonly corrected: {
    readonly transaction: boolean;
    readonly clean_name: string | null;
    readonly correction_id: string | null;
  } | null;
}

const TYPES = ["reports.pending", "reports.resolved", "reports.rejected"];
const ANYTHING = { description: "It was the other one.", fields: ["merchant"] };

const organization = useOrganizations({ config: { webhooks: callableWebhooks } });

/** A service with a customer, an operator of another organization, and a customer who has nothing to do with it. */
async function setUp(): Promise<{
  readonly service: TestService;
  readonly client: Client;
  readonly operator: Client;
  readonly stranger: Client;
}> {
  const { client, service } = await organization();
  const { client: stranger } = await organization();
  const [operatorKey] = await createKeysOf(service, "operators", ["operator"]);
  const operator = createClient(service.url, operatorKey);
  for (const customer of [client, stranger])
    answered(await customer.createHolder("h", "consumer"), 200);
  return { service, client, operator, stranger };
}

const line = (id: string, description: string) =>
  coffee(id, { description, account_holder_id: "h" });

async function enrich(client: Client, id: string, description: string): Promise<Facts> {
  return factsOf(answered(await client.enrich(line(id, description)), 200));
}

const stored = async (client: Client, id: string): Promise<Facts> =>
  factsOf(answered(await client.getTransaction(id), 200));

const factsOf = ({ entities, categories, location }: Enriched): Facts =>
  ({ entities, categories, location }) as Facts;

const nameOf = ({ entities }: Facts): string | null => entities?.counterparty?.name ?? null;

async function report(client: Client, transaction: string): Promise<string> {
  const body = { ...ANYTHING, transaction_id: transaction };
  return answered(await client.call<ReportBody>("POST", "/v3/reports", body), 200).id;
}

const move = (operator: Client, id: string, body: object) =>
  operator.call<Moved>("PATCH", `/ops/reports/${id}`, body);

async function resolve(operator: Client, id: string, corrected: object): Promise<Moved> {
  return answered(await move(operator, id, { status: "resolved", corrected }), 200);
}

const calls = (receiver: Receiver, count: number): Promise<true> =>
  until(`${String(count)} calls`, () => (receiver.calls.length >= count ? true : null));

async function subscribe(client: Client): Promise<Receiver> {
  const receiver = await startReceiver();
  const body = { url: `${receiver.url}/hook`, events: TYPES };
  answered(await client.call("POST", "/v3/webhooks", body), 200);
  return receiver;
}

describe("reports", () => {
  it("each move sends one event, with the report as the API shows it then", async () => {
    const { client, operator } = await setUp();
    const receiver = await subscribe(client);
    await enrich(client, "t", "BLUE BOTTLE COFFEE OAKLAND CA");
    const [first, second] = [await report(client, "t"), await report(client, "t")];
    const moves: readonly (readonly [string, object])[] = [
      [first, { status: "pending" }],
      [first, { status: "resolved" }],
      [second, { status: "rejected", rejection_reason: "The bank names no other counterparty." }],
    ];
    const shown: object[] = [];
    for (const [id, body] of moves) {
      answered(await move(operator, id, body), 200);
      const data = answered(await client.call<object>("GET", `/v3/reports/${id}`), 200);
      const { status } = body as { status: string };
      shown.push({ event_type: `reports.${status}`, data });
    }
    await calls(receiver, 3);
    const events = receiver.events().map(({ event_type, data }) => ({ event_type, data }));
    expect(events).toHaveLength(3);
    expect(events).toEqual(expect.arrayContaining(shown));
    expect(new Set(receiver.events().map((event) => event.event_id)).size).toBe(3);
  });
});

describe("corrections", () => {
  it("change the transaction at once, and later lines of its name; no others", async () => {
    const { client, operator, stranger } = await setUp();
    const before = await enrich(client, "t", "SQ *BLUE BOTTLE COFFEE 12345 OAKLAND CA");
    expect(before).toMatchObject({
      entities: { counterparty: { name: "Blue Bottle Coffee" }, intermediaries: [{}] },
      categories: { general: "cafes and coffee shops" },
    });
    const corrected = { website: "netflix.com", category: "Media" };
    const moved = await resolve(operator, await report(client, "t"), corrected);
    expect(moved.corrected).toMatchObject({
      transaction: true,
      clean_name: "BLUE BOTTLE COFFEE",
      correction_id: expect.any(String) as string,
    });
    const after = await stored(client, "t");
    expect(after).toMatchObject({
      entities: {
        counterparty: {
          type: "organization",
          id: uuidV3("netflix.com", uuidV3.DNS),
          name: "Netflix",
          website: "netflix.com",
          naics2017: null,
        },
        intermediaries: before.entities?.intermediaries,
      },
      categories: { general: "media" },
      location: { raw_address: "Oakland, CA" },
    });
    expect(JSON.stringify(after)).not.toContain("Blue");
    for (const later of ["BLUE BOTTLE COFFEE 77 PORTLAND OR", "POS DEBIT Blue Bottle Coffee"])
      expect(await enrich(client, "later", later)).toMatchObject({
        entities: { counterparty: after.entities?.counterparty },
        categories: { general: "media" },
      });
    const batch = answered(await client.submitBatch([line("b", "BLUE BOTTLE COFFEE")]), 200);
    await until("the batch's end", async () => {
      const now = answered(await client.getBatch(batch.id), 200);
      return now.status === "completed" ? now : null;
    });
    const [result] = answered(await client.results(batch.id), 200).results;
    expect(nameOf(factsOf(result ?? ({} as Enriched)))).toBe("Netflix");

    expect(nameOf(await enrich(client, "other", "BLUE BOTTLE BOOKS OAKLAND CA"))).not.toBe(
      "Netflix",
    );
    const theirs = await enrich(stranger, "t", "SQ *BLUE BOTTLE COFFEE 12345 OAKLAND CA");
    expect(theirs).toEqual(before);
  });

  it("of an unknown merchant create it; rules and lists treat it like any other", async () => {
    const { client, operator } = await setUp();
    await enrich(client, "t", "NETFLIX.COM LOS GATOS CA");
    const id = await report(client, "t");
    const only = { status: "resolved", corrected: { website: "heron-street.example" } };
    const refused = await move(operator, id, only);
    expect(refused).toMatchObject({
      status: 400,
      body: { detail: "No merchant matches this website: name the merchant too" },
    });
    expect(nameOf(await stored(client, "t"))).toBe("Netflix");
    const corrected = { merchant: "Heron Street", website: "heron-street.example" };
    await resolve(operator, id, corrected);
    expect((await stored(client, "t")).entities?.counterparty).toMatchObject({
      name: "Heron Street",
      website: "heron-street.example",
      id: uuidV3("heron-street.example", uuidV3.DNS),
      mccs: [],
      parent: null,
    });
    const rule = {
      if: { "==": [{ get: "merchant" }, "Heron Street"] },
      then: [{ set: "website", to: "seen.example" }],
    };
    answered(await client.call("POST", "/v3/rules", rule), 200);
    const later = await enrich(client, "later", "NETFLIX.COM 99887 AUSTIN TX");
    expect(later.entities?.counterparty).toMatchObject({
      name: "Heron Street",
      website: "seen.example",
    });
  });

  it("of a transaction survive assignment, reapplication and rules until its id is submitted again", async () => {
    const { client, operator } = await setUp();
    answered(await client.createHolder("other", "consumer"), 200);
    const before = await enrich(client, "t", "WAL-MART #1234 AUSTIN TX");
    // The place is not remembered for other lines, which tell their own, and the correction itself is dropped.
    const corrected = { merchant: "Heron Street", location: "12 Main St, Portland, OR" };
    const moved = await resolve(operator, await report(client, "t"), corrected);
    const correctedRow = await stored(client, "t");
    expect(correctedRow.location?.structured?.city).toBe("Portland");
    const correction = moved.corrected?.correction_id ?? "";
    answered(await operator.call("DELETE", `/ops/corrections/${correction}`), 204);
    const rules = [
      { set: "merchant", to: "By rule" },
      { set: "location", to: "By rule" },
      { set_labels: ["by rule"] },
    ];
    answered(await client.call("POST", "/v3/rules/replace", rules), 200);
    const assigned = answered(await client.assign("t", "other"), 200);
    const kept = { ...correctedRow, categories: { general: "by rule", accounting: null } };
    expect(factsOf(assigned)).toEqual(kept);
    expect(await stored(client, "t")).toEqual(kept);
    answered(await client.call("POST", "/v3/rules/replace", []), 200);
    const { id } = answered(await client.call<{ id: string }>("POST", "/v3/reapplications"), 200);
    await until("the end of the reapplication", async () => {
      const path = `/v3/reapplications/${id}`;
      const now = answered(await client.call<{ status: string }>("GET", path), 200);
      return now.status === "completed" ? true : null;
    });
    expect(await stored(client, "t")).toEqual(correctedRow);
    expect(await enrich(client, "t", "WAL-MART #1234 AUSTIN TX")).toEqual(before);
  });

  it("are made on the command line too, and count for a service that runs", async () => {
    const { service, client } = await setUp();
    const receiver = await subscribe(client);
    await enrich(client, "t", "BLUE BOTTLE COFFEE");
    const id = await report(client, "t");
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCommandOn(service, "reports", ...args);
      return { code, out: stdout.toString("utf8"), stderr };
    };
    expect((await run("list", "--status", "open")).out).toContain(id);
    const moved = await run("move", id, "resolved", "--website", "netflix.com");
    expect([moved.code, moved.stderr]).toEqual([
      0,
      expect.stringContaining("later lines with the name BLUE BOTTLE COFFEE") as string,
    ]);
    expect(nameOf(await stored(client, "t"))).toBe("Netflix");
    expect(nameOf(await enrich(client, "later", "BLUE BOTTLE COFFEE 9"))).toBe("Netflix");
    // What the command line leaves behind, the service tells.
    await calls(receiver, 1);
    expect(receiver.events()).toMatchObject([{ event_type: "reports.resolved", data: { id } }]);
    const { out } = await run("corrections", "list");
    const correction = /\n(\S+) /.exec(out)?.[1] ?? "";
    expect((await run("corrections", "drop", correction)).code).toBe(0);
    expect(nameOf(await enrich(client, "last", "BLUE BOTTLE COFFEE"))).toBe("Blue Bottle Coffee");
  });
});
