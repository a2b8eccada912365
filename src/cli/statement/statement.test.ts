// The exit code is what scripts rely on, and what is printed never claims more than the verdict.
import { mkdtempSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { captureStream } from "../../../test/support/capture.ts";
import { setUpCli } from "../../../test/support/cli.ts";
import type {
  BankStatement,
  StatementAccount,
  StatementHolder,
  StatementResult,
} from "../../model/bank-statement.ts";
import { STATEMENT_BYTES_MAX, STATEMENT_FAULTS } from "../../model/bank-statement.ts";
import { LedgerlineError } from "../../shared/errors.ts";
import { readStatements, type StatementCommandOptions } from "./statement.ts";

const NO_EVIDENCE = { date: null, description: [], amount: null, balance: null };

const ACCOUNT: StatementAccount = {
  number: "1234-5678",
  currency: "EUR",
  period: { start: "2026-01-01", end: "2026-01-31" },
  opening: "100.00",
  isOpeningCalculated: false,
  closing: "145.00",
  sum: "45.00",
  name: null,
  type: null,
  totalIncoming: "50.00",
  totalOutgoing: "5.00",
  verdict: "reconciled",
  unproven: [],
  firstBreak: null,
  repairs: [],
  transactions: [
    {
      date: "2026-01-02",
      isYearInferred: false,
      description: '=Coffee, "House" & <Sons>',
      amount: "5.00",
      direction: "debit",
      balance: "95.00",
      page: 1,
      row: 1,
      evidence: NO_EVIDENCE,
    },
    {
      date: "2026-01-05",
      isYearInferred: false,
      description: "Salary",
      amount: "50.00",
      direction: "credit",
      balance: "145.00",
      page: 1,
      row: 2,
      evidence: NO_EVIDENCE,
    },
  ],
};
const statement = (...accounts: StatementAccount[]): BankStatement => ({
  pages: 1,
  pagesWithoutText: [],
  pagesRecognised: [],
  header: { institution: null, holder: null, period: null, accounts: [] },
  signals: [],
  accounts,
});

async function run(
  result: StatementResult | Error,
  options: Partial<StatementCommandOptions> = {},
): Promise<{ code: number; out: string; err: string; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-statement-"));
  const file = join(folder, "january.pdf");
  writeFileSync(file, "%PDF-");
  const [stdout, stderr] = [captureStream(), captureStream()];
  const code = await readStatements(
    { files: [file], out: null, output: null, isChecked: false, password: "", ...options },
    {
      read: () => (result instanceof Error ? Promise.reject(result) : Promise.resolve(result)),
      stdout: stdout.stream,
      stderr: stderr.stream,
      now: () => Date.UTC(2026, 1, 3),
    },
  );
  const plain = (text: string): string => text.replaceAll(`${folder}/`, "");
  return { code, out: plain(stdout.take()), err: plain(stderr.take()), folder };
}

describe("the progress", () => {
  const draw = async (isTTY: boolean): Promise<string> => {
    const file = join(mkdtempSync(join(tmpdir(), "ledgerline-statement-")), "scan.pdf");
    writeFileSync(file, "%PDF-");
    const [stdout, stderr] = [captureStream(), captureStream()];
    await readStatements(
      { files: [file], out: null, output: null, isChecked: false, password: "" },
      {
        read: (_bytes, _password, onPages) => {
          onPages(1, 3);
          return Promise.resolve(statement(ACCOUNT));
        },
        stdout: stdout.stream,
        stderr: Object.assign(stderr.stream, { isTTY }),
        now: () => 0,
      },
    );
    return stderr.take();
  };

  it("shows the pages that were recognised on a terminal, and nothing in a pipe", async () => {
    expect(await draw(true)).toContain("1/3 pages");
    expect(await draw(false)).toBe("");
  });
});

describe("the table", () => {
  it("has the header, then opening, sum, closing and verdict of each account", async () => {
    const holder: StatementHolder = {
      type: "consumer",
      name: "Ada Example",
      address: { street: "1 Way", postcode: "10115", city: "Berlin", state: null, country: "DE" },
    };
    const { header } = statement(ACCOUNT);
    const read = { ...statement(ACCOUNT), header: { ...header, institution: "A Bank", holder } };
    expect(await run(read)).toMatchObject({
      code: 0,
      err: "",
      out: [
        "Institution  Holder                  Address                   Period  Pages  Signals  File",
        "A Bank       Ada Example (consumer)  1 Way, 10115, Berlin, DE  -       1      none     january.pdf",
        "",
        "Account    Name  Period                    Rows  Opening  + Sum  = Closing  Currency  Verdict",
        "1234-5678  -     2026-01-01 to 2026-01-31  2     100.00   45.00  145.00     EUR       reconciled",
        "",
      ].join("\n"),
    });
  });

  it("lists the signals of a changed document with page and reason", async () => {
    const reason = "1 of 40 amounts is in a font of its own.";
    const changed: BankStatement["signals"] = [
      { kind: "rare_font", reason, page: 2, box: null },
      { kind: "incremental_updates", reason: "4 trailers.", page: null, box: null },
    ];
    const { out } = await run({ ...statement(ACCOUNT), signals: changed });
    expect(out).toContain(`\n\njanuary.pdf: page 2: signal rare_font: ${reason}\n`);
    expect(out).toContain("january.pdf: document: signal incremental_updates: 4 trailers.\n");
    expect(out.split("\n")[1]).toMatch(/1 {6}2 {8}january.pdf$/u);
  });

  it("names the dates of rows whose year is inferred without a period", async () => {
    const transactions = ACCOUNT.transactions.map((row) => ({ ...row, isYearInferred: true }));
    const note =
      "january.pdf: no year is printed in 2 rows and no period; it was inferred: 2026-01-02 to 2026-01-05\n";
    expect((await run(statement({ ...ACCOUNT, period: null, transactions }))).out).toContain(note);
    expect((await run(statement({ ...ACCOUNT, transactions }))).out).not.toContain("inferred");
    expect((await run(statement({ ...ACCOUNT, period: null }))).out).not.toContain("inferred");
  });

  it("prints no control character of a document", async () => {
    const { out } = await run(statement({ ...ACCOUNT, name: "Every\u001b[2Jday\u202e" }));
    expect(out).toContain("Every [2Jday  2026");
  });

  it("names the break, the repairs, and the pages without a text layer", async () => {
    const broken: StatementAccount = {
      ...ACCOUNT,
      verdict: "not_reconciled",
      unproven: ["opening_balance", "closing_balance"],
      firstBreak: { page: 1, row: 2, difference: "-9.00" },
      repairs: [
        { page: 1, row: 1, field: "direction", from: "credit", to: "debit" },
        { page: 1, row: 1, field: "balance", from: null, to: "5.00" },
      ],
    };
    const { out, err } = await run({
      ...statement(broken),
      pagesRecognised: [1],
      pagesWithoutText: [2, 3],
    });
    expect(out).toContain(
      "january.pdf: no opening balance is printed, so nothing proves the first",
    );
    expect(out).toContain("january.pdf: no closing balance is printed, so nothing proves that");
    expect(out).toContain("january.pdf: page 1, row 1: direction credit was read as debit\n");
    expect(out).toContain("january.pdf: page 1, row 1: balance 5.00 follows from the others\n");
    expect(out).toContain("january.pdf: page 1, row 2: the printed balance differs by -9.00\n");
    expect(err).toBe(
      "january.pdf: pages read by text recognition: 1\njanuary.pdf: pages without text: 2, 3\n",
    );
  });
});

describe("the exit code", () => {
  it.each([
    ["reconciled", 0],
    ["reconciled_with_repairs", 0],
    ["not_reconciled", 1],
    ["not_checkable", 1],
  ] as const)("with --check, %s gives %i, and without it 0", async (verdict, code) => {
    const result = statement(ACCOUNT, { ...ACCOUNT, verdict });
    expect((await run(result, { isChecked: true })).code).toBe(code);
    expect((await run(result)).code).toBe(0);
  });

  it.each(STATEMENT_FAULTS)(
    "is 1 for a document with the fault %s, with a reason",
    async (fault) => {
      const { code, out, err } = await run({ fault });
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toMatch(/^january\.pdf: .{10}/u);
    },
  );

  it("is 1 when the thread failed, and the other files are read", async () => {
    const { code, err } = await run(new LedgerlineError("unavailable", "It could not be read."));
    expect({ code, err }).toEqual({ code: 1, err: "january.pdf: It could not be read.\n" });
  });

  it("is 1 for a missing file and for a file over the limit, which is not read", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ledgerline-statement-"));
    const large = join(folder, "large.pdf");
    writeFileSync(large, "");
    truncateSync(large, STATEMENT_BYTES_MAX + 1);
    const { code, err } = await run(new Error("read"), {
      files: [join(folder, "none.pdf"), large],
    });
    expect(code).toBe(1);
    expect(err).toContain("none.pdf: cannot be opened (ENOENT)");
    expect(err).toContain("large.pdf: 50.0 MB or more");
  });
});

describe("the transactions", () => {
  it("as CSV are on standard output, and the table is not", async () => {
    const { out, err } = await run(statement(ACCOUNT), { out: "csv" });
    expect(out.split("\n").map((line) => line.replace(/^.*january/u, "january"))).toEqual([
      "file,account,currency,date,description,amount,direction,balance,page,row",
      `january.pdf,1234-5678,EUR,2026-01-02,"'=Coffee, ""House"" & <Sons>",5.00,debit,95.00,1,1`,
      "january.pdf,1234-5678,EUR,2026-01-05,Salary,50.00,credit,145.00,1,2",
      "",
    ]);
    expect(err).toContain("reconciled");
  });

  it("as lines of JSON have everything of an account", async () => {
    const { out } = await run(statement(ACCOUNT, ACCOUNT), { out: "jsonl" });
    const lines = out.trim().split("\n");
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject(ACCOUNT);
  });

  it("as OFX without those that have no date are counted on standard error", async () => {
    const [one, other] = ACCOUNT.transactions.map((row) => ({ ...row, description: "Undated" }));
    const dated = { ...ACCOUNT, transactions: ACCOUNT.transactions };
    const undated = [one, other].flatMap((row) =>
      row === undefined ? [] : [{ ...row, date: null }],
    );
    const { out, err } = await run(statement(dated, { ...ACCOUNT, transactions: undated }), {
      out: "ofx",
    });
    expect(err).toContain("2 of 4 rows have no date and are not in the OFX\n");
    expect(out.match(/<STMTTRN>/gu)).toHaveLength(2);
    expect((await run(statement(dated), { out: "ofx" })).err).not.toContain("no date");
    expect(
      (await run(statement({ ...dated, transactions: undated }), { out: "csv" })).err,
    ).not.toContain("no date");
  });

  it("go into a file with --output, and the table to standard output", async () => {
    const target = join(mkdtempSync(join(tmpdir(), "ledgerline-statement-")), "out.csv");
    const { out } = await run(statement(ACCOUNT), { out: "csv", output: target });
    expect(readFileSync(target, "utf8")).toContain("Salary");
    expect(out).toContain("reconciled");
    expect(out).not.toContain("Salary");
  });
});

it("the command line passes files and flags, and refuses --output without --out", async () => {
  const { run: command, calls } = setUpCli();
  const flags = ["--out", "ofx", "--check", "--password", "sesame"];
  expect((await command("statement", "a.pdf", "b.pdf", ...flags)).code).toBe(0);
  expect(calls).toEqual([
    { files: ["a.pdf", "b.pdf"], out: "ofx", output: null, isChecked: true, password: "sesame" },
  ]);
  expect((await command("statement", "a.pdf", "--output", "x.csv")).code).toBe(2);
  expect((await command("statement", "a.pdf", "--out", "xlsx")).code).toBe(2);
  expect((await command("statement")).code).toBe(2);
});
