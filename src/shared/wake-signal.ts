/** Connects callers that wake with a worker that starts later: calls before it starts are dropped. */
export interface WakeSignal<Args extends readonly unknown[]> {
  readonly wake: (...args: Args) => void;
  /** From now on `wake` calls this. */
  connect(listener: (...args: Args) => void): void;
}

export function createWakeSignal<Args extends readonly unknown[]>(): WakeSignal<Args> {
  let listener: ((...args: Args) => void) | null = null;
  return {
    wake: (...args) => listener?.(...args),
    connect: (started) => {
      listener = started;
    },
  };
}
