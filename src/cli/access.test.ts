import { Command } from "commander";
import { expect, it } from "vitest";
import { captureStream } from "../../test/support/capture.ts";
import type { AuditEntry } from "../model/audit.ts";
import type { Features, Organization } from "../model/organization.ts";
import { addAccessCommands } from "./access.ts";

const NONE: Features = { phone_number: false, tax_number: false, naics2017: false };
const ENTRY: AuditEntry = {
  org: "acme",
  id: "n1",
  createdAt: Date.parse("2026-11-21T09:30:00.000Z"),
  action: "webhook.created",
  subject: "w1",
  keyId: "k1",
  requestId: "q1",
  details: { host: "example.com", events: "batches.completed", token: "set" },
};

function setUp() {
  const out = captureStream();
  const err = captureStream();
  const calls: unknown[] = [];
  const answer = (id: string, changes: Partial<Features>): Promise<Organization | null> => {
    calls.push([id, changes]);
    return Promise.resolve(id === "acme" ? { id, features: { ...NONE, ...changes } } : null);
  };
  const run = async (...args: string[]) => {
    let code = 0;
    const program = new Command();
    const deps = {
      organizations: {
        list: () =>
          Promise.resolve([
            { id: "acme", keys: 2, features: { ...NONE, naics2017: true, phone_number: true } },
            { id: "b", keys: 0, features: NONE },
          ]),
        get: (id: string) => answer(id, {}),
        setFeatures: answer,
      },
      listAudit: (...given: unknown[]) => {
        calls.push(given);
        return Promise.resolve([ENTRY, { ...ENTRY, keyId: null, requestId: null, details: {} }]);
      },
      stdout: out.stream,
      stderr: err.stream,
    };
    addAccessCommands(program, { withOrganizations: (command) => command(deps) }, (given) => {
      code = given;
    });
    await program.parseAsync(args, { from: "user" });
    return { code, out: out.take(), err: err.take() };
  };
  return { run, calls };
}

it("organizations list shows how many keys each has and what is switched on", async () => {
  const { out } = await setUp().run("organizations", "list");
  expect(out.split("\n")).toEqual([
    "ORGANIZATION  KEYS  FEATURES",
    "acme          2     phone_number,naics2017",
    "b             0     -",
    "",
  ]);
});

it("organizations features shows them, and changes what is named alone", async () => {
  const { run, calls } = setUp();
  const off = "phone_number  off\ntax_number    off\nnaics2017     off\n";
  expect(await run("organizations", "features", "acme")).toEqual({ code: 0, out: off, err: "" });
  const changed = await run(
    ...["organizations", "features", "acme", "--on", "phone_number,naics2017"],
    ...["--off", "tax_number"],
  );
  expect(changed.out).toBe("phone_number  on\ntax_number    off\nnaics2017     on\n");
  expect(calls).toEqual([
    ["acme", {}],
    ["acme", { phone_number: true, naics2017: true, tax_number: false }],
  ]);
});

it("an organization without keys is reported in a sentence, with exit code 1", async () => {
  const { run } = setUp();
  for (const flags of [[], ["--on", "naics2017"]]) {
    const { code, out, err } = await run("organizations", "features", "acmee", ...flags);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toBe("There is no organization acmee: its first key creates it.\n");
  }
});

it("audit list shows when, what, to what and by whom, as a table or as lines of JSON", async () => {
  const { run, calls } = setUp();
  const { out } = await run("audit", "list", "--org", "acme");
  expect(out.split("\n")).toEqual([
    "AT                        ACTION           SUBJECT  KEY  REQUEST  DETAILS",
    "2026-11-21T09:30:00.000Z  webhook.created  w1       k1   q1       host=example.com events=batches.completed token=set",
    "2026-11-21T09:30:00.000Z  webhook.created  w1       -    -",
    "",
  ]);
  const flags = ["--action", "webhook.created", "--limit", "2", "--json"];
  const json = await run("audit", "list", ...flags);
  expect(JSON.parse(json.out.split("\n")[0] ?? "")).toEqual({
    id: "n1",
    created_at: "2026-11-21T09:30:00.000Z",
    action: "webhook.created",
    subject: "w1",
    key_id: "k1",
    request_id: "q1",
    details: ENTRY.details,
  });
  expect(json.err).toContain("more than these 2");
  expect(calls).toEqual([
    ["acme", null, 50],
    ["default", "webhook.created", 2],
  ]);
});
