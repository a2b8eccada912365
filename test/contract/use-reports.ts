// Every query of the repositories of reports and corrections once, for the tests that look at how engines find rows.
import type { AuditEntry } from "../../src/model/audit.ts";
import type { LedgerTransaction } from "../../src/model/ledger-transaction.ts";
import type { PageRequest } from "../../src/shared/page.ts";
import { type Report, REPORT_STATUSES, type StoredCorrection } from "../../src/model/report.ts";
import { reportEvent } from "../../src/events/events.ts";
import { createAuditRepository } from "../../src/store/repositories/audit.ts";
import type { Store } from "../../src/store/collection.ts";
import { createCorrectionRepository } from "../../src/store/repositories/corrections.ts";
import { createEventRepository } from "../../src/store/repositories/events.ts";
import { createOrganizationRepository } from "../../src/store/repositories/organizations.ts";
import {
  type CorrectionRow,
  correctionSpec,
  type ReportRow,
  reportSpec,
} from "../../src/store/specs/settings-specs.ts";
import { createReportWrites } from "../../src/store/repositories/report-writes.ts";
import { createReportRepository } from "../../src/store/repositories/reports.ts";
import { createTransactionRepository } from "../../src/store/repositories/transactions.ts";

const ORG = "o";
/** Rows of others, so that a plan that reads them too is seen. */
const FILLED = 100;
/** Of these, the ones of one organization. */
export const REPORTS_OF_ONE = FILLED / 2;
/** Where more than the key is unique, rows are inserted one after the other, and a call must end in its time. */
const AT_ONCE = 10;

const report: Report = {
  org: ORG,
  id: "report",
  transactionId: "reported",
  description: "",
  fields: [],
  createdAt: 5,
  updatedAt: 5,
  status: "open",
  rejectionReason: null,
  expected: {},
  webhookUrl: null,
  accountHolderId: null,
};

const correction: StoredCorrection = {
  org: ORG,
  id: "correction",
  createdAt: 5,
  updatedAt: 5,
  revision: 1,
  accountHolderId: null,
  parts: {},
  cleanName: "BLUE",
  entryType: "outgoing",
  accountType: null,
};

const transaction: LedgerTransaction = {
  org: ORG,
  input: {
    id: "reported",
    description: "",
    date: "2024-01-01",
    amount: 1,
    entryType: "outgoing",
    currency: "USD",
    accountHolderId: null,
    location: null,
  },
  createdAt: 1,
  order: "a",
  facts: "{}",
  error: null,
  override: null,
};

const entry = (id: string): AuditEntry => ({
  ...{ org: ORG, id, createdAt: 5, action: "report.moved", subject: report.id, details: {} },
  ...{ keyId: null, requestId: null },
});

export function reportRepositoriesOf(store: Store) {
  const reports = createReportRepository(store);
  const corrections = createCorrectionRepository(store);
  const transactions = createTransactionRepository(store);
  const writes = createReportWrites(store, {
    reports,
    corrections,
    transactions,
    organizations: createOrganizationRepository(store),
    events: createEventRepository(store),
    audit: createAuditRepository(store),
  });
  return { reports, corrections, transactions, writes };
}

export async function fillReports(store: Store): Promise<void> {
  const reports = store.collection<ReportRow>(reportSpec);
  const corrections = store.collection<CorrectionRow>(correctionSpec);
  const steps = Array.from({ length: FILLED }, (_, index) => {
    const status = REPORT_STATUSES[index % REPORT_STATUSES.length] ?? "open";
    const id = `filled${String(index)}`;
    const own = { org: index % 2 === 0 ? ORG : "other", id, createdAt: index };
    return [
      reports.insert({ ...report, ...own, status }, "ignore"),
      corrections.insert({ ...correction, ...own, place: 1_000 + index, parts: "{}" }, "ignore"),
    ];
  });
  for (let from = 0; from < FILLED; from += AT_ONCE)
    await store.apply(steps.slice(from, from + AT_ONCE).flat());
}

async function walkThrough(parts: AsyncIterable<readonly Report[]>): Promise<void> {
  for await (const part of parts) if (part.length === 0) throw new Error("No part is empty");
}

export async function useReports(store: Store, pages: readonly PageRequest[]): Promise<void> {
  const { reports, corrections, transactions, writes } = reportRepositoriesOf(store);
  await store.write(transactions.upsertSteps([transaction]));
  await reports.insert(report);
  await reports.get(ORG, report.id);
  await reports.find(report.id);
  await reports.getMany(ORG, [report.id, "none"]);
  for (const status of [null, "open"] as const) {
    for (const transactionId of [null, report.transactionId]) {
      const filter = { status, transactionId };
      const { parts } = await reports.numbered(ORG, filter, { page: 0, perPage: 10 });
      await walkThrough(parts);
    }
  }
  for (const page of pages) {
    for (const status of [null, "open"] as const) {
      await reports.list(ORG, status, page);
      for (const org of [null, ORG]) await reports.listAll({ org, status }, page);
    }
    for (const org of [null, ORG]) await corrections.list(org, page);
  }
  const pending = { ...report, status: "pending" } as const;
  const event = reportEvent(pending, "open");
  const move = { seen: report, next: pending, event, entry: entry("moved") };
  const next = { ...transaction, order: "b" };
  await writes.move({
    ...move,
    correcting: {
      transaction: { seen: transaction, next },
      correction: { seen: null, next: correction, settingsVersion: "1" },
    },
  });
  const changed = { ...correction, revision: 2 };
  const resolved = { ...pending, status: "resolved" } as const;
  await writes.move({
    ...{
      seen: pending,
      next: resolved,
      event: reportEvent(resolved, "pending"),
      entry: entry("resolved"),
    },
    correcting: {
      transaction: null,
      correction: { seen: correction, next: changed, settingsVersion: "2" },
    },
  });
  await corrections.get(ORG, correction.id);
  await corrections.find(correction.id);
  await corrections.ofOrganization(ORG);
  await writes.removeCorrection(correction.id, "3", entry("dropped"));
  await reports.remove(ORG, report.id);
}
