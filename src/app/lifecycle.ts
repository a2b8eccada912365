// Open in order, close in reverse, twice is safe.

export interface Lifecycle {
  /** Adds something that is open now; it will be closed before everything added earlier. */
  opened(name: string, close: () => Promise<void> | void): void;
  /** Closes everything, each in its turn; one failure does not keep the others open. Resolves with the failures. */
  close(): Promise<readonly { readonly name: string; readonly error: unknown }[]>;
}

export function createLifecycle(): Lifecycle {
  const open: { name: string; close: () => Promise<void> | void }[] = [];
  let closing: Promise<readonly { name: string; error: unknown }[]> | null = null;

  async function closeAll(): Promise<readonly { name: string; error: unknown }[]> {
    const failures: { name: string; error: unknown }[] = [];
    for (const { name, close } of open.toReversed()) {
      try {
        await close();
      } catch (error) {
        failures.push({ name, error });
      }
    }
    return failures;
  }

  return {
    opened: (name, close) => {
      open.push({ name, close });
    },
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };
}
