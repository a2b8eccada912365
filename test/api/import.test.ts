// Bank files are sent to a real service as in the guide, again, and after a lost answer.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { expect, it } from "vitest";
import { GUESS_ALL } from "../../src/cli/enrich/run/parse-settings.ts";
import { type ImportDeps, importFile, type ImportOptions } from "../../src/cli/import/import.ts";
import { API_KEY, type StoredTransaction } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { shared, startService, temporaryFolder } from "../support/service.ts";

const GUIDE = new URL("../../docs/guides/import.md", import.meta.url);

const open = shared(async (atEnd) => {
  const service = await startService({}, atEnd);
  const folder = temporaryFolder(atEnd);
  const ofx = join(folder, "may.ofx");
  const entry = (id: string, amount: string, name: string): string =>
    `<STMTTRN><TRNTYPE>POS<DTPOSTED>20240517<TRNAMT>${amount}<FITID>${id}<NAME>${name}</STMTTRN>`;
  await writeFile(
    ofx,
    `<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>` +
      `${entry("a", "-4.50", "STARBUCKS")}${entry("b", "-15.49", "NETFLIX.COM")}${entry("b", "-15.49", "NETFLIX.COM")}` +
      `</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
  );
  const transactionsOf = (holder: string): Promise<StoredTransaction[]> =>
    service.client.listAll(`/v3/transactions?account_holder_id=${holder}`);
  return { service, ofx, transactionsOf };
});

async function run(
  options: Partial<ImportOptions>,
  deps: Partial<ImportDeps> = {},
): Promise<{ readonly code: number; readonly err: string }> {
  let err = "";
  const stderr = new Writable({
    write: (chunk: unknown, _encoding, done) => {
      err += String(chunk);
      done();
    },
  });
  const { service, ofx } = open();
  const code = await importFile(
    {
      ...{ file: ofx, accountHolder: "h", create: null, url: service.url },
      ...{ apiKey: API_KEY, parse: GUESS_ALL, profile: null, isDryRun: false, ...options },
    },
    {
      ...{ stdin: Readable.from([]), stdout: stderr, stderr, fetch, now: Date.now },
      profileFolder: () => temporaryFolder(),
      // Only what the server asks for is waited for, and it asks for nothing here.
      wait: () => new Promise((resolve) => setImmediate(resolve)),
      signal: new AbortController().signal,
      ...deps,
    },
  );
  return { code, err };
}

it("the commands of the guide import a file once, however often they run", async () => {
  const { service, ofx, transactionsOf } = open();
  const commands = [...(await readFile(GUIDE, "utf8")).matchAll(/^npx ledgerline (import .*)$/gm)];
  expect(commands).toHaveLength(2);
  for (const [, command = ""] of [...commands, ...commands.slice(1)]) {
    const words = command.split(" ").map((word) => (word === "may.ofx" ? ofx : word));
    const ran = await runCommand({ LEDGERLINE_API_KEY: API_KEY }, ...words, "--url", service.url);
    expect([ran.code, ran.stderr]).toMatchObject([0, expect.stringContaining("format: OFX")]);
  }
  const stored = await transactionsOf("anna");
  expect(stored.map(({ amount }) => amount).sort()).toEqual([15.49, 15.49, 4.5]);
  expect(new Set(stored.map(({ id }) => id)).size).toBe(3);
});

it.each<readonly [string, string]>([
  [
    "CAMT.053",
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="EUR">1.00</Amt>' +
      "<CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2024-05-17</Dt></BookgDt><AddtlNtryInf>Tea</AddtlNtryInf></Ntry></Stmt></BkToCstmrStmt></Document>",
  ],
  ["MT940", ":20:A\n:25:1\n:60F:C240501EUR0,\n:61:240517D1,NMSC\n:86:Tea\n:62F:D240531EUR1,\n"],
])("the process reads %s with the libraries as they are loaded there", async (format, text) => {
  const file = join(temporaryFolder(), "statement");
  await writeFile(file, text);
  const ran = await runCommand({}, "import", file, "--account-holder", "h", "--dry-run");
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(`format: ${format}`)]);
  expect(JSON.parse(ran.stdout.toString())).toMatchObject({ description: "Tea", amount: 1 });
});

it("a file is parsed as the options of enrich say, and options that its format does not use are named", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "bank.csv");
  await writeFile(file, "Datum;Text;Betrag\n03/04/2024;Tee;-1.234\n");
  const profile = join(folder, "bank.json");
  await writeFile(profile, JSON.stringify({ version: 1, currency: "EUR", date_format: "mdy" }));
  const holder = ["--account-holder", "h", "--dry-run"];
  const given = ["--delimiter", "semicolon", "--decimal", "comma", "--profile", profile];
  const ran = await runCommand({}, "import", file, ...holder, ...given);
  expect([ran.code, JSON.parse(ran.stdout.toString())]).toMatchObject([
    0,
    { amount: 1234, currency: "EUR", date: "2024-03-04" },
  ]);
  const statement = await runCommand({}, "import", open().ofx, ...holder, "--decimal", "comma");
  expect(statement.stderr).toContain("not used for OFX: --decimal");
});

it("an answer that is lost is asked for again and nothing is created twice", async () => {
  const { transactionsOf } = open();
  let lost = 0;
  const losing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (init?.method !== "POST" || lost > 0) return response;
    lost += 1;
    await response.text();
    throw new TypeError("fetch failed");
  };
  await run({ accountHolder: "lost", create: "consumer", isDryRun: true });
  await open().service.client.createHolder("lost", "consumer");
  const { code, err } = await run({ accountHolder: "lost" }, { fetch: losing });
  expect([code, lost]).toEqual([0, 1]);
  expect(err).toContain("transactions 3 · batches 1 · not enriched 0");
  expect(await transactionsOf("lost")).toHaveLength(3);
});

it("a long file goes in several batches", async () => {
  const { service, transactionsOf } = open();
  await service.client.createHolder("many", "business");
  const record = (at: number): string => `D5/17'24\nT-${String(at + 1)}.00\nPSHOP\n^\n`;
  const file = join(temporaryFolder(), "many.qif");
  await writeFile(
    file,
    `!Type:Bank\n${Array.from({ length: 10_003 }, (_, at) => record(at)).join("")}`,
  );
  const { code, err } = await run({
    file,
    accountHolder: "many",
    parse: { ...GUESS_ALL, map: "currency=USD" },
  });
  expect(code).toBe(0);
  expect(err).toContain("transactions 10,003 · batches 2 · not enriched 0");
  const [last] = await transactionsOf("many");
  expect(last).toMatchObject({ account_holder_id: "many", date: "2024-05-17" });
});

it.each<readonly [string, Partial<ImportOptions>, number, string]>([
  ["no account holder", { accountHolder: "unknown" }, 1, "--create consumer"],
  [
    "another type of account holder",
    { accountHolder: "anna", create: "business" },
    1,
    "Leave out --create",
  ],
  ["a wrong key", { apiKey: "wrong" }, 1, "Give an API key with --key or LEDGERLINE_API_KEY"],
  ["no key", { apiKey: "" }, 2, "Give an API key with --key or in LEDGERLINE_API_KEY"],
  ["no server", { url: "http://127.0.0.1:9" }, 1, "Cannot reach http://127.0.0.1:9"],
  ["no address", { url: "ftp://x" }, 2, "is not an address such as"],
  ["no file", { file: "/nowhere.ofx" }, 2, "There is no file"],
])("%s is reported in plain words", async (_name, options, exitCode, message) => {
  await open().service.client.createHolder("anna", "consumer");
  const { code, err } = await run(options);
  expect([code, err]).toEqual([exitCode, expect.stringContaining(message)]);
});

it("an interrupt ends the run with what to do", async () => {
  const controller = new AbortController();
  controller.abort();
  const { code, err } = await run({}, { signal: controller.signal });
  expect([code, err]).toEqual([130, expect.stringContaining("Run the same command again")]);
});
