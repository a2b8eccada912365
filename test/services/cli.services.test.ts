import { execFile } from "node:child_process";
import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../support/service.ts";
import { isRegistryServing } from "./clients.ts";
import { readEndpoints } from "./endpoints.ts";
import { cacheFolder } from "./native/cache.ts";
import { describeWithServices } from "./use-services.ts";

const CLI = fileURLToPath(new URL("cli.ts", import.meta.url));

/** A cache of its own, and with it a supervisor of its own, that does not download again. */
async function createCache(): Promise<string> {
  const folder = temporaryFolder();
  await mkdir(cacheFolder(), { recursive: true });
  for (const entry of await readdir(cacheFolder(), { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name.startsWith(".")) continue;
    await symlink(join(cacheFolder(), entry.name), join(folder, entry.name));
  }
  return folder;
}

describeWithServices("npm run services", { timeout: 240_000 }, () => {
  it("prints the same three variables on every up, and ends with down", async () => {
    const env = { ...process.env, LEDGERLINE_TEST_CACHE: await createCache() };
    const run = async (command: string): Promise<string> =>
      (await promisify(execFile)(process.execPath, [CLI, command], { env })).stdout;
    onTestFinished(async () => {
      await run("down");
    });
    // Two at once, as two terminals would: one of them starts the services.
    const [printed, printedToo] = await Promise.all([run("up"), run("up")]);
    expect(printedToo).toBe(printed);
    expect(await run("up")).toBe(printed);
    expect(await run("status")).toBe(printed);
    const lines = printed.trimEnd().split("\n");
    const variables: Record<string, string> = {};
    for (const line of lines) {
      const [, name = "", value = ""] = /^export (\w+)='([^']+)'$/.exec(line) ?? [];
      variables[name] = value;
    }
    const url = readEndpoints(variables)?.schemaRegistryUrl ?? "";
    expect(await isRegistryServing(url)).toBe(true);
    await run("down");
    await expect(isRegistryServing(url)).rejects.toThrow();
    await expect(run("status")).rejects.toThrow("Nothing runs");
  });
});
