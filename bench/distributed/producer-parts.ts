// What is measured of producers outside, and the rows that come of it.
import { percent, type Row, row } from "../table.ts";
import { ownShare } from "./cpu.ts";
import type { ProducersPlan, ProducersRun } from "./producers.ts";

const GOAL_RATE = 15_000;
const OFFERED_PER_SECOND = 1_000;
const AHEAD = 40_000;
/**
 * Of one producer the service takes at most 512 records of a partition, of which there are 4, before it has processed them; what is
 * beyond is passed over and read again. With records of this size that is so where the producer is far ahead.
 */
const SMALL_CHUNK = 25;
const FAR_AHEAD = 120_000;

export interface ProducersChoice {
  readonly isQuick: boolean;
  /** Three at once. */
  readonly producers: boolean;
  /** One alone, near to what is processed and far ahead of it. */
  readonly alone: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

export function producersPlans(choice: ProducersChoice): ProducersPlan[] {
  const { isQuick, environment } = choice;
  // A service runs for days: behind fewer transactions, the compilers of Node and of the broker's Java would be much of what is measured.
  const sizes = isQuick
    ? { warmUp: 90_000, measured: 60_000 }
    : { warmUp: 90_000, measured: 300_000 };
  const aloneSizes = isQuick ? sizes : { warmUp: 60_000, measured: 240_000 };
  const pace = { perSecond: OFFERED_PER_SECOND, forMs: isQuick ? 10_000 : 30_000 };
  const shared = { environment, pace: null, isShared: true, compression: "gzip" as const };
  const three: ProducersPlan = {
    ...{ ...shared, name: "three producers", producers: 3, chunk: 250, ahead: AHEAD },
    ...sizes,
    pace,
  };
  const ownOnly: ProducersPlan = {
    ...three,
    name: "three, own topics only",
    isShared: false,
    pace: null,
  };
  const zstd: ProducersPlan = { ...ownOnly, name: "three, own only, zstd", compression: "zstd" };
  const one = (name: string, chunk: number, ahead: number): ProducersPlan => ({
    ...{ ...shared, name, producers: 1, chunk, ahead },
    ...aloneSizes,
  });
  return [
    ...(choice.producers ? [three, ownOnly, zstd] : []),
    ...(choice.alone
      ? [
          one("one producer", 250, AHEAD),
          one("one, 25 a record", SMALL_CHUNK, AHEAD),
          one("one, far ahead", SMALL_CHUNK, FAR_AHEAD),
        ]
      : []),
  ];
}

export function producersRows(runs: readonly ProducersRun[]): Row[] {
  return runs.flatMap(({ plan, rate, cpu, repeated, paced }) => [
    row(`${plan.name}, back on \`enriched\``, rate, "tx/s", { kind: "min", value: GOAL_RATE }),
    row("  machine busy, with whatever else runs", percent(cpu.busyShare), "% of cores"),
    row("  of it, processes of this run", percent(ownShare(cpu)), "% of cores"),
    row("  busiest main thread of an enrich", percent(cpu.mainShare), "% of a core"),
    row("  results that came again", repeated, "tx"),
    ...(paced === null
      ? []
      : [
          row("1,000/s offered, one a record, done", paced.rate, "tx/s"),
          row("  processes of this run", percent(ownShare(paced.cpu)), "% of cores"),
          row("  publish to read, p50", paced.latency.p50, "ms"),
          row("  publish to read, p99", paced.latency.p99, "ms"),
        ]),
  ]);
}
