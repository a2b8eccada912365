import { describe, expect, it } from "vitest";
import type { EntityDetails } from "../model/entity.ts";
import type { Feature } from "../model/tenant-settings.ts";
import { createEntityLookup } from "./entities.ts";

const premium = { phone_number: "+1", tax_number: "12-3", naics2017: "722515" };
const NOTHING = { phone_number: null, tax_number: null, naics2017: null };
const entity: EntityDetails = {
  id: "i",
  name: "Acme",
  website: "acme.com",
  ...premium,
  logo: null,
  mccs: [5814],
  parent: { id: "p", name: "Holding", website: "holding.com", ...premium },
  location: null,
};

function setUp(text: string | null, features: readonly Feature[] | null) {
  const asked: unknown[] = [];
  const answer = (query: unknown): Promise<string | null> => {
    asked.push(query);
    return Promise.resolve(text);
  };
  const organization = (org: string) => {
    asked.push(org);
    return Promise.resolve(features === null ? null : { features });
  };
  return {
    asked,
    entities: createEntityLookup({ findEntity: answer, resolveEntity: answer, organization }),
  };
}

const query = { name: "Acme", website: null, location: "Berlin" };

describe("what an organization gets of an entity", () => {
  it.each([
    [null, {}],
    [[], {}],
    [["naics2017"], { naics2017: "722515" }],
    [["phone_number", "tax_number"], { phone_number: "+1", tax_number: "12-3" }],
    [["phone_number", "tax_number", "naics2017"], premium],
  ] as const)("with the features %j it has %j, and so has its parent", async (features, shown) => {
    const { entities } = setUp(JSON.stringify(entity), features);
    const expected = {
      ...entity,
      ...NOTHING,
      ...shown,
      parent: { ...entity.parent, ...NOTHING, ...shown },
    };
    expect(await entities.get("acme", "i")).toEqual(expected);
    expect(await entities.resolve("acme", query)).toEqual(expected);
  });

  it("an entity without a parent stays without one", async () => {
    const { entities } = setUp(JSON.stringify({ ...entity, parent: null }), []);
    expect(await entities.get("acme", "i")).toMatchObject({ name: "Acme", parent: null });
  });
});

it("an unknown id is null, an unknown name has every field null", async () => {
  const { entities } = setUp(null, ["naics2017"]);
  expect(await entities.get("acme", "i")).toBeNull();
  const unknown = await entities.resolve("acme", query);
  expect(Object.keys(unknown)).toEqual(Object.keys(entity));
  expect(unknown).toEqual({
    ...Object.fromEntries(Object.keys(entity).map((key) => [key, null])),
    mccs: [],
  });
});

it("the threads are asked what was asked, and the features are those of who asks", async () => {
  const { asked, entities } = setUp(JSON.stringify(entity), []);
  await entities.get("acme", "i");
  await entities.resolve("umbrella", query);
  expect(asked).toEqual(["i", "acme", query, "umbrella"]);
});
