// Idempotency keys of uploads.
import { expect, test } from "vitest";
import { fakeDeps } from "../../../test/support/http-server.ts";
import { fakeStatements } from "../../../test/support/http-statements.ts";
import {
  UPLOAD_BOUNDARY,
  formText,
  partText,
  pdfPart,
  sendUpload,
  startKeepingUploads,
} from "../../../test/support/http-uploads.ts";
import type { HttpDeps } from "../http.ts";

/** Keys in memory. */
function keptKeys(): HttpDeps["idempotency"] {
  const keys = new Map<string, { fingerprint: string; status?: number; body?: string }>();
  return {
    ...fakeDeps([], []).idempotency,
    begin: (_, __, key, fingerprint) => {
      const known = keys.get(key);
      if (known === undefined) {
        keys.set(key, { fingerprint });
        return Promise.resolve({ kind: "new", resourceId: `document-of-${key}` });
      }
      if (known.fingerprint !== fingerprint) return Promise.resolve({ kind: "mismatch" });
      const { status, body } = known;
      return Promise.resolve(
        status === undefined || body === undefined
          ? { kind: "running" }
          : { kind: "replay", status, body },
      );
    },
    finish: (_, __, key, status, body) => {
      keys.set(key, { fingerprint: keys.get(key)?.fingerprint ?? "", status, body });
      return Promise.resolve();
    },
    abandon: (_, __, key) => {
      keys.delete(key);
      return Promise.resolve();
    },
  };
}

const KEY = { "Idempotency-Key": "k" };

test("a repeated upload gets the first answer; another file under its key is refused", async () => {
  await using server = await startKeepingUploads({ idempotency: keptKeys() });
  const first = await sendUpload(server, formText(pdfPart), KEY);
  // Clients make a new boundary each time.
  const other = { ...KEY, "Content-Type": "multipart/form-data; boundary=another" };
  const again = await sendUpload(
    server,
    formText(pdfPart).replaceAll(UPLOAD_BOUNDARY, "another"),
    other,
  );
  expect([first.status, again.status, again.json]).toEqual([200, 200, first.json]);
  expect(again.headers.get("Idempotency-Replayed")).toBe("true");
  for (const changed of [
    formText({ ...pdfPart, value: "%PDF-1.4 two" }),
    formText({ ...pdfPart, filename: "february.pdf" }),
    formText({ name: "password", value: "x" }, pdfPart),
  ]) {
    const answer = await sendUpload(server, changed, KEY);
    expect([answer.status, answer.json]).toMatchObject([422, { code: "idempotency_key_reused" }]);
  }
  expect(server.kept).toMatchObject([{ id: "document-of-k" }]);
});

test("an answer to an upload that is too long for a row is not kept, as it would be that of every file", async () => {
  const ended: string[] = [];
  await using server = await startKeepingUploads({
    idempotency: {
      ...keptKeys(),
      finishLong: (_, __, key) => Promise.resolve(void ended.push(`kept ${key}`)),
      interrupt: (_, __, key) => Promise.resolve(void ended.push(`interrupted ${key}`)),
    },
    statements: {
      ...fakeStatements,
      submit: async (org, upload) => {
        const made = await fakeStatements.submit(org, upload);
        const name = "x".repeat(1024 * 1024);
        return made.ok ? { ...made, document: { ...made.document, name } } : made;
      },
    },
  });
  expect((await sendUpload(server, formText(pdfPart), KEY)).status).toBe(200);
  expect(ended).toEqual(["interrupted k"]);
});

test("a refused upload leaves its key free, and one that is not whole does too", async () => {
  await using server = await startKeepingUploads({ idempotency: keptKeys() });
  expect((await sendUpload(server, partText(pdfPart), KEY)).status).toBe(422);
  expect(
    (await sendUpload(server, formText({ name: "currency", value: "x" }, pdfPart), KEY)).status,
  ).toBe(422);
  expect((await sendUpload(server, formText(pdfPart, pdfPart), KEY)).status).toBe(422);
  expect((await sendUpload(server, formText(pdfPart), KEY)).status).toBe(200);
  const long = { "Idempotency-Key": "x".repeat(256) };
  expect((await sendUpload(server, formText(pdfPart), long)).status).toBe(422);
});
