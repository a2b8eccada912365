// What every engine promises about deleted transactions and submissions that are still in flight.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  afterRecord,
  itemOrder,
  nextRevision,
  recordOrder,
} from "../../src/model/acceptance-order.ts";
import { type AuditEntry, COMMAND_LINE } from "../../src/model/audit.ts";
import type { LedgerSort } from "../../src/model/ledger-page.ts";
import type { LedgerTransaction } from "../../src/model/ledger-transaction.ts";
import { createAuditRepository } from "../../src/store/repositories/audit.ts";
import { createBatchRepository } from "../../src/store/repositories/batches.ts";
import type { Store } from "../../src/store/collection.ts";
import { createEventRepository } from "../../src/store/repositories/events.ts";
import {
  createHolderRepository,
  type HolderRepository,
} from "../../src/store/repositories/holders.ts";
import { merchantOfFacts } from "../../src/codec/facts-party.ts";
import { createLedgerPageRepository } from "../../src/store/repositories/ledger-pages.ts";
import { createOrganizationRepository } from "../../src/store/repositories/organizations.ts";
import {
  createTransactionRepository,
  type TransactionRepository,
} from "../../src/store/repositories/transactions.ts";
import { createLedgerWrites, type LedgerWrites } from "../../src/store/repositories/writes.ts";

function accepted(offset: number, accountHolderId: string | null): LedgerTransaction {
  return {
    org: "o",
    input: {
      id: "t",
      description: "",
      date: "2024-01-01",
      amount: offset,
      entryType: "outgoing",
      currency: "USD",
      accountHolderId,
      location: null,
    },
    createdAt: offset,
    order: itemOrder(recordOrder(offset), 0),
    facts: "{}",
    error: null,
    override: null,
  };
}

/** New facts of a transaction. */
function replaced({ input, order }: LedgerTransaction, facts: string) {
  const { id, entryType, currency } = input;
  return { id, order, facts, entryType, currency };
}

const factsOf = (name: string, general: string): string =>
  JSON.stringify({
    entities: { counterparty: { type: "organization", id: null, name }, intermediaries: [] },
    categories: { general, accounting: null },
    location: null,
  });

const NAMES = ["Zoo", "A\u0000b", 'quoted "[]', "é\u{1F600}", ""];

/** One of several kinds of change of one of 23 transactions, of which most are those of the account holder `h`. */
async function changeLedger(
  store: Store,
  transactions: TransactionRepository,
  written: Map<string, LedgerTransaction>,
  step: number,
): Promise<void> {
  const id = `t${String((step * 7) % 23)}`;
  const before = written.get(id);
  const facts = step % 6 === 0 ? null : factsOf(NAMES[step % 5] ?? "", `l${String(step % 3)}`);
  if (step % 5 === 0) {
    const order = itemOrder(recordOrder(step), 0);
    await transactions.writeTombstones("o", [id], order, { accountHolderId: null }, false);
    written.delete(id);
  } else if (step % 4 === 0 && before !== undefined && facts !== null) {
    await store.apply(transactions.factsSteps("o", [replaced(before, facts)]));
  } else {
    const one = accepted(step, step % 7 === 0 ? "g" : "h");
    const date = `2024-0${String((step % 4) + 1)}-15`;
    const entryType = step % 3 === 0 ? "incoming" : "outgoing";
    const money = { amount: (step * 37) / 100, currency: step % 8 === 0 ? "EUR" : "USD" };
    const row = { ...one, facts, input: { ...one.input, entryType, ...money, id, date } } as const;
    await store.apply(transactions.upsertSteps([row]));
    written.set(id, row);
  }
}

/** The amounts of the account holder `h` by direction, currency, label and merchant. */
async function addedUpOneByOne(
  transactions: TransactionRepository,
  from: string | null,
  until: string | null,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = new Map<string, number[]>();
  for await (const rows of transactions.walkLedger("o", "h", 100))
    for (const { date, amount, entryType, currency, label, facts } of rows) {
      if (date < (from ?? "") || date > (until ?? "9")) continue;
      const merchant = facts === null ? null : merchantOfFacts(facts);
      const key = JSON.stringify([entryType, currency, label, merchant]);
      found.set(key, [...(found.get(key) ?? []), amount]);
    }
  return found;
}

export function transactionsContract(
  name: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`transactions contract: ${name}`, () => {
    let store: Store;
    let transactions: TransactionRepository;
    let holders: HolderRepository;
    let writes: LedgerWrites;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await open());
      transactions = createTransactionRepository(store);
      holders = createHolderRepository(store);
      const [batches, events] = [createBatchRepository(store), createEventRepository(store)];
      writes = createLedgerWrites(store, {
        holders,
        transactions,
        batches,
        events,
        organizations: createOrganizationRepository(store),
      });
    });
    afterEach(() => close());

    const arrive = (offset: number, holder: string | null): Promise<unknown> =>
      store.write(transactions.upsertSteps([accepted(offset, holder)]));
    const writeTombstone = (offset: number, holder: string | null): Promise<void> =>
      transactions.writeTombstones(
        "o",
        ["t"],
        afterRecord(recordOrder(offset)),
        { accountHolderId: holder },
        true,
      );
    const amount = async (): Promise<number | null> =>
      (await transactions.get("o", "t"))?.input.amount ?? null;

    it("an assignment that comes again after it was stored is stored, one that another has overtaken is not", async () => {
      await arrive(3, "h1");
      const from = accepted(3, "h1");
      const assignment = (
        holder: string,
        facts: string,
      ): Parameters<LedgerWrites["storeChunk"]>[0] => {
        const input = { ...from.input, accountHolderId: holder };
        const order = nextRevision(from.order);
        const basedOn = { id: "t", order: from.order };
        const transactions = [{ ...from, input, order, facts }];
        return { org: "o", transactions, basedOn, seen: [], read: null, batch: null };
      };
      const facts = '{"b":1,"a":"ü"}';
      expect(await writes.storeChunk(assignment("h2", facts))).toBe("stored");
      // Its process died before it could publish the result: without this, readers of `enriched` would never get it.
      expect(await writes.storeChunk(assignment("h2", facts))).toBe("stored");
      // These have the same place, being made from the same row.
      expect(await writes.storeChunk(assignment("h3", facts))).toBe("superseded");
      expect(await writes.storeChunk(assignment("h2", "{}"))).toBe("superseded");
      expect((await transactions.get("o", "t"))?.input.accountHolderId).toBe("h2");
      await arrive(4, "h4");
      expect(await writes.storeChunk(assignment("h2", facts))).toBe("superseded");
      await writeTombstone(5, null);
      expect(await writes.storeChunk(assignment("h2", facts))).toBe("superseded");
      expect(await amount()).toBeNull();
    });

    it("each change of a transaction gives the ledger of its holder another version, and no other ledger", async () => {
      const versionOf = (holder: string): Promise<string> =>
        transactions.ledgerVersion("o", holder);
      const seen: string[] = [];
      const other = await versionOf("h2");
      const look = async (): Promise<void> => {
        const version = await versionOf("h1");
        expect(seen).not.toContain(version);
        expect(await versionOf("h1")).toBe(version);
        seen.push(version);
      };
      await look();
      await arrive(1, "h1");
      await look();
      await arrive(2, "h1");
      await look();
      await store.write(transactions.factsSteps("o", [replaced(accepted(2, "h1"), '{"a":1}')]));
      await look();
      expect(await versionOf("h2")).toBe(other);
      expect(await transactions.ledgerVersion("p", "h1")).toBe(seen[0]);
      await arrive(3, "h2");
      expect(await versionOf("h2")).not.toBe(other);
      await arrive(4, "h1");
      await look();
      await writeTombstone(5, "h1");
      expect(await versionOf("h1")).toBe(seen[0]);
    });

    it("a walk through a ledger has each transaction of the holder once, oldest first", async () => {
      const at = (offset: number, id: string, holder: string): LedgerTransaction => {
        const transaction = accepted(offset, holder);
        return { ...transaction, input: { ...transaction.input, id } };
      };
      const rows = Array.from({ length: 7 }, (_, offset) =>
        at(offset + 1, `t${String(offset)}`, offset === 3 ? "h2" : "h1"),
      );
      await store.write(transactions.upsertSteps(rows));
      for (const size of [1, 3, 6, 7]) {
        const pages: string[][] = [];
        for await (const page of transactions.walkLedger("o", "h1", size))
          pages.push(page.map(({ id }) => id));
        expect(pages.flat()).toEqual(["t0", "t1", "t2", "t4", "t5", "t6"]);
        expect(Math.max(...pages.map(({ length }) => length))).toBe(Math.min(size, 6));
        const ids: (readonly string[])[] = [];
        for await (const page of transactions.walkIds("o", "h1", size)) ids.push(page);
        expect(ids).toEqual(pages);
      }
      for await (const page of transactions.walkLedger("o", "unknown", 3))
        throw new Error(`an unknown holder has ${String(page.length)} transactions`);
    });

    it("a walk through a ledger has what the transactions are, and which of them were corrected", async () => {
      const facts = '{"entities":null,"categories":{"general":"pets","accounting":null}}';
      const override = { location: null, review: {} };
      const corrected = { ...accepted(2, "h"), override };
      await store.write(
        transactions.upsertSteps([
          { ...accepted(1, "h"), input: { ...accepted(1, "h").input, id: "u" }, facts },
          { ...corrected, facts: null },
        ]),
      );
      const walked = [];
      for await (const page of transactions.walkLedger("o", "h", 10)) walked.push(...page);
      const { date, entryType, currency, description } = accepted(1, "h").input;
      const same = { date, entryType, currency, description };
      expect(walked).toEqual([
        { ...same, id: "u", amount: 1, facts, label: "pets", isCorrected: false },
        { ...same, id: "t", amount: 2, facts: null, label: null, isCorrected: true },
      ]);
    });

    it("a ledger is sorted and added up by what the facts have, as they are now", async () => {
      const pages = createLedgerPageRepository(store);
      const rows = [
        ["t", 2.5, factsOf("Zoo", "pets")],
        ["u", 0.1, factsOf("Ape", "pets")],
        ["v", 7, null],
      ] as const;
      const all = rows.map(([id, amount, facts], offset): LedgerTransaction => {
        const one = accepted(offset + 1, "h");
        return { ...one, input: { ...one.input, id, amount }, facts };
      });
      const ofOther = accepted(9, "g");
      const elsewhere = [
        { ...accepted(1, "h"), org: "p" },
        { ...ofOther, input: { ...ofOther.input, id: "w" } },
      ];
      await store.write(transactions.upsertSteps([...all, ...elsewhere]));
      const idsBy = (sortBy: LedgerSort, offset = 0): Promise<readonly string[]> =>
        pages.ids("o", "h", { sortBy, direction: "asc", offset, limit: 2 });
      expect(await idsBy("merchant")).toEqual(["v", "u"]);
      expect(await idsBy("merchant", 2)).toEqual(["t"]);
      expect(await idsBy("label")).toEqual(["v", "t"]);
      expect(await idsBy("amount")).toEqual(["u", "t"]);
      const range = { from: null, until: null };
      const sums = async (): Promise<unknown> =>
        (await pages.amounts("o", "h", range))
          .map(({ merchant, label, sum, count }) => [merchant, label, sum, count])
          .toSorted();
      expect(await sums()).toEqual([
        [null, null, 7, 1],
        ["Ape", "pets", 0.1, 1],
        ["Zoo", "pets", 2.5, 1],
      ]);
      const change = replaced(accepted(1, "h"), factsOf("Ape", "rent"));
      await store.write(transactions.factsSteps("o", [change]));
      expect(await sums()).toEqual([
        [null, null, 7, 1],
        ["Ape", "pets", 0.1, 1],
        ["Ape", "rent", 2.5, 1],
      ]);
      expect(await idsBy("label", 1)).toEqual(["u", "t"]);
      await writeTombstone(9, "h");
      expect(await idsBy("date")).toEqual(["u", "v"]);
      const found = await pages.among("o", "h", ["v", "w", "u", "t"], {
        sortBy: "amount",
        direction: "desc",
      });
      expect(found.map(({ input }) => input.id)).toEqual(["v", "u"]);
    });

    it("statistics are those of the rows after any replacements, new facts, moves and deletions", async () => {
      const pages = createLedgerPageRepository(store);
      const written = new Map<string, LedgerTransaction>();
      for (let step = 1; step <= 120; step += 1)
        await changeLedger(store, transactions, written, step);
      const bounds = [
        [null, null],
        ["2024-02-15", null],
        ["2024-02-01", "2024-03-15"],
        ["2025-01-01", null],
      ] as const;
      for (const [from, until] of bounds) {
        const found = await pages.amounts("o", "h", { from, until });
        const expected = await addedUpOneByOne(transactions, from, until);
        const counts = found.map(({ entryType, currency, label, merchant, count }) => [
          JSON.stringify([entryType, currency, label, merchant]),
          count,
        ]);
        expect(new Map(counts as [string, number][])).toEqual(
          new Map([...expected].map(([key, amounts]) => [key, amounts.length])),
        );
        expect(counts).toHaveLength(expected.size);
        for (const { entryType, currency, label, merchant, ...sums } of found) {
          const amounts =
            expected.get(JSON.stringify([entryType, currency, label, merchant])) ?? [];
          const sum = amounts.reduce((total, amount) => total + amount, 0);
          const squared = amounts.map((amount) => (amount - sum / amounts.length) ** 2);
          expect(sums.sum).toBeCloseTo(sum, 6);
          expect(sums.squaredDistances).toBeCloseTo(
            squared.reduce((total, one) => total + one, 0),
            6,
          );
          expect([sums.min, sums.max]).toEqual([Math.min(...amounts), Math.max(...amounts)]);
        }
        expect(found.length > 0).toBe(from !== "2025-01-01");
      }
    });

    it("many are read by id at once, without deleted ones, of one organization alone", async () => {
      await arrive(1, "h1");
      const other = accepted(2, null);
      const row = { ...other, input: { ...other.input, id: "u" } };
      await store.write(transactions.upsertSteps([row, { ...row, org: "p" }]));
      const idsOf = async (...ids: readonly string[]): Promise<readonly string[]> =>
        (await transactions.getMany("o", ids)).map(({ input }) => input.id).toSorted();
      expect(await idsOf("u", "t", "none")).toEqual(["t", "u"]);
      expect(await transactions.getMany("o", ["u"])).toEqual([row]);
      expect(await idsOf()).toEqual([]);
      await writeTombstone(3, "h1");
      expect(await idsOf("u", "t")).toEqual(["u"]);
    });

    it("the account holders of an organization have another version after each removal, and it has still set nothing", async () => {
      const organizations = createOrganizationRepository(store);
      const versions = [await organizations.holdersVersion("o")];
      for (const version of ["v1", "v2"]) {
        await organizations.holderRemoved("o", version);
        versions.push(await organizations.holdersVersion("o"));
      }
      expect(versions).toEqual(["", "v1", "v2"]);
      expect(await organizations.holdersVersion("other")).toBe("");
      expect(await organizations.get("o")).toBeNull();
      for await (const { org } of organizations.all()) throw new Error(`${org} has set something`);
      await store.write(organizations.settingsChangedSteps("o", "p1"));
      expect(await organizations.get("o")).toMatchObject({ settingsVersion: "p1", features: [] });
      expect(await organizations.holdersVersion("o")).toBe("v2");
    });

    it("concurrent reads for an organization share one read; later ones read anew", async () => {
      let reads = 0;
      const organizations = createOrganizationRepository({
        ...store,
        collection: (spec) => {
          const collection = store.collection(spec);
          const get: typeof collection.get = (key) => {
            reads += 1;
            return collection.get(key);
          };
          return { ...collection, get };
        },
      });
      const both = [organizations.holdersVersion("o"), organizations.get("o")];
      expect(await Promise.all([...both, organizations.get("other")])).toEqual(["", null, null]);
      expect(reads).toBe(2);
      await organizations.holderRemoved("o", "v1");
      expect(await organizations.holdersVersion("o")).toBe("v1");
    });

    it("what was corrected about a transaction is kept with it until its id is submitted anew", async () => {
      const override = { location: null, categories: { general: "pets", accounting: null } };
      await store.write(transactions.upsertSteps([{ ...accepted(1, "h"), override }]));
      const seen = async (org: string) => {
        const found = await transactions.seenOf(org, ["t", "none"]);
        return found.map((one) => [one.id, one.accountHolderId, one.override]);
      };
      expect(await seen("o")).toEqual([["t", "h", override]]);
      expect((await transactions.get("o", "t"))?.override).toEqual(override);
      const facts = '{"found":"differently"}';
      await store.apply(transactions.factsSteps("o", [replaced(accepted(1, "h"), facts)]));
      expect(await transactions.get("o", "t")).toMatchObject({ facts, override });
      expect(await seen("other")).toEqual([]);
      await arrive(2, "h");
      expect(await seen("o")).toEqual([["t", "h", null]]);
    });

    it("a correction is not replaced by a submission that has seen the transaction before it", async () => {
      await arrive(3, "h");
      const [before] = await transactions.seenOf("o", ["t"]);
      const corrected = accepted(3, "h");
      const override = { location: null, review: {} };
      const next = { ...corrected, override, order: nextRevision(corrected.order) };
      const correctedOf = async (org: string, ...ids: readonly string[]) =>
        (await transactions.correctedOf(org, ids)).map((one) => [one.id, one.override]);
      expect([await correctedOf("o", "t"), await correctedOf("o")]).toEqual([[], []]);
      expect(await writes.replaceSeen("o", [{ seen: corrected, next }], null)).toBe(true);
      expect(await correctedOf("o", "none", "t")).toEqual([["t", override]]);
      expect(await correctedOf("other", "t")).toEqual([]);
      const again = accepted(4, "h");
      const resubmitted = (seen: readonly (typeof before)[], kept: typeof override | null) =>
        writes.storeChunk({
          org: "o",
          transactions: [{ ...again, override: kept }],
          basedOn: null,
          seen: seen.flatMap((one) => one ?? []),
          read: new Set(["t"]),
          batch: null,
        });
      expect(await resubmitted([before], null)).toBe("changed");
      expect((await transactions.get("o", "t"))?.override).toEqual(override);
      const now = await transactions.seenOf("o", ["t"]);
      expect(await resubmitted(now, override)).toBe("stored");
      expect(await transactions.get("o", "t")).toMatchObject({ order: again.order, override });
      await writeTombstone(5, null);
      expect(await transactions.seenOf("o", ["t"])).toEqual([]);
      expect(await correctedOf("o", "t")).toEqual([]);
    });

    it("a correction of facts that a reapplication has replaced meanwhile is not stored, nor together with others", async () => {
      const other = { ...accepted(4, "h"), input: { ...accepted(4, "h").input, id: "u" } };
      await arrive(3, "h");
      await store.apply(transactions.upsertSteps([other]));
      const [seen, seenOther] = [accepted(3, "h"), other];
      const facts = '{"of":"new settings"}';
      await store.apply(transactions.factsSteps("o", [replaced(seen, facts)]));
      const corrected = (one: LedgerTransaction) => ({
        seen: one,
        next: { ...one, override: { location: null }, order: nextRevision(one.order) },
      });
      const both = [corrected(seenOther), corrected(seen)];
      expect(await writes.replaceSeen("o", both, null)).toBe(false);
      expect(await transactions.get("o", "t")).toMatchObject({ facts, override: null });
      expect((await transactions.get("o", "u"))?.override).toBeNull();
      const again = [corrected(seenOther), corrected({ ...seen, facts })];
      expect(await writes.replaceSeen("o", again, null)).toBe(true);
      expect(await transactions.get("o", "t")).toMatchObject({
        facts,
        override: { location: null },
      });
    });

    it("a correction that a submission has not read is kept, whether or not there were settings", async () => {
      const batches = createBatchRepository(store);
      const override = { location: null, review: {} };
      const named = (offset: number, id: string): LedgerTransaction => {
        const one = accepted(offset, "h");
        return { ...one, input: { ...one.input, id } };
      };
      const priority = "default" as const;
      const head = { org: "o", id: "b", total: 2, chunkCount: 1, priority, createdAt: 1 };
      const chunk = {
        ...{ index: 0, length: 2, storedAt: 1, results: "{},{}" },
        ...{ accountHolderIds: ["h", "h"], accountTypes: ["consumer", "consumer"] as const },
      };
      const submit = (
        rows: readonly LedgerTransaction[],
        read: ReadonlySet<string> | null,
        isBatch: boolean,
      ): Promise<string> =>
        writes.storeChunk({
          ...{ org: "o", transactions: rows, basedOn: null, seen: [], read },
          batch: isBatch ? { head, chunk } : null,
        });
      const first = named(3, "t");
      expect(await submit([first], null, false)).toBe("stored");
      const next = { ...first, override, order: nextRevision(first.order) };
      expect(await writes.replaceSeen("o", [{ seen: first, next }], "first version")).toBe(true);
      for (const read of [null, new Set<string>()])
        for (const isBatch of [true, false]) {
          const outcome = await submit([named(5, "t"), named(5, "u")], read, isBatch);
          expect([read, isBatch, outcome]).toEqual([read, isBatch, "changed"]);
          expect(await transactions.get("o", "t")).toMatchObject({ order: next.order, override });
          expect(await batches.hasChunk("o", "b", 0)).toBe(false);
        }
      // Of one that was read, and belongs to another account holder now, the correction ends.
      expect(await submit([accepted(6, "h2")], new Set(["t"]), true)).toBe("stored");
      expect((await transactions.get("o", "t"))?.override).toBeNull();
      expect(await batches.hasChunk("o", "b", 0)).toBe(true);
    });

    it("results of settings that are not those of the organization any more are not stored", async () => {
      const submit = (settings: string | null): Promise<string> =>
        writes.storeChunk({
          ...{ org: "o", transactions: [accepted(3, "h")], settings },
          ...{ basedOn: null, seen: [], read: new Set<string>(), batch: null },
        });
      expect(await submit("never set")).toBe("changed");
      await store.write(createOrganizationRepository(store).settingsChangedSteps("o", "second"));
      for (const before of [null, "first"]) expect(await submit(before)).toBe("changed");
      expect(await amount()).toBeNull();
      expect(await submit("second")).toBe("stored");
      expect(await amount()).not.toBeNull();
    });

    it("results that waited to be written are not stored when the settings were changed meanwhile", async () => {
      const outcome = await writes.storeChunk(
        {
          ...{ org: "o", transactions: [accepted(3, "h")], settings: null },
          ...{ basedOn: null, seen: [], read: null, batch: null },
        },
        async () => {
          await store.write(createOrganizationRepository(store).settingsChangedSteps("o", "first"));
        },
      );
      expect(outcome).toBe("changed");
      expect(await amount()).toBeNull();
    });

    it("a deletion reaches what was accepted before it and arrives after it, also for an id deleted before", async () => {
      await writeTombstone(2, "h");
      await arrive(1, "h");
      expect(await amount()).toBeNull();
      await writeTombstone(4, "h");
      await arrive(3, "h");
      expect(await amount()).toBeNull();
      await arrive(5, "h");
      expect(await amount()).toBe(5);
    });

    it("the transactions of a holder are counted: neither tombstones nor those of others", async () => {
      const counts = (): Promise<number[]> =>
        Promise.all(["h", "other"].map((id) => transactions.countOfHolder("o", id)));
      await arrive(1, "h");
      expect(await counts()).toEqual([1, 0]);
      expect(await transactions.countOfHolder("p", "h")).toBe(0);
      await writeTombstone(2, "h");
      expect(await counts()).toEqual([0, 0]);
    });

    it("a deletion for one holder leaves what is another's", async () => {
      await arrive(1, "other");
      await writeTombstone(2, "h");
      expect(await amount()).toBe(1);
    });

    it("a holder's removal keeps older submissions from coming back and lets later ones through", async () => {
      await arrive(3, "h");
      expect(await transactions.removeOfHolder("o", "h", recordOrder(0), 10)).toBe(1);
      expect(await transactions.removeOfHolder("o", "h", recordOrder(0), 10)).toBe(0);
      await arrive(2, null);
      expect(await amount()).toBeNull();
      await arrive(4, null);
      expect(await amount()).toBe(4);
    });

    it("a removal that another process has finished removes nothing of a new holder of the id", async () => {
      const holder = { org: "o", id: "h", type: "consumer", name: null, categoryId: null } as const;
      const created = { ...holder, createdAt: 0 };
      await holders.insert(created, recordOrder(0));
      await arrive(1, "h");
      const entry: AuditEntry = {
        ...{ ...COMMAND_LINE, org: "o", id: "n", createdAt: 1 },
        ...{ action: "account_holder.deleted", subject: "h", details: {} },
      };
      const removal = await holders.markDeleting("o", "h", entry);
      const audit = createAuditRepository(store);
      // Deleting it again continues the same removal: that is not a second change.
      expect(await holders.markDeleting("o", "h", { ...entry, id: "m" })).toEqual(removal);
      expect([await audit.get("o", "n"), await audit.get("o", "m")]).toEqual([entry, null]);
      if (removal === null) throw new Error("The holder should be there");
      // A process that starts now goes on with the removal too.
      expect(await holders.listDeleting()).toEqual({ removals: [removal], more: false });
      expect(await writes.removeOfHolder(removal, recordOrder(0), 10)).toBe(1);
      await holders.remove(removal);
      expect(await holders.listDeleting()).toEqual({ removals: [], more: false });
      await holders.insert(created, recordOrder(2));
      await arrive(3, "h");
      for (const passed of [0, 9])
        expect(await writes.removeOfHolder(removal, recordOrder(passed), 10)).toBe(0);
      expect(await amount()).toBe(3);
      const again = await holders.markDeleting("o", "h");
      await holders.remove(removal);
      expect(await holders.listDeleting()).toEqual({ removals: [again], more: false });
    });

    it("tombstones go when the log is past them, and never take a living transaction along", async () => {
      await writeTombstone(2, null);
      expect(await transactions.removeTombstones(recordOrder(2), 10)).toBe(0);
      expect(await transactions.removeTombstones(recordOrder(3), 10)).toBe(1);
      await writeTombstone(4, null);
      await arrive(5, null);
      expect(await transactions.removeTombstones(recordOrder(9), 10)).toBe(1);
      expect(await amount()).toBe(5);
    });
  });
}
