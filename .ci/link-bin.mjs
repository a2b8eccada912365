// Puts the project's own command where `npx ledgerline` looks. A `bin` entry in package.json would not do: npx would
// then install the project into its cache to run it, which is slow, and fails when two of them start at once.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";

const bin = new URL("../node_modules/.bin/", import.meta.url);
mkdirSync(bin, { recursive: true });
if (process.platform === "win32") {
  const command = '@node "%~dp0\\..\\..\\src\\cli\\launch.mjs" %*\r\n';
  writeFileSync(new URL("ledgerline.cmd", bin), command);
} else {
  const link = new URL("ledgerline", bin);
  rmSync(link, { force: true });
  symlinkSync("../../src/cli/launch.mjs", link);
}
