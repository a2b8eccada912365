import { expect, test } from "vitest";
import { BATCH_BODY, IDS_BODY, USUAL_BODY } from "./body-bounds.ts";
import { startServer, transactionBody } from "../../../test/support/http-server.ts";
import { operatorRoutes } from "../ops/routes.ts";
import { v2Routes } from "../v2/routes.ts";
import { v3Routes } from "../v3/routes.ts";

test("no routes but those of batches and models accept a body of more than 4 MiB or 50,000 values", () => {
  for (const { path, method, request } of [...v3Routes, ...v2Routes, ...operatorRoutes]) {
    const isBatch =
      method === "POST" && /^\/v3\/batches$|^(?:\/v2)?\/transactions|^\/v2\/models/.test(path);
    const { bytesMax, valuesMax } = request.bounds;
    if (isBatch) expect(request.bounds).toEqual(BATCH_BODY);
    else expect([bytesMax <= IDS_BODY.bytesMax, valuesMax <= 50_000], path).toEqual([true, true]);
  }
});

test("a body beyond the bounds of its route is a 413 that names them", async () => {
  await using server = await startServer();
  const call = async (path: string, body: string): Promise<unknown> => {
    const { status, json } = await server.call("POST", path, { body });
    return [status, (json as { detail: unknown }).detail];
  };
  const withExtra = (extra: string): string =>
    JSON.stringify(transactionBody).replace("{", `{"extra":${extra},`);
  const bytes = `Request body must be at most ${String(USUAL_BODY.bytesMax)} bytes`;
  const long = withExtra(`"${"x".repeat(USUAL_BODY.bytesMax)}"`);
  expect(await call("/v3/transactions", long)).toEqual([413, bytes]);
  const values = `Request body must have at most ${String(USUAL_BODY.valuesMax)} JSON values`;
  const many = withExtra(`[${"1,".repeat(USUAL_BODY.valuesMax)}1]`);
  expect(await call("/v3/transactions", many)).toEqual([413, values]);
  const fewer = withExtra(`[${"1,".repeat(USUAL_BODY.valuesMax / 2)}1]`);
  expect((await server.call("POST", "/v3/transactions", { body: fewer })).status).toBe(200);
});

test("a thousand ids of 256 characters, all of them escaped, are within the bounds of their route", async () => {
  await using server = await startServer();
  const id = "\\ud83d\\ude00".repeat(256);
  const body = `{"transaction_ids":[${Array.from({ length: 1_000 }, () => `"${id}"`).join(",")}]}`;
  const path = "/v3/account_holders/h1/transactions/delete";
  expect((await server.call("POST", path, { body })).status).toBe(204);
});
