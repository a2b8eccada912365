import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { addKey, dropOldKeys, openKeyFile } from "./key-file.ts";

const KEY = Buffer.alloc(32, 1);
const OTHER = Buffer.alloc(32, 2);
const MODULE = fileURLToPath(new URL("./key-file.ts", import.meta.url));
const STARTS = 2;
const ROUNDS = 80;
/** Opens the key file of each folder in turn, in all processes at the same moment. */
const START = `
  const { parentPort, workerData: { module, folders, starts, shared } } = require("node:worker_threads");
  const arrived = new Int32Array(shared);
  void import(module).then(({ openKeyFile }) => {
    const keys = folders.map((folder, round) => {
      const all = starts * (round + 1);
      if (Atomics.add(arrived, 0, 1) + 1 === all) Atomics.notify(arrived, 0);
      let seen;
      while ((seen = Atomics.load(arrived, 0)) < all) Atomics.wait(arrived, 0, seen);
      return Buffer.from(openKeyFile(folder)[0]).toString("hex");
    });
    parentPort.postMessage(keys);
  });
`;

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-keys-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

const pathIn = (folder: string): string => join(folder, "encryption.key");

function createFolderWith(text: string, mode = 0o600): string {
  const folder = createFolder();
  writeFileSync(pathIn(folder), text);
  chmodSync(pathIn(folder), mode);
  return folder;
}

const hexOf = (keys: readonly Uint8Array[]): string[] =>
  keys.map((key) => Buffer.from(key).toString("hex"));

/** The error for opening a file with this text. */
function refusal(text: string, mode = 0o600): unknown {
  try {
    return openKeyFile(createFolderWith(text, mode));
  } catch (error) {
    return error;
  }
}

describe("openKeyFile", () => {
  it("makes one key that only the owner may read, and finds it again", () => {
    const folder = createFolder();
    const keys = openKeyFile(folder);
    expect(keys.map((key) => key.length)).toEqual([32]);
    expect(hexOf(openKeyFile(folder))).toEqual(hexOf(keys));
    expect(statSync(pathIn(folder)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["encryption.key"]);
    expect(hexOf(openKeyFile(createFolder()))).not.toEqual(hexOf(keys));
  });

  it("gives all that start at once the same key", async () => {
    const folders = Array.from({ length: ROUNDS }, createFolder);
    const shared = new SharedArrayBuffer(4);
    const starts = Array.from({ length: STARTS }, async () => {
      const workerData = { module: MODULE, folders, starts: STARTS, shared };
      const [keys] = (await once(new Worker(START, { eval: true, workerData }), "message")) as [
        string[],
      ];
      return keys;
    });
    const found = await Promise.all(starts);
    const kept = folders.map((folder) => hexOf(openKeyFile(folder)).join());
    expect(found).toEqual(Array.from({ length: STARTS }, () => kept));
    for (const folder of folders) expect(readdirSync(folder)).toEqual(["encryption.key"]);
  });

  it("reads keys one a line, between comments and empty lines", () => {
    const [first, second] = [KEY, OTHER].map((key) => key.toString("base64"));
    const folder = createFolderWith(
      `# current\r\n${first ?? ""}\r\n\r\n  # old\n  ${second ?? ""}  `,
    );
    expect(hexOf(openKeyFile(folder))).toEqual(hexOf([KEY, OTHER]));
  });

  it.each([0o640, 0o604, 0o660, 0o644, 0o601])(
    "refuses a file of mode %o with advice and leaves it as it is",
    (mode) => {
      const error = refusal(`${KEY.toString("base64")}\n`, mode);
      expect(error).toMatchObject({ name: "LedgerlineError", code: "data_folder" });
      expect((error as Error).message).toMatch(/encryption\.key is open to others.*chmod 600/);
    },
  );

  it.each([
    ["is empty", "", /has no key/],
    ["has comments alone", "# a\n", /has no key/],
    ["has a key of another length", "dG9wLXNlY3JldA==\n", /^Line 1 /],
    ["was cut off", `# a\n${KEY.toString("base64").slice(0, 20)}`, /^Line 2 /],
    ["has something behind a key", `${KEY.toString("base64")} top-secret`, /^Line 1 /],
    ["is another file", "x".repeat(100_000), /too large/],
  ])("refuses a file that %s without repeating it", (_, text, message) => {
    const error = refusal(text);
    expect(error).toMatchObject({ name: "LedgerlineError", code: "data_folder" });
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toMatch(/dG9w|AQEB|top-secret|xxx/);
  });

  it("refuses what cannot be read or made", () => {
    const folder = createFolder();
    mkdirSync(pathIn(folder), { mode: 0o700 });
    expect(() => openKeyFile(folder)).toThrow(/cannot be read\.$/);
    expect(() => openKeyFile(join(folder, "nowhere"))).toThrow(
      /cannot be written; ENCRYPTION_KEYS/,
    );
  });
});

describe("addKey", () => {
  it("puts a new key in front, and what was there stays", () => {
    const folder = createFolderWith(`${KEY.toString("base64")}\n${OTHER.toString("base64")}\n`);
    const keys = addKey(folder);
    expect(hexOf(keys).slice(1)).toEqual(hexOf([KEY, OTHER]));
    expect(new Set(hexOf(keys)).size).toBe(3);
    expect(hexOf(openKeyFile(folder))).toEqual(hexOf(keys));
    expect(statSync(pathIn(folder)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["encryption.key"]);
  });

  it("changes nothing of a file that it refuses", () => {
    const folder = createFolderWith("damaged");
    expect(() => addKey(folder)).toThrow(/^Line 1 /);
    expect(readFileSync(pathIn(folder), "utf8")).toBe("damaged");
  });
});

describe("dropOldKeys", () => {
  it("leaves the current key alone", () => {
    const folder = createFolder();
    openKeyFile(folder);
    const [current] = addKey(folder);
    dropOldKeys(folder);
    dropOldKeys(folder);
    expect(hexOf(openKeyFile(folder))).toEqual(hexOf(current === undefined ? [] : [current]));
    expect(statSync(pathIn(folder)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["encryption.key"]);
  });
});
