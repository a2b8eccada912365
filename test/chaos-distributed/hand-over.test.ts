// Records that are delivered more than once: by a process that was frozen, and as copies in the topic itself.
import { setTimeout as delay } from "node:timers/promises";
import { it } from "vitest";
import { until } from "../support/poll.ts";
import { useCluster } from "./cluster.ts";
import { createCopier } from "./copies.ts";
import { survive } from "./harness.ts";
import { createSubmitter } from "./submitter.ts";

/** The session of a consumer is 15 s. */
const FROZEN_MS = 18_000;
const TAKEN_OVER_MS_MAX = 90_000;
const COPY_ROUNDS = 3;

useCluster();

it("a process that is frozen for longer than its session overwrites nothing newer when it wakes up", async () => {
  await survive({
    name: "enrich frozen",
    happen: async ({ installation, alsoSent, note, answers }) => {
      const frozen = installation.enrich[0];
      if (frozen === undefined) throw new Error("There is no process to freeze");
      const submitter = createSubmitter("zombie", installation.nextClient);
      const first = await submitter.submit(12_000);
      const isInFlight = async (): Promise<true | null> =>
        (await submitter.progress(first)) > 0 ? true : null;
      await until("the batch is in flight", isInFlight);
      await frozen.signal("SIGSTOP");
      const frozenAtMs = performance.now();
      const second = await submitter.submit(12_000);
      await delay(FROZEN_MS);
      // Another process has its partitions by now.
      await submitter.untilCompleted(first, TAKEN_OVER_MS_MAX);
      await submitter.untilCompleted(second, TAKEN_OVER_MS_MAX);
      note("takenOverMs", Math.round(performance.now() - frozenAtMs));
      await frozen.signal("SIGCONT");
      await answers(40);
      alsoSent(submitter.result());
    },
  });
});

it("copies of records, in any order and with or without the place of the original, change nothing", async () => {
  await survive({
    name: "records copied",
    happen: async ({ installation, random, note, answers }) => {
      const copier = createCopier(installation.config, random);
      let copies = 0;
      for (let round = 0; round < COPY_ROUNDS; round += 1) {
        const records = await copier.read();
        // Some of these records are pending or in flight: their copies keep the offset of the original.
        await copier.append(records, true);
        // A record that is done may come again as if it were new.
        const done = await copier.done(records);
        await copier.append(done, false);
        copies += records.length + done.length;
        await answers(20);
      }
      note("copies", copies);
    },
  });
});
