import type { AuditEntry } from "../../model/audit.ts";
import { GRANTS_MAX, type KafkaGrant, UNLIMITED_CREDITS } from "../../model/kafka-grant.ts";
import type { Store } from "../collection.ts";
import { type KafkaGrantRow, kafkaGrantSpec } from "../specs/kafka-specs.ts";
import { createAuditRepository } from "./audit.ts";

/** Every change leaves its entry in the audit in the same write; false: another change was first. */
export interface KafkaGrantRepository {
  /** All of the installation, in the order of their places. */
  all(): Promise<readonly KafkaGrant[]>;
  get(org: string): Promise<KafkaGrant | null>;
  insert(grant: KafkaGrant, entry: AuditEntry): Promise<boolean>;
  /** @param entry null: no permission has changed */
  replace(seen: KafkaGrant, next: KafkaGrant, entry: AuditEntry | null): Promise<boolean>;
  remove(seen: KafkaGrant, entry: AuditEntry): Promise<boolean>;
}

export function createKafkaGrantRepository(store: Store): KafkaGrantRepository {
  const grants = store.collection<KafkaGrantRow>(kafkaGrantSpec);
  const audit = createAuditRepository(store);
  return {
    all: async () => {
      const order = { fields: ["place"], direction: "asc" } as const;
      return (await grants.find({ where: {}, order, limit: GRANTS_MAX })).map(fromRow);
    },
    get: async (org) => {
      const row = await grants.get({ org });
      return row === null ? null : fromRow(row);
    },
    insert: async (grant, entry) => {
      const steps = [grants.insert(toRow(grant), "fail"), audit.step(entry)];
      return (await store.write(steps)).ok;
    },
    replace: async ({ org, revision }, next, entry) => {
      const { body } = toRow(next);
      const change = grants.update({ org, revision }, { revision: revision + 1, body }, "fail");
      return (await store.write([change, ...(entry === null ? [] : [audit.step(entry)])])).ok;
    },
    remove: async ({ org, revision }, entry) => {
      const steps = [grants.require({ org, revision }, 1), grants.delete({ org, revision })];
      return (await store.write([...steps, audit.step(entry)])).ok;
    },
  };
}

function toRow({ org, place, revision, ...rest }: KafkaGrant): KafkaGrantRow {
  return { org, place, revision, body: JSON.stringify(rest) };
}

function fromRow({ org, place, revision, body }: KafkaGrantRow): KafkaGrant {
  const rest = JSON.parse(body) as GrantBody;
  const { credits = UNLIMITED_CREDITS } = rest;
  return { org, place, revision, ...rest, credits };
}

/** Grants of older versions have no credits: an upgrade must not make their records wait. */
type GrantBody = Omit<KafkaGrant, keyof GrantKeys | "credits"> &
  Partial<Pick<KafkaGrant, "credits">>;
type GrantKeys = Pick<KafkaGrant, "org" | "place" | "revision">;
