import { describe, expect, it } from "vitest";
import { setUpCli } from "../../test/support/cli.ts";

describe("command line", () => {
  it("dead letters are listed without what is in them, shown whole, put back and dropped by id", async () => {
    const { run, calls } = setUpCli();
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

  it("serves in the given role, and refuses unknown roles", async () => {
    const { run, calls } = setUpCli();
    expect((await run("serve", "--role", "enrich")).code).toBe(0);
    expect((await run("serve", "--role", "nothing")).code).toBe(2);
    expect(calls).toEqual(["enrich"]);
  });

  it("shows the help without a command, and starts nothing", async () => {
    const { run, calls } = setUpCli();
    const { code, err } = await run();
    expect(code).toBe(2);
    expect(err).toMatch(/Usage: ledgerline[^]*serve[^]*enrich/);
    expect((await run("serve")).code).toBe(0);
    expect(calls).toEqual(["serve"]);
  });

  it("webhooks listen by default listens on this machine only and answers 200", async () => {
    const { run, calls } = setUpCli();
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
    [["kafka", "grant", "--organization=a", "--credits=100"]],
    [["kafka", "grant", "--organization=a", "--credits=settings"]],
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
  ])("a wrong command line (%s) exits with 2 and an explanation", async (args) => {
    const { run } = setUpCli();
    const { code, err } = await run(...args);
    expect(code).toBe(2);
    expect(err).not.toBe("");
  });

  it("rules test by default tests a consumer's account", async () => {
    const { run, calls } = setUpCli();
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

  it("an unknown command is an error, and nothing is served", async () => {
    const { run, calls } = setUpCli();
    expect(await run("bogus")).toMatchObject({
      code: 2,
      err: "error: unknown command 'bogus' (see ledgerline --help)\n",
    });
    expect(calls).toEqual([]);
  });

  it("help and version exit with 0", async () => {
    const { run } = setUpCli();
    expect(await run("--version")).toMatchObject({ code: 0, out: "1.2.3\n" });
    expect((await run("--help")).code).toBe(0);
  });

  it("explain by default explains an outgoing consumer payment in USD", async () => {
    const { run, calls } = setUpCli();
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

  it("import passes its options on", async () => {
    const { run, calls } = setUpCli();
    await run("import", "f.ofx", "--account-holder", "h", "--create", "business", "--dry-run");
    const given = { file: "f.ofx", accountHolder: "h", create: "business", isDryRun: true };
    const url = "http://127.0.0.1:8080";
    expect(calls).toMatchObject([{ ...given, url, apiKey: null, profile: null }]);
    expect(await run("import", "f.ofx")).toMatchObject({ code: 2 });
  });

  it("enrich passes its options on", async () => {
    const { run, calls } = setUpCli();
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
