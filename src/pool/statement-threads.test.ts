import { expect, it } from "vitest";
import { openStatementThreads } from "./statement-threads.ts";

const WORKER = new URL("../../test/support/fixtures/meeting-statement-worker.ts", import.meta.url);

it("a thread that has read a page next to another one reads the next page too: none is started anew", async () => {
  const threads = openStatementThreads(2, { languages: [], niceness: 0 }, WORKER);
  /** The threads of as many documents, which end only when all of them are read at the same time. */
  const threadsOf = async (documents: number): Promise<Set<unknown>> => {
    const met = new Int32Array(new SharedArrayBuffer(8));
    met[1] = documents;
    const bytes = new Uint8Array(met.buffer);
    const task = { document: 1, bytes, password: "", scope: "all", submittedAt: 0 } as const;
    const ends = await Promise.all(Array.from({ length: documents }, () => threads.plan(task)));
    return new Set(ends.map((end) => ("fault" in end ? end.fault : null)));
  };
  const first = await threadsOf(2);
  for (let call = 0; call < 20; call += 1) await threadsOf(1);
  expect(first.size).toBe(2);
  expect(await threadsOf(2)).toEqual(first);
});
