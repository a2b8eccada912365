// The child process that reads bank statements: a document that takes all memory, or stops the process, takes no other
// traffic with it. Its parent starts it (statements.ts) and gives it documents; it ends when its parent does.
import { flushCompileCache } from "node:module";
import type { StatementSetup } from "../../workers/protocol.ts";
import { rowsPartsOf, withoutRows } from "./answer-parts.ts";
import { readLanguageFile } from "./recognition-languages.ts";
import {
  ALIVE_INTERVAL_MS,
  type ChildMessage,
  type ChildSetup,
  type ParentMessage,
  type StatementCall,
} from "./statement-messages.ts";
import { verifyStatement, readStatement } from "./statement-reading.ts";
import { openStatementThreads, type StatementThreads } from "./statement-threads.ts";
import { createWorkClocks } from "./work-limit.ts";

/** How often the memory is looked at: a page takes a tenth of a second to take a gigabyte. */
const MEMORY_INTERVAL_MS = 200;
const EXIT_OUT_OF_MEMORY = 9;
/**
 * Of the threads that read whole documents. Where the cores are busy, the service and `verify` come first: each gets three times the
 * processor time of such a thread. Any nicer, and a page would run into its time limit for the load of the service.
 */
const NICENESS = 5;

function serveParent({ threads, languages, workerUrl, rssBytesMax }: ChildSetup): void {
  const setup: StatementSetup = { languages: languages.map(readLanguageFile), niceness: 0 };
  const url = new URL(workerUrl);
  const pages = openStatementThreads(threads, { ...setup, niceness: NICENESS }, url);
  // A caller waits for `verify`: it has a thread of its own, and never waits for the pages of a full run.
  let headers: StatementThreads | null = null;
  const running = new Set<number>();
  const startClock = createWorkClocks();
  const answer = async (call: StatementCall, bytes: Uint8Array): Promise<void> => {
    const { kind, id, password, submittedAt } = call;
    running.add(id);
    const isHeader = kind === "verify";
    const used = isHeader ? (headers ??= openStatementThreads(1, setup, url)) : pages;
    const onPages = (done: number, total: number): void => {
      if (!isHeader) send({ kind: "progress", id, done, total });
    };
    const clock = startClock();
    const deps = { threads: used, pagesAtOnce: threads, now: clock.now, onPages };
    const file = { document: id, bytes, password, submittedAt };
    try {
      const result = isHeader ? await verifyStatement(file, deps) : await readStatement(file, deps);
      for (const part of rowsPartsOf(id, result)) await sent(part);
      await sent({ kind: "answer", id, result: withoutRows(result) });
    } catch (error) {
      send({ kind: "failed", id, reason: error instanceof Error ? error.message : String(error) });
    } finally {
      clock.stop();
      running.delete(id);
    }
  };
  // It never ends in an orderly way, and without this would leave no compiled code to the next one.
  flushCompileCache();
  const receive = createReceiver((call, bytes) => void answer(call, bytes));
  process.on("message", (message) => {
    receive(message as ParentMessage);
  });
  endWithParent();
  watchMemory(running, rssBytesMax);
  setInterval(() => {
    send({ kind: "alive", rssBytes: process.memoryUsage.rss() });
  }, ALIVE_INTERVAL_MS);
}

const send = (message: ChildMessage, done: () => void = () => undefined): void => {
  process.send?.(message, () => {
    done();
  });
};

/** Resolves when the message has left. */
const sent = (message: ChildMessage): Promise<void> =>
  new Promise((resolve) => {
    send(message, resolve);
  });

/** Puts documents together from their parts, where all threads that read their pages see the same bytes. */
function createReceiver(
  onDocument: (call: StatementCall, bytes: Uint8Array) => void,
): (message: ParentMessage) => void {
  const arriving = new Map<number, { call: StatementCall; bytes: Uint8Array; length: number }>();
  return (message) => {
    const { id } = message;
    if (message.kind !== "part") {
      const bytes = new Uint8Array(new SharedArrayBuffer(message.size));
      arriving.set(id, { call: message, bytes, length: 0 });
    }
    const document = arriving.get(id);
    if (document === undefined) return;
    if (message.kind === "part") {
      document.bytes.set(message.bytes, document.length);
      document.length += message.bytes.length;
    }
    if (document.length < document.bytes.length) return;
    arriving.delete(id);
    onDocument(document.call, document.bytes);
  };
}

/** Signals of a terminal or a service manager reach the child too: its parent lets documents end, so they are ignored. */
function endWithParent(): void {
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);
  // At once: there is nothing to keep, and an orderly end waits for threads.
  const end = (): void => void process.kill(process.pid, "SIGKILL");
  process.once("disconnect", end);
  // It may have died while this process was loaded.
  if (!process.connected) end();
}

/** A single document that takes too much memory has a fault. Of several it is not known which one it was. */
function watchMemory(running: ReadonlySet<number>, rssBytesMax: number): void {
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() <= rssBytesMax) return;
    clearInterval(timer);
    const end = (): void => process.exit(EXIT_OUT_OF_MEMORY);
    const [id, ...others] = running;
    if (id === undefined || others.length > 0) end();
    else send({ kind: "answer", id, result: { fault: "memory_limit" } }, end);
  }, MEMORY_INTERVAL_MS);
}

serveParent(JSON.parse(process.argv[2] ?? "{}") as ChildSetup);
