import { expect, it } from "vitest";
import { LedgerlineError } from "../shared/errors.ts";
import { createLogger } from "./logger.ts";

function capture(): { readonly lines: string[]; readonly write: (line: string) => void } {
  const lines: string[] = [];
  return { lines, write: (line) => void lines.push(line) };
}

it("an error of another library is logged without its message, which may quote the payload", () => {
  const out = capture();
  const logger = createLogger("info", out);
  const error = new TypeError("cannot read 'JOHN DOE 4111'", { cause: new Error("SALARY 5000") });
  logger.error({ error }, "failed");
  expect(out.lines.join("")).not.toMatch(/JOHN|SALARY/);
  expect(out.lines.join("")).toContain("TypeError");
});

it("our own errors are logged with their message and code", () => {
  const out = capture();
  createLogger("info", out).warn(
    { error: new LedgerlineError("unavailable", "The disk is full.") },
    "waiting",
  );
  expect(JSON.parse(out.lines[0] ?? "")).toMatchObject({
    level: "warn",
    msg: "waiting",
    error: { code: "unavailable", message: "The disk is full." },
  });
});
