import { once } from "node:events";
import { createConnection } from "node:net";
import { expect, test } from "vitest";
import { LedgerlineError } from "../../shared/errors.ts";
import { STATEMENT_BYTES_MAX } from "../../model/bank-statement.ts";
import { exchangeBytes, gate, postHead } from "../../../test/support/http-server.ts";
import { fakeStatements, statementDocument } from "../../../test/support/http-statements.ts";
import {
  UPLOAD_PATH,
  UPLOAD_BOUNDARY,
  UPLOAD_FORM,
  formText,
  partText,
  pdfPart,
  sendUpload,
  startKeepingUploads,
} from "../../../test/support/http-uploads.ts";

test("a file reaches the stage byte by byte, with its name and the fields before it", async () => {
  await using server = await startKeepingUploads();
  const binary = String.fromCharCode(...Array.from({ length: 256 }, (_, at) => at)).repeat(2_000);
  const form = new FormData();
  form.append("password", "sésame");
  form.append("currency", "EUR");
  form.append("not known", "ignored");
  form.append("file", new Blob([Buffer.from(binary, "latin1")]), "Jänner 2026.pdf");
  const answer = await fetch(server.url + UPLOAD_PATH, {
    method: "POST",
    headers: { "X-Api-Key": "acme:write" },
    body: form,
  });
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { id: statementDocument.id, status: "completed" },
  ]);
  expect(server.kept).toEqual([
    {
      name: "Jänner 2026.pdf",
      password: "sésame",
      accountHolderId: null,
      accountType: null,
      currency: "EUR",
      text: binary,
    },
  ]);
});

test.each([
  ["../../etc/passwd", "passwd"],
  [String.raw`C:\fakepath\a.pdf`, "a.pdf"],
  ["..", null],
  ["", null],
  ["x".repeat(1_000), "x".repeat(256)],
  ["a\u0000\u0007b.pdf", "ab.pdf"],
])("the file name %j is kept as %j: never a path", async (filename, name) => {
  await using server = await startKeepingUploads();
  expect((await sendUpload(server, formText({ ...pdfPart, filename }))).status).toBe(200);
  expect(server.kept).toMatchObject([{ name }]);
});

test("a part named file is the file, with and without a file name", async () => {
  await using server = await startKeepingUploads();
  const answer = await sendUpload(server, formText({ name: "file", value: "%PDF" }));
  expect([answer.status, server.kept]).toMatchObject([200, [{ name: null, text: "%PDF" }]]);
});

const error = (loc: readonly string[], type: string, msg: string) => ({
  detail: [{ loc: ["body", ...loc], type, msg }],
  code: "validation_error",
});
const MISSING = error(["file"], "missing", "Field required");
const MALFORMED = error(
  [],
  "value_error",
  "Value error, the body is not a complete multipart/form-data form",
);

test.each<[string, string, Readonly<Record<string, string>>, number, object]>([
  ["JSON", "{}", { "Content-Type": "application/json" }, 422, MISSING],
  ["no boundary", formText(pdfPart), { "Content-Type": "multipart/form-data" }, 422, MISSING],
  ["an empty form", `--${UPLOAD_BOUNDARY}--\r\n`, {}, 422, MISSING],
  ["no body", "", {}, 422, MALFORMED],
  ["no file", formText({ name: "password", value: "x" }), {}, 422, MISSING],
  ["a file of another name", formText({ ...pdfPart, name: "statement" }), {}, 422, MISSING],
  ["another boundary", formText(pdfPart).replaceAll(UPLOAD_BOUNDARY, "other"), {}, 422, MALFORMED],
  ["no end", partText(pdfPart), {}, 422, MALFORMED],
  [
    "a second file",
    formText(pdfPart, pdfPart),
    {},
    422,
    error(["file"], "value_error", "Value error, only one file can be sent"),
  ],
  [
    "a field behind the file",
    formText(pdfPart, { name: "password", value: "x" }),
    {},
    422,
    error(["password"], "value_error", "Value error, this field must come before the file"),
  ],
  [
    "a field that is too long",
    formText({ name: "password", value: "x".repeat(5_000) }, pdfPart),
    {},
    422,
    error(["password"], "string_too_long", "String should have at most 4096 characters"),
  ],
  [
    "a value that a field cannot have",
    formText({ name: "currency", value: "gold" }, pdfPart),
    {},
    422,
    { detail: [{ loc: ["body", "currency"], type: "enum" }] },
  ],
  [
    "too many fields",
    formText(...Array.from({ length: 11 }, () => ({ name: "x", value: "y" })), pdfPart),
    {},
    422,
    error([], "too_long", "Form should have at most 10 fields"),
  ],
  [
    "a compressed form",
    formText(pdfPart),
    { "Content-Encoding": "gzip" },
    415,
    { code: "unsupported_content_encoding" },
  ],
])(
  "a form with %s is refused, and nothing of it is kept",
  async (_, body, headers, status, json) => {
    await using server = await startKeepingUploads();
    const answer = await sendUpload(server, body, headers);
    expect([answer.status, answer.json]).toMatchObject([status, json]);
    expect(server.kept).toEqual([]);
  },
);

test("a file that is too large is a 413: declared, and while it arrives", async () => {
  await using server = await startKeepingUploads();
  const declared = `${postHead(UPLOAD_PATH, `Content-Type: ${UPLOAD_FORM["Content-Type"]}\r\nContent-Length: 99999999`)}x`;
  expect(await exchangeBytes(server.port, declared)).toMatch(/^HTTP\/1.1 413 .*file_too_large/su);
  const exact = await sendUpload(
    server,
    formText({ ...pdfPart, value: "x".repeat(STATEMENT_BYTES_MAX) }),
  );
  expect(exact.status).toBe(200);
  const above = await sendUpload(
    server,
    formText({ ...pdfPart, value: "x".repeat(STATEMENT_BYTES_MAX + 1) }),
  );
  expect([above.status, above.json]).toMatchObject([
    413,
    { detail: "The file must have at most 49999999 bytes", code: "file_too_large" },
  ]);
  expect([server.kept.length, server.failures.length]).toEqual([1, 1]);
});

test("fields that never end are a 413, and are not held", async () => {
  await using server = await startKeepingUploads();
  const endless = formText({ name: "unknown", value: "x".repeat(50_400_000) }, pdfPart);
  expect((await sendUpload(server, endless)).status).toBe(413);
  expect(server.kept).toEqual([]);
});

test("an upload that is cut off in its file, or before it, leaves nothing", async () => {
  await using server = await startKeepingUploads();
  const head = postHead(
    UPLOAD_PATH,
    `Content-Type: ${UPLOAD_FORM["Content-Type"]}\r\nContent-Length: 100000`,
  );
  for (const begun of [head, `${head}${partText(pdfPart)}`]) {
    const socket = createConnection({ port: server.port, host: "127.0.0.1" });
    await once(socket, "connect");
    socket.end(begun);
    await once(socket.resume(), "close");
  }
  await expect.poll(() => server.failures.length).toBe(1);
  expect(server.kept).toEqual([]);
  expect((await sendUpload(server, formText(pdfPart))).status).toBe(200);
});

test("the bytes of a file wait until its reader takes them", async () => {
  const { opened, open } = gate();
  let taken = 0;
  await using server = await startKeepingUploads({
    statements: {
      ...fakeStatements,
      submit: async (_, { bytes }) => {
        for await (const chunk of bytes) {
          if (taken === 0) await opened;
          taken += chunk.length;
        }
        return { ok: true, document: statementDocument };
      },
    },
  });
  const value = "x".repeat(20_000_000);
  const socket = createConnection({ port: server.port, host: "127.0.0.1" });
  const body = formText({ ...pdfPart, value });
  const head = postHead(
    UPLOAD_PATH,
    `Content-Type: ${UPLOAD_FORM["Content-Type"]}\r\nContent-Length: ${String(Buffer.byteLength(body))}`,
  );
  const sent = new Promise<void>((resolve) => {
    socket.write(head + body, () => {
      resolve();
    });
  });
  let isSent = false;
  void sent.then(() => (isSent = true));
  await once(socket, "connect");
  await server.call("GET", "/health/live", { key: null });
  expect(isSent).toBe(false);
  open();
  await sent;
  socket.end();
  await once(socket.resume(), "close");
  expect(taken).toBe(value.length);
});

test.each([
  ["too_large", 413, "file_too_large"],
  ["unsupported_type", 415, "unsupported_file_type"],
  ["empty", 422, "validation_error"],
  ["holder_not_found", 404, "account_holder_not_found"],
] as const)("a file that the stage refuses as %s is a %i", async (reason, status, code) => {
  await using server = await startKeepingUploads({
    statements: { ...fakeStatements, submit: () => Promise.resolve({ ok: false, reason }) },
  });
  const body = formText({ ...pdfPart, value: "x".repeat(3_000_000) });
  const answer = await sendUpload(server, body);
  expect([answer.status, answer.json]).toMatchObject([status, { code }]);
  // The rest of the file is discarded: the connection is good for the next request.
  expect((await sendUpload(server, body)).status).toBe(status);
});

test("an upload counts its bytes in the log, and none of its names or values", async () => {
  await using server = await startKeepingUploads();
  await sendUpload(server, formText({ name: "password", value: "secret" }, pdfPart));
  const logged = JSON.stringify(server.logs);
  expect(server.logs.at(-1)?.fields).toMatchObject({
    route: UPLOAD_PATH,
    bytesIn: pdfPart.value.length,
  });
  expect(logged).not.toMatch(/secret|january/u);
});

test("of one key 16 files arrive at the same time; one more is a 429", async () => {
  const { opened, open } = gate();
  const arrived: string[] = [];
  await using server = await startKeepingUploads({
    statements: {
      ...fakeStatements,
      submit: async (org, upload) => {
        arrived.push(org);
        await opened;
        return fakeStatements.submit(org, upload);
      },
    },
  });
  const running = Array.from({ length: 16 }, () => sendUpload(server, formText(pdfPart)));
  await expect.poll(() => arrived.length).toBe(16);
  const refused = await sendUpload(server, formText(pdfPart));
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "1"]);
  open();
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array(16).fill(200));
});

test("a stage that cannot be reached is a 503, whatever is left of the file", async () => {
  await using server = await startKeepingUploads({
    statements: {
      ...fakeStatements,
      submit: () => Promise.reject(new LedgerlineError("unavailable", "gone")),
    },
  });
  const answer = await sendUpload(server, formText({ ...pdfPart, value: "x".repeat(5_000_000) }));
  expect([answer.status, answer.json]).toMatchObject([503, { code: "unavailable" }]);
});
