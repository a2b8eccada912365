// Organizations whose records wait for credits. None of their records is started until the wait is over; then one is, and
// the others follow once it was not refused again. So a flood without credits costs one refusal for each wait, and the
// record that was refused is not overtaken by smaller ones that take the credits it waits for.
import type { ConsumerEvent } from "../model/process-events.ts";
import type { RawRecord, RecordEnd } from "./record-runner.ts";

/** Shorter waits are not worth a refusal. */
const WAIT_MS_MIN = 100;
/** Credits that an operator has raised are used after this long at most. */
const WAIT_MS_MAX = 60_000;
/** For which a pause whose wait is over is kept without a record to try: its partition may be another process's by now. */
const KEPT_MS = 60_000;
/** A flood is reported once in this time. */
const NEWS_MS = 60_000;

export interface TenantPauses {
  mayStart(tenant: string): boolean;
  isPaused(tenant: string): boolean;
  started(tenant: string, record: RawRecord): void;
  ended(tenant: string, record: RawRecord, end: RecordEnd): void;
  /** Tenants that wait, or of which nothing was tried since. */
  count(): number;
  close(): void;
}

export interface TenantPausesPorts {
  nowMs(): number;
  /** Called when records may be started again. */
  wake(): void;
  report(event: ConsumerEvent): void;
}

interface Pause {
  /** Until the wait is over, then until the pause ends by itself. */
  timer: NodeJS.Timeout;
  isOver: boolean;
  /** The one record that is tried after the wait. */
  trial: RawRecord | null;
}

const mayTry = ({ isOver, trial }: Pause): boolean => isOver && trial === null;

export function createTenantPauses({ nowMs, wake, report }: TenantPausesPorts): TenantPauses {
  const pauses = new Map<string, Pause>();
  const reportedAtMs = new Map<string, number>();

  function isNew(org: string): boolean {
    const now = nowMs();
    for (const [tenant, atMs] of reportedAtMs) {
      // Also when the clock was set back.
      if (Math.abs(now - atMs) >= NEWS_MS) reportedAtMs.delete(tenant);
    }
    const isKnown = reportedAtMs.has(org);
    if (!isKnown) reportedAtMs.set(org, now);
    return !isKnown;
  }

  function wait(org: string, waitMs: number): void {
    const known = pauses.get(org);
    // Of those that were in flight together, the first one to be refused begins the wait.
    if (known !== undefined && !mayTry(known)) return;
    end(org);
    const time = Math.min(WAIT_MS_MAX, Math.max(WAIT_MS_MIN, waitMs));
    const timer = setTimeout(() => {
      pause.isOver = true;
      pause.timer = setTimeout(() => {
        if (pause.trial === null) end(org);
      }, KEPT_MS);
      wake();
    }, time);
    const pause: Pause = { timer, isOver: false, trial: null };
    pauses.set(org, pause);
  }

  function end(org: string): void {
    clearTimeout(pauses.get(org)?.timer);
    pauses.delete(org);
  }

  return {
    mayStart: (tenant) => {
      const pause = pauses.get(tenant);
      return pause === undefined || mayTry(pause);
    },
    isPaused: (tenant) => pauses.has(tenant),
    started: (tenant, record) => {
      const pause = pauses.get(tenant);
      if (pause !== undefined) pause.trial = record;
    },
    ended: (tenant, record, outcome) => {
      if (pauses.get(tenant)?.trial === record) end(tenant);
      if (typeof outcome === "string") return;
      const { org, waitMs } = outcome;
      wait(org, waitMs);
      report({ kind: "postponed", org, waitMs, isNew: isNew(org) });
    },
    count: () => pauses.size,
    close: () => {
      for (const { timer } of pauses.values()) clearTimeout(timer);
    },
  };
}
