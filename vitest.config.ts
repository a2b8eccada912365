import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["src/**/*.test.ts", "workers/**/*.test.ts", "test/eval/**/*.test.ts"] } },
      { test: { name: "contract", include: ["test/contract/**/*.test.ts"] } },
      { test: { name: "api", include: ["test/api/**/*.test.ts"], testTimeout: 30_000, hookTimeout: 60_000 } },
      { test: { name: "chaos", include: ["test/chaos/**/*.test.ts"], testTimeout: 600_000, hookTimeout: 60_000 } },
    ],
  },
});
