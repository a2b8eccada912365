// Labels, rules and merchant category codes by the v2 API: the settings of v3 in other words.
import { describe, expect, it } from "vitest";
import { answered, type Client } from "../support/client.ts";
import { useOrganizations } from "../support/organizations.ts";

const organization = useOrganizations();

type Labels = Readonly<Record<string, readonly string[]>>;

const CUSTOM = "/v2/labels/hierarchy/custom";
const own = { incoming: ["Pay", "Other money"], outgoing: ["Coffee", "Everything else"] };

const labelsOf = async (client: Client, type: string): Promise<Labels> =>
  answered(await client.call<Labels>("GET", `/v2/labels/hierarchy/${type}`), 200);

const submit = async (client: Client, id: string, type: string): Promise<readonly string[]> => {
  const item = {
    transaction_id: id,
    description: "SQ *BLUE BOTTLE COFFEE OAKLAND CA",
    date: "2026-01-05",
    amount: 6.5,
    entry_type: "debit",
    iso_currency_code: "USD",
    account_holder_id: `holder-${type}`,
    account_holder_type: type,
  };
  const answer = await client.call<{ labels: string[] }[]>("POST", "/v2/transactions/sync", [item]);
  return answered(answer, 200)[0]?.labels ?? [];
};

describe("labels", () => {
  it("are in groups for each type, also without a key", async () => {
    const { client, service } = await organization();
    const open = await fetch(`${service.url}/v2/labels/hierarchy/consumer`);
    const consumer = (await open.json()) as Labels;
    expect([open.status, consumer["food"]]).toEqual([200, expect.arrayContaining(["groceries"])]);
    expect(await labelsOf(client, "consumer")).toEqual(consumer);
    expect(await labelsOf(client, "unknown")).toEqual(consumer);
    const business = await labelsOf(client, "business");
    expect(business["technology"]).toContain("saas tools");
    expect(await labelsOf(client, "freelance")).toEqual(business);
    answered(await client.call("GET", "/v2/labels/hierarchy/pirate"), 422);
  });

  it("of one's own are a category set of v3 and hold for the holders of their type alone", async () => {
    const { client } = await organization();
    expect(answered(await client.call("GET", `${CUSTOM}/unknown`), 200)).toBeNull();
    expect(answered(await client.call("POST", `${CUSTOM}/unknown`, own), 200)).toEqual(own);
    expect(answered(await client.call("GET", `${CUSTOM}/unknown`), 200)).toEqual(own);
    expect(answered(await client.call("GET", "/v3/categories/unknown"), 200)).toEqual(own);
    expect(await labelsOf(client, "unknown")).toEqual(own);
    expect(await submit(client, "a", "unknown")).toEqual(["Coffee"]);
    expect(await submit(client, "b", "consumer")).toEqual(["cafes and coffee shops"]);
    expect(answered(await client.call("GET", `${CUSTOM}/consumer`), 200)).toBeNull();
    const gone = { status: "success" };
    expect(answered(await client.call("DELETE", `${CUSTOM}/unknown`), 200)).toEqual(gone);
    expect(answered(await client.call("DELETE", `${CUSTOM}/unknown`), 200)).toEqual(gone);
    expect(await submit(client, "a", "unknown")).toEqual(["cafes and coffee shops"]);
    answered(await client.call("GET", "/v3/categories/unknown"), 404);
  });

  it("that v3 has set for a default type are shown, a mapping of our own words is not", async () => {
    const { client } = await organization();
    answered(await client.call("POST", "/v3/categories/consumer", own), 200);
    expect(answered(await client.call("GET", `${CUSTOM}/consumer`), 200)).toEqual(own);
    expect(await labelsOf(client, "unknown")).toEqual(own);
    answered(await client.call("DELETE", `${CUSTOM}/consumer`), 200);
    const mapping = { outgoing: { "cafes and coffee shops": "food and drink" } };
    answered(await client.call("PATCH", "/v3/categories/consumer/mapping", mapping), 200);
    expect(answered(await client.call("GET", `${CUSTOM}/consumer`), 200)).toBeNull();
    expect(await labelsOf(client, "consumer")).toHaveProperty("food");
  });
});

describe("rules", () => {
  const first = { set: "merchant", to: "First" };
  const second = { set: "merchant", to: "Second" };

  it("are those of v3 without their ids, so that a list can be sent back", async () => {
    const { client } = await organization();
    const list = async (): Promise<unknown> =>
      answered(await client.call("GET", "/v2/rules/"), 200);
    expect(await list()).toEqual([]);
    answered(await client.call("POST", "/v3/rules", first), 200);
    answered(await client.call("POST", "/v2/rules/append", second), 200);
    expect(await list()).toEqual([first, second]);
    expect(answered(await client.call("GET", "/v3/rules"), 200)).toEqual([
      { id: 0, ...first },
      { id: 1, ...second },
    ]);
    expect(answered(await client.call("POST", "/v2/rules/", await list()), 200)).toEqual([
      first,
      second,
    ]);
    const changed = { set: "merchant", to: "Changed" };
    expect(answered(await client.call("PATCH", "/v2/rules/0", changed), 200)).toEqual(changed);
    answered(await client.call("DELETE", "/v2/rules/1"), 200);
    expect(await list()).toEqual([changed]);
    const missing = await Promise.all([
      client.call("PATCH", "/v2/rules/7", changed),
      client.call("DELETE", "/v2/rules/first"),
    ]);
    for (const answer of missing)
      expect(answer).toMatchObject({ status: 400, body: { code: "unknown_rule" } });
    expect(await list()).toEqual([changed]);
  });
});

it("merchant category codes are listed once each, also without a key", async () => {
  const { service } = await organization();
  const answer = await fetch(`${service.url}/v2/mcc`);
  const codes = (await answer.json()) as { code: string; description: string }[];
  expect(codes).toContainEqual({ code: "5814", description: "Fast food restaurants" });
  expect(codes.every(({ code, description }) => /^\d{4}$/.test(code) && description !== "")).toBe(
    true,
  );
  const sorted = codes.map(({ code }) => code);
  expect(sorted).toEqual([...new Set(sorted)].toSorted());
  expect(sorted.length).toBeGreaterThan(900);
});
