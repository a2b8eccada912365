// A trap of WebAssembly throws, and the memory of the module is in no known state: it must not be used again.

/** Whether a module reached an impossible place, overflowed its stack, or had no memory left. */
export const isTrap = (error: unknown): error is Error =>
  error instanceof Error && (error.name === "RuntimeError" || error instanceof RangeError);

/** Whether an interrupted module had no memory left. */
export const isOutOfMemory = ({ message }: Error): boolean =>
  /OOM|out of memory|enlarge|allocation failed/iu.test(message);
