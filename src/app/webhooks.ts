// Joins webhooks, the log of their deliveries, the dispatcher and the sender with the store; part of the composition root.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { encryptedGrantSecrets, reencryptGrants } from "../access/kafka-grants.ts";
import type { Config } from "../config/config.ts";
import { programVersion } from "../config/version.ts";
import { createDispatcher, type Dispatcher } from "../delivery/delivery.ts";
import { dispatchLimits } from "../delivery/limits.ts";
import type { RelayPorts } from "../delivery/relay.ts";
import type { IdempotencyRepository } from "../model/idempotency.ts";
import type { DispatchEvent } from "../model/process-events.ts";
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
import type { Clock } from "../shared/clock.ts";
import { createStoredRetentionClock, isClockBehind } from "../shared/stored-retention-clock.ts";
import { reencryptPasswords } from "../statements/password.ts";
import { createDeliveryLog, type DeliveryLog } from "../webhooks/delivery-log.ts";
import { encryptAnswers } from "../webhooks/encrypted-answers.ts";
import { encryptedTexts } from "../webhooks/encrypted-texts.ts";
import type { Send } from "../webhooks/endpoint.ts";
import {
  openInstallationKey,
  publicKeyText,
  reencryptKey,
  replaceLostKey,
  unusedKeyWarnings,
} from "../webhooks/installation-key.ts";
import { setOperatorWebhook } from "../webhooks/operator-webhook.ts";
import { createEndpointReader } from "../webhooks/report-endpoint.ts";
import { secretProblem } from "../webhooks/signature.ts";
import { createWebhooks, type WebhookPorts, type Webhooks } from "../webhooks/webhooks.ts";
import type { Repositories } from "./repositories.ts";

/** Which dispatcher publishes the outbox. */
const RELAY_LEASE_SETTING = "relay_lease";

/** Everything around webhooks that one process has. */
export interface WebhookStage {
  readonly webhooks: Webhooks &
    DeliveryLog & {
      urlProblem(url: string): string | null;
      secretProblem(secret: string): string | null;
      caProblem(pem: string): string | null;
    };
  /** Encrypts secrets of the installation. */
  readonly keyring: Keyring;
  /** `whpk_` and base64; null: calls are not signed with a key of the installation. */
  readonly publicKey: string | null;
  /** About secrets that cannot be decrypted and are not in use, one sentence each. */
  readonly warnings: readonly string[];
  /** Applies the settings to the operator's webhook. */
  setOperatorWebhook(): Promise<void>;
  /** The dispatcher; it does nothing until it is started. */
  createDispatcher(
    report: (event: DispatchEvent) => void,
    log: Pick<RelayPorts, "publishEvents" | "publishedEvents">,
  ): Dispatcher;
  /** The same repository with the answers that contain tokens encrypted. */
  encryptAnswers(idempotency: IdempotencyRepository): IdempotencyRepository;
  /** Encrypts all secrets again that an older key has encrypted; returns how many webhooks had such. */
  reencrypt(): Promise<number>;
  close(): Promise<void>;
}

/** What tests may set. `send`: instead of calling endpoints. */
export type WebhookStageOptions = Pick<SenderOptions, "lookup" | "ca" | "timeoutMs"> & {
  readonly send?: Send;
  /** Whether there may be other dispatchers; by default, where there are services. */
  readonly isShared?: boolean;
  /** Whether the store batches the writes of one turn of the event loop; a data folder does. */
  readonly storeBatches?: boolean;
  /** The retention time of this process; left out, a new one. */
  readonly retentionNow?: () => Promise<number>;
  /** Monotonic clock, milliseconds. */
  readonly elapsedMs?: Clock;
  /** Goes on without encryption keys that are lost for good. */
  readonly acceptsLostKeys?: boolean;
  /** Whether a missing key is refused also where only settings that are switched off need it: for a change of keys. */
  readonly needsAllKeys?: boolean;
};

/** @param wake called when something is due for a webhook */
export async function openWebhookStage(
  repositories: Repositories,
  config: Config,
  nowMs: Clock,
  wake: (endpoint: { readonly org: string; readonly webhookId: string }) => void,
  options: WebhookStageOptions = {},
): Promise<WebhookStage> {
  const { settings } = repositories;
  const { allowHttp, allowCidrs, allowPorts, ed25519 } = config.webhooks;
  const policy = { allowHttp, allowCidrs, allowPorts };
  const isEmbedded = config.distributed === null;
  const outbound = createSender({ ...options, ...policy });
  const acceptsLost = options.acceptsLostKeys ?? false;
  const keyring = await openKeyringOf(repositories, config, nowMs, options);
  if (acceptsLost) await replaceLostKey(settings, keyring);
  const ed25519Key = ed25519 ? await openInstallationKey(settings, keyring) : null;
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
    keyring,
    publicKey: ed25519Key === null ? null : publicKeyText(ed25519Key),
    warnings: ed25519 ? [] : await unusedKeyWarnings(settings, keyring),
    setOperatorWebhook: () => setOperatorWebhook(ports, webhooks, config.webhooks.operator),
    createDispatcher: (report, log) =>
      createDispatcher(
        {
          ...log,
          ...ports,
          ...queuePorts(repositories),
          ...endpointsOf(repositories, nowMs),
          retentionNow:
            options.retentionNow ??
            createStoredRetentionClock(settings, nowMs, undefined, options.elapsedMs),
          isClockBehind: () => isClockBehind(settings, nowMs),
          ...sharedPorts(repositories, options.isShared ?? !isEmbedded),
          wait: (ms) => delay(ms, undefined, { ref: false }),
          report,
        },
        dispatchLimits(config.webhooks, options.storeBatches ?? isEmbedded),
      ),
    encryptAnswers: (idempotency) => encryptAnswers(idempotency, keyring),
    reencrypt: async () => {
      await reencryptKey(settings, keyring);
      await reencryptPasswords(repositories.statements, keyring);
      await reencryptGrants(grantPorts(repositories), keyring);
      const count = await webhooks.reencrypt(acceptsLost);
      await keepKeys(registryIn(settings), [keyring.currentId]);
      return count;
    },
    close: outbound.close,
  };
}

export function openKeyringOf(
  repositories: Repositories,
  config: Config,
  nowMs: Clock,
  { needsAllKeys, acceptsLostKeys }: WebhookStageOptions = {},
): Promise<Keyring> {
  const { webhooks, settings } = repositories;
  const inUse = config.webhooks.ed25519 || needsAllKeys === true ? settings : null;
  return openKeyring({
    keys: config.encryptionKeys?.map((key) => Buffer.from(key, "base64")) ?? null,
    dataFolder: config.dataFolder,
    registry: registryIn(settings),
    encrypted: async function* () {
      yield* encryptedTexts(webhooks.all(), inUse, nowMs());
      yield* encryptedGrantSecrets(grantPorts(repositories), nowMs());
    },
    acceptsLost: acceptsLostKeys ?? false,
  });
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

export const grantPorts = ({ kafkaGrants }: Repositories) => ({
  allGrants: kafkaGrants.all,
  getGrant: kafkaGrants.get,
  insertGrant: kafkaGrants.insert,
  replaceGrant: kafkaGrants.replace,
  removeGrant: kafkaGrants.remove,
});

const logPorts = ({ webhooks, deliveries, recoveries, dispatchWrites: writes }: Repositories) => ({
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

const endpointsOf = ({ webhooks, reports }: Repositories, nowMs: Clock) =>
  createEndpointReader({
    getWebhook: webhooks.get,
    getReport: reports.get,
    getReports: reports.getMany,
    nowMs,
  });

/** What the dispatcher takes from the store and writes into it. */
const queuePorts = ({
  webhooks,
  events,
  deliveries,
  recoveries,
  dispatchWrites: writes,
}: Repositories) => ({
  outbox: events.outbox,
  relayed: writes.relayed,
  deliver: writes.deliver,
  getEvents: events.getMany,
  webhooksOf: webhooks.ofOrganization,
  runningRecoveries: recoveries.running,
  recoverable: deliveries.recoverable,
  recover: writes.recover,
  dueEndpoints: deliveries.dueEndpoints,
  take: deliveries.take,
  nextDueAt: deliveries.nextDueAt,
  countDue: deliveries.countDue,
  record: writes.record,
  giveBack: writes.giveBack,
  reschedule: writes.reschedule,
  expedite: writes.expedite,
  outboxOf: events.outboxOf,
  pendingOf: deliveries.pendingOf,
  expire: deliveries.expire,
  rescheduleFrom: deliveries.rescheduleFrom,
  ended: deliveries.ended,
  removeOfWebhook: deliveries.removeOfWebhook,
  purge: (thanMs: number, limit: number) =>
    writes.purge(thanMs, limit, async (org) =>
      (await webhooks.ofOrganization(org)).map(({ id }) => id),
    ),
});

/** What dispatchers need to know of each other. */
const sharedPorts = ({ dispatchers, settings }: Repositories, isShared: boolean) => ({
  shares: isShared ? dispatchers : null,
  relayLease: isShared
    ? {
        get: () => settings.get(RELAY_LEASE_SETTING),
        getOrSet: (text: string) => settings.getOrSet(RELAY_LEASE_SETTING, text),
        replace: (seen: string, text: string) => settings.replace(RELAY_LEASE_SETTING, seen, text),
      }
    : null,
});

const registryIn = (settings: Repositories["settings"]): KeyRegistry => ({
  get: () => settings.get(KEY_REGISTRY_SETTING),
  getOrSet: (text) => settings.getOrSet(KEY_REGISTRY_SETTING, text),
  replace: (seen, text) => settings.replace(KEY_REGISTRY_SETTING, seen, text),
});
