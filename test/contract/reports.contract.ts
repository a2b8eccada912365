// What every engine promises about reports and corrections.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Query } from "../../workers/protocol.ts";
import { itemOrder, recordOrder } from "../../src/model/acceptance-order.ts";
import type { Counterparty, Facts } from "../../src/model/facts.ts";
import type { LedgerTransaction } from "../../src/model/ledger-transaction.ts";
import type { PageRequest } from "../../src/shared/page.ts";
import type {
  CorrectedLine,
  NewReport,
  OwnReportFilter,
  Report,
  ReportMove,
  StoredCorrection,
} from "../../src/model/report.ts";
import type { Reports } from "../../src/settings/reports.ts";
import { createRepositories } from "../../src/app/repositories.ts";
import { createReportStage } from "../../src/app/settings.ts";
import { createAuditRepository } from "../../src/store/repositories/audit.ts";
import type { Store } from "../../src/store/collection.ts";
import {
  type CorrectionRepository,
  createCorrectionRepository,
} from "../../src/store/repositories/corrections.ts";
import { createEventRepository } from "../../src/store/repositories/events.ts";
import { createOrganizationRepository } from "../../src/store/repositories/organizations.ts";
import { createReportRepository } from "../../src/store/repositories/reports.ts";
import { createTransactionRepository } from "../../src/store/repositories/transactions.ts";
import { type ReportRow, reportSpec } from "../../src/store/specs/settings-specs.ts";

const BY = { keyId: "k", requestId: "r" };
const INPUT: NewReport = {
  transactionId: "t",
  description: "It was the other one.",
  fields: ["merchant"],
  expected: { merchant: "Heron", labels: ["books", "rent"], mcc: [5411] },
  webhookUrl: "https://hooks.example.com/reports",
};
const PENDING: ReportMove = { status: "pending" };
const REJECTED: ReportMove = { status: "rejected", rejectionReason: "It is right." };
const RESOLVED: ReportMove = { status: "resolved", corrected: null };
const correcting = (merchant: string): ReportMove => ({
  status: "resolved",
  corrected: { merchant },
});
const PLACES = 4;
const all: PageRequest = { limit: 1000, createdAfter: null, createdBefore: null, after: null };

const party = (name: string): Counterparty => ({
  type: "organization",
  id: name,
  name,
  website: null,
  phone_number: null,
  tax_number: null,
  naics2017: null,
  logo: null,
  mccs: [],
  parent: null,
});

/** Takes over what is named, and the whole line for the name by which it is remembered. */
function answer(question: Query): string {
  if (question.kind !== "correct") throw new Error("Nothing else is asked");
  const { merchant, location } = question.corrected;
  const before = question.facts ?? { entities: null, categories: null, location: null };
  const counterparty = merchant === undefined ? undefined : party(merchant ?? "");
  const line: CorrectedLine = {
    ok: true,
    cleanName: question.line.description,
    parts: {
      ...(counterparty === undefined ? {} : { counterparty }),
      ...(location === undefined ? {} : { location: null }),
    },
    facts:
      counterparty === undefined
        ? before
        : { ...before, entities: { counterparty, intermediaries: [] } },
  };
  return JSON.stringify(line);
}

function accepted(org: string, offset: number, description: string, id: string): LedgerTransaction {
  return {
    org,
    input: {
      id,
      description,
      date: "2024-01-01",
      amount: offset,
      entryType: "outgoing",
      currency: "USD",
      accountHolderId: null,
      location: null,
    },
    createdAt: offset,
    order: itemOrder(recordOrder(offset), 0),
    facts: JSON.stringify({ entities: null, categories: null, location: null } satisfies Facts),
    error: null,
    override: null,
  };
}

export function reportsContract(
  name: string,
  open: () => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(`reports contract: ${name}`, () => {
    let store: Store;
    let reports: Reports;
    let corrections: CorrectionRepository;
    let close: () => Promise<void>;
    let now = 0;
    let notices = 0;
    /** What happens once while a correction is being worked out. */
    let meanwhile: (() => Promise<unknown>) | null = null;
    const ask = async (question: Query): Promise<string> => {
      const happening = meanwhile;
      meanwhile = null;
      await happening?.();
      return answer(question);
    };
    beforeEach(async () => {
      ({ store, close } = await open());
      [now, notices] = [1_000, 0];
      corrections = createCorrectionRepository(store);
      reports = createReportStage({
        repositories: createRepositories(store),
        ask,
        nowMs: () => (now += 1),
        onEvent: () => (notices += 1),
      });
      await arrive(1);
    });
    afterEach(() => close());

    const arrive = (offset: number, description = "BLUE", org = "o", id = "t"): Promise<unknown> =>
      store.write(
        createTransactionRepository(store).upsertSteps([accepted(org, offset, description, id)]),
      );
    const merchant = async (org = "o"): Promise<string | null> => {
      const stored = await createTransactionRepository(store).get(org, "t");
      const facts = JSON.parse(stored?.facts ?? "{}") as Partial<Facts>;
      return facts.entities?.counterparty?.name ?? null;
    };
    const report = async (id: string, org = "o"): Promise<string> => {
      if ((await reports.create(org, INPUT, id)) === null) throw new Error("No transaction");
      return id;
    };
    const versionOf = async (org = "o"): Promise<string | undefined> =>
      (await createOrganizationRepository(store).get(org))?.settingsVersion;
    const events = async (): Promise<readonly string[]> => {
      const repository = createEventRepository(store);
      const { entries } = await repository.outbox(100);
      const found = await Promise.all(
        entries.map(({ org, eventId }) => repository.get(org, eventId)),
      );
      return found.map((event) => `${event?.eventType ?? ""} ${event?.resourceId ?? ""}`);
    };
    const entries = async (org = "o") => {
      const { rows } = await createAuditRepository(store).list(org, { action: null }, all);
      return rows.map(({ action, details }) => ({ action, ...details }));
    };

    it("a report is there once, however often it is made, and only about what is there", async () => {
      const made = await reports.create("o", INPUT, "r");
      expect(made).toMatchObject({ ...INPUT, id: "r", status: "open", rejectionReason: null });
      expect(await reports.create("o", { ...INPUT, description: "again" }, "r")).toEqual(made);
      expect(await reports.create("o", { ...INPUT, transactionId: "none" }, "r2")).toBeNull();
      expect(await reports.create("p", INPUT, "r3")).toBeNull();
      expect((await reports.list("o", { status: null }, all)).rows).toEqual([made]);
    });

    it("its owner lists reports newest first, operators those of all oldest first, each by state too", async () => {
      await arrive(1, "BLUE", "p");
      for (const id of ["a", "b", "c"]) await report(id);
      await report("d", "p");
      await reports.move("b", PENDING, BY);
      const ids = (rows: readonly { readonly id: string }[]) => rows.map((row) => row.id);
      const listed = async (status: "open" | "pending" | null) =>
        ids((await reports.list("o", { status }, all)).rows);
      expect([await listed(null), await listed("pending")]).toEqual([["c", "b", "a"], ["b"]]);
      const listedAll = async (org: string | null, status: "open" | null) =>
        ids((await reports.listAll({ org, status }, all)).rows);
      expect(await listedAll(null, null)).toEqual(["a", "b", "c", "d"]);
      expect(await listedAll(null, "open")).toEqual(["a", "c", "d"]);
      expect(await listedAll("o", "open")).toEqual(["a", "c"]);
      const first = await reports.listAll({ org: null, status: "open" }, { ...all, limit: 2 });
      const rest = await reports.listAll(
        { org: null, status: "open" },
        { ...all, after: first.next },
      );
      expect([ids(first.rows), ids(rest.rows), rest.next]).toEqual([["a", "c"], ["d"], null]);
    });

    const numbered = async (
      page: number,
      perPage: number,
      filter: Partial<OwnReportFilter> = {},
    ) => {
      const all = { status: null, transactionId: null, ...filter };
      const { pages, parts } = await reports.page("o", all, { page, perPage });
      const ids: string[] = [];
      for await (const part of parts) ids.push(...part.map(({ id }) => id));
      return { pages, ids };
    };

    it("pages by number have every report once, newest first, each with status and transaction too", async () => {
      await arrive(1, "BLUE", "o", "u");
      await arrive(1, "BLUE", "p");
      for (const id of ["a", "b", "c", "d"]) await report(id);
      await reports.create("o", { ...INPUT, transactionId: "u" }, "e");
      await report("f", "p");
      await reports.move("b", PENDING, BY);
      await reports.move("e", PENDING, BY);
      expect(await numbered(0, 2)).toEqual({ pages: 3, ids: ["e", "d"] });
      expect(await numbered(1, 2)).toEqual({ pages: 3, ids: ["c", "b"] });
      expect(await numbered(2, 2)).toEqual({ pages: 3, ids: ["a"] });
      expect(await numbered(3, 2)).toEqual({ pages: 3, ids: [] });
      expect(await numbered(0, 5)).toEqual({ pages: 1, ids: ["e", "d", "c", "b", "a"] });
      const [pending, ofT] = [{ status: "pending" }, { transactionId: "t" }] as const;
      expect(await numbered(0, 9, pending)).toEqual({ pages: 1, ids: ["e", "b"] });
      expect(await numbered(1, 3, ofT)).toEqual({ pages: 2, ids: ["a"] });
      expect(await numbered(0, 9, { ...pending, ...ofT })).toEqual({ pages: 1, ids: ["b"] });
      expect(await numbered(0, 9, { status: "resolved" })).toEqual({ pages: 0, ids: [] });
      expect(await numbered(0, 9, { transactionId: "none" })).toEqual({ pages: 0, ids: [] });
    });

    it("a page that is read in several parts has every report once", async () => {
      const rows = createReportRepository(store);
      const made = (await reports.create("o", INPUT, "r")) ?? null;
      if (made === null) throw new Error("No transaction");
      // Several have the time of another.
      for (let index = 0; index < 1_200; index += 1)
        await rows.insert({ ...made, id: `r${String(index)}`, createdAt: Math.floor(index / 3) });
      const first = await numbered(0, 700);
      const second = await numbered(1, 700);
      expect([first.pages, first.ids.length, second.ids.length]).toEqual([2, 700, 501]);
      expect(new Set([...first.ids, ...second.ids]).size).toBe(1_201);
    });

    it("the right values and the URL of a report are kept through its moves, and absent in rows of before", async () => {
      const { expected, webhookUrl } = INPUT;
      await report("r");
      await reports.move("r", PENDING, BY);
      await reports.move("r", REJECTED, BY);
      expect(await reports.get("o", "r")).toMatchObject({
        status: "rejected",
        expected,
        webhookUrl,
      });
      const { rows } = await reports.listAll({ org: null, status: "rejected" }, all);
      expect(rows).toMatchObject([{ expected, webhookUrl }]);
      const made = await reports.get("o", "r");
      if (made === null) throw new Error("It was there");
      const before: Partial<Record<keyof Report, unknown>> = { ...made, id: "b" };
      delete before.expected;
      delete before.webhookUrl;
      const steps = [store.collection<ReportRow>(reportSpec).insert(before as ReportRow, "fail")];
      expect((await store.write(steps)).ok).toBe(true);
      expect(await reports.get("o", "b")).toEqual({
        ...before,
        id: "b",
        expected: {},
        webhookUrl: null,
      });
    });

    it("every move is written with its event and an audit entry with its actor, and wakes the relay", async () => {
      await report("r");
      expect(await reports.move("r", PENDING, BY)).toMatchObject({
        ok: true,
        report: { status: "pending" },
        corrected: null,
      });
      const rejected = await reports.move("r", REJECTED, BY);
      expect(rejected).toMatchObject({ report: { rejectionReason: "It is right." } });
      expect(await reports.get("o", "r")).toEqual(rejected.ok && rejected.report);
      expect(await events()).toEqual(["reports.pending r", "reports.rejected r"]);
      expect(await entries()).toEqual([
        { action: "report.moved", from: "pending", to: "rejected" },
        { action: "report.moved", from: "open", to: "pending" },
      ]);
      expect(notices).toBe(2);
    });

    it("a state is left only for one that may follow, and what is refused changes nothing", async () => {
      await report("r");
      await reports.move("r", PENDING, BY);
      const refused = { ok: false, refusal: { reason: "final", status: "pending" } };
      expect(await reports.move("r", PENDING, BY)).toEqual(refused);
      await reports.move("r", RESOLVED, BY);
      for (const move of [PENDING, RESOLVED, REJECTED, correcting("Heron")])
        expect(await reports.move("r", move, BY)).toMatchObject({ ok: false });
      expect(await reports.move("none", PENDING, BY)).toMatchObject({
        refusal: { reason: "not_found" },
      });
      expect([await merchant(), (await events()).length, notices]).toEqual([null, 2, 2]);
    });

    it("of operators who move a report at the same time exactly one does", async () => {
      await report("r");
      const moves = [correcting("A"), REJECTED, RESOLVED, correcting("B"), REJECTED];
      const outcomes = await Promise.all(moves.map((move) => reports.move("r", move, BY)));
      expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
      for (const outcome of outcomes) if (!outcome.ok) expect(outcome.refusal.reason).toBe("final");
      expect(await events()).toHaveLength(1);
      expect(await entries()).toHaveLength(1);
    });

    it("a correction is written to the transaction and remembered, with a new version of the settings", async () => {
      await report("r");
      const moved = await reports.move("r", correcting("Heron"), BY);
      const { rows } = await reports.corrections({ org: null }, all);
      expect(moved).toMatchObject({
        corrected: { transaction: true, cleanName: "BLUE", correctionId: rows[0]?.id },
      });
      expect(await merchant()).toBe("Heron");
      expect(await corrections.ofOrganization("o")).toEqual([
        {
          cleanName: "BLUE",
          entryType: "outgoing",
          accountType: null,
          parts: { counterparty: party("Heron") },
        },
      ]);
      expect(await versionOf()).toMatch(/./);
      expect(await corrections.ofOrganization("p")).toEqual([]);
      expect(await entries()).toMatchObject([
        { corrected: "merchant", transaction: true, correction: rows[0]?.id },
      ]);
    });

    it("a redelivered chunk does not undo it, a later submission replaces it", async () => {
      await report("r");
      await reports.move("r", correcting("Heron"), BY);
      await arrive(1);
      expect(await merchant()).toBe("Heron");
      await arrive(2);
      expect(await merchant()).toBeNull();
    });

    it("a transaction that is replaced meanwhile is corrected as it is then, and under its new name alone", async () => {
      await report("r");
      meanwhile = () => arrive(2, "CRANE");
      const moved = await reports.move("r", correcting("Heron"), BY);
      expect(moved).toMatchObject({ corrected: { transaction: true, cleanName: "CRANE" } });
      expect(await merchant()).toBe("Heron");
      const names = (await corrections.ofOrganization("o")).map((one) => one.cleanName);
      expect([names, (await events()).length]).toEqual([["CRANE"], 1]);
    });

    it("a transaction to which changed settings are applied meanwhile is corrected on top of them", async () => {
      const transactions = createTransactionRepository(store);
      const before = await transactions.get("o", "t");
      const categories = { general: "rent", accounting: null };
      const facts = JSON.stringify({ entities: null, categories, location: null });
      await report("r");
      meanwhile = () =>
        store.apply(
          transactions.factsSteps("o", [
            { id: "t", order: before?.order ?? "", entryType: "outgoing", currency: "USD", facts },
          ]),
        );
      expect(await reports.move("r", correcting("Heron"), BY)).toMatchObject({ ok: true });
      const after = JSON.parse((await transactions.get("o", "t"))?.facts ?? "{}") as Facts;
      expect([await merchant(), after.categories]).toEqual(["Heron", categories]);
    });

    it("what others correct of the same name meanwhile is kept", async () => {
      await arrive(2, "BLUE", "o", "u");
      const other = await reports.create("o", { ...INPUT, transactionId: "u" }, "other");
      await report("r");
      const nowhere: ReportMove = { status: "resolved", corrected: { location: null } };
      meanwhile = () => reports.move(other?.id ?? "", nowhere, BY);
      expect(await reports.move("r", correcting("Heron"), BY)).toMatchObject({ ok: true });
      expect(await corrections.ofOrganization("o")).toMatchObject([
        { parts: { counterparty: party("Heron"), location: null } },
      ]);
      // Of one that is there already, too.
      await arrive(3, "BLUE", "o", "u");
      await reports.create("o", { ...INPUT, transactionId: "u" }, "again");
      await report("r2");
      meanwhile = () => reports.move("again", correcting("Crane"), BY);
      expect(await reports.move("r2", nowhere, BY)).toMatchObject({ ok: true });
      expect(await corrections.ofOrganization("o")).toMatchObject([
        { parts: { counterparty: party("Crane"), location: null } },
      ]);
    });

    it("a transaction that is gone is not brought back, and teaches nothing", async () => {
      await report("r");
      const order = itemOrder(recordOrder(5), 0);
      await createTransactionRepository(store).writeTombstones(
        "o",
        ["t"],
        order,
        { accountHolderId: null },
        false,
      );
      expect(await reports.move("r", correcting("Heron"), BY)).toMatchObject({
        ok: true,
        corrected: { transaction: false, cleanName: "", correctionId: null },
      });
      expect([await merchant(), await corrections.ofOrganization("o")]).toEqual([null, []]);
      expect(await versionOf()).toBeUndefined();
    });

    it("several reports about one transaction that are settled at once are all written, none half", async () => {
      const ids = ["a", "b", "c", "d", "e"];
      for (const id of ids) await report(id);
      const outcomes = await Promise.all(ids.map((id) => reports.move(id, correcting(id), BY)));
      expect(outcomes.every((outcome) => outcome.ok)).toBe(true);
      const [kept] = await corrections.ofOrganization("o");
      expect(kept?.parts.counterparty?.name).toBe(await merchant());
      const { rows } = await reports.corrections({ org: "o" }, all);
      expect(rows).toMatchObject([{ revision: 5 }]);
      expect(await events()).toHaveLength(5);
    });

    it("a later correction of the same name replaces the parts it names and keeps the others", async () => {
      const key = { cleanName: "BLUE", entryType: "outgoing", accountType: null } as const;
      await report("r");
      await reports.move("r", correcting("Heron"), BY);
      const [first] = (await reports.corrections({ org: "o" }, all)).rows;
      if (first === undefined) throw new Error("There should be one");
      const located = { ...first, revision: 2, parts: { ...first.parts, location: null } };
      const steps = await corrections.changeSteps({ seen: first, next: located });
      expect((await store.write(steps ?? [])).ok).toBe(true);
      // A change of something that was removed meanwhile changes nothing.
      expect((await store.write(steps ?? [])).ok).toBe(false);
      await arrive(2);
      await report("r2");
      await reports.move("r2", correcting("Crane"), BY);
      expect(await corrections.ofOrganization("o")).toEqual([
        { ...key, parts: { counterparty: party("Crane"), location: null } },
      ]);
    });

    it("corrections come in the order in which they were last changed", async () => {
      for (const [index, line] of ["B", "A", "B"].entries()) {
        await arrive(index + 2, line);
        await reports.move(await report(`r${String(index)}`), correcting(String(index)), BY);
      }
      const names = (await corrections.ofOrganization("o")).map((one) => one.cleanName);
      expect(names).toEqual(["A", "B"]);
    });

    it("a correction that is dropped is gone, with a new version of the settings, and others stay", async () => {
      for (const [index, line] of ["A", "B"].entries()) {
        await arrive(index + 2, line);
        await reports.move(await report(`r${String(index)}`), correcting("Heron"), BY);
      }
      const { rows } = await reports.corrections({ org: "o" }, all);
      expect(rows.map((row) => row.cleanName)).toEqual(["B", "A"]);
      const before = await versionOf();
      const id = rows[0]?.id ?? "";
      expect([await reports.dropCorrection(id, BY), await reports.dropCorrection(id, BY)]).toEqual([
        true,
        false,
      ]);
      expect(await versionOf()).not.toBe(before);
      expect((await corrections.ofOrganization("o")).map((one) => one.cleanName)).toEqual(["A"]);
      expect((await entries())[0]).toEqual({ action: "correction.dropped" });
      expect(await merchant()).toBe("Heron");
    });

    it("an organization has no more corrections than it may have, however many are made at once", async () => {
      const few = createCorrectionRepository(store, PLACES);
      const correction = (org: string, id: string): StoredCorrection => ({
        ...{ org, id, accountHolderId: null, createdAt: 1, updatedAt: 1, revision: 1, parts: {} },
        ...{ cleanName: id, entryType: "outgoing", accountType: null },
      });
      const add = async (org: string, id: string): Promise<"added" | "taken" | "full"> => {
        const steps = await few.changeSteps({ seen: null, next: correction(org, id) });
        if (steps === null) return "full";
        return (await store.write(steps)).ok ? "added" : "taken";
      };
      const addAll = async (org: string, prefix: string): Promise<void> => {
        const each = Array.from({ length: 3 * PLACES }, async (_, index) => {
          while ((await add(org, `${prefix}${String(index)}`)) === "taken");
        });
        await Promise.all(each);
      };
      const count = async (org: string) => (await few.ofOrganization(org)).length;
      await addAll("o", "a");
      expect([await count("o"), await add("o", "more"), await add("p", "x")]).toEqual([
        PLACES,
        "full",
        "added",
      ]);
      // Of those in the middle the places are found again.
      const [, second] = (await few.list("o", all)).rows;
      expect((await store.write(few.removeSteps("o", second?.id ?? ""))).ok).toBe(true);
      await addAll("o", "b");
      expect([await count("o"), await count("p")]).toEqual([PLACES, 1]);
    });

    it("a report that is deleted keeps what it corrected, and is not moved any more", async () => {
      await report("r");
      await reports.move("r", correcting("Heron"), BY);
      expect([await reports.delete("p", "r"), await reports.delete("o", "r")]).toEqual([
        false,
        true,
      ]);
      expect([await reports.delete("o", "r"), await reports.get("o", "r")]).toEqual([false, null]);
      expect(await reports.move("r", PENDING, BY)).toMatchObject({ ok: false });
      expect([await merchant(), (await corrections.ofOrganization("o")).length]).toEqual([
        "Heron",
        1,
      ]);
    });

    it("a report of another organization is not found, but operators find it by its id", async () => {
      await arrive(1, "BLUE", "p");
      await report("r", "p");
      expect([await reports.get("o", "r"), await reports.delete("o", "r")]).toEqual([null, false]);
      expect(await reports.details("r")).toMatchObject({
        report: { org: "p", id: "r" },
        transaction: { org: "p" },
      });
      await reports.move("r", correcting("Heron"), BY);
      expect([await merchant("p"), await merchant("o")]).toEqual(["Heron", null]);
      expect([await entries("o"), (await entries("p")).length]).toEqual([[], 1]);
    });
  });
}
