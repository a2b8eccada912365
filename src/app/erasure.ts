// Joins what is erased with an account holder; part of the composition root.
import { randomUUID } from "node:crypto";
import type { HolderRemoval } from "../model/account-holder.ts";
import type { EngineLog } from "./engine.ts";
import { createReportErasure } from "../settings/report-erasure.ts";
import { createAuditRepository } from "../store/repositories/audit.ts";
import { createBatchErasureRepository } from "../store/repositories/batch-erasure.ts";
import type { Store } from "../store/collection.ts";
import { createCorrectionRepository } from "../store/repositories/corrections.ts";
import { createHolderErasureRepository } from "../store/repositories/holder-erasure.ts";
import { createOrganizationRepository } from "../store/repositories/organizations.ts";
import { createReportWrites } from "../store/repositories/report-writes.ts";
import { createReportRepository } from "../store/repositories/reports.ts";
import type { LedgerWrites, LedgerRepositories } from "../store/repositories/writes.ts";

export interface Erasure {
  /** Each erases what is kept of a holder in one place. */
  readonly erasures: readonly ((removal: HolderRemoval) => Promise<void>)[];
  /** Notes that a transaction goes to another holder, with which it is to be erased. */
  noteAssigned(
    org: string,
    transactionId: string,
    createdAt: number,
    accountHolderId: string | null,
  ): Promise<void>;
}

export function createErasure(
  store: Store,
  { transactions, events }: LedgerRepositories,
  { eraseResults }: LedgerWrites,
  { eraseDeadLetters }: EngineLog,
): Erasure {
  const holders = createHolderErasureRepository(store);
  const batches = createBatchErasureRepository(store);
  const reports = createReportRepository(store);
  const writes = createReportWrites(store, {
    ...{ reports, transactions, events },
    corrections: createCorrectionRepository(store),
    organizations: createOrganizationRepository(store),
    audit: createAuditRepository(store),
  });
  return {
    erasures: [
      eraseResults,
      holders.eraseAnswers,
      (removal) => holders.eraseCorrections(removal, randomUUID),
      createReportErasure({
        reportsOfHolder: reports.ofHolder,
        holderOf: async (org, id) => {
          const stored = await transactions.get(org, id);
          return stored === null ? undefined : stored.input.accountHolderId;
        },
        reassign: reports.reassign,
        getEvents: events.getMany,
        removeWithEvents: writes.removeWithEvents,
      }),
      eraseDeadLetters,
    ],
    noteAssigned: async (org, transactionId, createdAt, accountHolderId) => {
      if (accountHolderId !== null)
        await batches.noteAssigned(org, transactionId, createdAt, accountHolderId);
      await reports.reassign(org, transactionId, accountHolderId);
    },
  };
}
