// Writes around reports that span collections and must happen whole or not at all.
import type { AuditEntry } from "../../model/audit.ts";
import type { StoredEvent } from "../../model/event.ts";
import type { Report, Correcting } from "../../model/report.ts";
import type { AuditRepository } from "./audit.ts";
import type { Store, Write } from "../collection.ts";
import type { CorrectionRepository } from "./corrections.ts";
import type { EventRepository } from "./events.ts";
import type { OrganizationRepository } from "./organizations.ts";
import type { ReportRepository } from "./reports.ts";
import type { TransactionRepository } from "./transactions.ts";

export interface ReportMoveWrite {
  readonly seen: Report;
  readonly next: Report;
  readonly event: StoredEvent;
  readonly entry: AuditEntry;
  readonly correcting: Correcting | null;
}

/**
 * `moved_before`: the report was moved or deleted since it was read. `overtaken`: the same holds for what it
 * corrects. `full`: the organization has as many corrections as it may have. Nothing was changed then.
 */
export type ReportMoveOutcome = "moved" | "moved_before" | "overtaken" | "full";

export interface ReportWrites {
  move(write: ReportMoveWrite): Promise<ReportMoveOutcome>;
  /** Removes a report and gives these events other bodies: both or none. */
  removeWithEvents(report: Report, events: readonly StoredEvent[]): Promise<void>;
  /** Removes a correction. False when there is none. */
  removeCorrection(id: string, settingsVersion: string, entry: AuditEntry): Promise<boolean>;
}

export interface ReportRepositories {
  readonly reports: ReportRepository;
  readonly corrections: CorrectionRepository;
  readonly transactions: TransactionRepository;
  readonly organizations: OrganizationRepository;
  readonly events: EventRepository;
  readonly audit: AuditRepository;
}

export function createReportWrites(store: Store, repositories: ReportRepositories): ReportWrites {
  const { reports, corrections, transactions, organizations, events, audit } = repositories;

  const transactionSteps = async ({
    transaction,
  }: Correcting): Promise<readonly Write[] | null> => {
    if (transaction === null) return [];
    const { seen, next } = transaction;
    const unchanged = await transactions.requireSeen(seen.org, [seen]);
    return unchanged === null ? null : [...unchanged, ...transactions.upsertSteps([next])];
  };
  const correctionSteps = async ({ correction }: Correcting): Promise<readonly Write[] | null> => {
    if (correction === null) return [];
    const steps = await corrections.changeSteps(correction);
    const { next, settingsVersion } = correction;
    const changed = organizations.settingsChangedSteps(next.org, settingsVersion);
    return steps === null ? null : [...steps, ...changed];
  };

  return {
    move: async ({ seen, next, event, entry, correcting }) => {
      const remembered = correcting === null ? [] : await correctionSteps(correcting);
      if (remembered === null) return "full";
      const corrected = correcting === null ? [] : await transactionSteps(correcting);
      if (corrected === null) return "overtaken";
      const outcome = await store.write([
        reports.moveStep(seen, next),
        ...corrected,
        ...remembered,
        ...events.insertSteps(event),
        audit.step(entry),
      ]);
      if (outcome.ok) return "moved";
      return outcome.step === 0 ? "moved_before" : "overtaken";
    },
    removeWithEvents: async (report, changed) => {
      await store.write([...changed.flatMap(events.replaceSteps), reports.removeStep(report)]);
    },
    removeCorrection: async (id, settingsVersion, entry) => {
      const outcome = await store.write([
        ...corrections.removeSteps(entry.org, id),
        ...organizations.settingsChangedSteps(entry.org, settingsVersion),
        audit.step(entry),
      ]);
      return outcome.ok;
    },
  };
}
