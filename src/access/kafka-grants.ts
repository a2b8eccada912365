// Grants: what an organization's programs may do on Kafka. The store holds them and their signing secrets,
// encrypted; Kafka has the topics and access lists. Each operation can be repeated when it fails in between: a grant makes
// what is missing before it is stored, and a revocation ends in the store before anything is removed from Kafka.
import type { CreditLimits } from "../model/api-key.ts";
import { type AuditAction, type AuditEntry, COMMAND_LINE } from "../model/audit.ts";
import {
  GRANT_PRINCIPALS_MAX,
  GRANT_SECRETS_MAX,
  GRANTS_MAX,
  type GrantedOrganization,
  type GrantSecret,
  type KafkaGrant,
  type RecordSecret,
  UNLIMITED_CREDITS,
} from "../model/kafka-grant.ts";
import { LedgerlineError } from "../shared/errors.ts";

/** Encrypts and decrypts; `context`: what a secret belongs to, for which alone it can be decrypted. */
export interface GrantVault {
  encrypt(text: string, context: string): string;
  /** @throws LedgerlineError `bad_secret` when it cannot be decrypted */
  open(encrypted: string, context: string): string;
  /** Whether it is encrypted with the current key. */
  isCurrent(encrypted: string): boolean;
}

/** What grants need of Kafka. Each can be repeated. */
export interface OutsideAccess {
  /** Makes topics and access lists that are missing. @throws LedgerlineError `misconfigured` without an authorizer */
  allow(org: string, principals: readonly string[]): Promise<void>;
  /** @param sharedPrincipals those that other organizations have too, which keep their right to write */
  forbid(
    org: string,
    principals: readonly string[],
    sharedPrincipals: readonly string[],
  ): Promise<void>;
  deleteTopics(org: string): Promise<void>;
}

export interface GrantPorts {
  allGrants(): Promise<readonly KafkaGrant[]>;
  getGrant(org: string): Promise<KafkaGrant | null>;
  insertGrant(grant: KafkaGrant, entry: AuditEntry): Promise<boolean>;
  replaceGrant(seen: KafkaGrant, next: KafkaGrant, entry: AuditEntry | null): Promise<boolean>;
  removeGrant(seen: KafkaGrant, entry: AuditEntry): Promise<boolean>;
  readonly access: OutsideAccess;
  readonly vault: GrantVault;
  /** @param random 8 random bytes */
  makeKeyId(random: Uint8Array): string;
  nowMs(): number;
  newId(): string;
  randomBytes(length: number): Uint8Array;
}

export interface GrantRequest {
  readonly org: string;
  readonly principals: readonly string[];
  /** For how long the older secret stays valid when a new one is made; null: none is made for a grant that exists. */
  readonly rotationGraceMs: number | null;
  /** What its records may cost; `settings`: as those say. Left out: it stays as it is, any number for a new grant. */
  readonly credits?: CreditLimits | "settings";
}

export type GrantOutcome =
  /** `secret`: the one that was made, which is shown only now; null: none was. */
  | {
      readonly kind: "granted";
      readonly grant: KafkaGrant;
      readonly secret: { readonly id: string; readonly text: string } | null;
    }
  | { readonly kind: "refused"; readonly why: string };

/** `not_found`: there is no such grant, or no such secret in it. */
export type RevokeOutcome = "revoked" | "not_found";

export interface KafkaGrants {
  /** Grants access, or adds to it; also makes again what is missing on Kafka. */
  grant(request: GrantRequest): Promise<GrantOutcome>;
  /** Ends one secret. Services refuse it after 10 s at most. */
  revokeSecret(org: string, keyId: string): Promise<RevokeOutcome>;
  /** Takes back everything but the topics, and those too if they are to be deleted. */
  revoke(org: string, deletesTopics: boolean): Promise<RevokeOutcome>;
  list(): Promise<readonly KafkaGrant[]>;
}

const CHANGES_TRIES_MAX = 5;
const SECRET_BYTES = 32;
const KEY_ID_BYTES = 8;

export function createKafkaGrants(ports: GrantPorts): KafkaGrants {
  return {
    list: ports.allGrants,
    grant: (request) => {
      if (request.principals.length > GRANT_PRINCIPALS_MAX)
        return Promise.resolve(refused(TOO_MANY_PRINCIPALS));
      return retried(async () => {
        const seen = await ports.getGrant(request.org);
        return seen === null ? create(ports, request) : extend(ports, seen, request);
      });
    },
    revokeSecret: (org, keyId) =>
      retried(async () => {
        const seen = await ports.getGrant(org);
        if (seen?.secrets.some(({ id }) => id === keyId) !== true) return "not_found";
        const next = { ...seen, secrets: seen.secrets.filter(({ id }) => id !== keyId) };
        const audited = entryOf(ports, org, "kafka.secret_revoked", keyId);
        return (await ports.replaceGrant(seen, next, audited)) ? "revoked" : null;
      }),
    revoke: (org, deletesTopics) =>
      retried(async () => {
        const seen = await ports.getGrant(org);
        return seen === null ? "not_found" : end(ports, seen, deletesTopics);
      }),
  };
}

function entryOf(
  { newId, nowMs }: GrantPorts,
  org: string,
  action: AuditAction,
  subject: string,
): AuditEntry {
  return { ...COMMAND_LINE, org, id: newId(), createdAt: nowMs(), action, subject, details: {} };
}

function makeSecret(
  { makeKeyId, randomBytes, vault, nowMs }: GrantPorts,
  org: string,
): { readonly text: string; readonly stored: GrantSecret } {
  const id = makeKeyId(randomBytes(KEY_ID_BYTES));
  const text = `llks_${Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url")}`;
  const encrypted = vault.encrypt(text, grantContext(org, id));
  return { text, stored: { id, encrypted, createdAt: nowMs(), endsAt: null } };
}

/** Null: another grant was first. */
async function create(ports: GrantPorts, request: GrantRequest): Promise<GrantOutcome | null> {
  const { org, principals } = request;
  const taken = new Set((await ports.allGrants()).map(({ place }) => place));
  const places = Array.from({ length: GRANTS_MAX }, (_, index) => index);
  const place = places.find((index) => !taken.has(index));
  if (place === undefined)
    return refused(
      `${String(GRANTS_MAX)} organizations have a grant, which is the most: revoke one first.`,
    );
  await ports.access.allow(org, principals);
  const { text, stored } = makeSecret(ports, org);
  const grant: KafkaGrant = {
    ...{ org, place, revision: 1, state: "active", createdAt: ports.nowMs() },
    ...{ principals: [...new Set(principals)], secrets: [stored] },
    credits: creditsAfter(UNLIMITED_CREDITS, request),
  };
  const entry = entryOf(ports, org, "kafka.granted", stored.id);
  const isStored = await ports.insertGrant(grant, entry);
  return isStored ? { kind: "granted", grant, secret: { id: stored.id, text } } : null;
}

/** Null: another change was first. */
async function extend(
  ports: GrantPorts,
  seen: KafkaGrant,
  request: GrantRequest,
): Promise<GrantOutcome | null> {
  const { org, rotationGraceMs } = request;
  const nowMs = ports.nowMs();
  const live = validSecrets(seen, nowMs);
  const principals = [...new Set([...seen.principals, ...request.principals])];
  const problem = extensionProblem(seen, principals, live, rotationGraceMs !== null);
  if (problem !== null) return refused(problem);
  await ports.access.allow(org, principals);
  const credits = creditsAfter(seen.credits, request);
  const changed: KafkaGrant = { ...seen, revision: seen.revision + 1, principals, credits };
  if (rotationGraceMs === null) {
    const grant = { ...changed, secrets: live };
    const entry = entryOf(ports, org, "kafka.granted", org);
    return (await ports.replaceGrant(seen, grant, entry))
      ? { kind: "granted", grant, secret: null }
      : null;
  }
  const endMs = nowMs + rotationGraceMs;
  const older = live.map((one) => ({ ...one, endsAt: Math.min(one.endsAt ?? endMs, endMs) }));
  const { text, stored } = makeSecret(ports, org);
  const grant = { ...changed, secrets: [...older, stored] };
  const entry = entryOf(ports, org, "kafka.secret_created", stored.id);
  return (await ports.replaceGrant(seen, grant, entry))
    ? { kind: "granted", grant, secret: { id: stored.id, text } }
    : null;
}

/** Null: another change was first. */
async function end(
  ports: GrantPorts,
  seen: KafkaGrant,
  deletesTopics: boolean,
): Promise<RevokeOutcome | null> {
  const { org, principals } = seen;
  const ending: KafkaGrant = { ...seen, state: "ending", secrets: [] };
  if (!(await ports.replaceGrant(seen, ending, null))) return null;
  const others = (await ports.allGrants()).filter((other) => other.org !== org);
  const shared = others.flatMap((other) => other.principals);
  await ports.access.forbid(org, principals, shared);
  if (deletesTopics) await ports.access.deleteTopics(org);
  const ended = { ...ending, revision: seen.revision + 1 };
  const entry = entryOf(ports, org, "kafka.revoked", org);
  return (await ports.removeGrant(ended, entry)) ? "revoked" : null;
}

function creditsAfter(before: CreditLimits | null, { credits }: GrantRequest): CreditLimits | null {
  return credits === "settings" ? null : (credits ?? before);
}

const TOO_MANY_PRINCIPALS = `An organization has at most ${String(GRANT_PRINCIPALS_MAX)} Kafka users.`;

const refused = (why: string): GrantOutcome => ({ kind: "refused", why });

function extensionProblem(
  { org, state }: KafkaGrant,
  principals: readonly string[],
  live: readonly GrantSecret[],
  isRotating: boolean,
): string | null {
  if (state === "ending")
    return `The grant of ${org} is being revoked: run "ledgerline kafka revoke --organization ${org}" to its end first.`;
  if (principals.length > GRANT_PRINCIPALS_MAX) return TOO_MANY_PRINCIPALS;
  if (isRotating && live.length >= GRANT_SECRETS_MAX)
    return `${String(GRANT_SECRETS_MAX)} secrets of ${org} are valid, which is the most: end the older one first with "ledgerline kafka revoke --organization ${org} --key ${live[0]?.id ?? ""}".`;
  return null;
}

/** Does it again when another change was first. */
async function retried<T>(change: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < CHANGES_TRIES_MAX; tries += 1) {
    const outcome = await change();
    if (outcome !== null) return outcome;
  }
  throw new LedgerlineError("unavailable", "The grant changes too often; try again.");
}

const grantContext = (org: string, keyId: string): string => `kafka/${org}/${keyId}`;

const validSecrets = (
  { secrets }: Pick<KafkaGrant, "secrets">,
  nowMs: number,
): readonly GrantSecret[] => secrets.filter(({ endsAt }) => endsAt === null || endsAt > nowMs);

/**
 * Reads the active grants with their secrets. A secret whose encryption key is lost is left out: it verifies nothing. While this
 * process has not been given a key that others have, records wait: they would be dead letters for what an operator can mend.
 * @throws LedgerlineError `unavailable` when the keys cannot be opened
 */
export function createGrantReader(ports: {
  allGrants(): Promise<readonly KafkaGrant[]>;
  openVault(): Promise<Pick<GrantVault, "open">>;
  nowMs(): number;
  unreadable(org: string, keyId: string): void;
}): () => Promise<readonly GrantedOrganization[]> {
  let decrypted = new Map<string, RecordSecret | null>();
  let vault: Promise<Pick<GrantVault, "open">> | null = null;

  function decrypt(
    { open }: Pick<GrantVault, "open">,
    org: string,
    stored: GrantSecret,
  ): RecordSecret | null {
    const known = decrypted.get(stored.encrypted);
    if (known !== undefined) return known;
    const { id, encrypted, endsAt } = stored;
    try {
      return { org, id, endsAt, secret: Buffer.from(open(encrypted, grantContext(org, id))) };
    } catch (error) {
      if (!(error instanceof LedgerlineError) || error.code !== "bad_secret") throw error;
      ports.unreadable(org, id);
      return null;
    }
  }

  return async () => {
    const active = (await ports.allGrants()).filter(({ state }) => state === "active");
    if (active.length === 0) return [];
    vault ??= ports.openVault().catch((cause: unknown) => {
      vault = null;
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `Signing secrets cannot be read: ${reason}`;
      throw new LedgerlineError("unavailable", message, { cause });
    });
    const opened = await vault;
    const next = new Map<string, RecordSecret | null>();
    const granted = active.map((grant) => {
      const secrets = validSecrets(grant, ports.nowMs()).flatMap((stored) => {
        const secret = decrypt(opened, grant.org, stored);
        next.set(stored.encrypted, secret);
        // The end may have been set since it was decrypted.
        return secret === null ? [] : [{ ...secret, endsAt: stored.endsAt }];
      });
      return { org: grant.org, credits: grant.credits, secrets };
    });
    decrypted = next;
    return granted;
  };
}

/** Every secret of grants, with what it belongs to. */
export async function* encryptedGrantSecrets(
  grants: Pick<GrantPorts, "allGrants">,
  nowMs: number,
): AsyncGenerator<{ readonly owner: string; readonly text: string }> {
  for (const grant of await grants.allGrants()) {
    for (const { id, encrypted } of validSecrets(grant, nowMs))
      yield { owner: grantContext(grant.org, id), text: encrypted };
  }
}

/** Encrypts the secrets of an older key again; those whose key is lost stay as they are. */
export async function reencryptGrants(
  ports: Pick<GrantPorts, "allGrants" | "getGrant" | "replaceGrant">,
  vault: GrantVault,
): Promise<void> {
  const reencrypt = (org: string, stored: GrantSecret): GrantSecret => {
    if (vault.isCurrent(stored.encrypted)) return stored;
    const context = grantContext(org, stored.id);
    try {
      return {
        ...stored,
        encrypted: vault.encrypt(vault.open(stored.encrypted, context), context),
      };
    } catch (error) {
      if (error instanceof LedgerlineError && error.code === "bad_secret") return stored;
      throw error;
    }
  };
  for (const { org } of await ports.allGrants()) {
    await retried(async () => {
      const seen = await ports.getGrant(org);
      if (seen === null) return true;
      const secrets = seen.secrets.map((stored) => reencrypt(org, stored));
      if (secrets.every((secret, index) => secret === seen.secrets[index])) return true;
      return (await ports.replaceGrant(seen, { ...seen, secrets }, null)) ? true : null;
    });
  }
}
