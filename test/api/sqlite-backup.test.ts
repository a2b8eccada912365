// Backups of a data folder while the service runs, and their restore, as an operator makes them.
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { answered, API_KEY, type Client, createClient } from "../support/client.ts";
import { coffee } from "../support/coffee.ts";
import { type CommandResult, runCommand } from "../support/command.ts";
import { until } from "../support/poll.ts";
import { spawnProcess, startProcess } from "../support/process.ts";
import { shared, temporaryFolder } from "../support/service.ts";
import { statementFile } from "../support/statement-files.ts";
import { submitStatement } from "../support/things.ts";

/** Acknowledged before the backup. */
const BEFORE = 20;
const STATEMENT = statementFile("backup");
const MARK = "PLAIN-KEPT-NAME";

const run = (dataFolder: string, ...args: readonly string[]): Promise<CommandResult> =>
  runCommand({ LEDGERLINE_DATA: dataFolder, LOG_LEVEL: "warn" }, ...args);

const enrich = async (client: Client, id: string): Promise<unknown> =>
  answered(await client.enrich(coffee(id)), 200);

/** A backup that was made while batches and calls were written, and a service that still runs on its folder. */
const made = shared(async (atEnd) => {
  const dataFolder = temporaryFolder(atEnd);
  const service = await startProcess({ dataFolder });
  atEnd(async () => {
    service.kill("SIGTERM");
    await service.exited;
  });
  const client = createClient(service.url);
  for (let index = 0; index < BEFORE; index += 1) await enrich(client, `before${String(index)}`);
  const hook = { url: "https://example.com/hook", events: ["batches.completed"], token: MARK };
  answered(await client.call("POST", "/v3/webhooks", hook), 200);
  const statement = await submitStatement(service.url, API_KEY, STATEMENT);
  const lines = Array.from({ length: 10_000 }, (_, index) => coffee(`load${String(index)}`));
  answered(await client.submitBatch(lines), 200);
  const file = join(temporaryFolder(atEnd), "ledgerline.backup");
  const backup = await run(dataFolder, "backup", file);
  return { dataFolder, client, file, backup, statement };
});

describe("a backup", () => {
  it("is made while a service is under load, for its owner alone, and names its keys", () => {
    const { file, backup } = made();
    expect([backup.code, backup.stderr]).toEqual([0, ""]);
    expect(backup.stdout.toString()).toMatch(
      /complete[^]*includes the encryption keys \([0-9a-f]{8}\)/,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(file, ".."))).toEqual(["ledgerline.backup"]);
  });

  it("has everything that was acknowledged before it, and its secrets can be decrypted", async () => {
    const { file, statement } = made();
    const folder = join(temporaryFolder(), "restored");
    const restored = await run(folder, "restore", file);
    expect([restored.code, restored.stderr]).toEqual([0, ""]);
    const kept = join(folder, "files", `default.${statement}`);
    expect(new Uint8Array(readFileSync(kept))).toEqual(STATEMENT.bytes);
    const service = await startProcess({ dataFolder: folder });
    const client = createClient(service.url);
    const missing: string[] = [];
    for (let index = 0; index < BEFORE; index += 1) {
      const found = await client.getTransaction(`before${String(index)}`);
      if (found.kind !== "answered" || found.status !== 200) missing.push(String(index));
    }
    expect(missing).toEqual([]);
    // What was accepted and not done goes on.
    await until("the batch", async () => {
      const [batch] = await client.listAll<{ status: string }>("/v3/batches");
      return batch?.status === "completed" ? true : null;
    });
    await until("the statement", async () => {
      const [found] = await client.listAll<{ status: string }>("/v3/bank_statements");
      return found?.status === "completed" ? true : null;
    });
    service.kill("SIGTERM");
    expect((await service.exited).code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual([
      "encryption.key",
      "files",
      "ledgerline.db",
      "ledgerline.lock",
    ]);
  });

  it("is not written over a file that is there, nor without data", async () => {
    const { dataFolder, file } = made();
    expect(await run(dataFolder, "backup", file)).toMatchObject({
      code: 1,
      stderr: `${file} is there already: choose another name.\n`,
    });
    const other = await run(join(temporaryFolder(), "none"), "backup", `${file}.2`);
    expect([other.code, existsSync(`${file}.2`)]).toEqual([1, false]);
  });

  it("without keys has none, and lists those it needs", async () => {
    const { dataFolder } = made();
    const file = join(temporaryFolder(), "b");
    const backup = await run(dataFolder, "backup", "--without-key", file);
    expect(backup.stdout.toString()).toMatch(
      /need the encryption keys [0-9a-f]{8}, which are not in it/,
    );
    const folder = join(temporaryFolder(), "restored");
    expect((await run(folder, "restore", file)).code).toBe(0);
    expect(existsSync(join(folder, "encryption.key"))).toBe(false);
  });

  it("that is killed while it is written leaves no file of that name", async () => {
    const { dataFolder } = made();
    const folder = temporaryFolder();
    const file = join(folder, "b");
    const child = spawnProcess({ dataFolder, args: ["backup", file] });
    await until("the first bytes", () => (readdirSync(folder).length > 0 ? true : null));
    child.kill("SIGKILL");
    const { signal } = await child.exited;
    if (signal === "SIGKILL" && !existsSync(file)) {
      const [partial = ""] = readdirSync(folder);
      const restored = await run(join(folder, "r"), "restore", join(folder, partial));
      expect([restored.code, restored.stderr]).toEqual([
        1,
        expect.stringMatching(/is not a backup of Ledgerline, or is not complete/),
      ]);
    } else {
      expect((await run(join(folder, "r"), "restore", file)).code).toBe(0);
    }
  });
});

describe("a restore", () => {
  it("refuses a folder on which a service runs, and one that has data", async () => {
    const { dataFolder, file } = made();
    expect((await run(dataFolder, "restore", file)).stderr).toMatch(/has data already: --force/);
    expect((await run(dataFolder, "restore", "--force", file)).stderr).toMatch(/already runs on/);
  });

  it.each([
    [
      "is cut off",
      (file: string) => {
        truncateSync(file, statSync(file).size - 1);
      },
    ],
    [
      "has more at its end",
      (file: string) => {
        appendFileSync(file, "x");
      },
    ],
    [
      "is empty",
      (file: string) => {
        truncateSync(file, 0);
      },
    ],
    [
      "is damaged",
      (file: string) => {
        const database = new DatabaseSync(file);
        database.exec("PRAGMA user_version = 7");
        database.close();
      },
    ],
  ])("refuses a file that %s, and makes no folder", async (_, damage) => {
    const folder = temporaryFolder();
    const copy = join(folder, "copy");
    copyFileSync(made().file, copy);
    damage(copy);
    const restored = await run(join(folder, "r"), "restore", copy);
    expect([restored.code, restored.stderr]).toEqual([1, expect.stringMatching(/backup/)]);
    expect(existsSync(join(folder, "r"))).toBe(false);
  });

  it("--force replaces the data of a folder", async () => {
    const folder = temporaryFolder();
    const first = await startProcess({ dataFolder: folder });
    await enrich(createClient(first.url), "other");
    first.kill("SIGKILL");
    await first.exited;
    expect((await run(folder, "restore", "--force", made().file)).code).toBe(0);
    const service = await startProcess({ dataFolder: folder });
    const client = createClient(service.url);
    expect(await client.getTransaction("other")).toMatchObject({ status: 404 });
    expect(await client.getTransaction("before0")).toMatchObject({ status: 200 });
    service.kill("SIGTERM");
    await service.exited;
  });
});
