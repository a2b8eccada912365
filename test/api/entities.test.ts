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
  const { type, ...counterparty } = entities.counterparty;
  expect(type).toBe("organization");
  const got = answered(
    await client.call<EntityBody>("GET", `/v3/entities/${(counterparty.id ?? "").toUpperCase()}`),
    200,
  );
  expect(Object.keys(got)).toEqual(KEYS);
  expect(got).toMatchObject({ ...counterparty, phone_number: null, location: null });
  expect(got.logo).toContain(`https://ledgerline.example/logos/${got.id ?? ""}.svg`);
  expect(await resolve(client, { name: counterparty.name })).toEqual(got);
  expect(await resolve(client, { website: `https://www.${counterparty.website ?? ""}/x` })).toEqual(
    got,
  );
  const parent = await client.call<EntityBody>("GET", `/v3/entities/${got.parent?.id ?? ""}`);
  expect(answered(parent, 200).id).toBe(got.parent?.id);
});

it("a feature fills its field from then on, of the parent too", async () => {
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

it("the answer shown in the guide to entities is the one given", async () => {
  const guide = readDocument("docs/guides/entities.md");
  const [, body = ""] = /-d '([^']*)'/.exec(guide) ?? [];
  const [shown = ""] = fencedBlocks(guide, "json");
  const { client } = await startService({ config: { publicUrl: "http://127.0.0.1:8080" } });
  expect(await resolve(client, JSON.parse(body) as object)).toEqual(JSON.parse(shown));
});
