// A thread that submits hostile files as bank statements until it is stopped. What sending them takes must not be counted as
// waiting of the calls that are measured meanwhile, which the other thread makes.
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { API_KEY } from "../test/support/client.ts";
import { makeHostileStatements } from "../test/support/hostile-statements.ts";

/** Sent to the thread. */
export type SubmitterCall =
  | { readonly kind: "submit"; readonly from: number }
  | { readonly kind: "stop" };

/** Sent back when it has started, and behind the last file: those submitted since `submit`. */
export interface Submitted {
  readonly submitted: number;
}

const SUBMISSIONS_AT_ONCE = 4;

const { url } = workerData as { readonly url: string };
const hostile = await makeHostileStatements();
let isOver = false;

async function submitOne(index: number): Promise<void> {
  const file = hostile[index % hostile.length];
  if (file === undefined) return;
  const form = new FormData();
  if (file.password !== undefined) form.set("password", file.password);
  form.set("file", new Blob([file.bytes.slice()]), `${String(index)}.pdf`);
  const response = await fetch(`${url}/v3/bank_statements`, {
    method: "POST",
    headers: { "X-Api-Key": API_KEY },
    body: form,
  });
  await response.arrayBuffer();
  // Too many wait: they are read meanwhile.
  if (response.status === 503) await delay(500);
}

/** Each file once at most: reading all of them takes longer than a window. */
async function submitFrom(from: number): Promise<void> {
  let submitted = 0;
  isOver = false;
  const submitters = Array.from({ length: SUBMISSIONS_AT_ONCE }, async () => {
    while (!isOver && submitted < hostile.length) await submitOne(from + submitted++);
  });
  await Promise.all(submitters);
  parentPort?.postMessage({ submitted } satisfies Submitted);
}

parentPort?.on("message", (call: SubmitterCall) => {
  if (call.kind === "stop") isOver = true;
  else void submitFrom(call.from);
});
parentPort?.postMessage({ submitted: 0 } satisfies Submitted);
