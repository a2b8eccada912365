import { join } from "node:path";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { readKnowledge } from "./knowledge.ts";

test("a knowledge file that was not built is an error that names the command", () => {
  const missing = join(tmpdir(), "ledgerline-no-such-knowledge.bin");
  expect(() => readKnowledge(missing)).toThrow(/does not exist: run "npm run knowledge"/);
});
