import { Command, CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import { captureStream } from "../../../test/support/capture.ts";
import type { Counterparty } from "../../model/facts.ts";
import type { LedgerTransaction } from "../../model/ledger-transaction.ts";
import type { Report, StoredCorrection } from "../../model/report.ts";
import { addReportCommands, type ReportCliDeps } from "./commands.ts";
import type { ReportCommandPort } from "./reports.ts";

const AT = Date.parse("2026-11-21T09:30:00.000Z");
const AT_TEXT = "2026-11-21T09:30:00.000Z";

const report: Report = {
  org: "acme",
  id: "p-1",
  transactionId: "t-1",
  description: "It was\u001b[31m the other one.",
  fields: ["merchant", "website"],
  createdAt: AT,
  updatedAt: AT,
  status: "open",
  rejectionReason: null,
  expected: {},
  webhookUrl: null,
  accountHolderId: null,
};

const transaction: LedgerTransaction = {
  org: "acme",
  input: {
    id: "t-1",
    description: "BLUE 123",
    date: "2026-11-20",
    amount: 6.5,
    entryType: "outgoing",
    currency: "USD",
    accountHolderId: null,
    location: null,
  },
  createdAt: AT,
  order: "1",
  facts: '{"entities":null,"categories":null,"location":null}',
  error: null,
  override: null,
};

const counterparty: Counterparty = {
  type: "organization",
  id: "e",
  name: "Blue Café",
  website: "bluecafe.example",
  phone_number: null,
  tax_number: null,
  naics2017: null,
  logo: null,
  mccs: [],
  parent: null,
};

const correction: StoredCorrection = {
  org: "acme",
  id: "c-1",
  createdAt: AT,
  updatedAt: AT,
  revision: 1,
  accountHolderId: null,
  cleanName: "BLUE",
  entryType: "outgoing",
  accountType: "business",
  parts: {
    counterparty,
    categories: { general: "fuel", accounting: "operational expenses" },
    location: null,
  },
};

function setUp(over: Partial<ReportCommandPort> = {}) {
  const [out, err] = [captureStream(), captureStream()];
  const calls: unknown[] = [];
  const reports: ReportCommandPort = {
    list: (...given) => {
      calls.push(given);
      return Promise.resolve([report]);
    },
    details: (id) => Promise.resolve(id === "p-1" ? { report, transaction } : null),
    move: (id, move) => {
      calls.push([id, move]);
      const moved = { ...report, status: move.status };
      return Promise.resolve({ ok: true, report: moved, corrected: null });
    },
    corrections: (...given) => {
      calls.push(given);
      return Promise.resolve([correction]);
    },
    dropCorrection: (id) => Promise.resolve(id === "c-1"),
    ...over,
  };
  const run = async (...args: string[]) => {
    let code = 0;
    const program = new Command().exitOverride().configureOutput({
      writeErr: (text) => err.stream.write(text),
    });
    const deps: ReportCliDeps = {
      withReports: (command) => command({ reports, stdout: out.stream, stderr: err.stream }),
    };
    addReportCommands(program, deps, (given) => {
      code = given;
    });
    try {
      await program.parseAsync(["reports", ...args], { from: "user" });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      code = 2;
    }
    return { code, out: out.take(), err: err.take() };
  };
  return { run, calls };
}

it("list shows the reports of all, filtered and bounded as asked, safe for a terminal", async () => {
  const { run, calls } = setUp();
  const { code, out } = await run("list");
  expect(code).toBe(0);
  expect(out).toMatch(
    /^ID .*\np-1 +acme +open +2026-11-21T09:30:00.000Z +t-1 +merchant,website +It was \[31m the other one\.\n$/,
  );
  const { err } = await run("list", "--status", "open", "--organization", "acme", "--limit", "1");
  expect(err).toContain("--limit");
  expect(calls).toEqual([
    [{ org: null, status: null }, 50],
    [{ org: "acme", status: "open" }, 1],
  ]);
  expect((await run("list", "--status", "lost")).code).toBe(2);
});

it("show prints a report with its transaction as JSON", async () => {
  const { run } = setUp();
  expect(JSON.parse((await run("show", "p-1")).out)).toMatchObject({
    id: "p-1",
    org: "acme",
    status: "open",
    created_at: AT_TEXT,
    rejection_reason: null,
    transaction: { id: "t-1", description: "BLUE 123", amount: 6.5, entities: null, error: null },
  });
  expect(await run("show", "p-2")).toEqual({ code: 1, out: "", err: "Report not found.\n" });
  const gone = setUp({ details: () => Promise.resolve({ report, transaction: null }) });
  expect(JSON.parse((await gone.run("show", "p-1")).out)).toMatchObject({ transaction: null });
});

describe("move", () => {
  it("makes the requested moves; an empty value corrects a field to null", async () => {
    const { run, calls } = setUp();
    const { code, err } = await run("move", "p-1", "pending");
    expect([code, err]).toEqual([0, "Report p-1 is pending. Nothing was corrected.\n"]);
    await run("move", "p-1", "rejected", "--reason", "It is right.");
    await run("move", "p-1", "resolved");
    await run("move", "p-1", "resolved", "--merchant", " Blue", "--website", " www.Blue.example");
    const words = ["--category", "fuel", "--accounting", "revenue", "--type", "organization"];
    await run("move", "p-1", "resolved", ...words, "--location", "Main St 1, Oakland");
    await run("move", "p-1", "resolved", "--merchant", "", "--location", "");
    expect(calls).toEqual(
      [
        { status: "pending" },
        { status: "rejected", rejectionReason: "It is right." },
        { status: "resolved", corrected: null },
        { status: "resolved", corrected: { merchant: "Blue", website: "blue.example" } },
        {
          status: "resolved",
          corrected: {
            category: "fuel",
            accounting: "revenue",
            type: "organization",
            location: "Main St 1, Oakland",
          },
        },
        { status: "resolved", corrected: { merchant: null, location: null } },
      ].map((move) => ["p-1", move]),
    );
  });

  it.each([
    [["open"]],
    [["rejected"]],
    [["pending", "--reason", "why"]],
    [["pending", "--merchant", "x"]],
    [["resolved", "--merchant", "", "--website", "a.example"]],
  ])("%j is refused before anything is opened", async (args) => {
    const { run, calls } = setUp();
    const { code, err } = await run("move", "p-1", ...args);
    expect([code, err]).toEqual([2, expect.stringMatching(/^error: /)]);
    expect(calls).toEqual([]);
  });

  it("prints what was corrected, and why a move is refused", async () => {
    const done = { transaction: true, cleanName: "BLUE", correctionId: "c-1" as string | null };
    const moved = { ...report, status: "resolved" } as const;
    const move = (corrected: typeof done) =>
      setUp({ move: () => Promise.resolve({ ok: true, report: moved, corrected }) }).run(
        ...["move", "p-1", "resolved", "--merchant", "x"],
      );
    expect((await move(done)).err).toContain(
      "later lines with the name BLUE will be corrected as well (correction c-1)",
    );
    const nameless = await move({ ...done, cleanName: "", correctionId: null });
    expect(nameless.err).toContain("has no name");
    expect((await move({ ...done, transaction: false })).err).toContain("was deleted");
    const refusal = { reason: "final", status: "resolved" } as const;
    const refused = setUp({ move: () => Promise.resolve({ ok: false, refusal }) });
    expect(await refused.run("move", "p-1", "pending")).toEqual({
      code: 1,
      out: "",
      err: "The report is resolved: it cannot become pending.\n",
    });
  });
});

it("corrections are listed with their fields, and deleted", async () => {
  const { run, calls } = setUp();
  const { out } = await run("corrections", "list", "--organization", "acme");
  const parts = "counterparty: Blue Café, bluecafe.example; categories: fuel, operational expenses";
  expect(out).toMatch(
    new RegExp(`\nc-1 +acme +${AT_TEXT} +outgoing +business +BLUE +${parts}; location: none\n$`),
  );
  await run("corrections", "list");
  expect(calls).toEqual([
    ["acme", 50],
    [null, 50],
  ]);
  expect((await run("corrections", "drop", "c-1")).code).toBe(0);
  expect(await run("corrections", "drop", "c-2")).toMatchObject({
    code: 1,
    err: "Correction not found.\n",
  });
});
