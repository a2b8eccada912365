// npm run bench:bodies -- [--quick] [--out FILE] [--only TEXT]
// Sends the real process the request bodies that cost most to read (bench/bodies/cases.ts), one at a time, and measures
// inside it the longest stop of the event loop until the answer, and for batches until they are completed. The median of
// some rounds: what else runs on the machine stops a process too. --only takes the bodies with this text in their name.
import { join } from "node:path";
import { tmpdir } from "node:os";
import { request } from "node:http";
import { createConnection } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { text } from "node:stream/consumers";
import { API_KEY } from "../test/support/client.ts";
import { startProcess } from "../test/support/process.ts";
import { BODY_CASES, type BodyCase } from "./bodies/cases.ts";
import { untilCompleted } from "./calls.ts";
import { type BenchClient, createBenchClient } from "./http.ts";
import { readOptions } from "./options.ts";
import {
  ascending,
  describeMachine,
  percentile,
  printTable,
  type Row,
  row,
  writeReport,
} from "./table.ts";
import { createInstallation } from "./webhooks/installation.ts";

const options = readOptions({ only: { type: "string", default: "" } });
const ROUNDS = options.quick ? 3 : 7;
/** Of the first rounds: the compiler's. */
const WARM_UP_ROUNDS = 1;
const GOAL_MS = 50;
const PAUSE_MS = 5;
/** After an answer: what it leaves behind, such as memory to be collected, counts too. */
const SETTLE_MS = 100;

interface Running {
  readonly url: string;
  readonly client: BenchClient;
  /** The longest stop of the event loop since the last call. */
  longestStop(): Promise<Stop>;
}

/** Milliseconds by the clock, and what the thread computed in them. */
interface Stop {
  readonly clockMs: number;
  readonly cpuMs: number;
}

interface Measured {
  readonly answered: Stop;
  readonly completed: Stop | null;
  readonly status: number;
}

async function longestStop(socketPath: string): Promise<Stop> {
  return JSON.parse(await text(createConnection(socketPath))) as Stop;
}

function send(
  url: string,
  one: BodyCase,
  round: number,
): Promise<{ readonly status: number; readonly body: string }> {
  const body = one.body(round);
  return new Promise((resolve, reject) => {
    const call = request(
      url + one.path,
      {
        method: "POST",
        agent: false,
        headers: {
          "X-Api-Key": API_KEY,
          "Content-Type": "application/json",
          "Content-Length": body.length,
          ...one.headers?.(round),
        },
      },
      (response) => {
        text(response).then((answer) => {
          resolve({ status: response.statusCode ?? 0, body: answer });
        }, reject);
      },
    );
    // A refusal may come before the body was sent; the answer counts then.
    call.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE" && error.code !== "ECONNRESET") reject(error);
    });
    call.end(body);
  });
}

async function measure(service: Running, one: BodyCase, round: number): Promise<Measured> {
  one.body(round);
  await service.longestStop();
  const { status, body } = await send(service.url, one, round);
  await delay(SETTLE_MS);
  const answered = await service.longestStop();
  if (one.isBatch !== true || status !== 200) return { answered, completed: null, status };
  const { id } = JSON.parse(body) as { readonly id: string };
  await untilCompleted(service.client, id, PAUSE_MS);
  return { answered, completed: await service.longestStop(), status };
}

async function rowsOf(service: Running, one: BodyCase): Promise<readonly Row[]> {
  const rounds: Measured[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const measured = await measure(service, one, round);
    if (measured.status !== one.status) {
      process.stderr.write(
        `${one.name}: answered ${String(measured.status)}, not ${String(one.status)}\n`,
      );
      process.exitCode = 1;
    }
    if (round >= WARM_UP_ROUNDS) rounds.push(measured);
  }
  const answered = rounds.map((one) => one.answered);
  const completed = rounds.flatMap((one) => one.completed ?? []);
  return [
    ...rowsOfStops(one.name, answered),
    ...(completed.length > 0 ? rowsOfStops("  until it is completed", completed) : []),
  ];
}

/** By the clock without a goal: what else runs on the machine stops a process too. */
function rowsOfStops(name: string, stops: readonly Stop[]): readonly Row[] {
  const median = (values: readonly number[]): number => percentile(ascending(values), 0.5);
  return [
    row(name, median(stops.map(({ cpuMs }) => cpuMs)), "ms", { kind: "max", value: GOAL_MS }),
    row("  by the clock", median(stops.map(({ clockMs }) => clockMs)), "ms"),
  ];
}

const machine = describeMachine();
const installation = createInstallation(false);
const socketPath = join(tmpdir(), `ledgerline-loop-${String(process.pid)}.sock`);
const service = await startProcess({
  dataFolder: installation.dataFolder,
  env: { EVENT_LOOP_SOCKET: socketPath },
  nodeArgs: ["--import", new URL("bodies/probe.ts", import.meta.url).href],
});
const client = createBenchClient(service.url);
try {
  const running = { url: service.url, client, longestStop: () => longestStop(socketPath) };
  const rows: Row[] = [];
  for (const one of BODY_CASES.filter(({ name }) => name.includes(options.only))) {
    const measured = await rowsOf(running, one);
    rows.push(...measured);
    printTable(measured);
  }
  if (options.out !== undefined) writeReport(options.out, machine, rows);
} finally {
  client.close();
  service.kill("SIGTERM");
  await service.exited;
  await installation.remove();
}
