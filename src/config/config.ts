// Every setting: its name, default, unit and bounds. Read once, checked whole, shown without secrets.
import {
  ConfigError,
  readChoice,
  readInteger,
  readOrigins,
  readSwitch,
  readUrlSetting,
  type ReadSetting,
} from "./values.ts";
import { nearestSetting, SETTING_NAMES, suggestion, unknownSettingWarnings } from "./names.ts";
import { type OtlpConfig, readOtlp } from "./otlp.ts";
import { readRecognition, type RecognitionConfig } from "./recognition.ts";
import { readWebhooks, type WebhookConfig } from "./webhooks.ts";
import { CREDITS_MAX_MAX, CREDITS_PER_SECOND_MAX, RATE_PER_SECOND_MAX } from "../model/api-key.ts";
import { does, PROCESS_ROLES, type ProcessRole } from "../model/process-role.ts";
import { readKafka } from "./kafka.ts";
import type { KafkaSettings } from "../log/kafka/settings.ts";
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from "../observability/logger.ts";
import { parseKey } from "../secrets/key.ts";

/** Kafka, a schema registry and MongoDB instead of the data folder. */
export interface DistributedConfig {
  readonly kafka: KafkaSettings;
  readonly schemaRegistryUrl: string;
  readonly mongodbUrl: string;
}

/** What keys may do that have no limits of their own; 0: any number. */
export interface LimitConfig {
  /** Requests a second of one key; those of two seconds at once. */
  readonly requestsPerSecond: number;
  /** Transactions that one key may submit at once. */
  readonly creditsMax: number;
  /** Transactions that one key may submit each second in the long run. */
  readonly creditsPerSecond: number;
}

export interface Config {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Where clients reach the API, without a slash at its end; null when not set, see `publicUrlOf`. */
  readonly publicUrl: string | null;
  /** Folder of the data file. */
  readonly dataFolder: string;
  /** A key that exists as long as this setting does; null when not set. */
  readonly apiKey: string | null;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  readonly poolThreads: number;
  readonly role: ProcessRole;
  /** Null: everything is in the data folder. */
  readonly distributed: DistributedConfig | null;
  /** Keys of 32 bytes in base64, the current one first. Null: those of the data folder's key file, or none are needed. */
  readonly encryptionKeys: readonly string[] | null;
  readonly webhooks: WebhookConfig;
  readonly limits: LimitConfig;
  /** Origins whose pages may call the API from a browser. */
  readonly corsOrigins: readonly string[];
  /** About names in the environment that are probably settings spelled wrongly, one sentence each. */
  readonly unknownSettings: readonly string[];
  /** Whether requests with unknown fields or query parameters are refused, instead of answered with a warning. */
  readonly strict: boolean;
  /** How long entries of the audit are kept. */
  readonly auditDays: number;
  /** Days that batches and their results are kept after they have ended; 0: until they are deleted. */
  readonly batchRetentionDays: number;
  readonly recognition: RecognitionConfig;
  /** Null: metrics are pushed nowhere. */
  readonly otlp: OtlpConfig | null;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = "LEDGERLINE_";
const PREFIXED = SETTING_NAMES.filter((name) => name.startsWith(PREFIX));
/** More threads than this would be a slip of the finger. */
const POOL_THREADS_MAX = 256;
const API_KEY = /^[\x21-\x7e]{16,512}$/;
/** Ten years. */
const RETENTION_DAYS_MAX = 3_650;
const SERVICES = ["KAFKA_BROKERS", "SCHEMA_REGISTRY_URL", "MONGODB_URL"] as const;

/**
 * The settings in `environment`; empty values count as not set.
 * @param cores default of POOL_THREADS
 * @param role overrides LEDGERLINE_ROLE
 * @throws ConfigError for a bad value or a LEDGERLINE_… name that is not a setting
 */
export function readConfig(
  environment: Environment,
  cores: number,
  role: ProcessRole | null = null,
): Config {
  refuseUnknown(environment);
  const value: ReadSetting = (name) => {
    const text = environment[name]?.trim() ?? "";
    return text === "" ? null : text;
  };
  const distributed = readDistributed(value);
  const processRole = readRole(role ?? value("LEDGERLINE_ROLE") ?? "all", distributed !== null);
  return {
    host: readHost(value("HOST") ?? "127.0.0.1"),
    port: readInteger("PORT", value("PORT") ?? "8080", 0, 65_535),
    publicUrl: readPublicUrl(value("PUBLIC_URL")),
    dataFolder: value("LEDGERLINE_DATA") ?? ".ledgerline",
    apiKey: readApiKey(value("LEDGERLINE_API_KEY")),
    logLevel: readLogLevel(value("LOG_LEVEL") ?? "info"),
    logFormat: readChoice("LOG_FORMAT", value("LOG_FORMAT") ?? "auto", LOG_FORMATS),
    poolThreads: readInteger(
      "POOL_THREADS",
      value("POOL_THREADS") ?? String(cores),
      1,
      POOL_THREADS_MAX,
    ),
    role: processRole,
    distributed,
    encryptionKeys: readEncryptionKeys(value("ENCRYPTION_KEYS"), distributed !== null),
    webhooks: readWebhooks(value),
    limits: readLimits(value, distributed !== null),
    unknownSettings: unknownSettingWarnings(Object.keys(environment)),
    corsOrigins: readOrigins("CORS_ORIGINS", value("CORS_ORIGINS")),
    strict: readSwitch("LEDGERLINE_STRICT", value("LEDGERLINE_STRICT") ?? "off"),
    ...readRetention(value),
    recognition: readRecognition(value),
    otlp: readOtlp(value),
  };
}

function refuseUnknown(environment: Environment): void {
  for (const name of Object.keys(environment)) {
    if (name.startsWith(PREFIX) && !PREFIXED.some((known) => known === name)) {
      throw new ConfigError(
        `${name} is not a setting${suggestion(nearestSetting(name))}; those that begin with ${PREFIX} are ${PREFIXED.join(", ")}.`,
      );
    }
  }
}

function readRetention(value: ReadSetting): Pick<Config, "auditDays" | "batchRetentionDays"> {
  const audit = value("AUDIT_DAYS") ?? "400";
  const batches = value("BATCH_RETENTION_DAYS") ?? "90";
  return {
    auditDays: readInteger("AUDIT_DAYS", audit, 1, RETENTION_DAYS_MAX),
    batchRetentionDays: readInteger("BATCH_RETENTION_DAYS", batches, 0, RETENTION_DAYS_MAX),
  };
}

/** IPv6 addresses stand in brackets in a URL. */
export function httpUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${String(port)}`;
}

const EVERY_ADDRESS: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

/**
 * Where clients of the service reach its API: as set, else at HOST and PORT. Null when it is unknown: before the
 * start without a fixed port, or without an API.
 */
export function publicUrlOf({ publicUrl, host, port, role }: Config): string | null {
  if (publicUrl !== null) return publicUrl;
  return port === 0 || !does(role, "ingest")
    ? null
    : httpUrl(EVERY_ADDRESS.get(host) ?? host, port);
}

/** What an operator should know about settings that are allowed but seldom meant, each in a sentence. */
export function configWarnings(config: Config): string[] {
  const { host, publicUrl } = config;
  const guessed = publicUrl === null && EVERY_ADDRESS.has(host) ? publicUrlOf(config) : null;
  return [
    ...config.unknownSettings,
    ...(guessed === null
      ? []
      : [
          `PUBLIC_URL is not set: the addresses of logos in answers begin with ${guessed}, which other machines cannot reach.`,
        ]),
  ];
}

function readRole(text: string, isDistributed: boolean): ProcessRole {
  const role = PROCESS_ROLES.find((known) => known === text);
  if (role === undefined) {
    throw new ConfigError(
      `LEDGERLINE_ROLE must be one of ${PROCESS_ROLES.join(", ")}, not "${text}".`,
    );
  }
  if (role !== "all" && !isDistributed) {
    throw new ConfigError(
      `LEDGERLINE_ROLE=${role} needs ${SERVICES.join(", ")}; for a single process, unset LEDGERLINE_ROLE or set it to all.`,
    );
  }
  return role;
}

/** Null when none of the three is set. */
function readDistributed(value: ReadSetting): DistributedConfig | null {
  const set = SERVICES.filter((name) => value(name) !== null);
  if (set.length === 0) return null;
  if (set.length < SERVICES.length) {
    const missing = SERVICES.filter((name) => !set.includes(name));
    throw new ConfigError(
      `${set.join(" and ")} ${set.length === 1 ? "is" : "are"} set but ${missing.join(" and ")} not: Ledgerline needs all three, or none to keep everything in its data folder.`,
    );
  }
  return {
    kafka: readKafka(value),
    schemaRegistryUrl: readUrlSetting("SCHEMA_REGISTRY_URL", value("SCHEMA_REGISTRY_URL") ?? "", [
      "http:",
      "https:",
    ]),
    mongodbUrl: readMongodbUrl(value("MONGODB_URL") ?? ""),
  };
}

/** @param isShared a single process has no limits unless they are set */
function readLimits(value: ReadSetting, isShared: boolean): LimitConfig {
  const none = "0";
  return {
    requestsPerSecond: readInteger(
      "RATE_PER_S",
      value("RATE_PER_S") ?? (isShared ? "1000" : none),
      0,
      RATE_PER_SECOND_MAX,
    ),
    creditsMax: readInteger(
      "CREDITS_MAX",
      value("CREDITS_MAX") ?? (isShared ? "50000" : none),
      0,
      CREDITS_MAX_MAX,
    ),
    creditsPerSecond: readInteger(
      "CREDITS_PER_S",
      value("CREDITS_PER_S") ?? "500",
      1,
      CREDITS_PER_SECOND_MAX,
    ),
  };
}

/** @param isRequired several processes have no folder in common that a key could be made in */
function readEncryptionKeys(text: string | null, isRequired: boolean): string[] | null {
  if (text === null) {
    if (!isRequired) return null;
    throw new ConfigError(
      `ENCRYPTION_KEYS must be set where ${SERVICES.join(", ")} are: all processes encrypt secrets with the same key, which "openssl rand -base64 32" makes.`,
    );
  }
  const keys = text.split(",").map((key) => key.trim());
  // The value is a secret: the message must not repeat it.
  if (keys.some((key) => parseKey(key) === null)) {
    throw new ConfigError(
      'ENCRYPTION_KEYS must be keys of 32 bytes in base64 as "openssl rand -base64 32" makes them, several separated by commas, the current one first.',
    );
  }
  return keys;
}

const PUBLIC_URL_LENGTH_MAX = 512;

/** It is answered to clients: nothing secret may be in it, and a path is put behind it. */
function readPublicUrl(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url !== null &&
    (url.protocol === "http:" || url.protocol === "https:") &&
    // An empty query or fragment shows in the text alone.
    `${url.username}${url.password}` === "" &&
    !/[?#]/u.test(url.href) &&
    url.href.length <= PUBLIC_URL_LENGTH_MAX;
  if (!isPlain) {
    throw new ConfigError(
      "PUBLIC_URL must be a URL of http:// or https:// with nothing but a host, a port and a path.",
    );
  }
  return url.href.replace(/\/+$/u, "");
}

/** With several hosts it is not a URL of the URL standard; the driver reports further errors. */
function readMongodbUrl(text: string): string {
  if (!/^mongodb(\+srv)?:\/\/./.test(text)) {
    throw new ConfigError("MONGODB_URL must begin with mongodb:// or mongodb+srv://.");
  }
  return text;
}

function readHost(text: string): string {
  if (!/^[A-Za-z0-9.:_%-]{1,255}$/.test(text)) {
    throw new ConfigError(
      "HOST must be a host name or an IP address, such as 127.0.0.1 or 0.0.0.0.",
    );
  }
  return text;
}

function readLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level === undefined)
    throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(", ")}, not "${text}".`);
  return level;
}

function readApiKey(text: string | null): string | null {
  // The value is a secret: the message must not repeat it.
  if (text !== null && !API_KEY.test(text)) {
    throw new ConfigError(
      'LEDGERLINE_API_KEY must be 16 to 512 visible ASCII characters without spaces: a shorter key can be found by trying. "openssl rand -hex 32" makes one.',
    );
  }
  return text;
}
