// Every command of the guide to statements does what it is there for.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../support/command.ts";
import { lockPdf, makePdf } from "../support/pdf.ts";
import { scanPage, scanPdf } from "../support/scans.ts";

const guide = readFileSync(new URL("../../docs/guides/statements.md", import.meta.url), "utf8");
const commands = [...guide.matchAll(/^npx ledgerline (.+)$/gmu)].map((match) => match[1] ?? "");

const row = (y: number, ...texts: readonly string[]) =>
  texts.map((text, at) => ({ text, x: [40, 120, 360, 460][at] ?? 0, y }));

const JANUARY = makePdf([
  [
    ...row(830, "Harbour Bank"),
    ...row(815, "Account holder: Ada Example"),
    ...row(800, "Account number: 1234-5678"),
    ...row(785, "Statement period: 1 January 2026 to 31 January 2026"),
    ...row(770, "Opening balance: EUR 100.00"),
    ...row(740, "Date", "Description", "Amount", "Balance"),
    ...row(720, "2026-01-02", "Coffee house", "-5.00", "95.00"),
    ...row(700, "2026-01-05", "Salary", "50.00", "145.00"),
    ...row(670, "Closing balance: EUR 145.00"),
  ],
]);

/** Each command is a process, and two pages are recognised. */
const GUIDE_MS = 240_000;

it("the commands of the guide run in their order", { timeout: GUIDE_MS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-guide-"));
  writeFileSync(join(folder, "january.pdf"), JANUARY);
  writeFileSync(join(folder, "locked.pdf"), await lockPdf(JANUARY, "sesame"));
  writeFileSync(join(folder, "scan.pdf"), await scanPdf(JANUARY, 1, { turn: 0.5 }));
  writeFileSync(join(folder, "photo.jpg"), (await scanPage(JANUARY, 1, { turn: -1 })).bytes);
  const printed: string[] = [];
  expect(commands.length).toBeGreaterThan(6);
  for (const command of commands) {
    const args = [...command.matchAll(/"([^"]*)"|(\S+)/gu)].map(([, quoted, plain = ""]) =>
      quoted === undefined && /\.(?:pdf|jpg|csv|ofx)$/u.test(plain)
        ? join(folder, plain)
        : (quoted ?? plain),
    );
    const { code, stdout, stderr } = await runCommand({ LEDGERLINE_DATA: folder }, ...args);
    expect(code, `${command}\n${stderr}`).toBe(0);
    printed.push(stdout.toString().replaceAll(`${folder}/`, ""));
  }
  expect(printed[0]).toBe(/```text\n(.*?)```/su.exec(guide)?.[1]);
  expect(readFileSync(join(folder, "enriched.csv"), "utf8")).toContain("Coffee house");
  const refused = await runCommand({}, "statement", join(folder, "locked.pdf"));
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain("locked: give its password with --password");
});
