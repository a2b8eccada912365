import { type ApiKey, type KeyLimits, keyPrefix, type Role } from "../model/api-key.ts";
import type { Expiry } from "./arguments.ts";
import { alignColumns } from "./columns.ts";
import { safeText } from "./explain/table.ts";

/** What the key commands need; `list` is oldest first. */
export interface KeysPort {
  create(
    org: string,
    name: string | null,
    roles: readonly Role[],
    options: { readonly expiresAt: number | null; readonly limits: KeyLimits },
  ): Promise<{ key: ApiKey; secret: string }>;
  list(): Promise<readonly ApiKey[]>;
  revoke(id: string): Promise<boolean>;
}

export interface KeyCommandDeps {
  readonly keys: KeysPort;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Milliseconds since 1970. */
  now(): number;
}

/** The key that is to be made. */
export interface NewKey {
  readonly org: string;
  readonly name: string | null;
  readonly roles: readonly Role[];
  /** Null: never. */
  readonly expiry: Expiry | null;
  readonly limits: KeyLimits;
}

const EXIT_USAGE = 2;

/** Prints the new key alone on standard output, so that a script can take it from there. */
export async function createKey(
  deps: KeyCommandDeps,
  { org, name, roles, expiry, limits }: NewKey,
): Promise<number> {
  const expiresAt = expiry?.(deps.now()) ?? null;
  if (expiresAt !== null && expiresAt <= deps.now()) {
    deps.stderr.write(`${isoOf(expiresAt)} is in the past: give a later time with --expires.\n`);
    return EXIT_USAGE;
  }
  const { key, secret } = await deps.keys.create(org, name, roles, { expiresAt, limits });
  const end = expiresAt === null ? "" : ` It expires at ${isoOf(expiresAt)}.`;
  deps.stderr.write(
    `Key ${key.id} of organization ${org} (${roles.join(", ")}). It is shown only this once.${end}\n`,
  );
  deps.stdout.write(`${secret}\n`);
  return 0;
}

/** Prints a table of all keys; secrets are not known any more. */
export async function listKeys(deps: KeyCommandDeps): Promise<number> {
  const rows = (await deps.keys.list()).map((key) => [
    key.id,
    keyPrefix(key.id),
    key.org,
    safeText(key.name ?? ""),
    key.roles.join(","),
    rateOf(key.limits),
    creditsText(key.limits),
    isoOf(key.createdAt),
    key.expiresAt === null ? "never" : isoOf(key.expiresAt),
    key.revokedAt === null ? "" : isoOf(key.revokedAt),
  ]);
  const head = ["ID", "PREFIX", "ORGANIZATION", "NAME", "ROLES", "RATE", "CREDITS"];
  const table = [[...head, "CREATED", "EXPIRES", "REVOKED"], ...rows];
  for (const line of alignColumns(table)) deps.stdout.write(`${line}\n`);
  return 0;
}

/** Ends a key at once, also for a service that is running. */
export async function revokeKey(deps: KeyCommandDeps, id: string): Promise<number> {
  const revoked = await deps.keys.revoke(id);
  deps.stderr.write(
    revoked ? `Key ${id} is revoked.\n` : `Key ${id} does not exist or is revoked already.\n`,
  );
  return revoked ? 0 : 1;
}

/** What the settings say may be another thing for every process, and is not known here. */
const AS_SETTINGS_SAY = "default";
const ANY_NUMBER = "any";

function rateOf({ ratePerSecond }: KeyLimits): string {
  if (ratePerSecond === null) return AS_SETTINGS_SAY;
  return ratePerSecond === 0 ? ANY_NUMBER : String(ratePerSecond);
}

/** Credits in a table. */
export function creditsText({ credits }: Pick<KeyLimits, "credits">): string {
  if (credits === null) return AS_SETTINGS_SAY;
  return credits.max === 0 ? ANY_NUMBER : `${String(credits.max)}:${String(credits.perSecond)}`;
}

const isoOf = (at: number): string => new Date(at).toISOString();
