import { describe, expect, it } from "vitest";
import { NOW, setUpCli } from "../../test/support/cli.ts";

/** Of a key that never ends and may do what the settings say. */
const ANY_TIME = { expiresAt: null, limits: { ratePerSecond: null, credits: null } };

describe("ledgerline keys", () => {
  it("keys create prints the key alone on standard output", async () => {
    const { run, calls } = setUpCli();
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
    const { run, calls } = setUpCli();
    await run("keys", "create", "--organization", "acme");
    expect(calls).toEqual([["acme", null, ["read", "write"], ANY_TIME]]);
  });

  it.each([
    ["90d", "2027-02-19T09:30:00.000Z"],
    ["12h", "2026-11-21T21:30:00.000Z"],
    // The whole of that day is in time, also when it is today.
    ["2027-01-31", "2027-02-01T00:00:00.000Z"],
    ["2026-11-21", "2026-11-22T00:00:00.000Z"],
  ])("keys create --expires %s makes a key until %s, and prints it", async (when, instant) => {
    const { run, calls } = setUpCli();
    const { code, out, err } = await run("keys", "create", "--organization=a", `--expires=${when}`);
    expect([code, out]).toEqual([0, "the-secret\n"]);
    expect(err).toContain(`It expires at ${instant}.`);
    const options = { ...ANY_TIME, expiresAt: Date.parse(instant) };
    expect(calls).toEqual([["a", null, ["read", "write"], options]]);
  });

  it("keys create refuses an expiry in the past", async () => {
    const { run, calls } = setUpCli();
    const past = await run("keys", "create", "--organization=a", "--expires=2026-11-20");
    expect(past).toMatchObject({ code: 2, out: "" });
    expect(past.err).toContain("2026-11-21T00:00:00.000Z is in the past");
    expect(calls).toEqual([]);
  });

  it.each([
    [["--rate", "50"], { ratePerSecond: 50, credits: null }],
    [["--rate", "0"], { ratePerSecond: 0, credits: null }],
    [["--credits", "1000:10"], { ratePerSecond: null, credits: { max: 1000, perSecond: 10 } }],
    [["--credits", "0"], { ratePerSecond: null, credits: { max: 0, perSecond: 0 } }],
  ])("keys create %s gives the key limits of its own", async (flags, limits) => {
    const { run, calls } = setUpCli();
    await run("keys", "create", "--organization=a", ...flags);
    expect(calls).toEqual([["a", null, ["read", "write"], { expiresAt: null, limits }]]);
  });

  it("keys list shows what a key begins with, what it may do and until when, and no hash", async () => {
    const { run, key } = setUpCli();
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

  it("revoking an unknown key is reported, with exit code 1", async () => {
    const { run } = setUpCli();
    expect((await run("keys", "revoke", "abc")).code).toBe(0);
    expect(await run("keys", "revoke", "zzz")).toMatchObject({
      code: 1,
      err: expect.stringContaining("zzz") as string,
    });
  });

  it("keys rotate-encryption asks for new encryption and passes the exit code on", async () => {
    const { run, calls } = setUpCli();
    expect(await run("keys", "rotate-encryption")).toEqual({ code: 0, out: "", err: "" });
    expect((await run("keys", "rotate-encryption", "--accept-lost")).code).toBe(0);
    expect(calls).toEqual([
      ["rotateEncryption", false],
      ["rotateEncryption", true],
    ]);
  });
});
