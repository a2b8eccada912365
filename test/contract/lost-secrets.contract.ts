// What happens to a webhook whose secret cannot be decrypted, over every store.
import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { COMMAND_LINE } from "../../src/model/audit.ts";
import type { NewWebhook, EncryptedSecret, WebhookSettings } from "../../src/model/webhook.ts";
import { createAuditRepository } from "../../src/store/repositories/audit.ts";
import type { Store } from "../../src/store/collection.ts";
import { createWebhookRepository } from "../../src/store/repositories/webhooks.ts";
import {
  openWebhookStage,
  type WebhookStage,
  type WebhookStageOptions,
} from "../../src/app/webhooks.ts";
import { createRepositories } from "../../src/app/repositories.ts";
import { verify } from "../../examples/webhooks/verify.ts";
import {
  type Dispatching,
  HOUR,
  MINUTE,
  openDispatching,
  type OpenStore,
  ORG,
  resultOf,
  SECOND,
} from "./dispatching.ts";

const URL = "https://a.example.com/hook";

/** As if the key that encrypted it were another one. */
const damaged = ({ encrypted, ...secret }: EncryptedSecret): EncryptedSecret => ({
  ...secret,
  encrypted: encrypted.replace(/^v1\.[0-9a-f]{8}/, "v1.00000000"),
});

async function rewrite(
  store: Store,
  id: string,
  change: (seen: WebhookSettings) => Partial<WebhookSettings>,
): Promise<void> {
  const webhooks = createWebhookRepository(store);
  const seen = await webhooks.get(ORG, id);
  if (seen === null) throw new Error("The webhook should be there");
  expect(await webhooks.replace(seen, { ...seen, ...change(seen) })).toBe(true);
}

const loseSecret = (on: Dispatching, id: string): Promise<void> =>
  rewrite(on.store, id, ({ secrets }) => ({ secrets: secrets.map(damaged) }));

async function entriesOf(store: Store) {
  const filter = { action: "webhook.secret_unavailable" } as const;
  const page = { limit: 10, createdAfter: null, createdBefore: null, after: null };
  return (await createAuditRepository(store).list(ORG, filter, page)).rows;
}

type KeyOptions = Pick<WebhookStageOptions, "acceptsLostKeys" | "needsAllKeys"> & {
  readonly ed25519?: boolean;
};

/** Stages over one store that differ in their keys. */
async function openWithKeys(open: OpenStore) {
  const { store, close } = await open();
  onTestFinished(close);
  const stageOf = (
    keys: readonly string[],
    { ed25519 = true, ...options }: KeyOptions = {},
  ): Promise<WebhookStage> => {
    const webhooks = { ...readConfig({}, 1).webhooks, ed25519 };
    const encryptionKeys = keys.map((key) => Buffer.alloc(32, key).toString("base64"));
    const config = { ...readConfig({}, 1), encryptionKeys, webhooks };
    const send = () => Promise.resolve(resultOf({ status: 200 }));
    return openWebhookStage(createRepositories(store), config, Date.now, () => undefined, {
      send,
      ...options,
    });
  };
  return { store, stageOf };
}

const INPUT: NewWebhook = {
  ...{ url: URL, events: ["batches.completed" as const], ordered: false, ca: null },
  ...{ token: "token 1", hmacSecret: "secret 1" },
};

export function lostSecretsContract(name: string, open: OpenStore): void {
  describe(`lost secrets contract: ${name}`, () => {
    it("a secret that cannot be decrypted fails attempts with a reason, by the schedule", async () => {
      const on = await openDispatching(open, { failuresMax: 1, failingMs: 0 });
      const webhook = await on.register(URL, { hmacSecret: "secret 1" });
      await loseSecret(on, webhook);
      const process = await on.start("one");
      const [eventId = ""] = await on.happen(1);
      await on.pass(0, process);
      await on.pass(10 * SECOND, process);
      const { delivery, attempts } = await on.delivery(webhook, eventId);
      expect(on.calls).toEqual([]);
      expect(delivery).toMatchObject({
        ...{ state: "pending", attempts: 2, lastStatus: null, lastError: "secret_unavailable" },
      });
      expect(delivery.nextAttemptAt).toBeGreaterThan(on.clock.now);
      expect(attempts[0]).toMatchObject({ number: 1, keyIds: [], requestId: null });
      expect(attempts[0]?.detail).toMatch(/^The hmac_secret of this webhook cannot be decrypted: /);
      const shown = await process.webhooks.get(ORG, webhook);
      // The endpoint is not to blame: the webhook stays enabled however low the limit is.
      expect(shown).toMatchObject({ enabled: true, health: { consecutiveFailures: 0 } });
      expect(shown?.health.lastError).toBe(attempts[0]?.detail);
      expect(process.dispatcher.state().secretsUnavailable).toBe(1);
      const reported = process.reports.filter(({ kind }) => kind === "secret_unavailable");
      expect(reported).toEqual([{ kind: "secret_unavailable", org: ORG, webhookId: webhook }]);
      expect(await entriesOf(on.store)).toMatchObject([
        { subject: webhook, keyId: null, details: { host: "a.example.com" } },
      ]);
      expect(await process.webhooks.test(ORG, webhook)).toBe("secret_unavailable");
    });

    it("a new secret works at once, also for the deliveries that wait", async () => {
      const on = await openDispatching(open);
      const webhook = await on.register(URL, { hmacSecret: "secret 1" });
      await loseSecret(on, webhook);
      const process = await on.start("one");
      const events = await on.happen(3);
      await on.pass(0, process);
      for (const minutes of [1, 5, 30, 60, 120]) await on.pass(minutes * MINUTE, process);
      expect(on.calls).toEqual([]);
      expect((await on.nextDueAt(webhook)) ?? 0).toBeGreaterThan(on.clock.now + MINUTE);
      await process.webhooks.patch(ORG, webhook, { hmacSecret: "secret 2" }, COMMAND_LINE);
      expect(await on.nextDueAt(webhook)).toBe(on.clock.now);
      await on.pass(2 * SECOND, process);
      await on.pass(2 * SECOND, process);
      expect(on.calls.map(({ eventId }) => eventId).toSorted()).toEqual(events.toSorted());
      for (const { headers, body, at } of on.calls)
        expect(verify(headers, Buffer.from(body), "secret 2", at)).toBe(true);
      for (const eventId of events)
        expect((await on.delivery(webhook, eventId)).delivery.state).toBe("delivered");
      expect(process.dispatcher.state().secretsUnavailable).toBe(0);
      expect((await process.webhooks.get(ORG, webhook))?.health.lastError).toBeNull();
      expect(await process.webhooks.test(ORG, webhook)).toMatchObject({ error: null });
    });

    it("a lost secret of one webhook holds up no other", async () => {
      const on = await openDispatching(open);
      const lost = await on.register(URL, { token: "token" });
      await on.register("https://b.example.com/hook", { token: "token" });
      await rewrite(on.store, lost, ({ tokens }) => ({ tokens: tokens.map(damaged) }));
      const process = await on.start("one");
      await on.happen(5);
      await on.pass(0, process);
      expect(on.calls.map(({ url }) => url)).toEqual(Array(5).fill("https://b.example.com/hook"));
      expect((await process.webhooks.get(ORG, lost))?.token).toBeNull();
    });

    it("a signing secret that is moved to the token is never sent", async () => {
      const on = await openDispatching(open);
      const webhook = await on.register(URL, { hmacSecret: "secret 1" });
      await rewrite(on.store, webhook, ({ secrets }) => ({ tokens: secrets }));
      const process = await on.start("one");
      const [eventId = ""] = await on.happen(1);
      await on.pass(0, process);
      expect(on.calls).toEqual([]);
      const { attempts } = await on.delivery(webhook, eventId);
      expect(attempts[0]?.detail).toMatch(/^The token of this webhook cannot be decrypted/);
    });

    it("a start without a key that stored secrets need is refused, and changes nothing", async () => {
      const { store, stageOf } = await openWithKeys(open);
      const before = await stageOf(["old"]);
      const id = randomUUID();
      await before.webhooks.create(ORG, INPUT, id, COMMAND_LINE);
      const sentence =
        /^The encryption key [0-9a-f]{8} is missing, and 2 stored secrets need it: add it to ENCRYPTION_KEYS .*--accept-lost/;
      await expect(stageOf(["new"])).rejects.toMatchObject({
        ...{ code: "bad_secret", message: expect.stringMatching(sentence) as string },
      });
      await expect(stageOf(["new"])).rejects.toThrow(sentence);
      const after = await stageOf(["new", "old"]);
      expect(after.publicKey).toBe(before.publicKey);
      expect(await after.webhooks.test(ORG, id)).toMatchObject({ error: null });
      // A damaged row does not mean a missing key.
      await rewrite(store, id, ({ secrets }) => ({ secrets: secrets.map(damaged) }));
      const damagedOnly = await stageOf(["new", "old"]);
      expect(await damagedOnly.webhooks.test(ORG, id)).toBe("secret_unavailable");
    });

    it("a lost signing key refuses no start while it is not in use", async () => {
      const { stageOf } = await openWithKeys(open);
      const before = await stageOf(["old"]);
      const off = await stageOf(["new"], { ed25519: false });
      expect(off.publicKey).toBeNull();
      expect(off.warnings).toEqual([expect.stringMatching(/^The signing key .* decrypted/)]);
      const sentence = /^The encryption key [0-9a-f]{8} is missing, and 1 stored secret needs it/;
      await expect(stageOf(["new"])).rejects.toThrow(sentence);
      // Changing the key would remove what is left of the old one.
      await expect(stageOf(["new"], { ed25519: false, needsAllKeys: true })).rejects.toThrow(
        sentence,
      );
      const after = await stageOf(["new", "old"]);
      expect(after.publicKey).toBe(before.publicKey);
      expect((await stageOf(["new", "old"], { ed25519: false })).warnings).toEqual([]);
    });

    it("a key that is lost for good can be dropped; secrets are set again", async () => {
      const { stageOf } = await openWithKeys(open);
      const before = await stageOf(["old"]);
      const id = randomUUID();
      await before.webhooks.create(ORG, INPUT, id, COMMAND_LINE);
      const rotating = await stageOf(["new"], { acceptsLostKeys: true });
      await rotating.reencrypt();
      const after = await stageOf(["new"]);
      expect(after.publicKey).not.toBe(before.publicKey);
      expect(await after.webhooks.test(ORG, id)).toBe("secret_unavailable");
      const anew = { hmacSecret: "secret 2", token: "token 2" };
      await after.webhooks.patch(ORG, id, anew, COMMAND_LINE);
      expect(await after.webhooks.test(ORG, id)).toMatchObject({ error: null });
    });

    it("attempts for want of a secret end with the schedule", async () => {
      const on = await openDispatching(open);
      const webhook = await on.register(URL, { hmacSecret: "secret 1" });
      await loseSecret(on, webhook);
      const process = await on.start("one");
      const [eventId = ""] = await on.happen(1);
      await on.pass(0, process);
      for (let hours = 0; hours < 25; hours += 1) await on.pass(HOUR, process);
      const { delivery } = await on.delivery(webhook, eventId);
      expect(delivery.state).toBe("exhausted");
      expect(delivery.attempts).toBeGreaterThan(5);
      expect(await entriesOf(on.store)).toHaveLength(1);
    });
  });
}
