// Every command of the guide to files does what it is there for.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../support/command.ts";

const guide = readFileSync(new URL("../../docs/guides/files.md", import.meta.url), "utf8");
const commands = [...guide.matchAll(/^npx ledgerline (.+)$/gmu)].map((match) => match[1] ?? "");

it("the commands of the guide run in their order", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-guide-"));
  const rows = "Date,Description,Amount\n03/17/2024,STARBUCKS,-4.50\n03/18/2024,SHELL,-40.00\n";
  for (const name of ["march.csv", "april.csv"]) writeFileSync(join(folder, name), rows);
  writeFileSync(join(folder, "card.csv"), /```csv\n(.*?)```/su.exec(guide)?.[1] ?? "");
  expect(commands.length).toBeGreaterThan(6);
  for (const command of commands) {
    const args = [...command.matchAll(/"([^"]*)"|(\S+)/gu)].map(([, quoted, plain = ""]) =>
      quoted === undefined && plain.endsWith(".csv") ? join(folder, plain) : (quoted ?? plain),
    );
    const { code, stderr } = await runCommand({ LEDGERLINE_DATA: folder }, ...args);
    expect(code, `${command}\n${stderr}`).toBe(0);
  }
  const [names = "", ...shown] = (/```text\n(ledgerline_.*?)```/su.exec(guide)?.[1] ?? "")
    .trim()
    .split("\n");
  expect(shown.length).toBeGreaterThan(3);
  expect(columnsOf(readFileSync(join(folder, "enriched-card.csv"), "utf8"), names)).toEqual(shown);
  expect(readFileSync(join(folder, "both.csv"), "utf8")).toContain("ledgerline_duplicate_of");
});

/** Some columns of a CSV text without quotes, a line for each row. */
function columnsOf(text: string, names: string): string[] {
  const [header = [], ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const places = names.split(",").map((name) => header.indexOf(name));
  return rows.map((row) => places.map((place) => row[place]).join(","));
}
