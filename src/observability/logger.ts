// One JSON line per unit of work. Lines carry ids of ours, counts and durations; never a payload, a name, a key or a token.
import { type DestinationStream, pino } from "pino";
import { prettyLine } from "./pretty-line.ts";

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `auto`: `pretty` on a terminal, `json` anywhere else. */
export const LOG_FORMATS = ["auto", "json", "pretty"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The part of pino that Ledgerline uses. `error` means that an operator must act. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

/** A logger in the format that fits where its lines go. */
export function createLoggerFor(
  level: LogLevel,
  format: LogFormat,
  stream: NodeJS.WriteStream,
): Logger {
  const isPretty = format === "pretty" || (format === "auto" && stream.isTTY);
  if (!isPretty) return createLogger(level, stream);
  const hasColors = stream.isTTY && stream.hasColors();
  return createLogger(level, {
    write: (line) => stream.write(prettyLine(line, hasColors)),
  });
}

/** @param destination where the lines go; standard output when left out */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // `err` is what pino itself would spell out, message and all.
    serializers: { error: describeError, err: describeError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Name, code and stack of an error; its message only when it is one of ours, because others may quote the payload. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const ours = error.name === "LedgerlineError";
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const frames = (error.stack ?? "")
    .split("\n")
    .filter((line) => line.trimStart().startsWith("at "));
  return {
    name: error.name,
    code,
    message: ours ? error.message : undefined,
    stack: ours ? undefined : frames.slice(0, 8).join("\n"),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}
