// Commands on a data folder in which nothing was started yet.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../support/command.ts";
import { temporaryFolder } from "../support/service.ts";

it.each([
  ["keys", "list"],
  ["keys", "rotate-encryption"],
  ["webhooks", "list"],
  ["reports", "list"],
  ["audit", "list"],
  ["dead-letters", "list"],
])("%s %s reports a folder without data of Ledgerline, and creates none", async (...command) => {
  const folder = join(temporaryFolder(), "slip");
  const { code, stderr } = await runCommand({ LEDGERLINE_DATA: folder }, ...command);
  expect(stderr).toBe(
    `There is nothing of Ledgerline in the data folder ${folder}; LEDGERLINE_DATA names another one.\n`,
  );
  expect([code, existsSync(folder)]).toEqual([1, false]);
});
