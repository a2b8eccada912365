// The published Python library, in the versions that are in use, works with the service unchanged: every method of it is
// called, and reads what it gets.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { API_KEY } from "../support/client.ts";
import { realServices } from "../support/distributed.ts";
import type { Python } from "../support/python.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService, temporaryFolder } from "../support/service.ts";
import { statementFile } from "../support/statement-files.ts";
import { createKeysOf } from "../support/things.ts";
import { callableWebhooks } from "../support/webhooks.ts";
import { findPythonLibrary, runPython } from "./tools.ts";

const DRIVER = fileURLToPath(new URL("python_library.py", import.meta.url));
const V2_DRIVER = fileURLToPath(new URL("python_library_v2.py", import.meta.url));
const VERSIONS = ["5.7.0", "5.5.0", "5.2.1"];
/** The newest one has it too; of those that have nothing else this is the last. */
const V2_VERSIONS = ["5.7.0", "4.26.0"];
/** A bank statement that both programs submit. */
const statement = Buffer.from(statementFile("statement").bytes).toString("base64");
const INSTALL_MS_MAX = 600_000;

interface Driven {
  readonly methods: readonly string[];
  readonly called: readonly string[];
}
interface Printed {
  readonly version: string;
  readonly sync: Driven;
  readonly async: Driven;
}

const libraries: (Python | null)[] = [];
const v2Libraries: (Python | null)[] = [];
// The first run downloads them.
beforeAll(async () => {
  for (const version of VERSIONS) libraries.push(await findPythonLibrary(version));
  for (const version of V2_VERSIONS) v2Libraries.push(await findPythonLibrary(version));
}, INSTALL_MS_MAX);

const engines: readonly (readonly [string, () => Config["distributed"]])[] = [
  ["the embedded engine", () => null],
  ["Kafka and MongoDB", () => realServices(`python-${String(process.pid)}`)],
];

for (const [engine, distributed] of engines) {
  it(`every method of every version of the published Python library works: ${engine}`, async ({
    skip,
  }) => {
    const installed = libraries.filter((library) => library !== null);
    // .ci/run counts what was skipped.
    if (installed.length < VERSIONS.length) skip("PyPI cannot be reached");
    const receiver = await startReceiver();
    const service = await startService({
      config: { distributed: distributed(), webhooks: callableWebhooks },
    });
    for (const [index, library] of installed.entries()) {
      const version = VERSIONS[index] ?? "";
      const [key] = await createKeysOf(service, `python-${version}`, ["write"]);
      const input = JSON.stringify({ url: service.url, key, receiver: receiver.url, statement });
      const { code, output } = await runPython(library, temporaryFolder(), [DRIVER], {}, input);
      expect(code, `${version}: ${output}`).toBe(0);
      // Standard output comes first; the progress bars of the library are on standard error.
      const printed = JSON.parse(output.split("\n")[0] ?? "") as Printed;
      expect(printed.version).toBe(version);
      for (const driven of [printed.sync, printed.async]) {
        expect(driven.methods.length).toBeGreaterThan(30);
        expect(driven.called).toEqual(driven.methods);
      }
    }
  }, 300_000);
}

for (const [engine, distributed] of engines) {
  it(`every method of the v2 part of the published Python library works: ${engine}`, async ({
    skip,
  }) => {
    const installed = v2Libraries.filter((library) => library !== null);
    if (installed.length < V2_VERSIONS.length) skip("PyPI cannot be reached");
    const receiver = await startReceiver();
    const service = await startService({
      config: { distributed: distributed(), webhooks: callableWebhooks },
    });
    for (const [index, library] of installed.entries()) {
      const version = V2_VERSIONS[index] ?? "";
      const [key] = await createKeysOf(service, `python-v2-${version}`, ["write"]);
      const input = JSON.stringify({ url: service.url, key, receiver: receiver.url, statement });
      const { code, output } = await runPython(library, temporaryFolder(), [V2_DRIVER], {}, input);
      expect(code, `${version}: ${output}`).toBe(0);
      const printed = JSON.parse(output.split("\n")[0] ?? "") as Driven & { version: string };
      expect(printed.version).toBe(version);
      expect(printed.methods.length).toBeGreaterThan(14);
      expect(printed.called).toEqual(printed.methods);
    }
  }, 300_000);
}

it("the guide's program prints the output in the guide", async ({ skip }) => {
  const [library] = libraries;
  if (library === undefined || library === null) {
    skip("PyPI cannot be reached");
    return;
  }
  const guide = readFileSync(new URL("../../docs/guides/python.md", import.meta.url), "utf8");
  const [program = "", printed = ""] = ["python", "text"].map(
    (language) => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(guide)?.[1],
  );
  const service = await startService();
  const folder = temporaryFolder();
  writeFileSync(join(folder, "program.py"), program);
  const settings = { KEY: API_KEY, LEDGERLINE_URL: service.url };
  const { code, output } = await runPython(library, folder, ["program.py"], settings);
  expect(code, output).toBe(0);
  expect(output.startsWith(printed), output).toBe(true);
});
