// The schema registry: ids of schemas. What is known is kept, so that the registry may be away while the service runs.
import {
  COMPATIBILITY,
  SchemaRegistry as ConfluentRegistry,
  SchemaType,
} from "@kafkajs/confluent-schema-registry";
import { LedgerlineError } from "../../shared/errors.ts";
import { type SchemaRegistry, UndecodableRecord } from "../codec.ts";
import { logicalTypes } from "../logical-types.ts";
import { within } from "./client.ts";

const REQUEST_MAX_MS = 5_000;
const REGISTER_TRIES = 6;
const REGISTER_PAUSE_MS = 200;
const NOT_FOUND = 404;
/** An id that the registry does not know is asked for again after this long: its schema may be registered late. */
const UNKNOWN_MS = 10_000;
const UNKNOWN_MAX = 1_000;

export interface RegistryOptions {
  readonly url: string;
  nowMs(): number;
  random(): number;
  wait(ms: number): Promise<void>;
}

/** A Confluent-compatible schema registry. User name and password may stand in its URL. */
export function createConfluentRegistry(options: RegistryOptions): SchemaRegistry {
  const registry = connectRegistry(options.url);
  const unknownUntilMs = new Map<number, number>();

  async function registerOnce(subject: string, schema: string): Promise<number> {
    const wanted = { type: SchemaType.AVRO as const, schema };
    const known = await findRegistered(subject, wanted);
    await raiseCompatibility(options.url, subject, known !== null);
    if (known !== null) return known;
    const registered = registry.register(wanted, {
      subject,
      compatibility: COMPATIBILITY.FULL_TRANSITIVE,
    });
    return (await within(registered, REQUEST_MAX_MS)).id;
  }

  /**
   * The id of a schema that the subject has already, whatever its compatibility. The client sets that after the first
   * schema, in a request of its own: a process that is slow, or killed in between, leaves the subject without it.
   */
  async function findRegistered(
    subject: string,
    wanted: { readonly type: SchemaType.AVRO; readonly schema: string },
  ): Promise<number | null> {
    try {
      return await within(registry.getRegistryIdBySchema(subject, wanted), REQUEST_MAX_MS);
    } catch (error) {
      if (isUnknown(error)) return null;
      throw error;
    }
  }

  return {
    register: async (subject, schema) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await registerOnce(subject, schema);
        } catch (error) {
          // Processes that start together register the same: the later ones may get an error that a rule exists already, or
          // find the subject without the compatibility that the first is about to set.
          if (tries >= REGISTER_TRIES) {
            throw isIncompatible(error) ? incompatible(subject, error) : away(error);
          }
          await options.wait(REGISTER_PAUSE_MS * tries * (0.5 + options.random()));
        }
      }
    },
    schema: async (id) => {
      if ((unknownUntilMs.get(id) ?? 0) > options.nowMs()) return null;
      try {
        const type = await within(registry.getSchema(id), REQUEST_MAX_MS);
        return isAvro(type) ? JSON.stringify(type.schema({ exportAttrs: true })) : null;
      } catch (error) {
        if (error instanceof LedgerlineError) throw error;
        // Without a status it has nothing to do with the network: the registry has the schema, and it is invalid.
        if (responseStatusOf(error) === null) throw unreadable(id, error);
        if (responseStatusOf(error) !== NOT_FOUND) throw away(error);
        if (unknownUntilMs.size >= UNKNOWN_MAX) unknownUntilMs.clear();
        unknownUntilMs.set(id, options.nowMs() + UNKNOWN_MS);
        return null;
      }
    },
  };
}

/**
 * Raises the compatibility of a subject from BACKWARD, which earlier versions of Ledgerline have set. Another one is the
 * decision of its operator.
 * @param isOptional the schema is registered, so that a registry that does not allow it stops nothing
 */
async function raiseCompatibility(
  url: string,
  subject: string,
  isOptional: boolean,
): Promise<void> {
  const { host, auth } = registryUrl(url);
  const user = auth === null ? {} : { Authorization: `Basic ${basicOf(auth)}` };
  const headers = { ...user, "Content-Type": "application/vnd.schemaregistry.v1+json" };
  const place = `${host}/config/${encodeURIComponent(subject)}`;
  const limit = (): AbortSignal => AbortSignal.timeout(REQUEST_MAX_MS);
  try {
    const found = await fetch(place, { headers, signal: limit() });
    if (!found.ok || (await levelOf(found)) !== COMPATIBILITY.BACKWARD) return;
    const body = JSON.stringify({ compatibility: COMPATIBILITY.FULL_TRANSITIVE });
    await fetch(place, { method: "PUT", headers, body, signal: limit() });
  } catch (error) {
    if (!isOptional) throw error;
  }
}

async function levelOf(response: Response): Promise<unknown> {
  const config: unknown = await response.json();
  return typeof config === "object" && config !== null && "compatibilityLevel" in config
    ? config.compatibilityLevel
    : null;
}

interface BasicAuth {
  readonly username: string;
  readonly password: string;
}

const basicOf = ({ username, password }: BasicAuth): string =>
  Buffer.from(`${username}:${password}`).toString("base64");

/** The URL of the registry without user name and password, and these two. */
function registryUrl(text: string): { readonly host: string; readonly auth: BasicAuth | null } {
  const url = new URL(text);
  const auth =
    url.username === ""
      ? null
      : {
          username: decodeURIComponent(url.username),
          password: decodeURIComponent(url.password),
        };
  url.username = "";
  url.password = "";
  return { host: url.toString().replace(/\/$/, ""), auth };
}

/** A client of the registry. User name and password may stand in its URL. */
export function connectRegistry(text: string): ConfluentRegistry {
  const { host, auth } = registryUrl(text);
  return new ConfluentRegistry(
    {
      host,
      clientId: "ledgerline",
      ...(auth === null ? {} : { auth: { ...auth } }),
      retry: { retries: 1 },
    },
    { [SchemaType.AVRO]: { logicalTypes } },
  );
}

/** Records here are never written with schemas of languages other than Avro. */
function isAvro(type: object): type is { schema(options: { exportAttrs: boolean }): unknown } {
  return "schema" in type && typeof type.schema === "function";
}

function responseStatusOf(error: unknown): number | null {
  return error instanceof Error && "status" in error && typeof error.status === "number"
    ? error.status
    : null;
}

/** Neither the subject nor the schema in it is there; the client reports it with an error that has lost its status. */
function isUnknown(error: unknown): boolean {
  return error instanceof Error && error.name === "ConfluentSchemaRegistryError";
}

function isIncompatible(error: unknown): boolean {
  const name = error instanceof Error ? error.name : "";
  return responseStatusOf(error) === 409 || name === "ConfluentSchemaRegistryCompatibilityError";
}

function incompatible(subject: string, cause: unknown): LedgerlineError {
  return new LedgerlineError(
    "misconfigured",
    `The schema registry refuses the schema of ${subject}: what is registered there is not compatible with this version, or its compatibility is not FULL_TRANSITIVE.`,
    { cause },
  );
}

function unreadable(id: number, cause: unknown): UndecodableRecord {
  return new UndecodableRecord(`schema id ${String(id)} is not a valid Avro schema`, cause);
}

function away(cause: unknown): LedgerlineError {
  return new LedgerlineError("unavailable", "The schema registry cannot be reached just now.", {
    cause,
  });
}
