import { expect, test } from "vitest";
import type { EntityQuery } from "../../model/entity.ts";
import { startServer, type TestServer } from "../../../test/support/http-server.ts";
import { entity } from "../../../test/support/http-services.ts";
import { entityDetails } from "./entity-schemas.ts";

const ID = "fe4bf929-29ba-3933-b588-407855c85b52";
const PATH = "/v3/entities/resolve";

/** A server that records its queries; no entity has an id of zeros. */
async function startRecorder(): Promise<TestServer & { asked: unknown[] }> {
  const asked: unknown[] = [];
  const server = await startServer({
    entities: {
      get: (org, id) => {
        asked.push([org, id]);
        return Promise.resolve(id.startsWith("00000000") ? null : { ...entity, id });
      },
      resolve: (org: string, query: EntityQuery) => {
        asked.push([org, query]);
        return Promise.resolve(entity);
      },
    },
  });
  return Object.assign(server, { asked });
}

test("an entity is answered by its id with every field of the contract", async () => {
  await using server = await startRecorder();
  const answer = await server.call("GET", `/v3/entities/${ID}`, { key: "acme:read" });
  expect([answer.status, answer.json]).toEqual([200, { ...entity, id: ID }]);
  expect(entityDetails.strict().safeParse(answer.json).success).toBe(true);
  expect(server.asked).toEqual([["acme", ID]]);
});

test("the letters of an id may be large", async () => {
  await using server = await startRecorder();
  expect((await server.call("GET", `/v3/entities/${ID.toUpperCase()}`)).status).toBe(200);
});

test.each([
  ["x", 400],
  ["resolve-me", 400],
  [ID.slice(1), 400],
  [`${ID}0`, 400],
  [ID.replaceAll("-", ""), 400],
  [`{${ID}}`, 400],
  ["00000000-0000-0000-0000-000000000000", 404],
])("the id %s is answered %i", async (id, status) => {
  await using server = await startRecorder();
  const answer = await server.call("GET", `/v3/entities/${encodeURIComponent(id)}`);
  expect(answer.status).toBe(status);
  const detail = status === 400 ? "The id of an entity is a UUID" : "Entity not found";
  expect(answer.json).toMatchObject({ detail });
});

test.each([
  [{ name: "Acme" }, { name: "Acme", website: null, location: null }],
  [
    { name: " Acme ", website: null },
    { name: "Acme", website: null, location: null },
  ],
  [
    { website: "acme.com", name: "", location: " " },
    { name: null, website: "acme.com", location: null },
  ],
  [
    { name: "Acme", website: "\t", location: "Berlin", more: 1 },
    { name: "Acme", website: null, location: "Berlin" },
  ],
])("%j asks for %j", async (body, query) => {
  await using server = await startRecorder();
  const answer = await server.call("POST", PATH, { body });
  expect([answer.status, answer.json]).toEqual([200, entity]);
  expect(server.asked).toEqual([["acme", query]]);
});

test.each([
  {},
  { name: null, website: null },
  { name: "", website: " " },
  { location: "Berlin" },
  { name: "Acme", website: "acme.com" },
])("neither and both are refused: %j", async (body) => {
  await using server = await startRecorder();
  const answer = await server.call("POST", PATH, { body });
  expect([answer.status, answer.json]).toMatchObject([
    400,
    { detail: "Exactly one of name and website must be given" },
  ]);
  expect(server.asked).toEqual([]);
});

test.each([
  [{ name: 1 }, "name", "string_type"],
  [{ name: "x".repeat(1025) }, "name", "string_too_long"],
  [{ website: "x".repeat(2049) }, "website", "string_too_long"],
  [{ name: "x", location: ["Berlin"] }, "location", "string_type"],
  [{ name: "\ud800" }, "name", "string_unicode"],
])("a field that is not a text within its length is refused", async (body, field, type) => {
  await using server = await startRecorder();
  const answer = await server.call("POST", PATH, { body });
  expect(answer.status).toBe(422);
  expect(answer.json).toMatchObject({ detail: [{ loc: ["body", field], type }] });
  expect(server.asked).toEqual([]);
});

test("resolving is never answered from a kept answer, and leaves nothing of what was asked in the log", async () => {
  await using server = await startRecorder();
  const headers = { "Idempotency-Key": "k" };
  for (const name of ["Acme", "Umbrella"]) {
    expect((await server.call("POST", PATH, { headers, body: { name } })).status).toBe(200);
  }
  expect(server.asked).toHaveLength(2);
  expect(JSON.stringify(server.logs)).not.toMatch(/Acme|Umbrella/);
});
