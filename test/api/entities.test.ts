// Entities over real HTTP, from the threads that know them.
import { expect, it } from "vitest";
import { answered, type Client } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { fencedBlocks, readDocument } from "../support/documents.ts";
import { startService } from "../support/service.ts";

interface EntityBody {
  readonly id: string | null;
  readonly name: string | null;
  readonly website: string | null;
  readonly naics2017: string | null;
  readonly logo: string | null;
  readonly mccs: readonly number[];
  readonly parent: { readonly id: string; readonly naics2017: string | null } | null;
  readonly location: unknown;
}

const KEYS = [
  "id",
  "name",
  "website",
  "phone_number",
  "tax_number",
  "naics2017",
  "logo",
  "mccs",
  "parent",
  "location",
];

const resolve = async (client: Client, body: object): Promise<EntityBody> =>
  answered(await client.call<EntityBody>("POST", "/v3/entities/resolve", body), 200);

it("the entity of a transaction is found by its id, by its name and by its website, logo included", async () => {
  const { client } = await startService({ config: { publicUrl: "https://ledgerline.example" } });
  const { entities } = answered(await client.enrich(coffee("t1")), 200) as {
    entities: { counterparty: EntityBody & { readonly type: string } };
  };
  const { type, ...told } = entities.counterparty;
  expect(type).toBe("organization");
  const got = answered(
    await client.call<EntityBody>("GET", `/v3/entities/${(told.id ?? "").toUpperCase()}`),
    200,
  );
  expect(Object.keys(got)).toEqual(KEYS);
  expect(got).toMatchObject({ ...told, phone_number: null, location: null });
  expect(got.logo).toContain(`https://ledgerline.example/logos/${got.id ?? ""}.svg`);
  expect(await resolve(client, { name: told.name })).toEqual(got);
  expect(await resolve(client, { website: `https://www.${told.website ?? ""}/x` })).toEqual(got);
  const parent = await client.call<EntityBody>("GET", `/v3/entities/${got.parent?.id ?? ""}`);
  expect(answered(parent, 200).id).toBe(got.parent?.id);
});

it("the location decides between the websites of a brand, and is told as it was understood", async () => {
  const { client } = await startService();
  const names = ["Germany", "London", "Toronto, ON", null].map(async (location) => {
    const { website } = await resolve(client, { name: "amazon", location });
    return website;
  });
  expect(await Promise.all(names)).toEqual([
    "amazon.de",
    "amazon.co.uk",
    "amazon.ca",
    "amazon.com",
  ]);
  expect(await resolve(client, { website: "amazon.com", location: "Berlin" })).toMatchObject({
    website: "amazon.de",
    location: { raw_address: "Berlin", structured: { city: "Berlin", country_code: "DE" } },
  });
});

it("what nobody knows has every field null, and an id that nobody has is not found", async () => {
  const { client } = await startService();
  for (const body of [{ name: "coffee" }, { name: "John Smith" }, { website: "no.example" }]) {
    const unknown = await resolve(client, body);
    expect(Object.keys(unknown)).toEqual(KEYS);
    expect(new Set(Object.values({ ...unknown, mccs: null }))).toEqual(new Set([null]));
    expect(unknown.mccs).toEqual([]);
  }
  const get = (id: string) => client.call("GET", `/v3/entities/${id}`);
  expect(await get("00000000-0000-0000-0000-000000000000")).toMatchObject({ status: 404 });
  expect(await get("netflix")).toMatchObject({ status: 400 });
});

it("a field that is switched on by the organization is told from then on, of the parent too", async () => {
  const { client } = await startService();
  expect(await resolve(client, { name: "Uber Eats" })).toMatchObject({
    naics2017: null,
    parent: { name: "Uber", naics2017: null },
  });
  const change = await client.call("PATCH", "/ops/organizations/default", {
    features: { naics2017: true },
  });
  expect(change).toMatchObject({ status: 200 });
  const entity = await resolve(client, { name: "Uber Eats" });
  const sector = (digits: RegExp): string => expect.stringMatching(digits) as string;
  expect(entity).toMatchObject({
    naics2017: sector(/^72/),
    phone_number: null,
    parent: { name: "Uber", naics2017: sector(/^48/), phone_number: null },
  });
  const got = await client.call<EntityBody>("GET", `/v3/entities/${entity.id ?? ""}`);
  expect(answered(got, 200)).toEqual(entity);
});

it("nothing of what was asked is kept, and neither and both of name and website are refused", async () => {
  const { client } = await startService();
  await resolve(client, { name: "Netflix" });
  expect(await client.listAll("/v3/transactions")).toEqual([]);
  for (const body of [{}, { name: "Netflix", website: "netflix.com" }]) {
    expect(await client.call("POST", "/v3/entities/resolve", body)).toMatchObject({
      status: 400,
      body: { detail: "Exactly one of name and website must be given" },
    });
  }
});

it("the answer shown in the guide to entities is the one given", async () => {
  const guide = readDocument("docs/guides/entities.md");
  const [, body = ""] = /-d '([^']*)'/.exec(guide) ?? [];
  const [shown = ""] = fencedBlocks(guide, "json");
  const { client } = await startService({ config: { publicUrl: "http://127.0.0.1:8080" } });
  expect(await resolve(client, JSON.parse(body) as object)).toEqual(JSON.parse(shown));
});
