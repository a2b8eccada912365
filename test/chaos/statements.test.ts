// The promises of bank statements against kill -9 at any moment: while they are uploaded, read and stored. CHAOS_SEED repeats the
// choices of a run (not its timing: where a kill hits is up to the machine).
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { createClient } from "../support/client.ts";
import { until } from "../support/poll.ts";
import { type ProcessOptions, startProcess } from "../support/process.ts";
import { createRandom } from "../support/random.ts";
import { temporaryFolder } from "../support/service.ts";
import { createComplaints } from "./judge.ts";
import { filesOf, judgeStatementFolder, judgeStatements } from "./judge-statements.ts";
import { makeUploadFiles, type SentUpload, uploadStatements } from "./statement-load.ts";

const CLIENTS = ["a", "b"] as const;
const KILLS = Number(process.env["CHAOS_KILLS"] ?? 8);
const SEED = Number(process.env["CHAOS_SEED"] ?? Math.floor(Math.random() * 1_000_000));
/** Where a page of a scan takes a second, this hits documents before, in and after their reading. */
const KILL_AFTER_MS_MAX = 1_000;
const ANSWERS_MAX = 5;
const TWO_HOURS_MS = 7_200_000;

const fixture = (name: string): string =>
  `--import=${new URL(`../support/fixtures/${name}.ts`, import.meta.url).href}`;

/** The next process comes hours later, and its retention job runs at once: what a kill left goes now. */
const later = (dataFolder: string): ProcessOptions => ({
  dataFolder,
  nodeArgs: [fixture("moved-clock"), fixture("hurried-intervals")],
  env: { CLOCK_MOVES: JSON.stringify([[0, TWO_HOURS_MS]]) },
});

/** What a kill hit, by the statuses of the documents that had not ended, and uploads whose file was being written. */
function interrupted(dataFolder: string): readonly string[] {
  const database = new DatabaseSync(join(dataFolder, "ledgerline.db"), { readOnly: true });
  try {
    const statuses = database
      .prepare("SELECT status FROM store_statements WHERE status NOT IN ('processed', 'failed')")
      .all()
      .map((row) => String(row["status"]));
    const partial = filesOf(dataFolder).filter((name) => name.endsWith(".partial"));
    return [...statuses, ...partial.map(() => "partial file")];
  } finally {
    database.close();
  }
}

const countsOf = (texts: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(texts, String)].map(([text, all]) => [text, all.length]));

it(`kill -9 at ${String(KILLS)} moments loses and doubles no statement (CHAOS_SEED=${String(SEED)})`, async () => {
  process.stdout.write(`CHAOS_SEED=${String(SEED)}\n`);
  const dataFolder = temporaryFolder();
  const random = createRandom(SEED);
  const files = await makeUploadFiles();
  const stop = new AbortController();
  let service = await startProcess({ dataFolder });
  let answers = 0;
  const load = Promise.all(
    CLIENTS.map((name, index) =>
      uploadStatements({
        ...{ name, files, seed: SEED * CLIENTS.length + index, signal: stop.signal },
        url: () => service.url,
        answered: () => {
          answers += 1;
        },
      }),
    ),
  );
  const failures: unknown[] = [];
  load.catch((error: unknown) => {
    failures.push(error);
  });
  const hit: string[] = [];
  try {
    for (let kill = 0; kill < KILLS && failures.length === 0; kill += 1) {
      const target = answers + random.integer(1, ANSWERS_MAX);
      await until("uploads go on", () => (answers >= target || failures.length > 0 ? true : null));
      await delay(random.integer(0, KILL_AFTER_MS_MAX));
      service.kill("SIGKILL");
      await service.exited;
      hit.push(...interrupted(dataFolder));
      service = await startProcess({ dataFolder });
    }
    stop.abort();
    const sent: readonly SentUpload[] = (await load).flat();
    service.kill("SIGTERM");
    expect((await service.exited).code).toBe(0);
    service = await startProcess(later(dataFolder));
    const { complain, problems } = createComplaints();
    const documents = await judgeStatements(createClient(service.url), sent, complain);
    await until("only files of documents are left", () =>
      filesOf(dataFolder).length === documents.length ? true : null,
    );
    service.kill("SIGTERM");
    expect((await service.exited).code).toBe(0);
    judgeStatementFolder(dataFolder, documents, complain);
    const unknown = sent.filter(({ isUnknown }) => isUnknown).length;
    const kinds = countsOf(sent.map(({ kind }) => kind));
    const tally = { kinds, unknown, documents: documents.length, interrupted: countsOf(hit) };
    process.stdout.write(`${JSON.stringify(tally)}\n`);
    expect(problems).toEqual([]);
    expect(hit).toContain("processing");
  } finally {
    stop.abort();
    service.kill("SIGKILL");
    await service.exited;
  }
});
