// Which failures of the driver mean that the server cannot be used just now. Everything else is a bug and stays as it is.
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from "mongodb";
import { LedgerlineError } from "../../shared/errors.ts";

const DUPLICATE_KEY = 11000;
const INTERRUPTED = 11601;

const SLOW = "MongoDB did not answer in time";
const ELECTING = "the MongoDB replica set is changing its primary";
const UNCONFIRMED = "a majority of the MongoDB replica set did not confirm the write";
const CROWDED = "too many others change the same rows at the same time";
const FORBIDDEN = "MongoDB refuses the user, or the user may not do this";
const CLOSED = "the connection to MongoDB is closed";
const BROKEN = "the connection to MongoDB broke";

/**
 * Codes of Node for a socket whose other side is gone. The driver (7.x) passes through what a write throws on a socket that
 * was closed since it was last checked: https://github.com/mongodb/node-mongodb-native, `Connection.writeCommand`.
 */
const SOCKET_CODES: ReadonlySet<string> = new Set([
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTCONN",
  "EPIPE",
  "ETIMEDOUT",
  "ERR_SOCKET_CLOSED",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_WRITE_AFTER_END",
]);

// Codes of https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
const REASONS: Readonly<Record<number, string>> = {
  6: "MongoDB cannot reach one of its servers",
  7: "MongoDB cannot reach one of its servers",
  8: FORBIDDEN,
  11: FORBIDDEN,
  13: FORBIDDEN,
  18: FORBIDDEN,
  24: SLOW,
  46: SLOW,
  50: SLOW,
  63: "the MongoDB shards are being changed",
  64: UNCONFIRMED,
  70: "MongoDB cannot reach one of its shards",
  79: UNCONFIRMED,
  82: UNCONFIRMED,
  89: SLOW,
  91: "MongoDB is shutting down",
  100: UNCONFIRMED,
  112: CROWDED,
  133: "MongoDB cannot reach one of its shards",
  134: ELECTING,
  189: ELECTING,
  202: SLOW,
  225: CROWDED,
  244: CROWDED,
  246: CROWDED,
  251: CROWDED,
  262: SLOW,
  317: "MongoDB is overloaded",
  391: FORBIDDEN,
  462: "MongoDB is overloaded",
  9001: BROKEN,
  10107: ELECTING,
  11600: "MongoDB is shutting down",
  11601: "MongoDB ended what was going on",
  11602: ELECTING,
  13388: "the MongoDB shards are being changed",
  13435: ELECTING,
  13436: ELECTING,
  14031: "the disk of MongoDB is full",
};

/** Labels by which servers and driver say that trying again later can help, whatever the code. */
const RETRY_LABELS = [
  "RetryableWriteError",
  "TransientTransactionError",
  "UnknownTransactionCommitResult",
  "SystemOverloadedError",
];

/** Turns a failure of the server or the way to it into `unavailable`; a failure of its own kind stays what it is. */
export function asStoreUnavailable(failure: unknown): unknown {
  const error = unwrapped(failure);
  if (error instanceof LedgerlineError) return error;
  const reason = reasonOf(failure);
  return reason === null ? failure : unavailable(reason, failure);
}

export function unavailable(reason: string, cause?: unknown): LedgerlineError {
  const options = cause === undefined ? {} : { cause };
  return new LedgerlineError("unavailable", `The store is unavailable: ${reason}.`, options);
}

/** This write lost against others again and again. */
export function crowded(cause?: unknown): LedgerlineError {
  return unavailable(CROWDED, cause);
}

/** Whether nothing is wrong with the server. */
export function isCrowded(error: LedgerlineError): boolean {
  return error.message.includes(CROWDED);
}

export function tooSlow(limitMs: number): LedgerlineError {
  return unavailable(`MongoDB did not answer within ${String(limitMs / 1000)} seconds`);
}

function reasonOf(failure: unknown): string | null {
  const error = unwrapped(failure);
  if (!(error instanceof MongoError)) return isOfSocket(error) ? BROKEN : null;
  if (hasWriteConcernFailure(error)) return UNCONFIRMED;
  const code = typeof error.code === "number" ? error.code : null;
  const known = code === null ? undefined : REASONS[code];
  return known ?? reasonByKind(error);
}

function isOfSocket(error: unknown): boolean {
  return error instanceof Error && "code" in error && SOCKET_CODES.has(String(error.code));
}

function reasonByKind(error: MongoError): string | null {
  if (error instanceof MongoServerSelectionError) return "MongoDB cannot be reached";
  if (error instanceof MongoNetworkTimeoutError) return SLOW;
  if (error instanceof MongoNetworkError) return BROKEN;
  // Not exported by the driver as a class.
  if (error.name === "MongoWaitQueueTimeoutError") return "all connections to MongoDB are in use";
  const closed =
    error instanceof MongoTopologyClosedError ||
    error instanceof MongoClientClosedError ||
    error instanceof MongoServerClosedError ||
    error instanceof MongoNotConnectedError ||
    error.name === "MongoPoolClosedError";
  if (closed) return CLOSED;
  return RETRY_LABELS.some((label) => error.hasErrorLabel(label)) ? SLOW : null;
}

/** A bulk write wraps what the driver threw while it ran, and copies everything but its class. */
function unwrapped(error: unknown): unknown {
  if (!(error instanceof MongoBulkWriteError)) return error;
  const inner: unknown = error.errorResponse;
  return inner instanceof Error ? inner : error;
}

function hasWriteConcernFailure(error: MongoError): boolean {
  if (error instanceof MongoWriteConcernError) return true;
  return error instanceof MongoBulkWriteError && error.result.getWriteConcernError() !== undefined;
}

/** Whether a unique index refused a single write. */
export function isDuplicate(error: unknown): boolean {
  return (
    error instanceof MongoError && !hasWriteConcernFailure(error) && error.code === DUPLICATE_KEY
  );
}

/** Whether another client ended the operation on the server, such as the search for transactions without an owner. */
export function isInterrupted(error: unknown): boolean {
  return error instanceof MongoError && error.code === INTERRUPTED;
}

/** Whether it was the index of `_id` that refused, and not another unique one. The values come last in the message. */
export function isDuplicateId(message: string | undefined): boolean {
  return /^E11000 duplicate key error collection: \S+ index: _id_ /.test(message ?? "");
}

/**
 * The places of the operations of an unordered bulk write that the index of `_id` refused, or null when something else
 * went wrong too.
 */
export function duplicatesOf(error: unknown): readonly number[] | null {
  if (!(error instanceof MongoBulkWriteError) || hasWriteConcernFailure(error)) return null;
  const failures = [error.writeErrors].flat();
  if (failures.length === 0) return null;
  const expected = failures.every(
    (failure) => failure.code === DUPLICATE_KEY && isDuplicateId(failure.errmsg),
  );
  return expected ? failures.map((failure) => failure.index) : null;
}
