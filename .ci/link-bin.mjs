// Puts the project's own command where its npm scripts and `npx ledgerline` look first. Without it npx would install
// the project into its cache to run it, which is slow and fails when two of them start at once.
import { mkdirSync, rmSync, symlinkSync } from "node:fs";

// Windows needs a .cmd file instead of a link; there the slower way has to do.
if (process.platform !== "win32") {
  const link = new URL("../node_modules/.bin/ledgerline", import.meta.url);
  mkdirSync(new URL("../node_modules/.bin/", import.meta.url), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync("../../src/cli/launch.mjs", link);
}
