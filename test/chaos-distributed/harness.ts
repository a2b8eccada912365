// Runs a fault under load: an installation starts, clients work on it, the fault happens, and once it is over everything
// must recover without help and be as the oracles expect. CHAOS_SEED repeats the choices of a run, not its
// timing; CHAOS_OUTPUT names a folder for what the processes print.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type LoadResult, runLoad } from "../chaos/load.ts";
import { dropInstallation } from "../support/distributed.ts";
import { until } from "../support/poll.ts";
import { createRandom, type Random } from "../support/random.ts";
import { type Environment, type Installation, startInstallation } from "./installation.ts";
import { judgeServices } from "./judge-services.ts";
import { readLag } from "./lag.ts";

const CLIENTS = ["a", "bb", "c", "dd"] as const;
/** Calls that are answered before the fault, so that there is something to lose, and after it. */
const CALLS_AROUND = 40;
/** Generous: elections, sessions and restarts take seconds, on a loaded machine tens of them. */
const RECOVERY_MS_MAX = 120_000;
/**
 * Enough is in flight whenever something happens, and the machine has time left: most of a test is waiting for sessions to
 * end, and what clients send meanwhile must be done afterwards, and judged.
 */
const LOAD = { batchSizes: [1, 3, 40, 249, 250, 251, 600], pauseMsMax: 800 } as const;
const OUTPUT_SHOWN_MAX = 6_000;
const SEED = Number(process.env["CHAOS_SEED"] ?? Math.floor(Math.random() * 1_000_000));

export interface Stage {
  readonly installation: Installation;
  readonly random: Random;
  /** Resolves when this many more calls have been answered, or the load has failed. */
  answers(count: number): Promise<void>;
  /** What senders other than the clients of the load have sent. */
  alsoSent(result: LoadResult): void;
  /** Goes into the summary. */
  note(name: string, value: number): void;
}

export interface Fault {
  readonly name: string;
  /** Variables of the processes, one object for each; two of each role when left out. */
  readonly ingest?: readonly Environment[];
  readonly enrich?: readonly Environment[];
  /** Makes the fault and resolves when it is over. */
  happen(stage: Stage): Promise<void>;
}

/** Makes the fault and judges what is there afterwards; a cluster must have been started before. */
export async function survive(fault: Fault): Promise<void> {
  const { name, ingest = [{}, {}], enrich = [{}, {}] } = fault;
  process.stdout.write(`${name}: CHAOS_SEED=${String(SEED)}\n`);
  const installation = startInstallation({
    name: `chaos-${String(SEED)}-${name.replaceAll(" ", "-")}`.slice(0, 60),
    ingest,
    enrich,
  });
  const exits = (): string[] => installation.members().flatMap((member) => member.exits());
  try {
    await installation.untilServing();
    const { results, ...measured } = await runFault(installation, fault);
    const { problems, ...judgement } = await judgeServices(installation, results);
    const restarts = exits();
    const summary = { fault: name, seed: SEED, ...measured, restarts: restarts.length };
    process.stdout.write(`${JSON.stringify({ ...summary, ...judgement })}\n`);
    for (const exit of restarts) process.stdout.write(`${exit}\n`);
    expect(problems).toEqual([]);
  } catch (error) {
    for (const member of installation.members())
      process.stdout.write(`--- ${member.name}\n${member.output().slice(-OUTPUT_SHOWN_MAX)}\n`);
    throw error;
  } finally {
    await installation.stop("SIGKILL");
    keepOutput(installation);
    await dropInstallation(installation.config).catch(() => undefined);
  }
}

/** Shown with a failure. */
function keepOutput(installation: Installation): void {
  const folder = process.env["CHAOS_OUTPUT"];
  if (folder === undefined) return;
  for (const member of installation.members()) {
    const name = `${installation.config.kafka.topicPrefix}${member.name}.log`;
    writeFileSync(join(folder, name), member.output());
  }
}

interface Run {
  readonly results: readonly LoadResult[];
  readonly notes: Readonly<Record<string, number>>;
  /** From the end of the fault until calls were answered as before. */
  readonly servesAgainMs: number;
  /** From the end of the fault until nothing was left to do; the load goes on for a while of it. */
  readonly lagZeroMs: number;
}

async function runFault(installation: Installation, fault: Fault): Promise<Run> {
  const stop = new AbortController();
  const failures: unknown[] = [];
  const results: LoadResult[] = [];
  const notes: Record<string, number> = {};
  let answers = 0;
  const load = startLoad(installation, stop.signal, () => {
    answers += 1;
  });
  // A broken promise ends the run at once instead of when the fault is over.
  load.catch((error: unknown) => {
    failures.push(error);
  });
  const answered = async (count: number): Promise<void> => {
    const target = answers + count;
    const isThere = (): true | null => (answers >= target || failures.length > 0 ? true : null);
    await until("the load goes on", isThere, RECOVERY_MS_MAX);
  };
  try {
    await answered(CALLS_AROUND);
    await fault.happen({
      installation,
      random: createRandom(SEED),
      answers: answered,
      alsoSent: (result) => results.push(result),
      note: (name, value) => {
        notes[name] = value;
      },
    });
    const overAtMs = performance.now();
    await answered(CALLS_AROUND);
    const servesAgainMs = Math.round(performance.now() - overAtMs);
    stop.abort();
    results.push(...(await load));
    await untilQuiet(installation);
    const lagZeroMs = Math.round(performance.now() - overAtMs);
    return { results, notes, servesAgainMs, lagZeroMs };
  } finally {
    stop.abort();
  }
}

function startLoad(
  installation: Installation,
  signal: AbortSignal,
  answered: () => void,
): Promise<LoadResult[]> {
  return Promise.all(
    CLIENTS.map((name, index) =>
      runLoad({
        name,
        seed: SEED * CLIENTS.length + index,
        client: installation.nextClient,
        answered,
        onServices: true,
        ...LOAD,
        patienceMs: RECOVERY_MS_MAX,
        signal,
      }),
    ),
  );
}

/** Resolves when all groups have committed all there is. */
async function untilQuiet({ config }: Installation): Promise<void> {
  let lag: number | null = null;
  const isQuiet = async (): Promise<true | null> => {
    lag = await readLag(config).catch(() => null);
    return lag === 0 ? true : null;
  };
  await until("the groups have done all records", isQuiet, RECOVERY_MS_MAX).catch(() => {
    throw new Error(`The groups stay ${String(lag)} records behind`);
  });
}
