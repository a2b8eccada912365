import { openKeys } from "../../src/app/commands.ts";
import type { Role } from "../../src/model/api-key.ts";
import { createLogger } from "../../src/observability/logger.ts";
import type { TestService } from "../support/service.ts";
import type { Key } from "./outside.ts";

/** Makes keys as the command line does: one for each organization, with these roles. */
export async function createKeysFor<Organization extends string>(
  { config }: TestService,
  rolesOf: Readonly<Record<Organization, readonly Role[]>>,
): Promise<Record<Organization, Key>> {
  const { keys, close } = await openKeys(config, createLogger("silent"), false);
  try {
    const made: [string, Key][] = [];
    for (const [organization, roles] of Object.entries<readonly Role[]>(rolesOf)) {
      const { key, secret } = await keys.create(organization, null, roles);
      made.push([organization, { id: key.id, secret }]);
    }
    return Object.fromEntries(made) as Record<Organization, Key>;
  } finally {
    await close();
  }
}
