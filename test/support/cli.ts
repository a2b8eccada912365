// The command line inside a test, without anything behind it.
import { Readable } from "node:stream";
import type { ApiKey } from "../../src/model/api-key.ts";
import { type CliDeps, runCli } from "../../src/cli/cli.ts";
import { captureStream } from "./capture.ts";

/** What the clock of the commands shows. */
export const NOW = Date.parse("2026-11-21T09:30:00.000Z");
/** The command line with commands that record what they were given in `calls`. */
export function setUpCli() {
  const stdout = captureStream();
  const stderr = captureStream();
  const calls: unknown[] = [];
  const key: { -readonly [Field in keyof ApiKey]: ApiKey[Field] } = {
    id: "abc",
    org: "acme",
    name: null,
    roles: ["read"],
    hash: "the-hash",
    createdAt: 0,
    revokedAt: null,
    expiresAt: null,
    limits: { ratePerSecond: null, credits: null },
  };
  const letter = {
    id: "7",
    topic: "requests",
    partition: 0,
    offset: 3,
    reason: "invalid",
    error: "amount must not be negative",
    key: "k",
    order: "1",
    failedAt: 1_700_000_000_000,
    original: Buffer.from("bytes of a record"),
    headers: { h: Buffer.from("v") },
  };
  const deps: CliDeps = {
    version: "1.2.3",
    stdout: stdout.stream,
    stderr: stderr.stream,
    serve: (role) => {
      calls.push(role ?? "serve");
      return Promise.resolve(0);
    },
    withKeys: (_isFirst, command) =>
      command({
        stdout: stdout.stream,
        stderr: stderr.stream,
        keys: {
          create: (...given) => {
            calls.push(given);
            return Promise.resolve({ key, secret: "the-secret" });
          },
          list: () => Promise.resolve([key]),
          revoke: (id) => Promise.resolve(id === "abc"),
        },
        now: () => NOW,
      }),
    withKafkaGrants: () => Promise.reject(new Error("has tests of its own")),
    withKafkaProgram: () => Promise.reject(new Error("has tests of its own")),
    withOrganizations: () => Promise.reject(new Error("has tests of its own")),
    backup: (file, hasKeys) => {
      calls.push(["backup", file, hasKeys]);
      const [included, missing] = hasKeys ? [["1a2b3c4d"], []] : [[], ["1a2b3c4d"]];
      return Promise.resolve({ included, missing });
    },
    restore: (file, isForced) => {
      calls.push(["restore", file, isForced]);
      return Promise.resolve({ included: [], missing: [] });
    },
    rotateEncryption: (acceptsLost) => {
      calls.push(["rotateEncryption", acceptsLost]);
      return Promise.resolve(0);
    },
    withWebhooks: () => Promise.reject(new Error("has tests of its own")),
    withReports: () => Promise.reject(new Error("has tests of its own")),
    listen: (options) => {
      calls.push(options);
      return Promise.resolve(0);
    },
    withDeadLetters: (command) =>
      command({
        stdout: stdout.stream,
        stderr: stderr.stream,
        deadLetters: {
          list: () => Readable.from([letter]),
          get: (id) => Promise.resolve(id === letter.id ? letter : null),
          replay: (id) => {
            calls.push(["replay", id]);
            if (id === "9") return Promise.resolve("unreadable");
            return Promise.resolve(id === letter.id ? "replayed" : "not_found");
          },
          drop: (id) => {
            calls.push(["drop", id]);
            return Promise.resolve(id === letter.id);
          },
        },
      }),
    enrichFile: (options) => {
      calls.push(options);
      return Promise.resolve(0);
    },
    runModels: (...given) => {
      calls.push(given);
      return Promise.resolve(0);
    },
    importFile: (options) => {
      calls.push(options);
      return Promise.resolve(0);
    },
    readStatements: (options) => {
      calls.push(options);
      return Promise.resolve(0);
    },
    explain: (options) => {
      calls.push(options);
      return Promise.resolve(0);
    },
    testRules: (options) => {
      calls.push(options);
      return Promise.resolve(0);
    },
  };
  const run = async (...args: string[]) => ({
    code: await runCli(args, deps),
    out: stdout.take(),
    err: stderr.take(),
  });
  return { run, calls, key };
}
