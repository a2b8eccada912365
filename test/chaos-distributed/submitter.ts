// Batches that a test sends itself, in addition to the load, to know what is in flight at a certain moment.
import type { LoadResult } from "../chaos/load.ts";
import { createOracle } from "../chaos/oracle.ts";
import { answered, type Client } from "../support/client.ts";
import { createLines, type WireTransaction } from "../support/lines.ts";
import { until } from "../support/poll.ts";

export interface Submitter {
  /** Submits a batch of the same ids again, with other contents. */
  submit(length: number): Promise<string>;
  /** How many transactions of the batch are stored. */
  progress(id: string): Promise<number>;
  untilCompleted(id: string, ms: number): Promise<void>;
  result(): LoadResult;
}

export function createSubmitter(name: string, nextClient: () => Client): Submitter {
  const oracle = createOracle();
  const nextLine = createLines(name.length);
  let calls = 0;
  const look = async (id: string): Promise<{ status: string; progress: number }> =>
    answered(await nextClient().getBatch(id), 200);
  return {
    submit: async (length) => {
      calls += 1;
      const sent = Array.from({ length }, (_, index): WireTransaction => {
        const line = nextLine();
        const description = `${line.description} ${String(calls)}`;
        return { id: `${name}-${String(index)}`, ...line, description };
      });
      const { id } = answered(await nextClient().submitBatch(sent), 200);
      oracle.submitted(sent, true, id);
      oracle.batchSent({ id, ids: sent.map((one) => one.id) });
      return id;
    },
    progress: async (id) => (await look(id)).progress,
    untilCompleted: async (id, ms) => {
      const isCompleted = async (): Promise<true | null> =>
        (await look(id)).status === "completed" ? true : null;
      await until(`batch ${id} is completed`, isCompleted, ms);
      oracle.batchCompleted(id);
    },
    result: () => ({ oracle, holders: [], deletedHolders: [], calls, unknown: 0 }),
  };
}
