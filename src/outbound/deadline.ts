// The one time limit of a call, for DNS, connecting, TLS and the answer together; and the time of each phase.

/** Filled in during the call; milliseconds, null for a phase that was not reached or not needed. */
export interface PhaseTimings {
  dns: number | null;
  connect: number | null;
  tls: number | null;
}

export interface Deadline {
  readonly signal: AbortSignal;
  /** Milliseconds since the call began, rounded to 0.1. */
  elapsed(): number;
  /** Must be called when the call is over. */
  clear(): void;
}

/** Milliseconds since `start`, a value of `performance.now()`, rounded to 0.1. */
export const since = (start: number): number => Math.round((performance.now() - start) * 10) / 10;

export function startDeadline(timeoutMs: number): Deadline {
  const start = performance.now();
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort();
  }, timeoutMs);
  return {
    signal: controller.signal,
    elapsed: () => since(start),
    clear: () => {
      clearTimeout(timer);
    },
  };
}

/** Runs `then` when the signal is aborted, at once if it already is. The returned function cancels that. */
export function onAbort(signal: AbortSignal, then: () => void): () => void {
  if (signal.aborted) then();
  else signal.addEventListener("abort", then, { once: true });
  return () => {
    signal.removeEventListener("abort", then);
  };
}
