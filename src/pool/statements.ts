// Reads bank statements in a child process that is started for the first document, watched, and replaced: documents come
// from strangers, WebAssembly never returns memory, and a thread that runs out of memory ends its process. A document that was
// in a process that was lost gets one of its own, so that another document cannot end it a second time.
import pLimit from "p-limit";
import type { StatementHeaderResult, StatementResult } from "../model/bank-statement.ts";
import { LedgerlineError } from "../shared/errors.ts";
import { findLanguageFiles, type LanguageSettings } from "./recognition-languages.ts";
import { type ReadingProcess, startReadingProcess } from "./statement-process.ts";
import type { SentDocument } from "./statement-messages.ts";
import type { OnPages } from "./statement-reading.ts";

export interface StatementPool {
  /**
   * Reads one document. A document that is refused or cannot be read has a fault.
   * @param password empty: none
   * @throws LedgerlineError `unavailable` when the child process ended or did not answer
   */
  read(
    bytes: Uint8Array,
    password: string,
    options?: StatementReadOptions,
  ): Promise<StatementResult>;
  /**
   * Reads the header of one document from its first page, ahead of all documents that are read; alone, when the child process
   * was lost.
   * @throws LedgerlineError as `read` does
   */
  verify(bytes: Uint8Array, password: string): Promise<StatementHeaderResult>;
  state(): StatementPoolState;
  /** Documents that are still read reject. Twice is safe. */
  close(): Promise<void>;
}

export interface StatementReadOptions {
  /** Called while pages are recognised. */
  readonly onPages?: OnPages;
  /** In a process of its own: it was in one that was lost, and another document may have been the cause. */
  readonly isAlone?: boolean;
  /** Milliseconds since 1970, by default now: rows without a year are not after it. */
  readonly submittedAt?: number;
}

export interface StatementPoolState {
  /** Documents that are read now, in all processes. */
  readonly documents: number;
  /** Child processes: 0 before the first document and while idle, more than 1 while one is replaced or a document is alone. */
  readonly processes: number;
  /** Resident memory of the child processes as they last reported it, bytes. */
  readonly rssBytes: number;
  /** Children that ended without being asked to, or did not answer. */
  readonly deaths: number;
}

export interface StatementPoolOptions {
  readonly recognition?: LanguageSettings;
  /** Module of the child process; tests pass a faulty one. */
  readonly childUrl?: URL;
  /** Module of the thread side; tests pass a faulty one. */
  readonly workerUrl?: URL;
  readonly limits?: Partial<PoolLimits>;
}

export interface PoolLimits {
  /** Without a document for so long, the child ends. */
  readonly idleMs: number;
  /** A child that has not reported for so long while it reads is killed. */
  readonly silenceMs: number;
  /** Documents after which a child is replaced. */
  readonly documents: number;
  /** Resident memory beyond which a child is replaced once its documents have ended, bytes. */
  readonly replaceRssBytes: number;
  /** Resident memory beyond which a child ends at once, bytes. */
  readonly rssBytes: number;
}

type SendCall = <Result>(call: ReadingCall) => Promise<Result>;

interface ReadingCall {
  readonly kind: "read" | "verify";
  readonly document: SentDocument;
  readonly onPages: OnPages | undefined;
}

const MIB = 1024 * 1024;
const ENGLISH: LanguageSettings = { languages: ["eng"], folder: null };
const IDLE_MS = 300_000;
const SILENCE_MS = 30_000;
/** WebAssembly keeps the memory of its largest document. */
const DOCUMENTS_PER_PROCESS_MAX = 500;
/** Of the process, and more for each thread: a page of a scan takes some 150 MB. */
const RSS_BASE_BYTES_MAX = 512 * MIB;
const RSS_THREAD_BYTES_MAX = 512 * MIB;
const REPLACE_SHARE = 0.6;
/** Processes of a single document, of each kind: they may take as much memory as the one for all others. */
const ALONE_AT_ONCE_MAX = 1;

function limitsFor(threads: number, given: Partial<PoolLimits>): PoolLimits {
  const rssBytes = RSS_BASE_BYTES_MAX + threads * RSS_THREAD_BYTES_MAX;
  return {
    idleMs: IDLE_MS,
    silenceMs: SILENCE_MS,
    documents: DOCUMENTS_PER_PROCESS_MAX,
    rssBytes,
    replaceRssBytes: rssBytes * REPLACE_SHARE,
    ...given,
  };
}

const sumOf = (
  states: readonly ReturnType<ReadingProcess["state"]>[],
): Omit<StatementPoolState, "deaths"> => ({
  documents: states.reduce((sum, { documents }) => sum + documents, 0),
  processes: states.length,
  rssBytes: states.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
});

/** Calls of which each has a process of its own. */
function createCallAlone(start: () => ReadingProcess): SendCall {
  // A caller waits for `verify`: it does not wait until a whole document has been read.
  const waiting = { read: pLimit(ALONE_AT_ONCE_MAX), verify: pLimit(ALONE_AT_ONCE_MAX) };
  return <Result>({ kind, document, onPages }: ReadingCall) =>
    waiting[kind](async () => {
      const own = start();
      try {
        return (await own.call(kind, document, onPages)) as Result;
      } finally {
        own.endWhenIdle();
      }
    });
}

/**
 * Opens the pool; the child process starts with the first document.
 * @param threads that read pages at the same time; `verify` has one more
 * @throws LedgerlineError `misconfigured` when trained data of a language is missing
 */
export function openStatementPool(
  threads: number,
  {
    recognition = ENGLISH,
    childUrl = new URL("./statement-child.ts", import.meta.url),
    workerUrl = new URL("../../workers/statements/worker.ts", import.meta.url),
    limits: given = {},
  }: StatementPoolOptions = {},
): StatementPool {
  const limits = limitsFor(threads, given);
  const languages = findLanguageFiles(recognition);
  const setup = { threads, languages, workerUrl: workerUrl.href, rssBytesMax: limits.rssBytes };
  const processes = new Set<ReadingProcess>();
  let current: ReadingProcess | null = null;
  let deaths = 0;
  let isClosed = false;

  const start = (): ReadingProcess => {
    if (isClosed) throw new LedgerlineError("unavailable", "The reader of statements is closed.");
    const started = startReadingProcess(childUrl, setup, limits.silenceMs, (wasAsked) => {
      processes.delete(started);
      if (current === started) current = null;
      if (!wasAsked) deaths += 1;
    });
    processes.add(started);
    return started;
  };
  /** It gets no more documents, and ends behind the last that it has. */
  const retire = (old: ReadingProcess): void => {
    if (current === old) current = null;
    old.endWhenIdle();
  };
  const call = async <Result>({ kind, document, onPages }: ReadingCall): Promise<Result> => {
    const used = (current ??= start());
    used.stopWaiting();
    try {
      return (await used.call(kind, document, onPages)) as Result;
    } finally {
      const { documentsDone, rssBytes, documents } = used.state();
      if (documentsDone >= limits.documents || rssBytes > limits.replaceRssBytes) retire(used);
      else if (documents === 0)
        used.waitIdle(limits.idleMs, () => {
          retire(used);
        });
    }
  };
  const callAlone = createCallAlone(start);
  return {
    read: (bytes, password, { onPages, isAlone = false, submittedAt = Date.now() } = {}) => {
      const read = { kind: "read", document: { bytes, password, submittedAt }, onPages } as const;
      return isAlone ? callAlone<StatementResult>(read) : call<StatementResult>(read);
    },
    verify: async (bytes, password) => {
      const document = { bytes, password, submittedAt: Date.now() };
      const verify = { kind: "verify", document, onPages: undefined } as const;
      try {
        return await call<StatementHeaderResult>(verify);
      } catch {
        return callAlone<StatementHeaderResult>(verify);
      }
    },
    state: () => ({ ...sumOf([...processes].map((one) => one.state())), deaths }),
    close: async () => {
      isClosed = true;
      current = null;
      await Promise.all([...processes].map((one) => one.kill()));
    },
  };
}
