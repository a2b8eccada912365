import { expect, test } from "vitest";
import type { Actor } from "../../model/audit.ts";
import type { Features } from "../../model/organization.ts";
import { fakeAccess } from "../../../test/support/http-services.ts";
import { startServer } from "../../../test/support/http-server.ts";

const OPERATOR = { key: "acme:operator" };
const OFF = { phone_number: false, tax_number: false, naics2017: false };

/** A server that keeps which changes were requested, and by whom. */
async function startRecorder() {
  const asked: [string, Partial<Features>, Actor][] = [];
  const server = await startServer({
    organizations: {
      ...fakeAccess.organizations,
      setFeatures: (...call) => {
        asked.push(call);
        return fakeAccess.organizations.setFeatures(...call);
      },
    },
  });
  return Object.assign(server, { asked });
}

test("an operator sees which features any organization has", async () => {
  await using server = await startRecorder();
  const answer = await server.call("GET", "/ops/organizations/other", OPERATOR);
  expect([answer.status, answer.json]).toEqual([200, { id: "other", features: OFF }]);
});

test("an operator switches the named features, and the change has the actor", async () => {
  await using server = await startRecorder();
  const features = { naics2017: true, tax_number: false, phone_number: null };
  const answer = await server.call("PATCH", "/ops/organizations/other", {
    ...OPERATOR,
    body: { features, more: 1 },
    headers: { "X-Request-ID": "q" },
  });
  expect([answer.status, answer.json]).toEqual([
    200,
    { id: "other", features: { ...OFF, naics2017: true } },
  ]);
  expect(server.asked).toStrictEqual([
    [
      "other",
      { naics2017: true, tax_number: false },
      { keyId: "key-acme:operator", requestId: "q" },
    ],
  ]);
});

test.each([
  [{ features: { naics: true } }, ["body", "features", "naics"], "extra_forbidden"],
  [{ features: { naics2017: "on" } }, ["body", "features", "naics2017"], "bool_type"],
  [{ features: [] }, ["body", "features"], "model_attributes_type"],
  [{}, ["body", "features"], "missing"],
])("a change that is not understood (%j) changes nothing", async (body, loc, type) => {
  await using server = await startRecorder();
  const answer = await server.call("PATCH", "/ops/organizations/other", { ...OPERATOR, body });
  expect([answer.status, answer.json]).toMatchObject([422, { detail: [{ loc, type }] }]);
  expect(server.asked).toEqual([]);
});

test("an organization without any API key is not found", async () => {
  await using server = await startServer({
    organizations: {
      get: () => Promise.resolve(null),
      setFeatures: () => Promise.resolve(null),
    },
  });
  for (const [method, body] of [["GET"], ["PATCH", { features: {} }]] as const) {
    const answer = await server.call(method, "/ops/organizations/unknown", { ...OPERATOR, body });
    expect([answer.status, answer.json]).toMatchObject([404, { code: "organization_not_found" }]);
  }
});
