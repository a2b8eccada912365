// Each endpoint queue queries the store on its own. A thousand concurrent queries would take all its connections, and most of
// them would fail after waiting too long.

/** Limits the concurrent calls of a function; further calls wait in a queue. */
export type Limiter = <Args extends readonly unknown[], Result>(
  call: (...args: Args) => Promise<Result>,
) => (...args: Args) => Promise<Result>;

/** All functions that are passed to the returned limiter have one limit in common. None of them may call another one. */
export function createLimiter(max: number): Limiter {
  const line: (() => void)[] = [];
  let underWay = 0;
  return (call) =>
    async (...args) => {
      // A slot passes from one call directly to the next in the queue, so that no new call can overtake it.
      if (underWay < max) underWay += 1;
      else await new Promise<void>((resolve) => line.push(resolve));
      try {
        return await call(...args);
      } finally {
        const next = line.shift();
        if (next === undefined) underWay -= 1;
        else next();
      }
    };
}
