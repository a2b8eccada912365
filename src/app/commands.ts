// What each command works on, opened for it: with or without a running service. Part of the composition root.
import { randomUUID } from "node:crypto";
import { auditDeadLetters } from "../access/dead-letter-audit.ts";
import type { Keys } from "../access/keys.ts";
import type { ReportCommandPort } from "../cli/reports/reports.ts";
import { toReportCommandPort } from "../cli/reports/port.ts";
import type { TestRules } from "../cli/rules/attribute.ts";
import { type Config, publicUrlOf } from "../config/config.ts";
import type { DeadLetters } from "../log/log.ts";
import type { Logger } from "../observability/logger.ts";
import { createLazyPool } from "../pool/lazy-pool.ts";
import type { Pool } from "../pool/pool.ts";
import { createRuleTester } from "../pool/rule-tester.ts";
import { addKey, dropOldKeys } from "../secrets/key-file.ts";
import { rotateKeys } from "../secrets/rotate.ts";
import { systemClock } from "../shared/clock.ts";
import { type Access, createAccess, createKeysOf } from "./access.ts";
import { type Engine, type EngineUse, openEngine } from "./engine.ts";
import { logOptions, openThreads } from "./parts.ts";
import { createReportStage } from "./settings.ts";
import { openWebhookStage, type WebhookStage, type WebhookStageOptions } from "./webhooks.ts";

/** Opens an engine and what runs on it; the engine is closed again when that fails. */
async function openOn<T>(
  config: Config,
  logger: Logger,
  use: EngineUse,
  open: (engine: Engine) => Promise<T> | T,
): Promise<T> {
  const engine = await openEngine(config, logger, use);
  try {
    return await open(engine);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/**
 * Opens the keys.
 * @param isFirst whether a key may be made before any data exists
 */
export const openKeys = (
  config: Config,
  logger: Logger,
  isFirst: boolean,
): Promise<{ readonly keys: Keys; close(): Promise<void> }> =>
  openOn(config, logger, isFirst ? "first_command" : "command", ({ repositories, close }) => ({
    keys: createKeysOf(repositories, config, systemClock),
    close,
  }));

/** Opens organizations and their audit. */
export const openOrganizations = (
  config: Config,
  logger: Logger,
): Promise<Pick<Access, "organizations" | "audit"> & { close(): Promise<void> }> =>
  openOn(config, logger, "command", (engine) => {
    const { organizations, audit } = createAccess(engine, config, systemClock);
    return { organizations, audit, close: engine.close };
  });

/** Opens the dead letters. */
export const openDeadLetters = (
  config: Config,
  logger: Logger,
): Promise<{ readonly deadLetters: DeadLetters; close(): Promise<void> }> =>
  openOn(config, logger, "command", async (engine) => {
    const { repositories } = engine;
    const access = createAccess(engine, config, systemClock);
    const opened = await engine.openDeadLetters(await logOptions(repositories, config, logger, {}));
    return {
      deadLetters: auditDeadLetters(opened.deadLetters, {
        insertEntry: repositories.audit.insert,
        isKnownOrganization: async (org) => (await access.organizations.get(org)) !== null,
        nowMs: systemClock,
        newId: randomUUID,
      }),
      close: async () => {
        await opened.close();
        await engine.close();
      },
    };
  });

/** Opens reports. A running service sends their events. */
export const openReports = (
  config: Config,
  logger: Logger,
): Promise<{ readonly reports: ReportCommandPort; close(): Promise<void> }> =>
  openOn(config, logger, "command", async (engine) => {
    // Only corrections query the knowledge base.
    const pool = createLazyPool(async () => {
      const options = { publicUrl: publicUrlOf(config) };
      return (await openThreads({ ...config, poolThreads: 1 }, logger, null, options)).pool;
    });
    const stage = createReportStage({
      repositories: engine.repositories,
      nowMs: systemClock,
      ask: pool.ask,
      onEvent: () => undefined,
    });
    await engine.ready();
    return {
      reports: toReportCommandPort(stage),
      close: async () => {
        await pool.close();
        await engine.close();
      },
    };
  });

/** Opens the threads alone, for work without a store. Logos are then answered only by a running service. */
export async function openPoolAlone(config: Config, logger: Logger): Promise<Pool> {
  const { publicUrl } = config;
  return (await openThreads(config, logger, null, { publicUrl })).pool;
}

/** Opens the threads alone, to try rules on lines. One run at a time. */
export async function openRuleTester(
  config: Config,
  logger: Logger,
): Promise<{ readonly run: TestRules; close(): Promise<void> }> {
  const { publicUrl } = config;
  const tester = createRuleTester((...work) => pool.enrich(...work));
  const { pool } = await openThreads(config, logger, null, { publicUrl, report: tester.report });
  return { run: tester.run, close: pool.close };
}

/** Opens webhooks and their deliveries. A running service sends what is due. */
export const openWebhooks = (
  config: Config,
  logger: Logger,
): Promise<WebhookStage & { close(): Promise<void> }> =>
  openWebhooksAs(config, logger, "command", {});

const openWebhooksAs = (
  config: Config,
  logger: Logger,
  use: EngineUse,
  options: Pick<WebhookStageOptions, "acceptsLostKeys" | "needsAllKeys">,
): Promise<WebhookStage & { close(): Promise<void> }> =>
  openOn(config, logger, use, async (engine) => {
    const wake = (): void => undefined;
    const stage = await openWebhookStage(engine.repositories, config, systemClock, wake, options);
    await engine.ready();
    return {
      ...stage,
      close: async () => {
        await stage.close();
        await engine.close();
      },
    };
  });

/**
 * Encrypts all secrets with the current key, see `rotateKeys`.
 * @param acceptsLost whether to continue without lost keys: the secrets that they encrypted have to be set again
 * @returns how many webhooks had secrets of an older key
 * @throws LedgerlineError `bad_secret` when a secret cannot be decrypted and that is not accepted
 */
export async function rotateEncryption(
  config: Config,
  logger: Logger,
  acceptsLost: boolean,
): Promise<number> {
  const ownsKeyFile = config.encryptionKeys === null;
  const use = ownsKeyFile ? "service" : "command";
  const open = () =>
    openWebhooksAs(config, logger, use, { acceptsLostKeys: acceptsLost, needsAllKeys: true });
  const addKeyAlone = async (): Promise<void> => {
    // An empty folder is refused: there is nothing to encrypt.
    await (await openEngine(config, logger, "command")).close();
    // Opening as the only service checks that no stored secret needs a missing key.
    const stage = await open();
    try {
      addKey(config.dataFolder);
    } finally {
      await stage.close();
    }
  };
  return rotateKeys({
    keyFile: ownsKeyFile
      ? {
          addKey: addKeyAlone,
          dropOldKeys: () => {
            dropOldKeys(config.dataFolder);
          },
        }
      : null,
    reencrypt: async (done) => {
      const stage = await open();
      try {
        const count = await stage.reencrypt();
        done();
        return count;
      } finally {
        await stage.close();
      }
    },
  });
}
