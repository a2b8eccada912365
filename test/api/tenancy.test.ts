// One organization never sees another's data, and a key does nothing that it has no role for: every operation of the table,
// whichever are in it.
import { describe, expect, it } from "vitest";
import { ROLES, type Role } from "../../src/model/api-key.ts";
import { answered, createClient } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import {
  fillPath,
  mayUse,
  type Operation,
  operations,
  payloadOf,
  sampleOf,
} from "../support/operations.ts";
import { startReceiver } from "../support/receiver.ts";
import { shared, startService } from "../support/service.ts";
import { openSnapshots, type Snapshot } from "../support/snapshot.ts";
import { createKeysOf, createThings } from "../support/things.ts";
import { callableWebhooks } from "../support/webhooks.ts";

const OWNER = "organization-of-the-owner";
const OTHER = "organization-of-another";

/** Operations with an id of another tenant that are not refused, with the reason why they reveal nothing. */
const HARMLESS: Readonly<Record<string, string>> = {
  "POST /v3/categories/{id}": "a set of its own comes into being under the same id",
  "POST /v3/categories/{id}/reset": "a set that is not there is reset already",
  "GET /v3/entities/{id}": "merchants are the same for all tenants",
  "GET /v2/labels/hierarchy/{account_holder_type}": "a type of account belongs to all",
  "GET /v2/labels/hierarchy/custom/{account_holder_type}":
    "each organization has its own for a type",
  "POST /v2/labels/hierarchy/custom/{account_holder_type}":
    "each organization has its own for a type",
  "DELETE /v2/labels/hierarchy/custom/{account_holder_type}": "each organization has its own",
  "GET /v2/entities/{id}": "merchants are the same for all tenants",
  "POST /v2/models/{name}": "a model of its own comes into being under the same name",
};

/** Operations that are refused for ids of another tenant in their bodies. */
const NAMING = [
  "POST /v3/reports",
  "POST /v2/report",
  "POST /v2/transactions/sync",
  "POST /v2/transactions/async",
];

/** Operations that are refused without a query, which no sample has. */
const WITHOUT_QUERY = ["GET /v2/entities"];

/** What makes things comes last: until then the other has nothing of its own that it could reach instead. */
const ORDER = ["GET", "PUT", "PATCH", "DELETE", "POST"];
const ordered = operations
  .filter(({ role }) => role !== "operator")
  .toSorted((one, other) => ORDER.indexOf(one.method) - ORDER.indexOf(other.method));

const setUp = shared(async (atEnd) => {
  const receiver = await startReceiver(undefined, atEnd);
  const service = await startService({ config: { webhooks: callableWebhooks } }, atEnd);
  const things = await createThings(service, OWNER, "owner", receiver.url);
  // Operators see all organizations: this key is not an operator's.
  const roles = ["read", "write", "admin"] as const;
  const [ownerKey = ""] = await createKeysOf(service, OWNER, roles);
  const [otherKey = ""] = await createKeysOf(service, OTHER, roles);
  const keysOfRoles = await createKeysOf(service, OWNER, ...ROLES.map((role) => [role]));
  const snapshots = await openSnapshots(service);
  atEnd(snapshots.close);
  const before = await snapshots.takeAtRest();
  return { service, ownerKey, otherKey, keysOfRoles, things, snapshots, before };
});

/** Calls an operation with its sample, or with nothing. */
async function call(operation: Operation, key: string, withSample = true) {
  const { service, things } = setUp();
  // Only the owner's ids: a caller may get its own data back.
  const sample = sampleOf(operation, { ...things, secret: "words" });
  const { headers = {}, ...payload } = withSample ? payloadOf(sample) : {};
  const response = await fetch(service.url + fillPath(operation.path, sample.path), {
    method: operation.method,
    headers: { ...headers, "X-Api-Key": key },
    ...payload,
  });
  return { status: response.status, text: await response.text() };
}

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;
const named = (list: readonly Operation[]) => list.map((one) => [nameOf(one), one] as const);

describe("roles", () => {
  it("a key without the role for an operation gets a 403 from it, and nothing happens", async () => {
    const { keysOfRoles: keys, snapshots, before } = setUp();
    const answers: [string, Role, number][] = [];
    const wanted: typeof answers = [];
    for (const [index, role] of ROLES.entries()) {
      for (const operation of operations) {
        if (mayUse(role, operation)) continue;
        const { status } = await call(operation, keys[index] ?? "");
        answers.push([nameOf(operation), role, status]);
        wanted.push([nameOf(operation), role, 403]);
      }
    }
    expect(answers).toEqual(wanted);
    expect(answers.length).toBeGreaterThan(operations.length);
    expect(rowsOf(OWNER, await snapshots.take())).toEqual(rowsOf(OWNER, before));
  });
});

describe("tenancy", () => {
  it.each(named(ordered))("with ids of another organization: %s", async (name, operation) => {
    const { otherKey, things } = setUp();
    const { status, text } = await call(operation, otherKey);
    const isRefused = status >= 400;
    const names =
      operation.path.includes("{") || NAMING.includes(name) || WITHOUT_QUERY.includes(name);
    const mustBe = names && !(name in HARMLESS);
    expect([isRefused, status, text]).toEqual([mustBe, status, text]);
    if (isRefused) {
      // Not a 422, which would say of something that it is there, and of another kind.
      expect([404, 400]).toContain(status);
      expect(Object.keys(operation.errors)).toContain(String(status));
    }
    for (const hidden of [things.secret, OWNER, things.batch, things.webhook, things.event])
      expect(text).not.toContain(hidden);
  });

  it("after all of that the owner's data is what it was, to the last byte", async () => {
    const { snapshots, before } = setUp();
    const after = await snapshots.takeAtRest();
    expect(rowsOf(OTHER, after).length).toBeGreaterThan(3);
    expect(rowsOf(OWNER, before).length).toBeGreaterThan(8);
    expect(rowsOf(OWNER, after)).toEqual(rowsOf(OWNER, before));
  });

  it("lists of another are empty, its cursors are refused, equal ids do not meet", async () => {
    const { service, ownerKey, things } = setUp();
    const [key = ""] = await createKeysOf(service, "a-third", ["read", "write"]);
    const owner = createClient(service.url, ownerKey);
    const other = createClient(service.url, key);
    const { holder, transaction } = things;
    const page = answered(
      await owner.call<{ next_cursor: string }>("GET", "/v3/transactions?limit=1"),
      200,
    );
    answered(await other.call("GET", `/v3/transactions?cursor=${page.next_cursor}`), 422);
    answered(await owner.call("GET", `/v3/batches?cursor=${page.next_cursor}`), 422);

    const line = coffee(transaction, { account_holder_id: holder });
    expect(await other.listAll(`/v3/transactions?account_holder_id=${holder}`)).toEqual([]);
    answered(await other.enrich(coffee("own")), 200);
    answered(await other.assign("own", holder), 404);
    expect(answered(await other.enrich(line), 200).error?.code).toBe("account_holder_not_found");
    answered(await other.createHolder(holder, "business"), 200);
    answered(await other.enrich({ ...line, amount: 99 }), 200);
    expect(answered(await owner.getTransaction(transaction), 200).amount).toBe(6.5);
    answered(await other.deleteHolder(holder), 204);
    expect(answered(await owner.getTransaction(transaction), 200).amount).toBe(6.5);
  });
});

/** The rows of an organization, each with its table. */
function rowsOf(org: string, snapshot: Snapshot): string[] {
  return Object.entries(snapshot).flatMap(([table, rows]) =>
    rows.filter((row) => row.includes(`"${org}"`)).map((row) => `${table} ${row}`),
  );
}
