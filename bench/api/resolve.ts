// Who is meant by a name, asked one after the other with nothing else to do.
import { type Latency, toLatency } from "../calls.ts";
import type { BenchClient } from "../http.ts";

export async function measureResolve(
  client: BenchClient,
  names: readonly string[],
  rounds: number,
): Promise<Latency> {
  const times: number[] = [];
  // The first round meets code that is not compiled yet.
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const body = JSON.stringify({ name });
      const startMs = performance.now();
      await client.post("/v3/entities/resolve", body);
      if (round > 0) times.push(performance.now() - startMs);
    }
  }
  return toLatency(times);
}

/** The name as it is mistyped: without a letter in its middle. */
export function mistyped(name: string): string {
  const middle = Math.floor(name.length / 2);
  return name.slice(0, middle) + name.slice(middle + 1);
}
