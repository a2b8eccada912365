import { expect, test } from "vitest";
import type { Actor } from "../../model/audit.ts";
import type { MoveRefusal, ReportMove } from "../../model/report.ts";
import {
  CREATED_AT_TEXT,
  startServer,
  stored,
  type TestServer,
} from "../../../test/support/http-server.ts";
import { correction, fakeSettings, report } from "../../../test/support/http-services.ts";

const { reports } = fakeSettings;
const key = "acme:operator";
const shown = {
  transaction_id: "t1",
  description: report.description,
  fields: report.fields,
  id: "p1",
  created_at: CREATED_AT_TEXT,
  status: "open",
  rejection_reason: null,
  org: "acme",
  updated_at: CREATED_AT_TEXT,
  // Not the URL: many have secrets in their paths.
  expected: report.expected,
};

/** A server that keeps how its reports are moved. */
async function startRecorder(): Promise<
  TestServer & { moves: [id: string, move: ReportMove, by: Actor][] }
> {
  const moves: [string, ReportMove, Actor][] = [];
  const move: typeof reports.move = (...call) => {
    moves.push(call);
    return reports.move(...call);
  };
  return Object.assign(await startServer({ reports: { ...reports, move } }), { moves });
}

test("the reports of all are listed as asked, each with whose it is", async () => {
  const asked: unknown[] = [];
  const listAll: typeof reports.listAll = (...call) => {
    asked.push(call);
    return reports.listAll(...call);
  };
  await using server = await startServer({ reports: { ...reports, listAll } });
  const answer = await server.call("GET", "/ops/reports?status=open&org=acme&limit=5", { key });
  expect([answer.status, answer.json]).toEqual([200, { next_cursor: null, data: [shown] }]);
  await server.call("GET", "/ops/reports", { key });
  expect(asked).toMatchObject([
    [{ org: "acme", status: "open" }, { limit: 5 }],
    [{ org: null, status: null }, { limit: 10 }],
  ]);
});

test("a report includes its current transaction, or null when it was deleted", async () => {
  let transaction: typeof stored | null = stored;
  const details = () => Promise.resolve({ report, transaction });
  await using server = await startServer({ reports: { ...reports, details } });
  const there = await server.call("GET", "/ops/reports/p1", { key });
  const known = (await server.call("GET", "/v3/transactions/t1")).json;
  expect([there.status, there.json]).toEqual([200, { ...shown, transaction: known }]);
  transaction = null;
  const gone = await server.call("GET", "/ops/reports/p1", { key });
  expect(gone.json).toEqual({ ...shown, transaction: null });
});

test("a move is made by the key and the call that ask for it", async () => {
  await using server = await startRecorder();
  const headers = { "X-Request-ID": "r-1" };
  const body = { status: "rejected", rejection_reason: "It is right." };
  const answer = await server.call("PATCH", "/ops/reports/p1", { key, headers, body });
  expect([answer.status, answer.json]).toEqual([
    200,
    { ...shown, status: "rejected", corrected: null },
  ]);
  const by = { keyId: "key-acme:operator", requestId: "r-1" };
  expect(server.moves).toEqual([
    ["p1", { status: "rejected", rejectionReason: "It is right." }, by],
  ]);
});

test("null corrects to nothing, what is left out is not corrected, and a website is its domain", async () => {
  await using server = await startRecorder();
  for (const corrected of [
    undefined,
    null,
    {},
    { merchant: null, location: null },
    { merchant: " Blue ", website: "https://www.Blue.example/shop", type: "organization" },
    { website: null, category: " fuel ", accounting: null },
  ])
    await server.call("PATCH", "/ops/reports/p1", { key, body: { status: "resolved", corrected } });
  expect(server.moves.map(([, move]) => "corrected" in move && move.corrected)).toEqual([
    null,
    null,
    null,
    { merchant: null, location: null },
    { merchant: "Blue", website: "blue.example", type: "organization" },
    { website: null, category: "fuel", accounting: null },
  ]);
});

const WRONG_FIELDS: readonly (readonly [object, string])[] = [
  [{ merchant: "" }, "merchant"],
  [{ merchant: " \u00a0" }, "merchant"],
  [{ merchant: "x".repeat(257) }, "merchant"],
  [{ merchant: null, website: "a.example" }, "merchant"],
  [{ merchant: null, type: "person" }, "merchant"],
  [{ website: "not a website" }, "website"],
  [{ website: "10.0.0.1" }, "website"],
  [{ type: null }, "type"],
  [{ type: "company" }, "type"],
  [{ category: 5 }, "category"],
  [{ accounting: "fun" }, "accounting"],
  [{ location: "" }, "location"],
  [{ location: "  " }, "location"],
];

test.each<[body: object, loc: readonly string[]]>([
  [{}, ["body", "status"]],
  [{ status: "open" }, ["body", "status"]],
  [{ status: "rejected" }, ["body", "rejection_reason"]],
  [{ status: "rejected", rejection_reason: null }, ["body", "rejection_reason"]],
  [{ status: "rejected", rejection_reason: "" }, ["body", "rejection_reason"]],
  [{ status: "rejected", rejection_reason: " \t" }, ["body", "rejection_reason"]],
  [{ status: "rejected", rejection_reason: "x".repeat(1025) }, ["body", "rejection_reason"]],
  [{ status: "resolved", rejection_reason: "why" }, ["body", "rejection_reason"]],
  [{ status: "pending", rejection_reason: "why" }, ["body", "rejection_reason"]],
  [{ status: "pending", corrected: {} }, ["body", "corrected"]],
  [
    { status: "rejected", rejection_reason: "why", corrected: { merchant: "x" } },
    ["body", "corrected"],
  ],
  ...WRONG_FIELDS.map(([corrected, field]): [object, string[]] => [
    { status: "resolved", corrected },
    ["body", "corrected", field],
  ]),
])("%j is refused, with the place that is wrong, and moves nothing", async (body, loc) => {
  await using server = await startRecorder();
  const answer = await server.call("PATCH", "/ops/reports/p1", { key, body });
  expect([answer.status, answer.json]).toMatchObject([422, { detail: [{ loc }] }]);
  expect(server.moves).toEqual([]);
});

test.each<[MoveRefusal, number, string]>([
  [{ reason: "not_found" }, 404, "Report not found"],
  [
    { reason: "final", status: "resolved" },
    409,
    "The report is resolved: it cannot become pending",
  ],
  [
    { reason: "not_correctable", problem: "no_category" },
    400,
    "The transaction has no account holder, and so no category",
  ],
])("a refusal has a detail in words: %j", async (refusal, status, detail) => {
  const move = () => Promise.resolve({ ok: false, refusal } as const);
  await using server = await startServer({ reports: { ...reports, move } });
  const body = { status: "pending" };
  const answer = await server.call("PATCH", "/ops/reports/p1", { key, body });
  expect([answer.status, answer.json]).toMatchObject([status, { detail }]);
});

test("too many moves at once get 503 with Retry-After, too many corrections 400", async () => {
  let reason: "busy" | "corrections_full" = "busy";
  const move = () => Promise.resolve({ ok: false, refusal: { reason } } as const);
  await using server = await startServer({ reports: { ...reports, move } });
  const body = { status: "resolved", corrected: { merchant: "x" } };
  const busy = await server.call("PATCH", "/ops/reports/p1", { key, body });
  expect([busy.status, busy.headers.get("Retry-After")]).toEqual([409, "1"]);
  reason = "corrections_full";
  const full = await server.call("PATCH", "/ops/reports/p1", { key, body });
  expect(full.status).toBe(400);
  expect(full.json).toMatchObject({ detail: expect.stringContaining("10000") as string });
});

test("the answer has the clean name of later lines, or null without one", async () => {
  let cleanName = "BLUE";
  const move: typeof reports.move = (id, { status }) => {
    const correctionId = cleanName === "" ? null : "c1";
    const corrected = { transaction: true, cleanName, correctionId };
    return Promise.resolve({ ok: true, report: { ...report, id, status }, corrected });
  };
  await using server = await startServer({ reports: { ...reports, move } });
  const body = { status: "resolved", corrected: { merchant: "x" } };
  const correctedOf = async () => {
    const { json } = await server.call("PATCH", "/ops/reports/p1", { key, body });
    return (json as { corrected: unknown }).corrected;
  };
  expect(await correctedOf()).toEqual({
    transaction: true,
    clean_name: "BLUE",
    correction_id: "c1",
  });
  cleanName = "";
  expect(await correctedOf()).toEqual({ transaction: true, clean_name: null, correction_id: null });
});

test("corrections are listed, of one organization or of all, and dropped", async () => {
  const asked: unknown[] = [];
  await using server = await startServer({
    reports: {
      ...reports,
      corrections: (...call) => {
        asked.push(call);
        return reports.corrections(...call);
      },
      dropCorrection: (...call) => {
        asked.push(call);
        return Promise.resolve(call[0] === "c1");
      },
    },
  });
  const page = (await server.call("GET", "/ops/corrections", { key })).json;
  expect(page).toEqual({
    next_cursor: null,
    data: [
      {
        id: "c1",
        org: "acme",
        created_at: CREATED_AT_TEXT,
        updated_at: CREATED_AT_TEXT,
        clean_name: correction.cleanName,
        entry_type: "outgoing",
        account_type: null,
        parts: { counterparty: null },
      },
    ],
  });
  await server.call("GET", "/ops/corrections?org=acme&limit=3", { key });
  expect((await server.call("DELETE", "/ops/corrections/c1", { key })).status).toBe(204);
  expect(await server.call("DELETE", "/ops/corrections/c2", { key })).toMatchObject({
    status: 404,
    json: { detail: "Correction not found" },
  });
  expect(asked).toMatchObject([
    [{ org: null }, { limit: 10 }],
    [{ org: "acme" }, { limit: 3 }],
    ["c1", { keyId: "key-acme:operator" }],
    ["c2", { keyId: "key-acme:operator" }],
  ]);
});
