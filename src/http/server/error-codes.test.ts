import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { errorAnswer } from "./answer.ts";
import { ERROR_CODES, type ErrorCode } from "./error-codes.ts";
import { startServer } from "../../../test/support/http-server.ts";

const PAGE = new URL("../../../docs/reference/errors.md", import.meta.url);

it("the reference of errors has every code with its status and meaning, and no other", async () => {
  const rows = [...(await readFile(PAGE, "utf8")).matchAll(/^\| `(\w+)` \| (\d{3}) \| (.+) \|$/gm)];
  const documented = rows.map(([, code, status, meaning]) => [code, Number(status), meaning]);
  const served = Object.entries(ERROR_CODES).map(([code, { status, meaning }]) => [
    code,
    status,
    meaning,
  ]);
  expect(documented).toEqual(served);
});

it("an error has the status of its code, a sentence, the code and the id of its request", async () => {
  for (const code of Object.keys(ERROR_CODES) as ErrorCode[])
    expect(errorAnswer(code, "A sentence").status).toBe(ERROR_CODES[code].status);
  await using server = await startServer();
  const headers = { "X-Request-ID": "mine-1" };
  const missing = await server.call("GET", "/nowhere", { headers });
  expect([missing.status, missing.json]).toEqual([
    404,
    { detail: "Path not found", code: "route_not_found", request_id: "mine-1" },
  ]);
  const wrong = await server.call("POST", "/v3/transactions", { headers, body: {} });
  expect([wrong.status, wrong.json]).toMatchObject([
    422,
    { detail: expect.any(Array) as unknown[], code: "validation_error", request_id: "mine-1" },
  ]);
});

it("a kept error that is sent again names the request that it answers now", async () => {
  await using server = await startServer({
    idempotency: {
      begin: () =>
        Promise.resolve({ kind: "replay", status: 422, body: '{"detail":[],"code":"x"}' }),
      finish: () => Promise.resolve(),
      finishLong: () => Promise.resolve(),
      abandon: () => Promise.resolve(),
      interrupt: () => Promise.resolve(),
    },
  });
  const headers = { "X-Request-ID": "mine-2", "Idempotency-Key": "k" };
  const answer = await server.call("POST", "/v3/transactions", { headers, body: {} });
  expect(answer.json).toEqual({ detail: [], code: "x", request_id: "mine-2" });
});
