// Compares what the embedded service shows, and what is in its data file, with what the oracles allow.
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { eventId } from "../../src/events/events.ts";
import type { BatchResource, Client } from "../support/client.ts";
import type { ServiceProcess } from "../support/process.ts";
import { type Complain, createComplaints, judgeApi, type Tally } from "./judge.ts";
import type { LoadResult } from "./load.ts";

export interface JudgeInput {
  readonly dataFolder: string;
  /** Serving; it is stopped here. */
  readonly service: ServiceProcess;
  readonly client: Client;
  readonly results: readonly LoadResult[];
}

export interface Judgement extends Tally {
  /** What is not as it must be. */
  readonly problems: readonly string[];
}

export async function judgeEmbedded(input: JudgeInput): Promise<Judgement> {
  const { client, results, service, dataFolder } = input;
  const { problems, complain } = createComplaints();
  const { batches, tally } = await judgeApi(client, results, complain);
  service.kill("SIGTERM");
  const { code } = await service.exited;
  if (code !== 0) complain(`SIGTERM ended it with ${String(code)}: ${service.output()}`);
  judgeFile(dataFolder, batches, complain);
  return { problems, ...tally };
}

/** What only the file shows: events, leftovers and its own soundness. */
function judgeFile(
  dataFolder: string,
  batches: readonly BatchResource[],
  complain: Complain,
): void {
  const database = new DatabaseSync(join(dataFolder, "ledgerline.db"), { readOnly: true });
  const texts = (sql: string): string[] =>
    database
      .prepare(sql)
      .all()
      .map((row) => String(row["text"]));
  try {
    const check = texts("SELECT integrity_check AS text FROM pragma_integrity_check");
    if (check.join() !== "ok") complain(`integrity_check: ${check.join()}`);
    const events = texts("SELECT eventId AS text FROM store_events ORDER BY 1");
    const expected = batches.map(({ id }) => eventId("default", "batches.completed", id)).sort();
    if (JSON.stringify(events) !== JSON.stringify(expected))
      complain(`${String(events.length)} events, not those of ${String(expected.length)} batches`);
    const bodies = texts("SELECT json_extract(document, '$.body') AS text FROM store_events");
    for (const body of bodies) {
      const event = JSON.parse(body) as { data: BatchResource };
      const { status, progress, total } = event.data;
      if (status !== "completed" || progress !== total) complain(`an event contains ${body}`);
    }
    const left = texts("SELECT topic || ' ' || key AS text FROM log_records");
    if (left.length > 0) complain(`records are left in the log: ${left.slice(0, 3).join()}`);
    const deleting = texts("SELECT id AS text FROM store_holders WHERE deleting = 1");
    if (deleting.length > 0) complain(`holders are half deleted: ${deleting.join()}`);
    const orphans = texts(
      `SELECT id AS text FROM store_transactions AS t WHERE holderId IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM store_holders AS h WHERE h.org = t.org AND h.id = t.holderId)`,
    );
    if (orphans.length > 0)
      complain(`transactions without their holder: ${orphans.slice(0, 3).join()}`);
  } finally {
    database.close();
  }
}
