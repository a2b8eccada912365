// Webhooks as their owners create, change and test them.
import type { Actor, AuditAction, AuditEntry } from "../model/audit.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { TEST_EVENT_TYPE } from "../model/event.ts";
import type {
  Attempt,
  AttemptError,
  NewWebhook,
  EncryptedSecret,
  StoredWebhook,
  Webhook,
  WebhookPatch,
  WebhookSettings,
  DeliveryPlace,
} from "../model/webhook.ts";
import { WEBHOOKS_MAX } from "../model/webhook.ts";
import { LedgerlineError } from "../shared/errors.ts";
import { eventBody } from "../events/events.ts";
import {
  callEndpoint,
  contextOf,
  liveSecrets,
  openEndpoint,
  openOrNull,
  type SecretField,
  type Send,
  type SenderIdentity,
  type Vault,
} from "./endpoint.ts";
import { disabledHealth, enabledHealth, newHealth } from "./endpoint-health.ts";
import { LIVE_SECRETS_MAX } from "./signature.ts";

/** Others may change the webhook between reading and writing; more tries than this are not needed in practice. */
const CHANGE_TRIES_MAX = 20;

/** Deliveries that are read together after a secret was set again. */
const RETRIED_TOGETHER = 500;

/** An audit entry is written with the change, or not at all. */
export interface WebhookPorts {
  insertWebhook(
    webhook: Omit<StoredWebhook, "revision">,
    slotsMax: number,
    entry: AuditEntry,
  ): Promise<boolean>;
  getWebhook(org: string, id: string): Promise<StoredWebhook | null>;
  listWebhooks(org: string, page: PageRequest): Promise<Page<StoredWebhook>>;
  allWebhooks(): AsyncIterable<StoredWebhook>;
  /** @param entry left out: no caller requested the change */
  replaceWebhook(
    seen: StoredWebhook,
    settings: WebhookSettings,
    entry?: AuditEntry,
  ): Promise<boolean>;
  removeWebhook(org: string, id: string, entry: AuditEntry): Promise<boolean>;
  send: Send;
  readonly vault: Vault;
  readonly sender: SenderIdentity;
  /**
   * Makes pending deliveries due now whose last attempt failed with this error: of up to `limit` pending ones behind `after`.
   * Returns the last of these; null when there are no more.
   */
  retryFailed(
    org: string,
    webhookId: string,
    error: AttemptError,
    nowMs: number,
    after: DeliveryPlace | null,
    limit: number,
  ): Promise<DeliveryPlace | null>;
  /** Reports that something is due for this webhook now. */
  wake(endpoint: { readonly org: string; readonly webhookId: string }): void;
  /** How long a replaced secret or token stays valid together with the new one. */
  readonly graceMs: number;
  nowMs(): number;
  newId(): string;
}

export interface Webhooks {
  /** @param id of the webhook; repeating it changes nothing */
  create(
    org: string,
    input: NewWebhook,
    id: string,
    by: Actor,
  ): Promise<
    | { readonly ok: true; readonly webhook: Webhook }
    | { readonly ok: false; readonly reason: "full" }
  >;
  list(org: string, page: PageRequest): Promise<Page<Webhook>>;
  get(org: string, id: string): Promise<Webhook | null>;
  patch(org: string, id: string, patch: WebhookPatch, by: Actor): Promise<Webhook | null>;
  delete(org: string, id: string, by: Actor): Promise<boolean>;
  /** Calls the endpoint once, as a delivery would; the outcome changes nothing. */
  test(org: string, id: string): Promise<Attempt | "secret_unavailable" | null>;
  /**
   * Encrypts everything again that is encrypted with an older key. Returns the number of webhooks changed.
   * @param skipsLost whether to leave what cannot be decrypted as it is
   * @throws LedgerlineError `bad_secret` when something cannot be decrypted
   */
  reencrypt(skipsLost: boolean): Promise<number>;
}

export function createWebhooks(ports: WebhookPorts): Webhooks {
  const { vault, nowMs } = ports;
  const view = (stored: StoredWebhook): Webhook => {
    const token = stored.tokens.find(({ until }) => until === null);
    const { org, id, url, events, createdAt, enabled, ordered, ca, health } = stored;
    const opened =
      token === undefined ? null : openOrNull(vault, token.encrypted, contextOf(stored, "token"));
    const signingKeys = liveSecrets(stored.secrets, nowMs());
    return {
      ...{ org, id, url, events, createdAt, enabled, token: opened, ordered, ca, health },
      signingKeys: signingKeys.map((secret) => ({ id: secret.id, until: secret.until })),
    };
  };
  const encrypted = (text: string | null, context: string): readonly EncryptedSecret[] =>
    text === null ? [] : [encryptedSecret(ports, text, context)];

  return {
    create: async (org, input, id, by) => {
      const now = nowMs();
      const webhook = {
        org,
        id,
        createdAt: now,
        url: input.url,
        events: input.events,
        enabled: true,
        ordered: input.ordered,
        ca: input.ca,
        tokens: encrypted(input.token, contextOf({ org, id }, "token")),
        secrets: encrypted(input.hmacSecret, contextOf({ org, id }, "hmac_secret")),
        health: newHealth(now),
      };
      const entry = entryOf(ports, { org, id }, "webhook.created", detailsOf(input), by);
      if (!(await ports.insertWebhook(webhook, WEBHOOKS_MAX, entry)))
        return { ok: false, reason: "full" };
      // A request that is repeated with its idempotency key finds the webhook that it created before.
      const stored = (await ports.getWebhook(org, id)) ?? { ...webhook, revision: 0 };
      return { ok: true, webhook: view(stored) };
    },
    list: async (org, page) => {
      const found = await ports.listWebhooks(org, page);
      return { rows: found.rows.map(view), next: found.next };
    },
    get: async (org, id) => {
      const stored = await ports.getWebhook(org, id);
      return stored === null ? null : view(stored);
    },
    patch: async (org, id, patch, by) => {
      const changed = await change(ports, org, id, patch, by);
      return changed === null ? null : view(changed);
    },
    delete: async (org, id, by) => {
      const stored = await ports.getWebhook(org, id);
      if (stored === null) return false;
      const { url } = stored;
      const entry = entryOf(ports, { org, id }, "webhook.deleted", detailsOf({ url }), by);
      return ports.removeWebhook(org, id, entry);
    },
    test: async (org, id) => {
      const stored = await ports.getWebhook(org, id);
      if (stored === null) return null;
      const eventId = ports.newId();
      const body = eventBody(eventId, TEST_EVENT_TYPE, id, { id });
      const endpoint = openEndpoint(stored, vault, ports.sender);
      if (endpoint.failure !== null) return "secret_unavailable";
      const sent = { eventId, sequence: null, body, number: 1, replay: false };
      return callEndpoint(ports, endpoint, sent);
    },
    reencrypt: (skipsLost) => reencrypt(ports, skipsLost),
  };
}

async function change(
  ports: WebhookPorts,
  org: string,
  id: string,
  patch: WebhookPatch,
  by: Actor,
): Promise<StoredWebhook | null> {
  const entry = entryOf(ports, { org, id }, "webhook.changed", detailsOf(patch), by);
  const isUnusable = (webhook: StoredWebhook): boolean =>
    openEndpoint(webhook, ports.vault, ports.sender).failure !== null;
  const before = await ports.getWebhook(org, id);
  const changed = await replaceSettings(
    ports,
    org,
    id,
    (seen) => patched(seen, patch, ports),
    entry,
  );
  if (before !== null && isUnusable(before) && changed !== null && !isUnusable(changed))
    await retryLost(ports, org, id);
  return changed;
}

/** Expedites the deliveries that failed because a secret was unreadable; those that a crash leaves out keep their schedule. */
async function retryLost(ports: WebhookPorts, org: string, webhookId: string): Promise<void> {
  const retry = async (after: DeliveryPlace | null): Promise<DeliveryPlace | null> => {
    const now = ports.nowMs();
    const error = "secret_unavailable";
    const last = await ports.retryFailed(org, webhookId, error, now, after, RETRIED_TOGETHER);
    ports.wake({ org, webhookId });
    return last;
  };
  const rest = async (first: DeliveryPlace): Promise<void> => {
    for (let after: DeliveryPlace | null = first; after !== null; ) after = await retry(after);
  };
  const first = await retry(null);
  if (first !== null) void rest(first).catch(() => undefined);
}

/** Changes a webhook, even with concurrent changes. Null: there is no such webhook. */
async function replaceSettings(
  ports: WebhookPorts,
  org: string,
  id: string,
  settingsOf: (seen: StoredWebhook) => WebhookSettings,
  entry?: AuditEntry,
): Promise<StoredWebhook | null> {
  for (let tries = 0; tries < CHANGE_TRIES_MAX; tries++) {
    const seen = await ports.getWebhook(org, id);
    if (seen === null) return null;
    const settings = settingsOf(seen);
    if (await ports.replaceWebhook(seen, settings, entry)) return { ...seen, ...settings };
  }
  throw new LedgerlineError(
    "unavailable",
    "The webhook was changed by other requests at the same time; try again.",
  );
}

async function reencrypt(ports: WebhookPorts, skipsLost: boolean): Promise<number> {
  const { vault } = ports;
  let reencrypted = 0;
  for await (const webhook of ports.allWebhooks()) {
    const all = [...webhook.tokens, ...webhook.secrets];
    if (all.every(({ encrypted }) => vault.isCurrent(encrypted))) continue;
    const anew = (field: SecretField) => (secret: EncryptedSecret) => {
      const context = contextOf(webhook, field);
      if (vault.isCurrent(secret.encrypted)) return secret;
      if (skipsLost && openOrNull(vault, secret.encrypted, context) === null) return secret;
      return {
        ...secret,
        encrypted: vault.encrypt(vault.open(secret.encrypted, context), context),
      };
    };
    await replaceSettings(ports, webhook.org, webhook.id, (seen) => ({
      ...seen,
      tokens: seen.tokens.map(anew("token")),
      secrets: seen.secrets.map(anew("hmac_secret")),
    }));
    reencrypted += 1;
  }
  return reencrypted;
}

/** Some characters of a random id distinguish the few secrets of a webhook. */
const SECRET_ID_LENGTH = 8;

const encryptedSecret = (
  { vault, newId }: Pick<WebhookPorts, "vault" | "newId">,
  text: string,
  context: string,
): EncryptedSecret => ({
  id: newId().slice(0, SECRET_ID_LENGTH),
  encrypted: vault.encrypt(text, context),
  until: null,
});

function patched(seen: StoredWebhook, patch: WebhookPatch, ports: WebhookPorts): WebhookSettings {
  const { vault, graceMs } = ports;
  const nowMs = ports.nowMs();
  const enabled = patch.enabled ?? seen.enabled;
  const rotated = (
    field: SecretField,
    secrets: readonly EncryptedSecret[],
    text: string | null | undefined,
    liveMax: number,
  ): readonly EncryptedSecret[] => {
    const context = contextOf(seen, field);
    if (text === undefined) return secrets;
    // A removed secret is invalid at once: its owner does not want it to be used any more.
    if (text === null) return [];
    const [current] = secrets;
    const isSame =
      current?.until === null && openOrNull(vault, current.encrypted, context) === text;
    if (isSame) return secrets;
    const before = liveSecrets(secrets, nowMs)
      .filter((secret) => openOrNull(vault, secret.encrypted, context) !== null)
      .map((secret) => ({ ...secret, until: secret.until ?? nowMs + graceMs }));
    return [encryptedSecret(ports, text, context), ...before].slice(0, liveMax);
  };
  const { health } = seen;
  return {
    url: patch.url ?? seen.url,
    events: patch.events ?? seen.events,
    enabled,
    ordered: patch.ordered ?? seen.ordered,
    ca: patch.ca === undefined ? seen.ca : patch.ca,
    tokens: rotated("token", seen.tokens, patch.token, TOKENS_MAX),
    secrets: rotated("hmac_secret", seen.secrets, patch.hmacSecret, LIVE_SECRETS_MAX),
    health: enabled ? enabledHealth(health, nowMs) : disabledHealth(health, "customer", nowMs),
  };
}

function entryOf(
  { newId, nowMs }: WebhookPorts,
  { org, id: subject }: { readonly org: string; readonly id: string },
  action: AuditAction,
  details: AuditEntry["details"],
  by: Actor,
): AuditEntry {
  return { ...by, org, id: newId(), createdAt: nowMs(), action, subject, details };
}

/**
 * What was requested, so that the audit shows how a webhook was configured. Of the URL only the host: many URLs have secrets in
 * their paths.
 */
function detailsOf({
  url,
  events,
  enabled,
  token,
  hmacSecret,
  ordered,
  ca,
}: WebhookPatch): AuditEntry["details"] {
  const set = (text: string | null): string => (text === null ? "none" : "set");
  return {
    ...(url === undefined ? {} : { host: new URL(url).host }),
    ...(events === undefined ? {} : { events: events.join(",") }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(ordered === undefined ? {} : { ordered }),
    ...(ca === undefined ? {} : { ca: set(ca) }),
    ...(token === undefined ? {} : { token: set(token) }),
    ...(hmacSecret === undefined ? {} : { hmac_secret: set(hmacSecret) }),
  };
}

/** The current one and the previous one: there is one header for each. */
const TOKENS_MAX = 2;
