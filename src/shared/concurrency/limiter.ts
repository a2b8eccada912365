// Endpoint queues query the store each for itself. A thousand of them at once would take all its connections from everybody else, and
// most would be refused for having waited too long.

/** Lets a function be called so that no more calls are under way at a time than there may be; the others wait in line. */
export type Limiter = <Args extends readonly unknown[], Result>(
  call: (...args: Args) => Promise<Result>,
) => (...args: Args) => Promise<Result>;

/** All functions that are given to what is returned share the limit. None of them may call another one. */
export function createLimiter(max: number): Limiter {
  const line: (() => void)[] = [];
  let underWay = 0;
  return (call) =>
    async (...args) => {
      // A place goes from one call to the next one in line, so that nobody gets ahead of it.
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
