import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { captureStream } from "../../test/support/capture.ts";
import type { ApiKey } from "../domain/api-key.ts";
import { type CliDeps, runCli } from "./cli.ts";

const NOW = Date.parse("2026-11-21T09:30:00.000Z");
/** Of a key that never ends and may do what the settings say. */
const ANY_TIME = { expiresAt: null, limits: { ratePerSecond: null, credits: null } };

function setUp() {
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
    importFile: (options) => {
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
    const unreadable = await run("dead-letters", "replay", "9");
    expect(unreadable.code).toBe(1);
    expect(unreadable.err).toContain("Dead letter 9 cannot be read and is not replayed");
    expect((await run("dead-letters", "drop", "7")).code).toBe(0);
    expect(calls).toEqual([
      ["replay", "7"],
      ["replay", "8"],
      ["replay", "9"],
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

  it("shows the help without a command, and starts nothing", async () => {
    const { run, calls } = setUp();
    const { code, err } = await run();
    expect(code).toBe(2);
    expect(err).toMatch(/Usage: ledgerline[^]*serve[^]*enrich/);
    expect((await run("serve")).code).toBe(0);
    expect(calls).toEqual(["serve"]);
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
    expect(calls).toEqual([["acme", "ci", ["read", "operator"], ANY_TIME]]);
  });

  it("keys create gives read and write when no role is named", async () => {
    const { run, calls } = setUp();
    await run("keys", "create", "--organization", "acme");
    expect(calls).toEqual([["acme", null, ["read", "write"], ANY_TIME]]);
  });

  it.each([
    ["90d", "2027-02-19T09:30:00.000Z"],
    ["12h", "2026-11-21T21:30:00.000Z"],
    // The whole of that day is in time, also when it is today.
    ["2027-01-31", "2027-02-01T00:00:00.000Z"],
    ["2026-11-21", "2026-11-22T00:00:00.000Z"],
  ])("keys create --expires %s makes a key until %s, and says so", async (when, instant) => {
    const { run, calls } = setUp();
    const { code, out, err } = await run("keys", "create", "--organization=a", `--expires=${when}`);
    expect([code, out]).toEqual([0, "the-secret\n"]);
    expect(err).toContain(`It expires at ${instant}.`);
    const options = { ...ANY_TIME, expiresAt: Date.parse(instant) };
    expect(calls).toEqual([["a", null, ["read", "write"], options]]);
  });

  it("keys create makes no key that is over already", async () => {
    const { run, calls } = setUp();
    const past = await run("keys", "create", "--organization=a", "--expires=2026-11-20");
    expect(past).toMatchObject({ code: 2, out: "" });
    expect(past.err).toContain("2026-11-21T00:00:00.000Z is over");
    expect(calls).toEqual([]);
  });

  it.each([
    [["--rate", "50"], { ratePerSecond: 50, credits: null }],
    [["--rate", "0"], { ratePerSecond: 0, credits: null }],
    [["--credits", "1000:10"], { ratePerSecond: null, credits: { max: 1000, perSecond: 10 } }],
    [["--credits", "0"], { ratePerSecond: null, credits: { max: 0, perSecond: 0 } }],
  ])("keys create %s gives the key limits of its own", async (flags, limits) => {
    const { run, calls } = setUp();
    await run("keys", "create", "--organization=a", ...flags);
    expect(calls).toEqual([["a", null, ["read", "write"], { expiresAt: null, limits }]]);
  });

  it("keys list shows what a key begins with, what it may do and until when, and no hash", async () => {
    const { run, key } = setUp();
    const { out } = await run("keys", "list");
    expect(out).toMatch(
      /^ID +PREFIX +ORGANIZATION +NAME +ROLES +RATE +CREDITS +CREATED +EXPIRES +/,
    );
    expect(out).toMatch(
      /\nabc +ll_abc +acme +read +default +default +1970-01-01T00:00:00.000Z +never\n$/,
    );
    expect(out).not.toContain(key.hash);
    key.expiresAt = NOW;
    key.limits = { ratePerSecond: 0, credits: { max: 9, perSecond: 2 } };
    expect((await run("keys", "list")).out).toMatch(
      / any +9:2 +1970-01-01T00:00:00.000Z +2026-11-21T09:30:00.000Z\n$/,
    );
    key.limits = { ratePerSecond: 7, credits: { max: 0, perSecond: 0 } };
    expect((await run("keys", "list")).out).toMatch(/ 7 +any +1970/);
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
    expect((await run("keys", "rotate-encryption", "--accept-lost")).code).toBe(0);
    expect(calls).toEqual([
      ["rotateEncryption", false],
      ["rotateEncryption", true],
    ]);
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
    [["keys", "create", "--organization=a", "--expires=0d"]],
    [["keys", "create", "--organization=a", "--expires=3651d"]],
    [["keys", "create", "--organization=a", "--expires=90"]],
    [["keys", "create", "--organization=a", "--expires=2027-02-29"]],
    [["keys", "create", "--organization=a", "--expires=2027-01-31T00:00:00Z"]],
    [["keys", "create", "--organization=a", "--rate=-1"]],
    [["keys", "create", "--organization=a", "--rate=1.5"]],
    [["keys", "create", "--organization=a", "--rate=1000001"]],
    [["keys", "create", "--organization=a", "--credits=100"]],
    [["keys", "create", "--organization=a", "--credits=0:5"]],
    [["keys", "create", "--organization=a", "--credits=100:0"]],
    [["keys", "create", "--organization=a", "--credits=100:5:1"]],
    [["keys", "create", "--organization=a", "--credits=100000001:5"]],
    [["organizations", "features"]],
    [["organizations", "features", "a b"]],
    [["organizations", "features", "a", "--on", "everything"]],
    [["organizations", "features", "a", "--on", "naics2017", "--off", "naics2017"]],
    [["audit", "list", "--action", "key.lost"]],
    [["audit", "list", "--limit", "0"]],
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
    [["rules"]],
    [["rules", "test", "--on", "export.csv"]],
    [["rules", "test", "rules.json"]],
    [["rules", "test", "rules.json", "--on", "export.csv", "--account-type", "joint"]],
  ])("a wrong command line (%s) says what is wrong and exits with 2", async (args) => {
    const { run } = setUp();
    const { code, err } = await run(...args);
    expect(code).toBe(2);
    expect(err).not.toBe("");
  });

  it("rules test looks at a consumer's account unless it is told otherwise", async () => {
    const { run, calls } = setUp();
    await run("rules", "test", "rules.json", "--on", "export.csv");
    await run(
      ...["rules", "test", "-", "--on", "lines", "--map", "date=A", "--json"],
      ...["--account-type", "business"],
    );
    const [file, on] = ["rules.json", "export.csv"];
    expect(calls).toEqual([
      { file, on, map: null, accountType: "consumer", isJson: false },
      { file: "-", on: "lines", map: "date=A", accountType: "business", isJson: true },
    ]);
  });

  it("a command that there is not is said to be none, instead of serving", async () => {
    const { run, calls } = setUp();
    expect(await run("bogus")).toMatchObject({
      code: 2,
      err: "error: unknown command 'bogus' (see ledgerline --help)\n",
    });
    expect(calls).toEqual([]);
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

  it("import passes on what it was told", async () => {
    const { run, calls } = setUp();
    await run("import", "f.ofx", "--account-holder", "h", "--create", "business", "--dry-run");
    const given = { file: "f.ofx", accountHolder: "h", create: "business", isDryRun: true };
    const url = "http://127.0.0.1:8080";
    expect(calls).toEqual([{ ...given, url, apiKey: null, map: null }]);
    expect(await run("import", "f.ofx")).toMatchObject({ code: 2 });
  });

  it("enrich passes on what it was told", async () => {
    const { run, calls } = setUp();
    await run("enrich", "f.csv", "--map", "amount=Amt", "--account-type", "business");
    expect(calls).toEqual([
      {
        ...{ files: ["f.csv"], out: null, format: null, columns: "both", dryRun: false },
        ...{ profile: null, saveProfile: null, accountType: "business" },
        parse: {
          ...{ map: "amount=Amt", encoding: null, delimiter: null },
          ...{ decimal: null, currency: null, date_format: null },
        },
      },
    ]);
  });
});
