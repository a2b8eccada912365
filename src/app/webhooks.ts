// Joins webhooks, the log of their deliveries, the dispatcher and the sender with the store; part of the composition root.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { createDeliveryLog, type DeliveryLog } from "../webhooks/delivery-log.ts";
import { createDispatcher, type Dispatcher } from "../delivery/delivery.ts";
import { setOperatorWebhook } from "../webhooks/operator-webhook.ts";
import { liveSecrets, openOrNull, type Send } from "../webhooks/endpoint.ts";
import { secretProblem } from "../webhooks/signature.ts";
import { createWebhooks, type WebhookPorts, type Webhooks } from "../webhooks/webhooks.ts";
import type { DispatchLimits } from "../delivery/work.ts";
import { OPERATOR_WEBHOOK } from "../model/webhook.ts";
import type { Clock } from "../shared/clock.ts";
import { isClockBehindOf, retentionClockOf } from "./parts.ts";
import { createSender, type SenderOptions } from "../outbound/sender.ts";
import { caProblem } from "../outbound/trust.ts";
import { urlProblem } from "../outbound/url.ts";
import {
  keepKeys,
  KEY_REGISTRY_SETTING,
  type KeyRegistry,
  openKeyring,
} from "../secrets/open-keyring.ts";
import type { Keyring } from "../secrets/keyring.ts";
import type { Store } from "../store/collection.ts";
import {
  createDeliveryRepository,
  type DeliveryRepository,
} from "../store/repositories/deliveries.ts";
import {
  createDispatchWrites,
  type DispatchWrites,
} from "../store/repositories/dispatch-writes.ts";
import {
  createDispatcherRepository,
  type DispatcherRepository,
} from "../store/repositories/dispatchers.ts";
import { createEventRepository, type EventRepository } from "../store/repositories/events.ts";
import type { IdempotencyRepository } from "../store/repositories/idempotency.ts";
import {
  createRecoveryRepository,
  type RecoveryRepository,
} from "../store/repositories/recoveries.ts";
import { createSettingRepository, type SettingRepository } from "../store/repositories/settings.ts";
import { createWebhookRepository, type WebhookRepository } from "../store/repositories/webhooks.ts";
import { programVersion } from "../config/version.ts";
import type { DispatchEvent } from "../model/process-events.ts";

/** Everything around webhooks that one process has. */
export interface WebhookStage {
  readonly webhooks: Webhooks &
    DeliveryLog & {
      urlProblem(url: string): string | null;
      secretProblem(secret: string): string | null;
      caProblem(pem: string): string | null;
    };
  /** `whpk_` and base64; null: calls are not signed with a key of the installation. */
  readonly publicKey: string | null;
  /** About secrets that cannot be decrypted and are not in use, one sentence each. */
  readonly warnings: readonly string[];
  /** Makes the webhook of whoever runs the installation what the settings say. */
  setOperatorWebhook(): Promise<void>;
  /** The dispatcher; it does nothing until it is started. */
  createDispatcher(report: (event: DispatchEvent) => void): Dispatcher;
  /** The same repository, which keeps answers about webhooks, and so their tokens, sealed. */
  encryptAnswers(idempotency: IdempotencyRepository): IdempotencyRepository;
  /** Encrypts all secrets again that an older key has encrypted; returns how many webhooks had such. */
  reencrypt(): Promise<number>;
  close(): Promise<void>;
}

/** What tests may set otherwise. `send`: instead of calling anybody. */
export type WebhookStageOptions = Pick<SenderOptions, "lookup" | "ca" | "timeoutMs"> & {
  readonly send?: Send;
  /** Whether there may be other dispatchers; where there are services, unless something else is said. */
  readonly isShared?: boolean;
  /** Whether the store puts together what is asked for in one turn of the event loop; a data folder does. */
  readonly putsTogether?: boolean;
  /** The time of the retention jobs of this process, which has one; left out, a new one. */
  readonly retentionNow?: () => Promise<number>;
  /** Monotonic clock, milliseconds; that of the process. */
  readonly elapsedMs?: Clock;
  /** Goes on without encryption keys that are lost for good. */
  readonly acceptsLostKeys?: boolean;
  /** Whether a missing key is refused also where only settings that are switched off need it: for a change of keys. */
  readonly needsAllKeys?: boolean;
};

/** Calls under way to one webhook. */
const IN_FLIGHT_MAX = 16;
/**
 * How what came of calls is written down: `writesMax` at a time, and `unwrittenMax` of one webhook waiting for it. SQLite
 * puts together by itself what is asked for in one turn of the event loop. A write to MongoDB waits for its disk, and many
 * small ones took twice the processor time; but a webhook that waited for each would get half as many calls.
 */
const WRITING_ALONE = { writesMax: Infinity, unwrittenMax: 0 };
const WRITING_SHARED = { writesMax: 1, unwrittenMax: 64 };

const ED25519_SETTING = "webhook_ed25519";
const ED25519_CONTEXT = "settings/webhook_ed25519";
/** The first bytes of a public key in SPKI form say that it is Ed25519. */
const SPKI_PREFIX_BYTES = 12;

interface Repositories {
  readonly webhooks: WebhookRepository;
  readonly events: EventRepository;
  readonly deliveries: DeliveryRepository;
  readonly recoveries: RecoveryRepository;
  readonly writes: DispatchWrites;
  readonly dispatchers: DispatcherRepository;
}

/** @param wake called when something is due for a webhook */
export async function openWebhookStage(
  store: Store,
  config: Config,
  nowMs: Clock,
  wake: (endpoint: { readonly org: string; readonly webhookId: string }) => void,
  options: WebhookStageOptions = {},
): Promise<WebhookStage> {
  const { allowHttp, allowCidrs, allowPorts, ed25519 } = config.webhooks;
  const policy = { allowHttp, allowCidrs, allowPorts };
  const isShared = options.isShared ?? config.distributed !== null;
  const outbound = createSender({ ...options, ...policy });
  const settings = createSettingRepository(store);
  const repositories = repositoriesOf(store);
  const acceptsLost = options.acceptsLostKeys ?? false;
  const registry = registryIn(settings);
  const inUse = ed25519 || options.needsAllKeys === true ? settings : null;
  const encrypted = () => encryptedTexts(repositories.webhooks, inUse, nowMs());
  const keyring = await openKeyring({ ...keysOf(config), registry, encrypted, acceptsLost });
  if (acceptsLost) await dropLostSigningKey(settings, keyring);
  const ed25519Key = ed25519 ? await signingKeyOf(settings, keyring) : null;
  const ports: WebhookPorts = {
    ...webhookPorts(repositories),
    wake,
    send: options.send ?? outbound.send,
    vault: keyring,
    graceMs: config.webhooks.graceMs,
    sender: { userAgent: `Ledgerline/${programVersion()}`, ed25519Key },
    nowMs,
    newId: randomUUID,
  };
  const webhooks = createWebhooks(ports);
  return {
    webhooks: {
      ...webhooks,
      ...createDeliveryLog({ ...logPorts(repositories), wake, nowMs }),
      urlProblem: (url) => urlProblem(url, policy),
      secretProblem,
      caProblem,
    },
    publicKey: ed25519Key === null ? null : publicKeyText(ed25519Key),
    warnings: ed25519 ? [] : await signingKeyWarnings(settings, keyring),
    setOperatorWebhook: () => setOperatorWebhook(ports, webhooks, config.webhooks.operator),
    createDispatcher: (report) =>
      createDispatcher(
        {
          ...ports,
          ...queuePorts(repositories),
          retentionNow: options.retentionNow ?? retentionOf(store, nowMs, options),
          isClockBehind: isClockBehindOf(store, nowMs),
          shares: isShared ? repositories.dispatchers : null,
          wait: (ms) => delay(ms, undefined, { ref: false }),
          report,
        },
        dispatchLimits(config, options),
      ),
    encryptAnswers: (idempotency) => encryptAnswers(idempotency, keyring),
    reencrypt: async () => {
      await reencryptSigningKey(settings, keyring);
      const count = await webhooks.reencrypt(acceptsLost);
      await keepKeys(registry, [keyring.currentId]);
      return count;
    },
    close: outbound.close,
  };
}

function dispatchLimits(
  { webhooks: { ratePerSecond, failuresMax, failingMs }, distributed }: Config,
  { putsTogether = distributed === null }: WebhookStageOptions,
): DispatchLimits {
  return {
    ratePerSecond,
    inFlightMax: IN_FLIGHT_MAX,
    ...(putsTogether ? WRITING_ALONE : WRITING_SHARED),
    policy: { failuresMax, quietMs: failingMs },
  };
}

const retentionOf = (store: Store, nowMs: Clock, { elapsedMs }: WebhookStageOptions) =>
  retentionClockOf(store, nowMs, undefined, elapsedMs);

function repositoriesOf(store: Store): Repositories {
  const events = createEventRepository(store);
  const deliveries = createDeliveryRepository(store);
  const recoveries = createRecoveryRepository(store);
  return {
    webhooks: createWebhookRepository(store),
    events,
    deliveries,
    recoveries,
    writes: createDispatchWrites(store, events, deliveries, recoveries),
    dispatchers: createDispatcherRepository(store),
  };
}

const webhookPorts = ({ webhooks, deliveries }: Repositories) => ({
  retryFailed: deliveries.retryFailed,
  getWebhook: webhooks.get,
  replaceWebhook: webhooks.replace,
  insertWebhook: webhooks.insert,
  listWebhooks: webhooks.list,
  allWebhooks: webhooks.all,
  removeWebhook: webhooks.remove,
});

const logPorts = ({ webhooks, deliveries, recoveries, writes }: Repositories) => ({
  getWebhook: webhooks.get,
  getDelivery: deliveries.get,
  listDeliveries: deliveries.list,
  listAttempts: deliveries.attempts,
  resend: writes.resend,
  recoverable: deliveries.recoverable,
  expire: deliveries.expire,
  insertRecovery: recoveries.insert,
  runningRecovery: recoveries.runningOf,
  getRecovery: recoveries.get,
});

/** What the dispatcher takes from the store and writes into it. */
const queuePorts = ({ webhooks, events, deliveries, recoveries, writes }: Repositories) => ({
  outbox: events.outbox,
  getEvents: events.getMany,
  webhooksOf: webhooks.ofOrganization,
  relay: writes.relay,
  runningRecoveries: recoveries.running,
  recoverable: deliveries.recoverable,
  recover: writes.recover,
  dueEndpoints: deliveries.dueEndpoints,
  take: deliveries.take,
  nextDueAt: deliveries.nextDueAt,
  countDue: deliveries.countDue,
  record: writes.record,
  giveBack: writes.giveBack,
  putOff: writes.putOff,
  bringForward: writes.bringForward,
  outboxOf: events.outboxOf,
  pendingOf: deliveries.pendingOf,
  expire: deliveries.expire,
  rescheduleFrom: deliveries.rescheduleFrom,
  ended: deliveries.ended,
  removeOfWebhook: deliveries.removeOfWebhook,
  forget: (thanMs: number, limit: number) =>
    writes.purge(thanMs, limit, async (org) =>
      (await webhooks.ofOrganization(org)).map(({ id }) => id),
    ),
});

const keysOf = ({ encryptionKeys, dataFolder }: Config) => ({
  keys: encryptionKeys?.map((key) => Buffer.from(key, "base64")) ?? null,
  dataFolder,
});

const registryIn = (settings: SettingRepository): KeyRegistry => ({
  get: () => settings.get(KEY_REGISTRY_SETTING),
  getOrSet: (text) => settings.getOrSet(KEY_REGISTRY_SETTING, text),
  replace: (seen, text) => settings.replace(KEY_REGISTRY_SETTING, seen, text),
});

/**
 * Left out are answers of idempotency keys, which are kept for a day, secrets that have ended, and those of the operator's
 * webhook, which the settings hold.
 * @param settings holds the signing key of the installation; null: it is not in use
 */
async function* encryptedTexts(
  webhooks: WebhookRepository,
  settings: SettingRepository | null,
  nowMs: number,
) {
  const signingKey = (await settings?.get(ED25519_SETTING)) ?? null;
  if (signingKey !== null) yield { owner: ED25519_SETTING, text: signingKey };
  for await (const { org, id, tokens, secrets } of webhooks.all()) {
    if (org === OPERATOR_WEBHOOK.org) continue;
    const live = liveSecrets([...tokens, ...secrets], nowMs);
    for (const { encrypted } of live) yield { owner: `${org}/${id}`, text: encrypted };
  }
}

/** Has the signing key of the installation made anew when the one that is there cannot be decrypted. */
async function dropLostSigningKey(settings: SettingRepository, keyring: Keyring): Promise<void> {
  const encrypted = await settings.get(ED25519_SETTING);
  if (encrypted === null || openOrNull(keyring, encrypted, ED25519_CONTEXT) !== null) return;
  await settings.replace(ED25519_SETTING, encrypted, newSigningKey(keyring));
}

async function signingKeyWarnings(
  settings: SettingRepository,
  keyring: Keyring,
): Promise<readonly string[]> {
  const encrypted = await settings.get(ED25519_SETTING);
  if (encrypted === null || openOrNull(keyring, encrypted, ED25519_CONTEXT) !== null) return [];
  return [
    'The signing key of the installation cannot be decrypted, and is not used while WEBHOOK_ED25519 is off. Before it is on again, restore its encryption key, or run "ledgerline keys rotate-encryption --accept-lost" for a new signing key.',
  ];
}

/** The key pair of the installation, made once. */
async function signingKeyOf(settings: SettingRepository, keyring: Keyring): Promise<KeyObject> {
  const encrypted = await settings.getOrSet(ED25519_SETTING, newSigningKey(keyring));
  return createPrivateKey(keyring.open(encrypted, ED25519_CONTEXT));
}

function newSigningKey(keyring: Keyring): string {
  const { privateKey } = generateKeyPairSync("ed25519", {
    publicKeyEncoding: { format: "pem", type: "spki" },
    privateKeyEncoding: { format: "pem", type: "pkcs8" },
  });
  return keyring.encrypt(privateKey, ED25519_CONTEXT);
}

async function reencryptSigningKey(settings: SettingRepository, keyring: Keyring): Promise<void> {
  const encrypted = await settings.get(ED25519_SETTING);
  if (encrypted === null || keyring.isCurrent(encrypted)) return;
  const anew = keyring.encrypt(keyring.open(encrypted, ED25519_CONTEXT), ED25519_CONTEXT);
  await settings.replace(ED25519_SETTING, encrypted, anew);
}

const ENCRYPTED_ROUTE = "POST /v3/webhooks";

function encryptAnswers(
  idempotency: IdempotencyRepository,
  keyring: Keyring,
): IdempotencyRepository {
  const contextOf = (org: string, route: string, key: string): string =>
    `idempotency/${org}/${route}/${key}`;
  return {
    ...idempotency,
    begin: async (org, route, key, fingerprint) => {
      const begun = await idempotency.begin(org, route, key, fingerprint);
      if (begun.kind !== "replay" || route !== ENCRYPTED_ROUTE) return begun;
      const body = openOrNull(keyring, begun.body, contextOf(org, route, key));
      // It must not run again: what it made is there.
      return body === null ? { kind: "unreadable" } : { ...begun, body };
    },
    finish: (org, route, key, status, body, accountHolderId) => {
      const context = contextOf(org, route, key);
      const kept = route === ENCRYPTED_ROUTE ? keyring.encrypt(body, context) : body;
      return idempotency.finish(org, route, key, status, kept, accountHolderId);
    },
  };
}

function publicKeyText(key: KeyObject): string {
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  return `whpk_${spki.subarray(SPKI_PREFIX_BYTES).toString("base64")}`;
}
