// What the guide to webhooks shows is what happens, and the verifiers in examples/webhooks accept what the official package
// signs, and nothing else.
import { fileURLToPath } from "node:url";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { canRun, runCommand } from "../services/native/command.ts";
import { createCallReader } from "../../src/cli/webhooks/call.ts";
import type { StoredWebhook } from "../../src/model/webhook.ts";
import { webhookEvent } from "../../src/events/events.ts";
import { eventExample } from "../../src/http/v3/event-catalog.ts";
import { newWebhook } from "../../src/http/v3/webhook-schemas.ts";
import { fencedBlocks, readDocument } from "../support/documents.ts";
import { verify } from "../../examples/webhooks/verify.ts";

const root = new URL("../../", import.meta.url);
const folder = new URL("examples/webhooks/", root);
const guide = readDocument("docs/guides/webhooks.md");

/** The first block of a language in the guide. */
const block = (language: string): string => fencedBlocks(guide, language)[0] ?? "";

it("the event for operators is the one that is sent", () => {
  const [event = ""] = fencedBlocks(readDocument("docs/operate/webhooks.md"), "json");
  const example = JSON.parse(event) as {
    readonly data: Readonly<
      Record<
        "organization" | "id" | "host" | "last_error" | "last_success_at" | "disabled_at",
        string
      >
    > & { readonly consecutive_failures: number };
  };
  const { data } = example;
  const webhook: StoredWebhook = {
    ...{ org: data.organization, id: data.id, createdAt: 0, revision: 1 },
    ...{ url: `https://${data.host}/hook`, events: [], enabled: false, ordered: false },
    ...{ ca: null, tokens: [], secrets: [] },
    health: {
      ...{ consecutiveFailures: data.consecutive_failures, enabledAt: 0 },
      lastSuccessAt: Date.parse(data.last_success_at),
      disabledAt: Date.parse(data.disabled_at),
      ...{ disabledReason: "failures", lastError: data.last_error },
    },
  };
  const { eventId, body } = webhookEvent("webhooks.disabled", webhook, null, 0);
  expect(JSON.parse(body)).toEqual({ ...example, event_id: eventId });
});

it("the webhook of the guide can be registered", () => {
  const [, body = ""] = /<<JSON\n(.*?)\nJSON$/ms.exec(block("sh")) ?? [];
  expect(newWebhook.parse(JSON.parse(body))).toMatchObject({
    events: ["batches.completed", "batches.error"],
  });
});

it("the event is the one of the catalog, and its line the one that is printed for it", () => {
  const event = eventExample("batches.completed");
  expect(JSON.parse(block("json"))).toEqual(event);
  const [, line = ""] = block("text").split("\n");
  const at = Date.parse(line.slice(0, "2026-01-02T03:04:08.120Z".length));
  const text = JSON.stringify(event);
  const headers = {
    "webhook-id": "e-1",
    "webhook-timestamp": String(Math.floor(at / 1_000)),
    "webhook-signature": new Webhook(OTHER).sign("e-1", new Date(at), text),
  };
  const read = createCallReader({ secret: OTHER, token: null, status: 200 });
  const body = Buffer.from(text);
  expect(read({ method: "POST", headers, body, bodyBytes: body.length, at }).line).toBe(line);
});

interface Case {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly secret: string;
  readonly isRight: boolean;
}

const NOW_MS = 1_795_000_000_000;
const AGE_MAX_MS = 300_000;
const BASE64 = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(24, 9).toString("base64")}`;
const TEXT = "any text, ünd more";
const BODY = '{"event_id":"e-1","event_type":"batches.completed","data":{"note":"käse"}}';

function signatureOf(secret: string, at: Date): string {
  const signer = secret.startsWith("whsec_")
    ? new Webhook(secret)
    : new Webhook(Buffer.from(secret), { format: "raw" });
  return signer.sign("e-1", at, BODY);
}

/** @param signers whose signatures the call carries, in this order */
function signed(signers: readonly string[], ageMs = 0): Record<string, string> {
  const at = new Date(NOW_MS - ageMs);
  return {
    "webhook-id": "e-1",
    "webhook-timestamp": String(at.getTime() / 1_000),
    "webhook-signature": signers.map((secret) => signatureOf(secret, at)).join(" "),
  };
}

function without(name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(signed([TEXT])).filter(([key]) => key !== name));
}

const right = signed([TEXT])["webhook-signature"] ?? "";
const over = (headers: Record<string, string>) => ({ ...signed([TEXT]), ...headers });
const CASES: readonly Case[] = [
  ...[BASE64, TEXT].flatMap((secret) => [
    { name: "right", headers: signed([secret]), secret, isRight: true },
    { name: "just young enough", headers: signed([secret], AGE_MAX_MS), secret, isRight: true },
    { name: "too old", headers: signed([secret], AGE_MAX_MS + 1_000), secret, isRight: false },
    { name: "too new", headers: signed([secret], -AGE_MAX_MS - 1_000), secret, isRight: false },
    { name: "signed with another", headers: signed([OTHER]), secret, isRight: false },
    { name: "new secret first", headers: signed([OTHER, secret]), secret, isRight: true },
    { name: "new secret last", headers: signed([secret, OTHER]), secret, isRight: true },
  ]),
  { name: "no id", headers: without("webhook-id") },
  { name: "no timestamp", headers: without("webhook-timestamp") },
  { name: "no signature", headers: without("webhook-signature") },
  { name: "no headers", headers: {} },
  { name: "another id", headers: over({ "webhook-id": "e-2" }) },
  { name: "another time", headers: over({ "webhook-timestamp": String(NOW_MS / 1_000 + 1) }) },
  { name: "no number as time", headers: over({ "webhook-timestamp": "1e9" }) },
  { name: "endless time", headers: over({ "webhook-timestamp": "9".repeat(5_000) }) },
  { name: "digits of others as time", headers: over({ "webhook-timestamp": "¹²" }) },
  { name: "another version", headers: over({ "webhook-signature": right.replace("v1,", "v2,") }) },
  { name: "cut off", headers: over({ "webhook-signature": right.slice(0, -5) }) },
  { name: "empty", headers: over({ "webhook-signature": "v1," }) },
  { name: "no text", headers: over({ "webhook-signature": "v1,ÿ \u0000 v1,ÿ" }) },
  { name: "other bytes", headers: signed([TEXT]), body: BODY.replace(",", ", ") },
].map((given) => ({ body: BODY, secret: TEXT, isRight: false, ...given }));

describe("the verifier in TypeScript", () => {
  it.each(CASES)("$name with $secret: $isRight", ({ headers, body, secret, isRight }) => {
    expect(verify(headers, Buffer.from(body), secret, NOW_MS)).toBe(isRight);
  });

  it.each(["", "whsec_"])("refuses to work with the secret '%s'", (secret) => {
    expect(() => verify(signed([TEXT]), Buffer.from(BODY), secret, NOW_MS)).toThrow("empty");
  });
});

/** Verifies every case and prints a list of what came out: true, false or the name of an error. */
const PYTHON = `
import json, sys
sys.path.insert(0, sys.argv[1])
from verify import verify
def one(case):
    try:
        return verify(case["headers"], case["body"].encode(), case["secret"], float(sys.argv[2]))
    except Exception as error:
        return type(error).__name__
print(json.dumps([one(case) for case in json.loads(sys.argv[3])]))
`;

describe.skipIf(!(await canRun("python3", ["--version"])))("the verifier in Python", () => {
  async function verifyAll(cases: readonly Omit<Case, "name" | "isRight">[]): Promise<unknown> {
    const args = [fileURLToPath(folder), String(NOW_MS / 1_000), JSON.stringify(cases)];
    // -B: leaves no compiled file behind.
    return JSON.parse(await runCommand("python3", ["-B", "-c", PYTHON, ...args], 30_000));
  }

  it("gives the same result for every call", async () => {
    const found = (await verifyAll(CASES)) as unknown[];
    const results = CASES.map(({ name, secret }, index) => [name, secret, found[index]]);
    expect(results).toEqual(CASES.map(({ name, secret, isRight }) => [name, secret, isRight]));
  });

  it("refuses to work with an empty secret", async () => {
    const cases = ["", "whsec_"].map((secret) => ({ headers: signed([TEXT]), body: BODY, secret }));
    expect(await verifyAll(cases)).toEqual(["ValueError", "ValueError"]);
  });
});
