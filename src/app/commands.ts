// What the commands work on, opened for one of them: beside a running service, or without one. Part of the composition
// root.
import { createHash, randomUUID } from "node:crypto";
import { CHUNK_LENGTH_MAX } from "../../workers/protocol.ts";
import type { TestRules } from "../cli/rules/attribute.ts";
import { type Access, createAccess } from "./access.ts";
import { type Config } from "../config/config.ts";
import { FEATURES } from "../model/tenant-settings.ts";
import { openEngine } from "./engine.ts";
import { auditDeadLetters } from "../access/dead-letter-audit.ts";
import type { Keys } from "../access/keys.ts";
import type { DeadLetters } from "../log/log.ts";
import { systemClock } from "../shared/clock.ts";
import type { Logger } from "../observability/logger.ts";
import { createKeysOf, logOptions, openThreads } from "./parts.ts";
import type { EnrichItem } from "../model/enrich-item.ts";
import type { Pool } from "../pool/pool.ts";
import { shareSettings } from "../pool/shared-settings.ts";
import { addKey, dropOldKeys } from "../secrets/key-file.ts";
import { createAuditRepository } from "../store/repositories/audit.ts";
import { openWebhookStage, type WebhookStage, type WebhookStageOptions } from "./webhooks.ts";

/**
 * Opens what the keys are kept in.
 * @param isFirst whether a key may be made before anything else
 */
export async function openKeys(
  config: Config,
  logger: Logger,
  isFirst: boolean,
): Promise<{ readonly keys: Keys; close(): Promise<void> }> {
  const engine = await openEngine(config, logger, isFirst ? "first_command" : "command");
  const keys = createKeysOf(engine.store, config, systemClock);
  return { keys, close: engine.close };
}

/** Opens organizations and their audit. */
export async function openOrganizations(
  config: Config,
  logger: Logger,
): Promise<Pick<Access, "organizations" | "audit"> & { close(): Promise<void> }> {
  const engine = await openEngine(config, logger, "command");
  const { organizations, audit } = createAccess(engine, config, systemClock);
  return { organizations, audit, close: engine.close };
}

/** Opens the dead letters. */
export async function openDeadLetters(
  config: Config,
  logger: Logger,
): Promise<{ readonly deadLetters: DeadLetters; close(): Promise<void> }> {
  const engine = await openEngine(config, logger, "command");
  try {
    const keys = createKeysOf(engine.store, config, systemClock);
    const opened = await engine.openDeadLetters(await logOptions(engine, keys, logger, {}));
    const { store } = engine;
    const audit = createAuditRepository(store);
    const { organizations } = createAccess(engine, config, systemClock);
    return {
      deadLetters: auditDeadLetters(opened.deadLetters, {
        insertEntry: async (entry) => {
          await store.write([audit.step(entry)]);
        },
        isKnownOrganization: async (org) => (await organizations.get(org)) !== null,
        nowMs: systemClock,
        newId: randomUUID,
      }),
      close: async () => {
        await opened.close();
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Opens the threads alone, for work that needs no store. Nobody answers logos then, unless a service does. */
export async function openPoolAlone(config: Config, logger: Logger): Promise<Pool> {
  const { publicUrl } = config;
  return (await openThreads(config, logger, null, { publicUrl })).pool;
}

/** Opens the threads alone, to try rules on lines. One run at a time. */
export async function openRuleTester(
  config: Config,
  logger: Logger,
): Promise<{ readonly run: TestRules; close(): Promise<void> }> {
  let failures = 0;
  const { publicUrl } = config;
  const { pool } = await openThreads(config, logger, null, {
    publicUrl,
    report: (event) => {
      if (event.kind === "rules_failed") failures += event.count;
    },
  });
  const run: TestRules = async (lines, rules) => {
    failures = 0;
    const key = createHash("sha256").update(JSON.stringify(rules)).digest("hex");
    const set = { rules, mappings: {}, corrections: [], features: FEATURES };
    const settings = shareSettings(key, set);
    const items = lines.map(({ accountHolderId: id, ...line }): EnrichItem => {
      const holder = id === null ? null : { id, name: null, categorySetId: line.accountType };
      return { ...line, holder };
    });
    const chunks = Array.from({ length: Math.ceil(items.length / CHUNK_LENGTH_MAX) }, (_, index) =>
      items.slice(index * CHUNK_LENGTH_MAX, (index + 1) * CHUNK_LENGTH_MAX),
    );
    const facts = await Promise.all(chunks.map((chunk) => pool.enrich(chunk, "batch", settings)));
    return { facts: facts.flat(), failures };
  };
  return { run, close: pool.close };
}

/** Opens webhooks and their deliveries. What is to be sent, a running service sends. */
export async function openWebhooks(
  config: Config,
  logger: Logger,
): Promise<WebhookStage & { close(): Promise<void> }> {
  return openWebhooksOf(config, logger, false, {});
}

async function openWebhooksOf(
  config: Config,
  logger: Logger,
  isOwner: boolean,
  options: Pick<WebhookStageOptions, "acceptsLostKeys" | "needsAllKeys">,
): Promise<WebhookStage & { close(): Promise<void> }> {
  const engine = await openEngine(config, logger, isOwner ? "service" : "command");
  try {
    const wake = (): void => undefined;
    const stage = await openWebhookStage(engine.store, config, systemClock, wake, options);
    await engine.ready();
    return {
      ...stage,
      close: async () => {
        await stage.close();
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/**
 * Encrypts all secrets with the current key. Where the key file of the data folder is used, a new key is made first and the
 * old ones are removed afterwards; then no service may run, because it would not know the new key.
 * @param acceptsLost whether to go on without keys that are lost: what they encrypted has to be set again
 * @returns how many webhooks had secrets of an older key
 * @throws LedgerlineError `bad_secret` when something cannot be decrypted and that is not accepted
 */
export async function rotateEncryption(
  config: Config,
  logger: Logger,
  acceptsLost: boolean,
): Promise<number> {
  const isOwner = config.encryptionKeys === null;
  const options = { acceptsLostKeys: acceptsLost, needsAllKeys: true };
  if (isOwner) {
    await (await openEngine(config, logger, "command")).close();
    // The owner of the folder alone may change its keys, and only once it is known that none is missing.
    const owner = await openWebhooksOf(config, logger, true, options);
    try {
      addKey(config.dataFolder);
    } finally {
      await owner.close();
    }
  }
  const stage = await openWebhooksOf(config, logger, isOwner, options);
  try {
    const count = await stage.reencrypt();
    if (isOwner) dropOldKeys(config.dataFolder);
    return count;
  } finally {
    await stage.close();
  }
}
