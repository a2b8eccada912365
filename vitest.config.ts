import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";

// .ci/run counts the tests of several runs; this is where it finds the numbers.
const results = process.env["TEST_RESULTS"];

/** Contract suites of the engines that need services; `npm run test:distributed` finds or starts them. */
const DISTRIBUTED_CONTRACTS = ["test/contract/{kafka,mongo}-*.test.ts"];

/** One less than there are cores is the default, and one of two is half of the machine. */
const COMPUTING_WORKERS = Math.max(2, availableParallelism() - 1);

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters:
      results === undefined ? ["default"] : ["default", ["json", { outputFile: results }]],
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "src/**/*.test.ts",
            "workers/**/*.test.ts",
            "test/{documents,eval,schemas,services}/**/*.test.ts",
          ],
          exclude: ["**/*.services.test.ts"],
          // Test files share loaded modules: a third of the time was spent on loading them again.
          isolate: false,
          // Five seconds are not enough for those that build and fill large things, where the machine is busy.
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: COMPUTING_WORKERS,
        },
      },
      {
        test: {
          name: "contract",
          include: ["test/contract/**/*.test.ts"],
          exclude: DISTRIBUTED_CONTRACTS,
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: COMPUTING_WORKERS,
        },
      },
      {
        test: {
          name: "api",
          include: ["test/api/**/*.test.ts"],
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: COMPUTING_WORKERS,
        },
      },
      {
        test: {
          name: "chaos",
          include: ["test/chaos/**/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 60_000,
          // Each has processes of its own, which wait more than they compute: two at a time keep two cores busy.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "distributed",
          include: [
            ...DISTRIBUTED_CONTRACTS,
            "test/api/**/*.test.ts",
            "test/kafka/**/*.test.ts",
            "test/services/**/*.services.test.ts",
          ],
          // Guides, the command line and the knowledge base are the same on each engine.
          exclude: [
            "test/api/sqlite-*.test.ts",
            "test/api/*-guide.test.ts",
            "test/api/{contract-walk,entities,explain,import,logos,readme}.test.ts",
          ],
          env: { TEST_ENGINE: "distributed" },
          globalSetup: ["test/services/global-setup.ts"],
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Each file has services under it that want their share of two cores.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "conformance",
          include: ["test/conformance/**/*.test.ts"],
          globalSetup: ["test/services/global-setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "chaos-distributed",
          include: ["test/chaos-distributed/**/*.test.ts"],
          env: { TEST_ENGINE: "distributed" },
          testTimeout: 600_000,
          hookTimeout: 120_000,
          // Each has services and processes of its own, which mostly wait for sessions of killed members to end.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "deploy",
          include: ["test/deploy/**/*.test.ts"],
          globalSetup: ["test/services/global-setup.ts", "test/deploy/global-setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
