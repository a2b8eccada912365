import { defineConfig } from "vitest/config";

// .ci/run counts the tests of several runs; this is where it finds the numbers.
const results = process.env["TEST_RESULTS"];

export default defineConfig({
  test: {
    reporters:
      results === undefined ? ["default"] : ["default", ["json", { outputFile: results }]],
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "workers/**/*.test.ts", "test/eval/**/*.test.ts"],
        },
      },
      { test: { name: "contract", include: ["test/contract/**/*.test.ts"], testTimeout: 30_000 } },
      {
        test: {
          name: "api",
          include: ["test/api/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "chaos",
          include: ["test/chaos/**/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 60_000,
          // One fault plan at a time: they measure nothing, but two cores are few.
          fileParallelism: false,
        },
      },
    ],
  },
});
