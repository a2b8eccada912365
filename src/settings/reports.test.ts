import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { AccountHolder } from "../model/account-holder.ts";
import { nextRevision } from "../model/acceptance-order.ts";
import type { StoredCategorySet } from "../model/category-set.ts";
import type { LocationStructured } from "../model/facts.ts";
import type { LedgerTransaction } from "../model/ledger-transaction.ts";
import type { CorrectedFields, CorrectedLine, Report, ReportMove } from "../model/report.ts";
import { eventId } from "../events/events.ts";
import type { CorrectionQuery } from "./corrections.ts";
import { createReports, type ReportPorts } from "./reports.ts";

type Write = Parameters<ReportPorts["moveReport"]>[0];

const BY = { keyId: "k", requestId: "r" };

const report: Report = {
  org: "o",
  id: "p",
  transactionId: "t",
  description: "",
  fields: [],
  createdAt: 1,
  updatedAt: 1,
  status: "open",
  rejectionReason: null,
  expected: {},
  webhookUrl: null,
  accountHolderId: null,
};

const transaction: LedgerTransaction = {
  org: "o",
  input: {
    id: "t",
    description: "BLUE",
    date: "2024-01-01",
    amount: 1,
    entryType: "outgoing",
    currency: "USD",
    accountHolderId: "h",
    location: null,
  },
  createdAt: 1,
  order: "0".repeat(20),
  facts: '{"entities":null,"categories":null,"location":null}',
  error: null,
  override: null,
};

const holder: AccountHolder = {
  org: "o",
  id: "h",
  type: "consumer",
  name: null,
  categoryId: null,
  createdAt: 1,
};

const set: StoredCategorySet = {
  org: "o",
  id: "consumer",
  incoming: ["Pay"],
  outgoing: ["Animals"],
  mapping: { incoming: {}, outgoing: { pets: "Animals" } },
};

const NOWHERE: LocationStructured = {
  ...{ street: null, city: null, state: null, postcode: null, country_code: null, country: null },
  ...{ house_number: null, latitude: null, longitude: null, store_number: null },
  ...{ google_maps_url: null, apple_maps_url: null },
};

const LINE: CorrectedLine = {
  ok: true,
  cleanName: "BLUE",
  parts: { location: null },
  facts: { entities: null, categories: null, location: null },
};

/** Reports over a store of one report and one transaction, with the queries and writes that were made. */
function setUp(over: Partial<ReportPorts> = {}) {
  const asked: CorrectionQuery[] = [];
  const written: Write[] = [];
  let shown = 0;
  const reports = createReports({
    insertReport: () => Promise.resolve(),
    getReport: () => Promise.resolve(report),
    findReport: () => Promise.resolve(report),
    listReports: () => Promise.resolve({ rows: [], next: null }),
    numberedReports: () => Promise.resolve({ count: 0, parts: Readable.from([]) }),
    listAllReports: () => Promise.resolve({ rows: [], next: null }),
    removeReport: () => Promise.resolve(true),
    moveReport: (write) => {
      written.push(write);
      return Promise.resolve("moved");
    },
    listCorrections: () => Promise.resolve({ rows: [], next: null }),
    findCorrection: () => Promise.resolve(null),
    removeCorrection: () => Promise.resolve(true),
    getTransaction: () => Promise.resolve(transaction),
    getHolder: () => Promise.resolve(holder),
    getCategorySet: () => Promise.resolve(null),
    getFeatures: () => Promise.resolve(["tax_number"]),
    getCorrection: () => Promise.resolve(null),
    correctionId: (org, of) => `${org} ${of.cleanName} ${of.entryType} ${of.accountType ?? "-"}`,
    correctLine: (query) => {
      asked.push(query);
      return Promise.resolve(LINE);
    },
    nowMs: () => 7,
    newId: () => "new",
    onEvent: () => (shown += 1),
    ...over,
  });
  const resolve = (corrected: CorrectedFields) =>
    reports.move("p", { status: "resolved", corrected }, BY);
  return { reports, resolve, asked, written, shown: () => shown };
}

describe("a move", () => {
  const moves: readonly ReportMove[] = [
    { status: "pending" },
    { status: "resolved", corrected: null },
    { status: "rejected", rejectionReason: "It is right." },
  ];

  it.each(moves)("to $status tells the report as it is then, once", async (move) => {
    const { reports, written, shown } = setUp();
    const outcome = await reports.move("p", move, BY);
    const [{ next, event, entry, correcting } = {} as Write] = written;
    const reason = move.status === "rejected" ? "It is right." : null;
    expect(next).toEqual({
      ...report,
      status: move.status,
      rejectionReason: reason,
      updatedAt: 7,
    });
    expect(outcome).toEqual({ ok: true, report: next, corrected: null });
    const type = `reports.${move.status}` as const;
    expect(event).toMatchObject({ eventType: type, resourceId: "p", createdAt: 7 });
    expect(event.eventId).toBe(eventId("o", type, "p"));
    expect(JSON.parse(event.body)).toMatchObject({
      event_type: type,
      data: { id: "p", status: move.status, rejection_reason: reason },
    });
    expect(entry).toEqual({
      ...{ ...BY, org: "o", id: "new", createdAt: 7, action: "report.moved", subject: "p" },
      details: { from: "open", to: move.status },
    });
    expect([correcting, shown()]).toEqual([null, 1]);
  });

  it("a move with permanent conflicts fails without an event", async () => {
    let tries = 0;
    const moveReport = () => {
      tries += 1;
      return Promise.resolve("overtaken" as const);
    };
    const { resolve, shown } = setUp({ moveReport });
    expect(await resolve({ merchant: "x" })).toEqual({ ok: false, refusal: { reason: "busy" } });
    expect([tries > 1, shown()]).toEqual([true, 0]);
  });

  it("that was overtaken is worked out again from what is there then", async () => {
    const later = { ...transaction, order: "1".repeat(20) };
    const reads = [transaction, later];
    const outcomes = ["overtaken", "moved"] as const;
    const written: Write[] = [];
    const { resolve, shown } = setUp({
      getTransaction: () => Promise.resolve(reads[written.length] ?? null),
      moveReport: (write) => Promise.resolve(outcomes[written.push(write) - 1] ?? "full"),
    });
    expect(await resolve({ merchant: "x" })).toMatchObject({ ok: true });
    expect(written.map(({ correcting }) => correcting?.transaction?.next.order)).toEqual([
      nextRevision(transaction.order),
      nextRevision(later.order),
    ]);
    expect(shown()).toBe(1);
  });

  it("that teaches more than an organization may have learned is refused", async () => {
    const { resolve } = setUp({ moveReport: () => Promise.resolve("full") });
    expect(await resolve({ merchant: "x" })).toEqual({
      ok: false,
      refusal: { reason: "corrections_full" },
    });
  });
});

describe("a correction", () => {
  it("queries the corrected line, and replaces the facts of the transaction", async () => {
    const { resolve, asked, written } = setUp({ getCategorySet: () => Promise.resolve(set) });
    const outcome = await resolve({ location: null });
    expect(asked).toEqual([
      {
        input: transaction.input,
        accountType: "consumer",
        corrected: { location: null },
        facts: { entities: null, categories: null, location: null },
        features: ["tax_number"],
        mapping: set.mapping,
        wordOf: null,
      },
    ]);
    const id = "o BLUE outgoing consumer";
    expect(written[0]?.correcting).toEqual({
      transaction: {
        seen: transaction,
        next: {
          ...transaction,
          facts: JSON.stringify(LINE.facts),
          override: { location: null },
          order: nextRevision(transaction.order),
        },
      },
      correction: {
        seen: null,
        next: {
          ...{ org: "o", id, accountHolderId: "h", createdAt: 7, updatedAt: 7, revision: 1 },
          parts: { location: null },
          ...{ cleanName: "BLUE", entryType: "outgoing", accountType: "consumer" },
        },
        settingsVersion: "new",
      },
    });
    expect(outcome).toMatchObject({
      corrected: { transaction: true, cleanName: "BLUE", correctionId: id },
    });
    expect(written[0]?.entry.details).toEqual({
      from: "open",
      to: "resolved",
      corrected: "location",
      transaction: true,
      correction: id,
    });
  });

  it("of a line without a name changes the transaction alone", async () => {
    const nameless = () => Promise.resolve({ ...LINE, cleanName: "" });
    const { resolve, written } = setUp({ correctLine: nameless });
    expect(await resolve({ merchant: "x" })).toMatchObject({
      corrected: { transaction: true, correctionId: null },
    });
    expect(written[0]?.correcting).toMatchObject({ transaction: {}, correction: null });
  });

  it("is stored with earlier corrections of the transaction; the store number only with its address", async () => {
    const structured = { ...NOWHERE, city: "Oakland", store_number: "12" };
    const location = { raw_address: "Oakland", structured };
    const before = { ...transaction, override: { location: null, counterparty: null } };
    const { resolve, written } = setUp({
      getTransaction: () => Promise.resolve(before),
      correctLine: () => Promise.resolve({ ...LINE, parts: { location } }),
    });
    await resolve({ location: "Oakland" });
    const { transaction: changed, correction } = written[0]?.correcting ?? {};
    expect(changed?.next.override).toEqual({ location, counterparty: null });
    const shops = { ...location, structured: { ...structured, store_number: null } };
    expect(correction?.next.parts).toEqual({ location: shops });
  });

  it("makes a result of one that could not be enriched", async () => {
    const error = { code: "internal_error", message: "no" } as const;
    const failed = { ...transaction, facts: null, error };
    const { resolve, asked, written } = setUp({ getTransaction: () => Promise.resolve(failed) });
    await resolve({ merchant: "x" });
    expect(asked[0]?.facts).toBeNull();
    expect(written[0]?.correcting?.transaction?.next).toMatchObject({
      error: null,
      facts: JSON.stringify(LINE.facts),
    });
  });

  it.each<[string, Partial<ReportPorts>, CorrectedFields, string]>([
    [
      "that the threads cannot work out",
      { correctLine: () => Promise.resolve(null) },
      { merchant: "x" },
      "unreadable",
    ],
    [
      "that the knowledge refuses",
      { correctLine: () => Promise.resolve({ ok: false, problem: "no_counterparty" }) },
      { type: "person" },
      "no_counterparty",
    ],
    ["of a category that there is not", {}, { category: "fun" }, "unknown_category"],
    ["of a category of the other direction", {}, { category: "paycheck" }, "unknown_category"],
    [
      "of a category of the other type of account",
      {},
      { category: "office supplies" },
      "unknown_category",
    ],
    [
      "of a category without an account holder",
      { getHolder: () => Promise.resolve(null) },
      { category: "pets" },
      "no_category",
    ],
    ["of the accounting of a person", {}, { accounting: "revenue" }, "no_accounting"],
  ])("%s is refused, and nothing is written", async (_, over, corrected, problem) => {
    const { resolve, written, shown } = setUp(over);
    expect(await resolve(corrected)).toEqual({
      ok: false,
      refusal: { reason: "not_correctable", problem },
    });
    expect([written, shown()]).toEqual([[], 0]);
  });

  it("takes categories of ours and of the holder's set, however they are written", async () => {
    const sets: string[] = [];
    const getCategorySet = (_org: string, id: string) => {
      sets.push(id);
      return Promise.resolve(id === "consumer" ? set : null);
    };
    const named = { ...holder, categoryId: "gone" };
    const getHolder = () => Promise.resolve(named);
    const { resolve, asked } = setUp({ getCategorySet, getHolder });
    for (const category of ["PETS", "animals", null]) await resolve({ category });
    expect(asked.map(({ corrected }) => corrected.category)).toEqual(["pets", "Animals", null]);
    expect(asked.map(({ wordOf }) => wordOf)).toEqual([null, "consumer", null]);
    // A set that is named but does not exist counts as not named.
    expect(sets.slice(0, 2)).toEqual(["gone", "consumer"]);
    expect(await resolve({ category: "Pay" })).toMatchObject({ ok: false });
  });
});

it("a request that is repeated finds its report, even when the transaction is gone by then", async () => {
  const input = { ...report, expected: {}, webhookUrl: null };
  const gone = setUp({ getTransaction: () => Promise.resolve(null) });
  expect(await gone.reports.create("o", input, "p")).toEqual(report);
  const none = () => Promise.resolve(null);
  const never = setUp({ getTransaction: none, getReport: none });
  expect(await never.reports.create("o", input, "p")).toBeNull();
});
