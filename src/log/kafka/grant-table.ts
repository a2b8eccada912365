// All grants of the installation with their secrets, as they are or were at most 10 s ago. There are few, so all are read
// at once, at intervals: what a record names costs no read of its own. Key ids come from headers, which every producer
// with write access can make up; ids that this installation has not made are refused without a read (see `isKeyId`), and
// one that it has made and that is not in the table costs one read of the table in all: it is new, or it was revoked.
import type { CreditLimits } from "../../model/api-key.ts";
import type { GrantedOrganization, RecordSecret } from "../../model/kafka-grant.ts";

export interface GrantTablePorts {
  /** All active grants. @throws LedgerlineError `unavailable` when they cannot be known now */
  loadGrants(): Promise<readonly GrantedOrganization[]>;
  /** Whether the installation has made this key id. */
  isKeyId(id: string): boolean;
  nowMs(): number;
}

export interface GrantTable {
  /**
   * The secret of this key id, or null: there is none, or it was revoked or has ended.
   * @throws LedgerlineError `unavailable` when it cannot be known now
   */
  find(id: string): Promise<RecordSecret | null>;
  /** The secret of this key id in the table as it was read last, without a read. It may be revoked by now. */
  known(id: string): RecordSecret | null;
  /** @throws LedgerlineError `unavailable` when it cannot be known now */
  isGranted(org: string): Promise<boolean>;
  /**
   * What records of the organization may cost; null: as the settings say, or it has no grant.
   * @throws LedgerlineError `unavailable` when it cannot be known now
   */
  creditsOf(org: string): Promise<CreditLimits | null>;
}

/** The table is read again after this long, while the old one is used. */
const REFRESH_MS = 5_000;
/** An older table is not used: a revoked secret is accepted, and a revoked topic written to, for this long. */
const TABLE_MS_MAX = 10_000;
/** Key ids that were made here and revoked since, so that none costs a second read. */
const REVOKED_MAX = 10_000;

interface LoadedGrants {
  /** Reads are counted as they begin, from 1. */
  readonly number: number;
  readonly startedAtMs: number;
  readonly secrets: ReadonlyMap<string, RecordSecret>;
  /** What they may cost, by organization. */
  readonly orgs: ReadonlyMap<string, CreditLimits | null>;
}

export function createGrantTable(ports: GrantTablePorts): GrantTable {
  const { nowMs } = ports;
  const revoked = new Set<string>();
  let loaded: LoadedGrants | null = null;
  let loading: Promise<LoadedGrants> | null = null;
  let started = 0;

  async function load(): Promise<LoadedGrants> {
    started += 1;
    const [number, startedAtMs] = [started, nowMs()];
    const grants = await ports.loadGrants();
    const secrets = grants.flatMap((grant) => grant.secrets);
    loaded = {
      number,
      startedAtMs,
      secrets: new Map(secrets.map((secret) => [secret.id, secret])),
      orgs: new Map(grants.map(({ org, credits }) => [org, credits])),
    };
    return loaded;
  }

  function reload(): Promise<LoadedGrants> {
    loading ??= load().finally(() => {
      loading = null;
    });
    return loading;
  }

  /** The table of a read that began after the one of this number: what came later is not in that one. */
  async function loadAfter(number: number): Promise<LoadedGrants> {
    for (;;) {
      const table = await reload();
      if (table.number > number) return table;
    }
  }

  async function current(): Promise<LoadedGrants> {
    if (loaded === null) return reload();
    const ageMs = nowMs() - loaded.startedAtMs;
    if (ageMs < 0 || ageMs >= TABLE_MS_MAX) return reload();
    if (ageMs >= REFRESH_MS) reload().catch(() => undefined);
    return loaded;
  }

  const valid = (secret: RecordSecret | undefined): RecordSecret | null =>
    secret === undefined || (secret.endsAt !== null && secret.endsAt <= nowMs()) ? null : secret;

  return {
    known: (id) => valid(loaded?.secrets.get(id)),
    isGranted: async (org) => (await current()).orgs.has(org),
    creditsOf: async (org) => (await current()).orgs.get(org) ?? null,
    find: async (id) => {
      if (!ports.isKeyId(id)) return null;
      const startedBefore = started;
      const secret = (await current()).secrets.get(id);
      if (secret !== undefined || revoked.has(id)) return valid(secret);
      const found = (await loadAfter(startedBefore)).secrets.get(id);
      if (found !== undefined) return valid(found);
      if (revoked.size >= REVOKED_MAX) revoked.clear();
      revoked.add(id);
      return null;
    },
  };
}
