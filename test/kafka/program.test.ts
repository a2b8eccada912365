// `ledgerline kafka send` and `tail` with nothing but what `kafka grant` printed.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand, runCommandOn } from "../support/command.ts";
import { startService, type TestService } from "../support/service.ts";

const ROWS = 600;

/** The environment of a program of this organization, without a secret after the first time. */
async function grantedTo(service: TestService, org: string): Promise<Record<string, string>> {
  const { code, stdout } = await runCommandOn(service, "kafka", "grant", "--organization", org);
  expect(code).toBe(0);
  const lines = stdout.toString().trimEnd().split("\n");
  return Object.fromEntries(
    lines.map((line) => [line.split("=")[0] ?? "", line.replace(/^\w+=/, "")]),
  );
}

async function tail(
  environment: Record<string, string>,
  kind: string,
  max: number,
): Promise<readonly Record<string, unknown>[]> {
  const args = ["tail", kind, "--from-beginning", "--max", String(max)];
  const { code, stdout } = await runCommand(environment, "kafka", ...args);
  expect(code).toBe(0);
  const lines = stdout.toString().trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

it("send brings a bank's CSV and JSON lines to Kafka, and tail prints their results", async () => {
  const service = await startService();
  const environment = await grantedTo(service, "acme");
  const csv = join(service.dataFolder, "bank.csv");
  const rows = Array.from(
    { length: ROWS },
    (_, index) => `2026-05-04,SQ *BLUE BOTTLE COFFEE ${String(index)},-${String(index + 1)}.50,USD`,
  );
  await writeFile(csv, `Date,Description,Amount,Currency\n${rows.join("\n")}\n`);
  const sent = await runCommand(environment, "kafka", "send", csv, "--account-holder", "me");
  expect([sent.code, sent.stderr]).toEqual([
    0,
    expect.stringContaining("Kafka has 600 transactions"),
  ]);
  const enriched = await tail(environment, "enriched", ROWS);
  expect(new Set(enriched.map(({ id }) => id)).size).toBe(ROWS);
  // There is no such account holder, which each result has as its error.
  expect(enriched[0]).toMatchObject({ org: "acme", account_holder_id: "me", date: "2026-05-04" });
  expect(enriched[0]?.["error"]).toMatchObject({ code: "account_holder_not_found" });
  expect(enriched[0]?.["created_at"]).toMatch(/^20\d\d-\d\d-\d\dT/);

  const good = { id: "t", description: "NETFLIX.COM", date: "2026-05-05", amount: 9.5 };
  const line = { ...good, entry_type: "outgoing", currency: "USD" };
  const jsonl = join(service.dataFolder, "lines.jsonl");
  const lines = [line, { ...line, amount: "9.5" }, { ...line, date: "5 May" }, "text"];
  await writeFile(jsonl, `${lines.map((one) => JSON.stringify(one)).join("\n")}\n\n{\n`);
  const some = await runCommand(environment, "kafka", "send", jsonl);
  expect(some.code).toBe(1);
  expect(some.stderr.trimEnd().split("\n")).toEqual([
    "line 2: amount must be a number of 0 or more",
    "line 3: date must be YYYY-MM-DD",
    "line 4: is not a JSON object",
    "line 6: is not JSON",
    "Kafka has 1 transactions · not sent 4",
  ]);
  const all = await tail(environment, "enriched", ROWS + 1);
  expect(all.find(({ id }) => id === "t")).toMatchObject({ amount: 9.5, error: null });

  // The service checks what the command does not: the record is a dead letter of the organization.
  await writeFile(jsonl, `${JSON.stringify({ ...line, currency: "XXXX" })}\n`);
  expect((await runCommand(environment, "kafka", "send", jsonl)).code).toBe(0);
  const [letter] = await tail(environment, "dead-letters", 1);
  expect(letter).toMatchObject({
    reason: "invalid",
    error: expect.stringMatching(/currency/) as string,
  });
  expect(Buffer.from(String(letter?.["original"]), "base64").toString()).toContain("NETFLIX.COM");

  const withoutSecret = { ...environment, SIGNING_SECRET: "" };
  const unsigned = await runCommand(withoutSecret, "kafka", "send", jsonl);
  expect([unsigned.code, unsigned.stderr]).toEqual([1, expect.stringContaining("SIGNING_SECRET")]);
  expect((await runCommand({}, "kafka", "send", jsonl)).code).toBe(2);
});
