// What every engine promises about grants on Kafka. Only the distributed engine makes some; the repository is the same on both.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AuditEntry, COMMAND_LINE } from "../../src/model/audit.ts";
import type { KafkaGrant } from "../../src/model/kafka-grant.ts";
import type { PageRequest } from "../../src/shared/page.ts";
import type { Store } from "../../src/store/collection.ts";
import { createAuditRepository } from "../../src/store/repositories/audit.ts";
import {
  createKafkaGrantRepository,
  type KafkaGrantRepository,
} from "../../src/store/repositories/kafka-grants.ts";
import { kafkaGrantSpec } from "../../src/store/specs/kafka-specs.ts";

const PAGE: PageRequest = { limit: 10, createdAfter: null, createdBefore: null, after: null };

const entry = (id: string, org = "acme"): AuditEntry => ({
  ...COMMAND_LINE,
  ...{ org, id, createdAt: 1_000, action: "kafka.granted", subject: org, details: {} },
});

const grant = (org: string, place: number, more: Partial<KafkaGrant> = {}): KafkaGrant => ({
  ...{ org, place, revision: 1, state: "active", createdAt: 1_000, principals: ["User:Zoë"] },
  credits: { max: 1_000, perSecond: 10 },
  secrets: [{ id: "lk_1", encrypted: "text", createdAt: 1_000, endsAt: null }],
  ...more,
});

export function kafkaGrantsContract(
  name: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`grants on Kafka contract: ${name}`, () => {
    let store: Store;
    let close: () => Promise<void>;
    let grants: KafkaGrantRepository;
    beforeEach(async () => {
      ({ store, close } = await open());
      grants = createKafkaGrantRepository(store);
    });
    afterEach(() => close());

    const entriesOf = async (org: string): Promise<readonly string[]> => {
      const { rows } = await createAuditRepository(store).list(org, { action: null }, PAGE);
      return rows.map(({ id }) => id).toSorted();
    };

    it("a grant is kept whole with its entry, and all are listed by their places", async () => {
      const [acme, beta] = [grant("acme", 7), grant("beta", 2, { credits: null, secrets: [] })];
      expect(await grants.insert(acme, entry("1"))).toBe(true);
      expect(await grants.insert(beta, entry("2", "beta"))).toBe(true);
      expect([await grants.get("acme"), await grants.get("other")]).toEqual([acme, null]);
      expect(await grants.all()).toEqual([beta, acme]);
      expect([await entriesOf("acme"), await entriesOf("beta")]).toEqual([["1"], ["2"]]);
    });

    it("neither an organization nor a place has two grants, and what was refused leaves no entry", async () => {
      await grants.insert(grant("acme", 0), entry("1"));
      expect(await grants.insert(grant("acme", 1), entry("2"))).toBe(false);
      expect(await grants.insert(grant("beta", 0), entry("3", "beta"))).toBe(false);
      expect(await grants.all()).toEqual([grant("acme", 0)]);
      expect([await entriesOf("acme"), await entriesOf("beta")]).toEqual([["1"], []]);
    });

    it("of two changes of the same grant one is made, and a change of what is gone is refused", async () => {
      const seen = grant("acme", 0);
      await grants.insert(seen, entry("1"));
      const next = { ...seen, revision: 2, credits: null, state: "ending" as const };
      expect(await grants.replace(seen, next, entry("2"))).toBe(true);
      expect(await grants.replace(seen, { ...next, secrets: [] }, entry("3"))).toBe(false);
      expect(await grants.remove(seen, entry("4"))).toBe(false);
      expect(await grants.get("acme")).toEqual(next);
      expect(await grants.replace(next, { ...next, secrets: [] }, null)).toBe(true);
      expect(await grants.remove({ ...next, revision: 3 }, entry("5"))).toBe(true);
      expect(await grants.replace(next, next, entry("6"))).toBe(false);
      expect([await grants.all(), await entriesOf("acme")]).toEqual([[], ["1", "2", "5"]]);
    });

    it("a grant that was stored before grants had credits is as unlimited as it was", async () => {
      const { org, place, revision, ...whole } = grant("acme", 0);
      const rest = { ...whole, credits: undefined };
      const rows = store.collection(kafkaGrantSpec);
      await store.write([
        rows.insert({ org, place, revision, body: JSON.stringify(rest) }, "fail"),
      ]);
      expect(await grants.get("acme")).toEqual(
        grant("acme", 0, { credits: { max: 0, perSecond: 0 } }),
      );
    });
  });
}
