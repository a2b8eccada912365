// Every setting: its name, default, unit and bounds. Read once, checked whole, shown without secrets.
import { LOG_LEVELS, type LogLevel } from "./ops/logger.ts";

export interface Config {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Folder of the data file. */
  readonly dataFolder: string;
  /** A key that exists as long as this setting does; null when not set. */
  readonly apiKey: string | null;
  readonly logLevel: LogLevel;
  readonly poolThreads: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting is wrong. The message is one sentence for the person who started the program. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ConfigError";
  }
}

const PREFIX = "LEDGERLINE_";
const PREFIXED = ["LEDGERLINE_DATA", "LEDGERLINE_API_KEY"];
/** More threads than this would be a slip of the finger. */
const POOL_THREADS_MAX = 256;
const API_KEY_LENGTH_MAX = 512;

/**
 * The settings in `environment`; empty values count as not set.
 * @param cores default of POOL_THREADS
 * @throws ConfigError for a bad value or a LEDGERLINE_… name that is not a setting
 */
export function readConfig(environment: Environment, cores: number): Config {
  for (const name of Object.keys(environment)) {
    if (name.startsWith(PREFIX) && !PREFIXED.includes(name)) {
      throw new ConfigError(
        `${name} is not a setting; those that begin with ${PREFIX} are ${PREFIXED.join(" and ")}.`,
      );
    }
  }
  const value = (name: string): string | null => {
    const text = environment[name]?.trim() ?? "";
    return text === "" ? null : text;
  };
  return {
    host: readHost(value("HOST") ?? "127.0.0.1"),
    port: readInteger("PORT", value("PORT") ?? "8080", 0, 65_535),
    dataFolder: value("LEDGERLINE_DATA") ?? ".ledgerline",
    apiKey: readApiKey(value("LEDGERLINE_API_KEY")),
    logLevel: readLogLevel(value("LOG_LEVEL") ?? "info"),
    poolThreads: readInteger(
      "POOL_THREADS",
      value("POOL_THREADS") ?? String(cores),
      1,
      POOL_THREADS_MAX,
    ),
  };
}

/** The settings as they may be logged. */
export function configSummary(config: Config): object {
  return { ...config, apiKey: config.apiKey !== null };
}

function readHost(text: string): string {
  if (!/^[A-Za-z0-9.:_%-]{1,255}$/.test(text)) {
    throw new ConfigError(
      "HOST must be a host name or an IP address, such as 127.0.0.1 or 0.0.0.0.",
    );
  }
  return text;
}

function readInteger(name: string, text: string, min: number, max: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max)) {
    throw new ConfigError(
      `${name} must be a whole number from ${String(min)} to ${String(max)}, not "${text}".`,
    );
  }
  return number;
}

function readLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level === undefined)
    throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(", ")}, not "${text}".`);
  return level;
}

function readApiKey(text: string | null): string | null {
  // The value is a secret: the message must not repeat it.
  if (text !== null && (!/^[\x21-\x7e]+$/.test(text) || text.length > API_KEY_LENGTH_MAX)) {
    throw new ConfigError(
      "LEDGERLINE_API_KEY must be 1 to 512 visible ASCII characters without spaces.",
    );
  }
  return text;
}
