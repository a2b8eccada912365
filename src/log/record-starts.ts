// Which records a consumer may start: how many are in flight, in all and of each tenant, and whose wait for credits.
import {
  type ConcurrencyLimits,
  createInFlightBudget,
  type RawRecord,
  type RecordEnd,
  slotsOf,
} from "./record-runner.ts";
import { createTenantPauses, type TenantPauses, type TenantPausesPorts } from "./tenant-pauses.ts";

/** A record, and the tenant that it was scheduled for. */
interface StartedRecord {
  readonly tenant: string;
  readonly record: RawRecord;
}

export interface RecordStarts extends Pick<TenantPauses, "mayStart" | "isPaused" | "close"> {
  /** Records in flight. */
  inFlight(): number;
  /** Whether none may start, of whichever tenant. */
  isFull(): boolean;
  started(of: StartedRecord): void;
  ended(of: StartedRecord, end: RecordEnd): void;
  /** Tenants that wait for credits. */
  pausedTenants(): number;
}

/** @param wake called when records may be started again */
export function createRecordStarts(
  options: ConcurrencyLimits & Omit<TenantPausesPorts, "wake">,
  wake: () => void,
): RecordStarts {
  const budget = createInFlightBudget(options);
  let inFlight = 0;
  const pauses = createTenantPauses({ nowMs: options.nowMs, report: options.report, wake });
  return {
    inFlight: () => inFlight,
    isFull: () => budget.held >= options.inFlightMax,
    // Room for a whole one, also for a small one: else the small ones would leave none for a large one.
    mayStart: (tenant) => budget.fits(tenant, 1) && pauses.mayStart(tenant),
    isPaused: pauses.isPaused,
    pausedTenants: pauses.count,
    started: ({ tenant, record }) => {
      inFlight += 1;
      budget.acquire(tenant, slotsOf(options, record));
      pauses.started(tenant, record);
    },
    ended: ({ tenant, record }, end) => {
      inFlight -= 1;
      budget.release(tenant, slotsOf(options, record));
      pauses.ended(tenant, record, end);
    },
    close: pauses.close,
  };
}
