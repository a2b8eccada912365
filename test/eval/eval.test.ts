// The gate that continuous integration relies on: the exit code follows the figures.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sampleKnowledgeBytes } from "../support/knowledge-sample.ts";

const folder = mkdtempSync(join(tmpdir(), "ledgerline-eval-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const knowledge = join(folder, "knowledge.bin");
writeFileSync(knowledge, await sampleKnowledgeBytes());

/** One right merchant of two, both categories right. */
const labelled = join(folder, "labelled.csv");
writeFileSync(
  labelled,
  `description,amount,entry_type,currency,merchant,website,category
NETFLIX.COM,10,outgoing,USD,Netflix,netflix.com,media
ACME CLOUD,10,outgoing,USD,Another merchant,acmecloud.com,saas tools
`,
);
const bare = join(folder, "bare.csv");
writeFileSync(bare, "description,amount\nNETFLIX.COM,10\n");

function evaluate(...args: readonly string[]): { code: number | null; output: string } {
  const program = join(import.meta.dirname, "eval.ts");
  const result = spawnSync(process.execPath, [program, "--knowledge", knowledge, ...args], {
    encoding: "utf8",
    timeout: 30_000,
  });
  return { code: result.status, output: result.stdout + result.stderr };
}

test("figures as good as asked for pass, lower ones fail and say which", () => {
  expect(evaluate(labelled).code).toBe(0);
  expect(evaluate(labelled, "--min-precision", "50", "--min-category", "100").code).toBe(0);
  const low = evaluate(labelled, "--min-precision", "50.1");
  expect(low.code).toBe(1);
  expect(low.output).toContain("FAILED: merchant precision is 50.0 %");
});

test("a figure that cannot be measured and a flag without a number fail", () => {
  expect(evaluate(bare).code).toBe(0);
  expect(evaluate(bare, "--min-category", "1").output).toContain("cannot be measured");
  expect(evaluate(labelled, "--min-precision", "high").code).toBe(1);
  expect(evaluate(labelled, "--min-precison", "90").code).toBe(1);
});
