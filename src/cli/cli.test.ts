import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { captureStream } from "../../test/support/capture.ts";
import type { ApiKey } from "../domain/api-key.ts";
import { type CliDeps, runCli } from "./cli.ts";

function setUp() {
  const stdout = captureStream();
  const stderr = captureStream();
  const calls: unknown[] = [];
  const key: ApiKey = {
    id: "abc",
    org: "acme",
    name: null,
    roles: ["read"],
    hash: "h",
    createdAt: 0,
    revokedAt: null,
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
    withKeys: (command) =>
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
      }),
    rotateEncryption: () => {
      calls.push("rotateEncryption");
      return Promise.resolve(0);
    },
    withWebhooks: () => Promise.reject(new Error("has tests of its own")),
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
            return Promise.resolve(id === letter.id);
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
    explain: (options) => {
      calls.push(options);
      return Promise.resolve(0);
    },
  };
  const run = async (...args: string[]) => ({
    code: await runCli(args, deps),
    out: stdout.take(),
    err: stderr.take(),
  });
  return { run, calls };
}

describe("command line", () => {
  it("dead letters are listed without what is in them, shown whole, put back and dropped by id", async () => {
    const { run, calls } = setUp();
    const list = await run("dead-letters", "list");
    expect(list.out).toMatch(/^ID.*\n7\t2023-11-14T22:13:20.000Z\tinvalid\t17\tamount must not be/);
    expect(list.out).not.toContain("bytes of");
    const shown = JSON.parse((await run("dead-letters", "show", "7")).out) as { original: string };
    expect(Buffer.from(shown.original, "base64").toString()).toBe("bytes of a record");
    expect((await run("dead-letters", "show", "7", "--raw")).out).toBe("bytes of a record");
    expect(await run("dead-letters", "show", "8")).toMatchObject({ code: 1, out: "" });
    expect((await run("dead-letters", "replay", "7", "8")).code).toBe(1);
    expect((await run("dead-letters", "drop", "7")).code).toBe(0);
    expect(calls).toEqual([
      ["replay", "7"],
      ["replay", "8"],
      ["drop", "7"],
    ]);
    expect((await run("dead-letters", "drop")).code).toBe(2);
  });

  it("serves in the role that is asked for, and knows no others", async () => {
    const { run, calls } = setUp();
    expect((await run("serve", "--role", "enrich")).code).toBe(0);
    expect((await run("serve", "--role", "nothing")).code).toBe(2);
    expect(calls).toEqual(["enrich"]);
  });

  it("serves when nothing else is asked for", async () => {
    const { run, calls } = setUp();
    expect((await run()).code).toBe(0);
    expect((await run("serve")).code).toBe(0);
    expect(calls).toEqual(["serve", "serve"]);
  });

  it("keys create prints the key alone on standard output", async () => {
    const { run, calls } = setUp();
    const { code, out, err } = await run(
      "keys",
      "create",
      "--organization",
      "acme",
      "--name",
      "ci",
      "--role",
      "operator",
      "read",
    );
    expect([code, out]).toEqual([0, "the-secret\n"]);
    expect(err).not.toContain("the-secret");
    expect(calls).toEqual([["acme", "ci", ["read", "operator"]]]);
  });

  it("keys create gives read and write when no role is named", async () => {
    const { run, calls } = setUp();
    await run("keys", "create", "--organization", "acme");
    expect(calls).toEqual([["acme", null, ["read", "write"]]]);
  });

  it("keys list shows no hash", async () => {
    const { run } = setUp();
    const { out } = await run("keys", "list");
    expect(out).toContain("abc  acme");
    expect(out.split("\n")).toHaveLength(3);
  });

  it("revoking a key that is not there says so and exits with 1", async () => {
    const { run } = setUp();
    expect((await run("keys", "revoke", "abc")).code).toBe(0);
    expect(await run("keys", "revoke", "zzz")).toMatchObject({
      code: 1,
      err: expect.stringContaining("zzz") as string,
    });
  });

  it("keys rotate-encryption asks for new encryption and passes the exit code on", async () => {
    const { run, calls } = setUp();
    expect(await run("keys", "rotate-encryption")).toEqual({ code: 0, out: "", err: "" });
    expect(calls).toEqual(["rotateEncryption"]);
  });

  it("webhooks listen listens on this machine only and answers 200 unless it is told otherwise", async () => {
    const { run, calls } = setUp();
    await run("webhooks", "listen", "--port", "9000");
    await run(
      ...["webhooks", "listen", "--port", "0", "--host", "::1", "--secret-file", "s", "--verbose"],
      ...["--token", "t", "--status", "503"],
    );
    const nothing = { secret: null, secretFile: null, token: null, tokenFile: null };
    expect(calls).toEqual([
      { port: 9000, host: "127.0.0.1", ...nothing, status: 200, isVerbose: false },
      {
        ...{ port: 0, host: "::1", ...nothing, secretFile: "s", token: "t" },
        ...{ status: 503, isVerbose: true },
      },
    ]);
  });

  it.each([
    [["fly"]],
    [["webhooks"]],
    [["webhooks", "listen"]],
    [["webhooks", "listen", "--port", "65536"]],
    [["webhooks", "listen", "--port", "9000", "--status", "100"]],
    [["webhooks", "listen", "--port", "9000", "--secret", "s", "--secret-file", "f"]],
    [["webhooks", "list", "--organization", "a b"]],
    [["webhooks", "deliveries"]],
    [["webhooks", "deliveries", "w", "--state", "lost"]],
    [["webhooks", "deliveries", "w", "--limit", "0"]],
    [["webhooks", "attempts", "w"]],
    [["webhooks", "recover", "w", "--since", "2026-11-20"]],
    [["webhooks", "recover", "w", "--since", "yesterday", "--until", "2026-11-20"]],
    [["webhooks", "recover", "w", "--since", "2026-02-30", "--until", "2026-11-20"]],
    [["webhooks", "recover", "w", "--since", "2026-11-20T10:00", "--until", "2026-11-21"]],
    [["webhooks", "recover", "w", "--since", "2026-11-20", "--until", "2026-11-20T00:00:00Z"]],
    [["webhooks", "recover", "w", "--since=2026-11-19", "--until=2026-11-20", "--state=pending"]],
    [["keys", "create"]],
    [["keys", "create", "--organization", "a b"]],
    [["keys", "create", "--organization", "a", "--role", "king"]],
    [["enrich"]],
    [["enrich", "f.csv", "--format", "xml"]],
    [["serve", "--fast"]],
    [["explain"]],
    [["explain", "TESCO", "STORES"]],
    [["explain", "TESCO", "--amount", "-1"]],
    [["explain", "TESCO", "--amount", "1,5"]],
    [["explain", "TESCO", "--currency", "POUND"]],
    [["explain", "TESCO", "--country", "UK"]],
    [["explain", "TESCO", "--account-type", "joint"]],
    [["explain", "TESCO", "--incoming", "--outgoing"]],
    [["explain", "T".repeat(1025)]],
  ])("a wrong command line (%s) says what is wrong and exits with 2", async (args) => {
    const { run } = setUp();
    const { code, err } = await run(...args);
    expect(code).toBe(2);
    expect(err).not.toBe("");
  });

  it("help and version are no errors", async () => {
    const { run } = setUp();
    expect(await run("--version")).toMatchObject({ code: 0, out: "1.2.3\n" });
    expect((await run("--help")).code).toBe(0);
  });

  it("explain asks about an outgoing consumer payment in USD unless it is told otherwise", async () => {
    const { run, calls } = setUp();
    await run("explain", "SQ *JOE");
    await run(
      ...["explain", "SQ *JOE", "--amount", "6.50", "--incoming", "--currency", "gbp", "--json"],
      ...["--country", "gb", "--account-type", "business"],
    );
    expect(calls).toEqual([
      {
        description: "SQ *JOE",
        amount: 0,
        entryType: "outgoing",
        currency: "USD",
        country: null,
        accountType: "consumer",
        isJson: false,
      },
      {
        description: "SQ *JOE",
        amount: 6.5,
        entryType: "incoming",
        currency: "GBP",
        country: "GB",
        accountType: "business",
        isJson: true,
      },
    ]);
  });

  it("enrich passes on what it was told", async () => {
    const { run, calls } = setUp();
    await run("enrich", "f.csv", "--map", "amount=Amt", "--account-type", "business");
    expect(calls).toEqual([
      { file: "f.csv", out: null, format: null, map: "amount=Amt", accountType: "business" },
    ]);
  });
});
