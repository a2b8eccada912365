#!/usr/bin/env node
// Entry of `npx ledgerline`. The sources are TypeScript and need the Node that the project brings with it; an older one
// on the machine can run this file, which then starts the right one.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const NODE_MAJOR_MIN = 24;
const main = fileURLToPath(new URL("../main.ts", import.meta.url));

if (Number(process.versions.node.split(".")[0]) >= NODE_MAJOR_MIN) {
  await import(main);
} else {
  const { dirname, join } = await import("node:path");
  const bundled = join(
    dirname(createRequire(import.meta.url).resolve("node/package.json")),
    "bin",
    "node",
  );
  const child = spawn(bundled, [main, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128);
  });
}
