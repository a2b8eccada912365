import { Buffer } from "node:buffer";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { captureStream } from "../../../test/support/capture.ts";
import type { Facts } from "../../model/facts.ts";
import { type Rule, RULESET_BYTES_MAX } from "../../model/rules.ts";
import type { TestRules } from "./attribute.ts";
import type { TestedLine } from "./read-transactions.ts";
import { type RuleTestOptions, testRules } from "./rules.ts";

const CSV =
  "Date,Description,Amount\n2024-05-17,Coffee at Joe,-1.50\n2024-05-16,Payroll,2000.00\n2024-05-15,Rent,-900\n";
const RENT: Rule = { set: "merchant", to: "Landlord" };
const COFFEE: Rule = { add_label: "treats" };
const FAILS: Rule = { remove_label: "x" };
const NOTHING: Rule = { remove_label: "y" };

const PARTY: NonNullable<Facts["entities"]>["counterparty"] = {
  ...{ id: "i", name: "Joe", website: "joe.example", phone_number: null, tax_number: null },
  ...{ naics2017: "1", logo: "l", mccs: [5814], parent: null, type: "organization" },
};

/** A recogniser with the rules above, without checks of the language. */
const run: TestRules = (lines, rules) => {
  const texts = rules.map((rule) => JSON.stringify(rule));
  const has = (rule: Rule): boolean => texts.includes(JSON.stringify(rule));
  const facts = lines.map(({ description }): Facts => {
    const isOther = description === "Rent" && has(RENT);
    const counterparty = isOther ? { ...PARTY, name: "Landlord", id: "j", logo: null } : PARTY;
    const general = description.startsWith("Coffee") && has(COFFEE) ? "treats" : "groceries";
    const entities = { counterparty, intermediaries: [] };
    return { entities, categories: { general, accounting: null }, location: null };
  });
  const failures = has(FAILS) ? 2 : 0;
  return Promise.resolve({ facts: facts.map((one) => JSON.stringify(one)), failures });
};

interface Input {
  readonly rules: unknown;
  readonly on: string | Buffer;
  readonly options?: Partial<RuleTestOptions>;
  readonly run?: TestRules;
}

/** Runs the command on files of this test; a text is written as it is, anything else as JSON. */
async function test({ rules, on, options = {}, run: runRules = run }: Input) {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-rules-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const [file, lines] = [join(folder, "rules.json"), join(folder, "lines")];
  writeFileSync(file, typeof rules === "string" ? rules : JSON.stringify(rules));
  writeFileSync(lines, on);
  const [stdout, stderr] = [captureStream(), captureStream()];
  const seen: TestedLine[] = [];
  const code = await testRules(
    { file, on: lines, map: null, accountType: "consumer", isJson: false, ...options },
    {
      withRecogniser: (work) =>
        work((tested, some) => {
          if (seen.length === 0) seen.push(...tested);
          return runRules(tested, some);
        }),
      stdin: Readable.from([Buffer.from(JSON.stringify(rules))], { objectMode: false }),
      stdout: stdout.stream,
      stderr: stderr.stream,
      now: () => Date.UTC(2024, 4, 20),
    },
  );
  return { code, out: stdout.take(), err: stderr.take().replaceAll(folder, ""), seen };
}

describe("rules test", () => {
  it("prints what would change by line and field, with the rules, and sums up", async () => {
    const { code, out, err } = await test({ rules: [NOTHING, RENT, FAILS, COFFEE], on: CSV });
    expect([code, out.split("\n")]).toEqual([
      0,
      [
        "LINE  DESCRIPTION    FIELD     BEFORE     AFTER     RULES",
        "2     Coffee at Joe  category  groceries  treats    3",
        "4     Rent           name      Joe        Landlord  1",
        "",
        "2 of 3 transactions would change.",
        "Rules that make no difference here: 0, 2.",
        "Rules that failed and were skipped: 2 (2 times).",
        "",
      ],
    ]);
    expect(err).toContain("description: 'Description'");
  });

  it("with --json prints every field, dependent ones included", async () => {
    const on = `${CSV}2024-05-14,Shop,abc\n`;
    const { out } = await test({ rules: [RENT, FAILS], on, options: { isJson: true } });
    expect(JSON.parse(out)).toEqual({
      transactions: 3,
      changed: 1,
      changes: [
        {
          line: 4,
          description: "Rent",
          rules: [0],
          fields: [
            { field: "entities.counterparty.id", before: "i", after: "j" },
            { field: "entities.counterparty.name", before: "Joe", after: "Landlord" },
            { field: "entities.counterparty.logo", before: "l", after: null },
          ],
        },
      ],
      needless_rules: [1],
      failed_rules: [{ rule: 1, count: 2 }],
      unrecognised: 0,
      bad_lines: [{ line: 5, reason: "'abc' is not an amount (column 'Amount')" }],
    });
  });

  it("a change of nothing that people usually look at is shown as it is in the answer", async () => {
    const changing: TestRules = async (lines, rules) => {
      const { facts, failures } = await run(lines, []);
      if (rules.length === 0) return { facts, failures };
      return { facts: facts.map((one) => one?.replace('"1"', "null") ?? null), failures };
    };
    const { out } = await test({ rules: [NOTHING], on: CSV, run: changing });
    expect(out).toMatch(/^2 +Coffee at Joe +entities\.counterparty\.naics2017 +"1" +- +0$/m);
  });

  it("of many rules that make no difference those in a row are named together", async () => {
    const rules = [NOTHING, RENT, NOTHING, NOTHING, NOTHING, COFFEE, NOTHING, NOTHING];
    const { out } = await test({ rules, on: CSV });
    expect(out).toContain("Rules that make no difference here: 0, 2-4, 6-7.");
  });

  it("an empty ruleset changes nothing", async () => {
    const { code, out } = await test({ rules: [], on: CSV });
    expect([code, out]).toEqual([0, "0 of 3 transactions would change.\n"]);
  });

  it("a line the recogniser fails on is counted as such; when it fails on all, the exit code is 1", async () => {
    const failing: TestRules = async (lines, rules) => {
      const { facts, failures } = await run(lines, rules);
      return { facts: [null, ...facts.slice(1)], failures };
    };
    const some = await test({ rules: [COFFEE], on: CSV, run: failing });
    expect(some.code).toBe(0);
    expect(some.out).toContain("0 of 2 transactions would change.");
    expect(some.out).toContain("The recogniser failed on 1 line.");
    const none = await test({
      rules: [],
      on: CSV,
      run: (lines) => Promise.resolve({ facts: lines.map(() => null), failures: 0 }),
    });
    expect(none.code).toBe(1);
  });

  it("a description cannot contain terminal control codes", async () => {
    const on = [{ ...TRANSACTION, description: "Coffee\u001b[2J" }];
    const { out } = await test({ rules: [COFFEE], on: JSON.stringify(on) });
    expect(out).not.toMatch(/[^\P{Cc}\n]/u);
  });
});

const TRANSACTION = {
  ...{ id: "t", description: "Rent", date: "2024-05-17", amount: 900, entry_type: "outgoing" },
  ...{ currency: "GBP", account_holder_id: "h", location: { raw_address: "Leeds", country: "GB" } },
};
const READ = {
  ...{ description: "Rent", amount: 900, entryType: "outgoing", currency: "GBP" },
  ...{ accountType: "business", country: "GB", rawAddress: "Leeds", accountHolderId: "h" },
};

describe("the transactions", () => {
  const list = JSON.stringify([TRANSACTION, TRANSACTION]);
  const options = { accountType: "business" } as const;

  it.each<[string, string | Buffer, readonly number[]]>([
    ["a list", list, [1, 2]],
    ["a list with a mark and spaces", `\uFEFF \n${list}`, [1, 2]],
    ["a packed list", gzipSync(list), [1, 2]],
    ["a batch", `{"operation":"POST /v3/transactions","data":${list}}`, [1, 2]],
    ["one transaction", JSON.stringify(TRANSACTION), [1]],
    ["JSON lines", `${JSON.stringify(TRANSACTION)}\r\n\n${JSON.stringify(TRANSACTION)}\n`, [1, 3]],
  ])("are read from %s", async (_name, on, places) => {
    const { seen, err } = await test({ rules: [], on, options });
    expect(seen).toEqual(places.map((line) => ({ line, ...READ })));
    expect(err).toBe("");
  });

  it("may leave out what the API lets them", async () => {
    const { id, description, date, amount, entry_type, currency } = TRANSACTION;
    const rest = { id, description, date, amount, entry_type, currency };
    const { seen } = await test({ rules: [], on: JSON.stringify([rest]), options });
    const unknown = { country: null, rawAddress: null, accountHolderId: null };
    expect(seen).toEqual([{ line: 1, ...READ, ...unknown }]);
  });

  it.each<[object | string, string]>([
    [{ ...TRANSACTION, amount: -1 }, "amount must be a number from 0"],
    [{ ...TRANSACTION, amount: "1" }, "amount must be a number from 0"],
    [{ ...TRANSACTION, description: null }, "description must be a text"],
    [{ ...TRANSACTION, description: "x".repeat(1025) }, "description must be a text"],
    [{ ...TRANSACTION, entry_type: "debit" }, "entry_type must be incoming or outgoing"],
    [{ ...TRANSACTION, currency: "POUND" }, "currency must be an ISO 4217 code"],
    [{ ...TRANSACTION, location: { country: "UK" } }, "location.country must be an ISO 3166-1"],
    [{ ...TRANSACTION, location: { raw_address: 1 } }, "location.raw_address must be a text"],
    [{ ...TRANSACTION, location: "Leeds" }, "location must be an object"],
    [{ ...TRANSACTION, account_holder_id: 1 }, "account_holder_id must be a text"],
    ["text", "it is not a transaction"],
  ])("that are invalid (%j) are named by line, and the others are tested", async (bad, reason) => {
    const { code, err, seen } = await test({
      rules: [],
      on: JSON.stringify([TRANSACTION, bad]),
    });
    expect([code, seen.length]).toEqual([0, 1]);
    expect(err).toContain(`line 2: ${reason}`);
  });

  it("of a bank with odd columns are read by --map", async () => {
    const { seen } = await test({
      rules: [],
      on: "A,B,C\n03/04/2024,Rent,7.5\n",
      options: { map: "description=B,amount=C,date=A,outflow=positive,currency=EUR" },
    });
    expect(seen).toMatchObject([{ description: "Rent", amount: 7.5, currency: "EUR" }]);
  });

  it("that are too many for one test are refused", async () => {
    const on = `Date,Description,Amount\n${"2024-05-17,Coffee,-1.50\n".repeat(25_001)}`;
    const { code, err } = await test({ rules: [], on });
    expect([code, err]).toEqual([2, expect.stringContaining("more than 25,000") as string]);
  });

  it("in a list that is not JSON end the command with what is wrong, not with every line of it", async () => {
    const on = `[\n${JSON.stringify(TRANSACTION)},\n]`;
    const { code, out, err } = await test({ rules: [], on });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^\/lines is not JSON: .+\n$/);
  });

  it("that are nothing of the kind end the command", async () => {
    const { code, out, err } = await test({ rules: [], on: '{"data":1}' });
    expect([code, out, err]).toEqual([2, "", "/lines has no list of transactions.\n"]);
  });
});

describe("the ruleset", () => {
  it("comes from standard input for -, and only one of the two can", async () => {
    const options = { file: "-" };
    expect(await test({ rules: [COFFEE], on: CSV, options })).toMatchObject({ code: 0 });
    const both = await test({ rules: [], on: CSV, options: { file: "-", on: "-" } });
    expect(both).toMatchObject({ code: 2, out: "" });
  });

  it("may be what the API lists", async () => {
    const { out } = await test({ rules: [{ id: 0, ...COFFEE }], on: CSV });
    expect(out).toContain("1 of 3 transactions would change.");
  });

  it.each<[unknown, string]>([
    ["[", "/rules.json is not JSON: "],
    [COFFEE, "rules: Input should be a valid list"],
    [[COFFEE, { if: true, then: [{ set: "merchant" }] }], "rules[1].then[0].to: Field required"],
    [[{ if: { "&&": [{}] } }], 'rules[0].if["&&"][0]: Field required'],
    [[COFFEE, { set: "merchant", to: 1 }], "rules[1].to: expected text, found number"],
    [[{ add_label: "x".repeat(RULESET_BYTES_MAX) }], "rules[0].add_label: "],
    [
      Array.from({ length: 3_000 }, () => ({ add_label: "twenty-five characters" })),
      "/rules.json is too large: ",
    ],
  ])("that is wrong ends the command with its place and exit code 2", async (rules, message) => {
    const { code, out, err } = await test({ rules, on: CSV });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });

  it("that is not JSON cannot steer a terminal", async () => {
    const { code, err } = await test({ rules: "\u001b[2J\n[]", on: CSV });
    expect(code).toBe(2);
    expect(err).toMatch(/^\/rules.json is not JSON: [^\p{Cc}]+\n$/u);
  });

  it("with many problems prints the first ten", async () => {
    const { err } = await test({ rules: Array.from({ length: 30 }, () => 1), on: CSV });
    expect(err.match(/^rules\[/gm)).toHaveLength(10);
    expect(err).toContain("… and 20 more");
  });
});
