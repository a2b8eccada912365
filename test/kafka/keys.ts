import { openKeys } from "../../src/app/commands.ts";
import { openKafkaGrants } from "../../src/app/kafka-commands.ts";
import type { CreditLimits, Role } from "../../src/model/api-key.ts";
import { createLogger } from "../../src/observability/logger.ts";
import type { TestService } from "../support/service.ts";

/** A signing secret, or an API key, as its owner has it. */
export interface Key {
  readonly id: string;
  readonly secret: string;
}

/** Makes keys as the command line does: one for each organization, with these roles. */
export async function createKeysFor<Organization extends string>(
  { config }: Pick<TestService, "config">,
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

/** Grants access as the command line does, once for each installation, and gives the newest secret of each organization. */
export async function grantTo<Organization extends string>(
  { config }: Pick<TestService, "config">,
  organizations: readonly Organization[],
): Promise<Record<Organization, Key>> {
  const { grants, close } = await openKafkaGrants(config, createLogger("silent"));
  try {
    const made: [string, Key][] = [];
    for (const org of organizations) {
      const outcome = await grants.grant({ org, principals: [], rotationGraceMs: 0 });
      if (outcome.kind === "refused" || outcome.secret === null)
        throw new Error(outcome.kind === "refused" ? outcome.why : "No secret was made");
      made.push([org, { id: outcome.secret.id, secret: outcome.secret.text }]);
    }
    return Object.fromEntries(made) as Record<Organization, Key>;
  } finally {
    await close();
  }
}

/** What records of an organization that has a grant may cost, as the command line sets it. */
export async function setRecordCredits(
  { config }: Pick<TestService, "config">,
  org: string,
  credits: CreditLimits,
): Promise<void> {
  const { grants, close } = await openKafkaGrants(config, createLogger("silent"));
  try {
    const outcome = await grants.grant({ org, principals: [], rotationGraceMs: null, credits });
    if (outcome.kind === "refused") throw new Error(outcome.why);
  } finally {
    await close();
  }
}
