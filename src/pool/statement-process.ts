// One child process that reads bank statements, as its parent sees it: calls, whether it is alive, and its end.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { LedgerlineError } from "../shared/errors.ts";
import { computingEnvironment } from "./computing-environment.ts";
import { type ReadingAnswer, type RowsPart, withRowsAgain } from "./answer-parts.ts";
import {
  type ChildMessage,
  type ChildSetup,
  DOCUMENT_PART_BYTES,
  type ParentMessage,
  type SentDocument,
  type StatementCall,
} from "./statement-messages.ts";
import type { OnPages } from "./statement-reading.ts";

export interface ReadingProcess {
  /** @throws LedgerlineError `unavailable` when the process ended or could not read at all */
  call(
    kind: StatementCall["kind"],
    document: SentDocument,
    onPages?: OnPages,
  ): Promise<ReadingAnswer>;
  state(): {
    readonly documents: number;
    readonly documentsDone: number;
    readonly rssBytes: number;
  };
  /** Calls `then` unless a document comes before. */
  waitIdle(ms: number, then: () => void): void;
  stopWaiting(): void;
  endWhenIdle(): void;
  /** Resolves when the process has ended. */
  kill(): Promise<void>;
}

interface PendingCall {
  readonly onPages: OnPages | undefined;
  /** That have come so far. */
  readonly parts: RowsPart[];
  resolve(result: ReadingAnswer): void;
  reject(error: LedgerlineError): void;
}

interface PendingCalls {
  open(
    send: (id: number, fail: (error: LedgerlineError) => void) => void,
    onPages: OnPages | undefined,
  ): Promise<ReadingAnswer>;
  settle(message: Exclude<ChildMessage, { readonly kind: "alive" }>): void;
  rejectAll(error: LedgerlineError): void;
  size(): number;
  settled(): number;
}

function createPendingCalls(): PendingCalls {
  const calls = new Map<number, PendingCall>();
  let [nextId, settled] = [1, 0];
  return {
    open: (send, onPages) =>
      new Promise<ReadingAnswer>((resolve, reject) => {
        const id = nextId++;
        calls.set(id, { onPages, parts: [], resolve, reject });
        send(id, (error) => {
          if (calls.delete(id)) reject(error);
        });
      }),
    settle: (message) => {
      const pending = calls.get(message.id);
      if (message.kind === "progress") {
        pending?.onPages?.(message.done, message.total);
        return;
      }
      if (message.kind === "rows") {
        pending?.parts.push(message);
        return;
      }
      calls.delete(message.id);
      settled += 1;
      if (message.kind === "answer") pending?.resolve(withRowsAgain(message.result, pending.parts));
      else pending?.reject(notRead(message.reason));
    },
    rejectAll: (error) => {
      for (const { reject } of calls.values()) reject(error);
      calls.clear();
    },
    size: () => calls.size,
    settled: () => settled,
  };
}

const forkChild = (module: URL, setup: ChildSetup): ChildProcess =>
  fork(fileURLToPath(module), [JSON.stringify(setup)], {
    env: computingEnvironment(),
    execArgv: [],
    serialization: "advanced",
    // What a library prints must not get into the output of the parent.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });

/** One part after the other, each in another turn of the event loop. */
async function sendDocument(
  child: ChildProcess,
  call: StatementCall,
  bytes: Uint8Array,
): Promise<void> {
  const send = (message: ParentMessage): Promise<void> =>
    new Promise((resolve, reject) => {
      child.send(message, (error) => {
        if (error === null) setImmediate(resolve);
        else reject(error);
      });
    });
  await send(call);
  for (let at = 0; at < bytes.length; at += DOCUMENT_PART_BYTES)
    await send({ kind: "part", id: call.id, bytes: bytes.subarray(at, at + DOCUMENT_PART_BYTES) });
}

/**
 * @param silenceMs a process that reads and has not reported for so long is killed
 * @param onEnd called once; `wasAsked` is false when the process ended by itself
 */
export function startReadingProcess(
  module: URL,
  setup: ChildSetup,
  silenceMs: number,
  onEnd: (wasAsked: boolean) => void,
): ReadingProcess {
  const child = forkChild(module, setup);
  const calls = createPendingCalls();
  let rssBytes = 0;
  let [isEnding, hasEnded, heardAt] = [false, false, Date.now()];
  let idleTimer: NodeJS.Timeout | null = null;

  const watch = setInterval(() => {
    if (calls.size() > 0 && Date.now() - heardAt > silenceMs) child.kill("SIGKILL");
  }, silenceMs / 4);
  watch.unref();

  const stopWaiting = (): void => {
    if (idleTimer !== null) clearTimeout(idleTimer);
    idleTimer = null;
  };
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    clearInterval(watch);
    stopWaiting();
    calls.rejectAll(notRead("The process that reads it ended."));
    onEnd(isEnding);
  };
  const endIfIdle = (): void => {
    if (isEnding && calls.size() === 0) child.kill("SIGKILL");
  };
  child.on("message", (data) => {
    const message = data as ChildMessage;
    heardAt = Date.now();
    if (message.kind === "alive") ({ rssBytes } = message);
    else calls.settle(message);
    endIfIdle();
  });
  child.on("error", end);
  child.on("exit", end);
  return {
    call: (kind, document, onPages) => {
      if (calls.size() === 0) heardAt = Date.now();
      return calls.open((id, fail) => {
        const { bytes, ...sent } = document;
        sendDocument(child, { kind, id, size: bytes.length, ...sent }, bytes).catch(() => {
          fail(notRead("The process that reads it ended."));
        });
      }, onPages);
    },
    state: () => ({ documents: calls.size(), documentsDone: calls.settled(), rssBytes }),
    waitIdle: (ms, then) => {
      stopWaiting();
      idleTimer = setTimeout(then, ms);
      idleTimer.unref();
    },
    stopWaiting,
    endWhenIdle: () => {
      isEnding = true;
      endIfIdle();
    },
    kill: async () => {
      isEnding = true;
      if (hasEnded) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const notRead = (reason: string): LedgerlineError =>
  new LedgerlineError("unavailable", "The document could not be read.", {
    cause: new Error(reason),
  });
