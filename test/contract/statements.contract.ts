// What every engine promises about bank statements.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { statementEvent } from "../../src/events/events.ts";
import type { HolderSince } from "../../src/model/account-holder.ts";
import type { BankStatement } from "../../src/model/bank-statement.ts";
import type { StatementEnd, StoredStatement } from "../../src/model/statement-document.ts";
import type { StatementRepository } from "../../src/model/statement-repository.ts";
import type { Store } from "../../src/store/collection.ts";
import {
  createEventRepository,
  type EventRepository,
} from "../../src/store/repositories/events.ts";
import {
  createHolderRepository,
  type HolderRepository,
} from "../../src/store/repositories/holders.ts";
import { createStatementRepository } from "../../src/store/repositories/statements.ts";

const EVERYTHING = {
  ...{ createdAfter: null, createdBefore: null, status: null, after: null, limit: 100 },
};
const NUMBERED = {
  ...{ status: null, accountHolderId: null, query: null, page: 0, perPage: 10 },
  order: "desc",
} as const;
const FILE = { size: 7 };
const PROCESSED: StatementEnd = { status: "processed", failure: null, batchId: "b", pages: 3 };

const stored = (id: string, over: Partial<StoredStatement> = {}): StoredStatement => ({
  ...{ org: "o", id, name: `${id}.pdf`, createdAt: 5, status: "queued", size: 0 },
  ...{ pages: 0, accountHolderId: null, accountType: null, currency: null, failure: null },
  ...{ batchId: null, password: null, crashes: 0 },
  ...over,
});

const statement: BankStatement = {
  pages: 3,
  pagesWithoutText: [],
  pagesRecognised: [],
  header: { institution: "Bänk \u0000", holder: null, period: null, accounts: [] },
  accounts: [],
  signals: [],
};

const newHolder = (org: string): HolderSince => ({
  holder: { org, id: "h", type: "consumer", name: null, categoryId: null, createdAt: 5 },
  since: "1",
});

const endEvent = (document: StoredStatement) => statementEvent({ ...document, ...PROCESSED }, 9);

export function statementsContract(
  name: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`statements contract: ${name}`, () => {
    let events: EventRepository;
    let holders: HolderRepository;
    let statements: StatementRepository;
    let close: () => Promise<void>;
    beforeEach(async () => {
      const opened = await open();
      ({ close } = opened);
      events = createEventRepository(opened.store);
      holders = createHolderRepository(opened.store);
      statements = createStatementRepository(opened.store, events, holders);
    });
    afterEach(() => close());

    async function submit(
      id: string,
      over: Partial<StoredStatement> = {},
    ): Promise<StoredStatement> {
      const document = stored(id, over);
      await statements.insert(document);
      await statements.received({ ...document, accountHolderId: null }, FILE, null);
      await statements.accept(document);
      return document;
    }
    const ids = (found: readonly { id: string }[]): readonly string[] => found.map(({ id }) => id);

    it("no caller sees a document before its record is in the log, and none of another organization", async () => {
      await statements.insert(stored("a", { password: "secret" }));
      expect(await statements.received(stored("a"), FILE, null)).toBe(true);
      expect(await statements.get("o", "a")).toBeNull();
      expect(await statements.list("o", EVERYTHING)).toEqual([]);
      expect(await statements.listPage("o", NUMBERED)).toEqual([]);
      expect(await statements.rename("o", "a", "x")).toBe(false);
      expect(await statements.hide("o", "a")).toBe(false);
      await statements.accept(stored("a"));
      const seen = await statements.get("o", "a");
      expect(seen).not.toHaveProperty("password");
      const whole = { ...seen, password: "secret", crashes: 0 };
      expect(whole).toEqual(stored("a", { password: "secret", size: 7 }));
      expect(await statements.getStored("o", "a")).toEqual(whole);
      expect(await statements.get("p", "a")).toBeNull();
      expect(await statements.list("p", EVERYTHING)).toEqual([]);
      expect(await statements.hide("p", "a")).toBe(false);
      expect(await statements.start("p", "a")).toBeNull();
    });

    it("a record that is faster than the submission makes the document seen, and it stays so", async () => {
      await statements.insert(stored("a"));
      expect(await statements.start("o", "a")).toMatchObject({ status: "processing" });
      await statements.accept(stored("a"));
      expect(await statements.get("o", "a")).toMatchObject({ status: "processing" });
    });

    it("an account holder is made with an accepted file, never for a document that is gone", async () => {
      const document = stored("a", { accountHolderId: "h" });
      await statements.insert(document);
      expect(await statements.received(document, FILE, null)).toBe(false);
      expect(await holders.get("o", "h")).toBeNull();
      expect(await statements.received(document, FILE, newHolder("o"))).toBe(true);
      expect(await holders.get("o", "h")).toEqual(newHolder("o").holder);
      await statements.remove(document, []);
      expect(await statements.received({ ...document, org: "p" }, FILE, newHolder("p"))).toBe(
        false,
      );
      expect(await holders.get("p", "h")).toBeNull();
    });

    it("a holder that is there stays as it is; one that is being removed takes no file", async () => {
      const document = stored("a", { accountHolderId: "h" });
      await holders.insert({ ...newHolder("o").holder, name: "Ada" }, "1");
      await statements.insert(document);
      expect(await statements.received(document, FILE, newHolder("o"))).toBe(true);
      expect(await holders.get("o", "h")).toMatchObject({ name: "Ada" });
      await holders.markDeleting("o", "h");
      expect(await statements.received(document, { ...FILE, size: 8 }, newHolder("o"))).toBe(false);
      expect(await statements.getStored("o", "a")).toMatchObject({ size: 7 });
    });

    it("lists are newest first, by cursor, time and status; pages by number, holder and part of the name", async () => {
      for (const [at, id] of ["a", "b", "c", "d"].entries())
        await submit(id, {
          createdAt: at < 2 ? 5 : 5 + at,
          accountHolderId: at === 3 ? "h" : null,
        });
      await statements.start("o", "c");
      const list = async (query: Partial<typeof EVERYTHING> | object): Promise<readonly string[]> =>
        ids(await statements.list("o", { ...EVERYTHING, ...query }));
      expect(await list({})).toEqual(["d", "c", "b", "a"]);
      expect(await list({ limit: 2 })).toEqual(["d", "c"]);
      expect(await list({ after: [5, "b"] })).toEqual(["a"]);
      expect(await list({ createdAfter: 7, createdBefore: 8 })).toEqual(["c"]);
      expect(await list({ status: ["processing", "failed"] })).toEqual(["c"]);
      const page = async (query: object): Promise<readonly string[]> =>
        ids(await statements.listPage("o", { ...NUMBERED, ...query }));
      expect(await page({ page: 1, perPage: 3 })).toEqual(["a"]);
      expect(await page({ order: "asc", perPage: 2 })).toEqual(["a", "b"]);
      expect(await page({ accountHolderId: "h" })).toEqual(["d"]);
      expect(await page({ status: ["queued"] })).toEqual(["d", "b", "a"]);
      expect(await statements.rename("o", "b", "Müller MAY%.pdf")).toBe(true);
      expect(await page({ query: "müller may%" })).toEqual(["b"]);
      expect(await page({ query: "may_" })).toEqual([]);
    });

    it("what is read first stays, comes back as it was, and is not kept for a removed document", async () => {
      const document = await submit("a");
      expect(await statements.storeReading(document, statement)).toBe("gone");
      await statements.start("o", "a");
      expect(await statements.storeReading(document, statement)).toEqual(statement);
      const second = { ...statement, pages: 4 };
      expect(await statements.storeReading(document, second)).toEqual(statement);
      expect(await statements.reading("o", "a")).toEqual(statement);
      expect(await statements.reading("p", "a")).toBeNull();
      await statements.hide("o", "a");
      expect(await statements.storeReading(document, statement)).toBe("gone");
      await statements.remove(document, []);
      expect(await statements.reading("o", "a")).toBeNull();
      expect(await statements.has("o", "a")).toBe(false);
    });

    it("only what was processed is marked as not enriched, is listed as that, and keeps what was read", async () => {
      const document = await submit("a");
      await statements.start("o", "a");
      await statements.markUnenriched(document);
      expect(await statements.get("o", "a")).toMatchObject({ status: "processing" });
      await statements.storeReading(document, statement);
      await statements.finish(document, PROCESSED, endEvent(document));
      await statements.markUnenriched({ org: "p", id: "a" });
      expect(await statements.get("o", "a")).toMatchObject({ status: "processed" });
      await statements.markUnenriched(document);
      expect(await statements.get("o", "a")).toMatchObject({ status: "unenriched", failure: null });
      expect(await statements.reading("o", "a")).toEqual(statement);
      const failed = { ...NUMBERED, status: ["failed", "unenriched"] } as const;
      expect(ids(await statements.listPage("o", failed))).toEqual(["a"]);
      expect(ids(await statements.listPage("o", { ...NUMBERED, status: ["processed"] }))).toEqual(
        [],
      );
      expect(await statements.start("o", "a")).toBeNull();
    });

    it("a statement of 300 full pages is kept, a larger one than an engine takes is not", async () => {
      const document = await submit("a");
      await statements.start("o", "a");
      const evidence = { page: 1, box: [1, 2, 3, 4], text: "", confidence: 1, source: "text" };
      const rows = Array.from({ length: 15_000 }, (_, row) => ({
        ...{ date: "2026-05-04", description: `PAYMENT ${String(row * 7_919)}`, row },
        ...{ evidence: { amount: evidence, balance: evidence, description: [evidence] } },
      }));
      const large = { ...statement, signals: rows as unknown as BankStatement["signals"] };
      expect(await statements.storeReading(document, large)).toEqual(large);
      expect(await statements.reading("o", "a")).toEqual(large);
      const random = Buffer.alloc(13 * 1024 * 1024);
      for (let at = 0, seed = 1; at < random.length; at += 1) {
        seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
        random[at] = seed >>> 16;
      }
      const noise = { ...statement.header, institution: random.toString("base64") };
      expect(await statements.storeReading(document, { ...statement, header: noise })).toBe(
        "too_large",
      );
    });

    it("a document ends once, with its event and without its password, however many end it", async () => {
      const document = await submit("a", { password: "secret" });
      expect(await statements.countUnfinished("o")).toBe(1);
      await statements.start("o", "a");
      const ends = await Promise.all(
        [1, 2, 3].map(() => statements.finish(document, PROCESSED, endEvent(document))),
      );
      expect(ends.filter(Boolean)).toHaveLength(1);
      const ended = { ...PROCESSED, password: null, name: "a.pdf" };
      expect(await statements.getStored("o", "a")).toMatchObject(ended);
      expect(await events.older(10, 10)).toHaveLength(1);
      expect((await events.outbox(10)).entries).toHaveLength(1);
      expect(await statements.start("o", "a")).toBeNull();
      expect(await statements.countUnfinished("o")).toBe(0);
    });

    it("a document that is removed while it is processed does not end and has no event", async () => {
      const document = await submit("a");
      await statements.start("o", "a");
      expect(await statements.hide("o", "a")).toBe(true);
      expect(await statements.hide("o", "a")).toBe(false);
      expect(await statements.get("o", "a")).toBeNull();
      expect(await statements.finish(document, PROCESSED, endEvent(document))).toBe(false);
      expect(await events.older(10, 10)).toEqual([]);
    });

    it("a lost reader is counted once, also by two that saw the same number", async () => {
      const document = await submit("a");
      await statements.start("o", "a");
      await Promise.all([1, 2].map(() => statements.countCrash(document, 0)));
      expect(await statements.getStored("o", "a")).toMatchObject({ crashes: 1 });
    });

    it("what a crash left is found: removals at once, submissions after their time", async () => {
      await statements.insert(stored("submitting", { createdAt: 5 }));
      await statements.insert(stored("later", { createdAt: 20 }));
      await submit("done");
      await submit("removed");
      await statements.hide("o", "removed");
      expect(ids(await statements.leftBehind(5, 10))).toEqual(["removed"]);
      expect(ids(await statements.leftBehind(6, 10))).toEqual(["removed", "submitting"]);
      expect(ids(await statements.leftBehind(6, 1))).toEqual(["removed"]);
    });

    it("documents of a holder are found in any state, and their events get other bodies", async () => {
      const document = await submit("a", { accountHolderId: "h" });
      await statements.insert(stored("b", { accountHolderId: "h" }));
      await submit("c", { accountHolderId: "other" });
      expect(ids(await statements.ofHolder("o", "h", 10)).toSorted()).toEqual(["a", "b"]);
      expect(await statements.ofHolder("p", "h", 10)).toEqual([]);
      await statements.start("o", "a");
      await statements.finish(document, PROCESSED, endEvent(document));
      await statements.remove(document, [{ ...endEvent(document), body: "{}" }]);
      expect(await events.older(10, 10)).toMatchObject([{ body: "{}" }]);
      expect(ids(await statements.ofHolder("o", "h", 10))).toEqual(["b"]);
    });

    it("the passwords of all documents that wait can be encrypted again", async () => {
      await submit("a", { password: "1" });
      await submit("b", { password: "2", org: "p" });
      await submit("c");
      const found: string[] = [];
      for await (const { org, id, password } of statements.passwords()) {
        found.push(password);
        await statements.replacePassword({ org, id }, password, `new ${password}`);
        await statements.replacePassword({ org, id }, "another", "lost");
      }
      expect(found.toSorted()).toEqual(["1", "2"]);
      expect(await statements.getStored("o", "a")).toMatchObject({ password: "new 1" });
    });
  });
}
