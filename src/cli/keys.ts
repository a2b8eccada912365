import type { ApiKey, Role } from "../domain/api-key.ts";
import { alignColumns } from "./columns.ts";

/** What the key commands need; `list` is oldest first. */
export interface KeysPort {
  create(
    org: string,
    name: string | null,
    roles: readonly Role[],
  ): Promise<{ key: ApiKey; secret: string }>;
  list(): Promise<readonly ApiKey[]>;
  revoke(id: string): Promise<boolean>;
}

export interface KeyCommandDeps {
  readonly keys: KeysPort;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** Prints the new key alone on standard output, so that a script can take it from there. */
export async function createKey(
  deps: KeyCommandDeps,
  org: string,
  name: string | null,
  roles: readonly Role[],
): Promise<number> {
  const { key, secret } = await deps.keys.create(org, name, roles);
  deps.stderr.write(
    `Key ${key.id} of organization ${org} (${roles.join(", ")}). It is shown only this once.\n`,
  );
  deps.stdout.write(`${secret}\n`);
  return 0;
}

/** Prints a table of all keys; secrets are not known any more. */
export async function listKeys(deps: KeyCommandDeps): Promise<number> {
  const rows = (await deps.keys.list()).map((key) => [
    key.id,
    key.org,
    key.name ?? "",
    key.roles.join(","),
    new Date(key.createdAt).toISOString(),
    key.revokedAt === null ? "" : new Date(key.revokedAt).toISOString(),
  ]);
  const table = [["ID", "ORGANIZATION", "NAME", "ROLES", "CREATED", "REVOKED"], ...rows];
  for (const line of alignColumns(table)) deps.stdout.write(`${line}\n`);
  return 0;
}

/** Ends a key at once, also for a service that is running. */
export async function revokeKey(deps: KeyCommandDeps, id: string): Promise<number> {
  const revoked = await deps.keys.revoke(id);
  deps.stderr.write(
    revoked ? `Key ${id} is revoked.\n` : `There is no key ${id} that is not revoked already.\n`,
  );
  return revoked ? 0 : 1;
}
