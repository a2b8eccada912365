// The service conforms to its OpenAPI document: valid and invalid requests, alone and in sequence, cause no failure,
// no undocumented status and no response that violates its schema.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, it } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { v2Operations, v3Operations } from "../support/operations.ts";
import { API_KEY } from "../support/client.ts";
import { realServices } from "../support/distributed.ts";
import { startService, temporaryFolder } from "../support/service.ts";
import type { Python } from "../support/python.ts";
import { findTools, runPython } from "./tools.ts";

let tools: Python;
// The first run downloads them.
beforeAll(async () => {
  tools = await findTools();
}, 600_000);

/** Requests generated for each operation, and sequences of requests, in addition to those of the coverage phase. */
const EXAMPLES = Number(process.env["SCHEMATHESIS_EXAMPLES"] ?? 5);
/**
 * The coverage phase sends the bounds of every parameter: 15,500 requests, of which most are refused before an engine is asked, by code
 * that both engines share. In its place, what is stored gets three times as many on Kafka and MongoDB.
 */
const PHASES = {
  embedded: ["--phases", "coverage,fuzzing,stateful", "--max-examples", String(EXAMPLES)],
  distributed: ["--phases", "fuzzing,stateful", "--max-examples", String(3 * EXAMPLES)],
} as const;
/** To erase an account holder that thousands of requests were about takes seconds, more on a busy machine. */
const REQUEST_TIMEOUT_SECONDS = 120;
/** Up to 250 s on two cores that do other things too. */
const TIMEOUT_MS = 600_000;
const SEED = process.env["SCHEMATHESIS_SEED"] ?? "7";
const CONFIG = fileURLToPath(new URL("schemathesis.toml", import.meta.url));
const HOOKS = fileURLToPath(new URL("hooks.py", import.meta.url));

interface Report {
  readonly operations: { readonly selected: number; readonly tested: number };
  readonly test_cases: { readonly generated: number };
  readonly failures: readonly unknown[];
  readonly errors: readonly unknown[];
}

// At the same time: each waits for its service more than it works.
it.concurrent.for<["v2" | "v3", string, () => Config["distributed"]]>(
  (["v3", "v2"] as const).flatMap((version) => [
    [version, "the embedded engine", () => null],
    [version, "Kafka and MongoDB", () => realServices(`${version}-${String(process.pid)}`)],
  ]),
)(
  "every response to schemathesis conforms to the document of %s: %s",
  { timeout: TIMEOUT_MS },
  async ([version, , distributed], { expect, onTestFinished }) => {
    const operations = { v2: v2Operations, v3: v3Operations }[version];
    const lookup = () => Promise.resolve([{ address: "127.0.0.1", family: 4 as const }]);
    // Made-up hosts are never asked for, and never called.
    const config = { distributed: distributed() };
    const options = { config, outbound: { lookup } };
    const service = await startService(options, onTestFinished);
    const folder = temporaryFolder(onTestFinished);
    const file = join(folder, "report.json");
    // Not with `--checks all`, which would have all of them where the settings have some out; all of them is the default.
    const { output } = await runPython(
      tools,
      folder,
      [
        ...["-m", "schemathesis.cli", "--config-file", CONFIG, "--no-color", "run"],
        `${service.url}/openapi/${version}.json`,
        ...[
          "-H",
          `X-Api-Key: ${API_KEY}`,
          ...PHASES[config.distributed === null ? "embedded" : "distributed"],
        ],
        ...["--request-timeout", String(REQUEST_TIMEOUT_SECONDS)],
        ...["--seed", SEED, "--generation-database", "none"],
        ...["--report", "json", "--report-json-path", file],
      ],
      { SCHEMATHESIS_HOOKS: HOOKS },
    );
    const report = JSON.parse(readFileSync(file, "utf8")) as Report;
    expect(report.failures, output).toEqual([]);
    expect(report.errors, output).toEqual([]);
    expect(report.operations).toMatchObject({ tested: operations.length });
    expect(report.test_cases.generated).toBeGreaterThan(10 * operations.length);
  },
);
