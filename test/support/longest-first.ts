// The order of test files where none has run before, as in a clean clone: what takes minutes begins first, so that the
// run does not wait for a long file alone in the end. Without this the order is that of their sizes, which say little.
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** From the longest on; what is not named follows. */
const LONGEST: readonly string[] = [
  "test/api/sqlite-backup.test.ts",
  "test/chaos/kill.test.ts",
  "test/chaos/webhook-flood.test.ts",
  "test/chaos/webhook-traffic.test.ts",
  "test/contract/mongo-dispatch.test.ts",
  "test/contract/mongo-faults.test.ts",
  "test/contract/mongo-store.test.ts",
  "test/kafka/compatibility.test.ts",
  "test/kafka/dead-letters.test.ts",
  "test/kafka/secured.test.ts",
  "test/kafka/producers.test.ts",
  "test/kafka/packing.test.ts",
  "test/kafka/grants.test.ts",
  "test/contract/kafka-log.test.ts",
  "test/conformance/schemathesis.test.ts",
  "test/chaos-distributed/processes.test.ts",
  "test/chaos-distributed/clusters.test.ts",
  "test/chaos-distributed/webhooks.test.ts",
  "test/chaos-distributed/outages.test.ts",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // What ran here before is in the order of its durations, after what failed.
    if (sorted.some((file) => this.ctx.cache.getTestSpecificationResult(file))) return sorted;
    // Projects keep their places: files of several never alternate.
    const byProject = Map.groupBy(sorted, ({ project }) => project);
    return [...byProject.values()].flatMap((all) => all.toSorted((a, b) => rank(a) - rank(b)));
  }
}

function rank({ project, moduleId }: TestSpecification): number {
  const place = LONGEST.indexOf(relative(project.config.root, moduleId));
  return place === -1 ? LONGEST.length : place;
}
