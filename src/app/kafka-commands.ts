// What the commands of `ledgerline kafka` work on. Part of the composition root.
import { randomBytes, randomUUID } from "node:crypto";
import { createKafkaGrants, type KafkaGrants } from "../access/kafka-grants.ts";
import type { Config, DistributedConfig } from "../config/config.ts";
import {
  createOutsideAccess,
  type OutsideNames,
  outsideNames,
} from "../log/kafka/outside-access.ts";
import { createKeyIds } from "../log/kafka/signature.ts";
import type { Logger } from "../observability/logger.ts";
import { systemClock } from "../shared/clock.ts";
import { LedgerlineError } from "../shared/errors.ts";
import { openEngine } from "./engine.ts";
import { recordSecretOf } from "./parts.ts";
import { grantPorts, openKeyringOf } from "./webhooks.ts";

export interface OpenedKafkaGrants {
  readonly grants: KafkaGrants;
  /** What a program of this organization needs to know; nothing of it is secret. */
  namesOf(
    org: string,
  ): OutsideNames & { readonly registryUrl: string; readonly topicPrefix: string };
  hasAuthorizer(): Promise<boolean>;
  close(): Promise<void>;
}

/** @throws LedgerlineError `misconfigured` on the embedded engine, `unavailable` */
export async function openKafkaGrants(config: Config, logger: Logger): Promise<OpenedKafkaGrants> {
  const { kafka, schemaRegistryUrl } = requireKafka(config);
  const engine = await openEngine(config, logger, "command");
  const access = createOutsideAccess(kafka, (level, event, details) => {
    logger[level](details, event);
  });
  const close = async (): Promise<void> => {
    await access.close();
    await engine.close();
  };
  try {
    await engine.ready();
    const { repositories } = engine;
    const grants = createKafkaGrants({
      ...grantPorts(repositories),
      access,
      vault: await openKeyringOf(repositories, config, systemClock),
      makeKeyId: createKeyIds(await recordSecretOf(repositories)).make,
      nowMs: systemClock,
      newId: randomUUID,
      randomBytes,
    });
    return {
      grants,
      namesOf: (org) => ({
        ...outsideNames(kafka, org),
        registryUrl: withoutPassword(schemaRegistryUrl),
        topicPrefix: kafka.topicPrefix,
      }),
      hasAuthorizer: access.hasAuthorizer,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function requireKafka({ distributed }: Config): DistributedConfig {
  if (distributed !== null) return distributed;
  throw new LedgerlineError(
    "misconfigured",
    "These commands need Kafka: set KAFKA_BROKERS, SCHEMA_REGISTRY_URL and MONGODB_URL.",
  );
}

/** The user name and password in a URL are Ledgerline's own. */
function withoutPassword(text: string): string {
  const url = new URL(text);
  url.username = "";
  url.password = "";
  return url.toString().replace(/\/$/, "");
}
