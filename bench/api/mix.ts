// Reads and writes as clients send them, all kinds at once, each connection the next when its last is answered.
import autocannon from "autocannon";
import { API_KEY } from "../../test/support/client.ts";
import { createRandom } from "../../test/support/random.ts";
import { toLatency, type Latency } from "../calls.ts";
import { cpuSeconds } from "../process-usage.ts";
import type { Kind } from "./kinds.ts";

export interface MixPlan {
  readonly url: string;
  readonly pid: number;
  readonly kinds: readonly Kind[];
  readonly connections: number;
  readonly forMs: number;
}

export interface KindRun extends Latency {
  readonly perSecond: number;
}

export interface MixRun {
  readonly connections: number;
  readonly perSecond: number;
  readonly kinds: ReadonlyMap<string, KindRun>;
  /** Calls that were answered with an error, or not at all. */
  readonly failed: number;
  /** Of a core. */
  readonly mainShare: number | null;
  readonly othersShare: number | null;
  readonly clientShare: number;
  /** Processor time of the process for one request, seconds. */
  readonly secondsEach: number | null;
}

/** Calls that begin this early are not counted: they make their connection too, and wait for each other's. */
const UNCOUNTED_MS = 500;
const SEED = 2026;

/** What a connection waits for. */
interface Asked {
  readonly kind: Kind;
  readonly startMs: number;
}

export async function measureMix(plan: MixPlan): Promise<MixRun> {
  const before = look(plan.pid);
  const countedFromMs = before.ms + UNCOUNTED_MS;
  const times = new Map(plan.kinds.map(({ name }) => [name, [] as number[]]));
  const result = await ask(plan, ({ kind, startMs }, endMs) => {
    if (startMs >= countedFromMs) times.get(kind.name)?.push(endMs - startMs);
  });
  const after = look(plan.pid);
  const seconds = (after.ms - before.ms) / 1000;
  const countedSeconds = (after.ms - countedFromMs) / 1000;
  const spent = (part: "main" | "others"): number | null =>
    before.cpu === null || after.cpu === null ? null : after.cpu[part] - before.cpu[part];
  const [main, others] = [spent("main"), spent("others")];
  const counted = [...times].map(([name, of]) => [name, kindRun(of, countedSeconds)] as const);
  return {
    connections: plan.connections,
    perSecond: counted.reduce((sum, [, { perSecond }]) => sum + perSecond, 0),
    kinds: new Map(counted),
    failed: result.errors + result.non2xx,
    mainShare: main === null ? null : main / seconds,
    othersShare: others === null ? null : others / seconds,
    secondsEach: main === null || others === null ? null : (main + others) / result.requests.total,
    clientShare: (after.clientSeconds - before.clientSeconds) / seconds,
  };
}

function look(pid: number) {
  const { user, system } = process.cpuUsage();
  return {
    ms: performance.now(),
    cpu: cpuSeconds(pid),
    clientSeconds: (user + system) / 1_000_000,
  };
}

const kindRun = (times: readonly number[], seconds: number): KindRun => ({
  perSecond: times.length / seconds,
  ...toLatency(times),
});

/** Sends requests until the time is up. */
function ask(
  { url, kinds, connections, forMs }: MixPlan,
  onAnswer: (asked: Asked, endMs: number) => void,
): Promise<autocannon.Result> {
  const deal = dealer(kinds);
  return autocannon({
    url,
    connections,
    duration: forMs / 1000,
    requests: [
      {
        setupRequest: (request, context) => {
          const kind = deal();
          const { method, path, body } = kind.call();
          Object.assign(context, { kind, startMs: performance.now() } satisfies Asked);
          return { ...request, method, path, body, headers: headersOf(body) };
        },
        onResponse: (_status, _body, context) => {
          onAnswer(context as Asked, performance.now());
        },
      },
    ],
  });
}

/** Returns the kinds in random order, each with the frequency of its share. */
function dealer(kinds: readonly Kind[]): () => Kind {
  const random = createRandom(SEED);
  const deck = kinds
    .flatMap((kind) => Array.from({ length: kind.share }, () => ({ kind, at: random.next() })))
    .sort((a, b) => a.at - b.at)
    .map(({ kind }) => kind);
  let dealt = 0;
  return () => {
    const kind = deck[dealt % deck.length];
    if (kind === undefined) throw new Error("No kind of request has a share");
    dealt += 1;
    return kind;
  };
}

const headersOf = (body: string | undefined): Record<string, string> => ({
  "X-Api-Key": API_KEY,
  ...(body === undefined ? {} : { "Content-Type": "application/json" }),
});
