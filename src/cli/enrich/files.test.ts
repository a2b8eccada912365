// What people do with files of several banks: see what was parsed, override a guess, leave out what did not happen.
import { Buffer } from "node:buffer";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { brief, factsFor, runOn } from "../../../test/support/enrich-file.ts";
import { readBankCategories } from "../../../workers/settings/categories/bank-categories.ts";
import type { EnrichFileDeps } from "./enrich.ts";
import type { EnrichLine } from "./run/enrich-line.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ledgerline-files-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function put(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

test.each([
  ["the status of the payment", "COMPLETED", "PENDING", ["London", "Leeds"]],
  ["one of the United States", "NY", "TX", ["NY London", "TX Leeds"]],
])("State next to a city is %s by its words", async (_name, first, second, addresses) => {
  const ran = await runOn(
    `Date,Description,Amount,State,City\n2024-05-17,Coffee,-1.00,${first},London\n2024-05-16,Tea,-2.00,${second},Leeds\n`,
  );
  expect(ran.lines.map((line) => line.rawAddress)).toEqual(addresses);
});

describe("parsed values in the output", () => {
  const german = "Datum;Text;Betrag\n17.05.2024;Bäcker;-1.234,50\n16.05.2024;Lohn;2000,00\n";

  test("normalised columns have ISO date, signed amount, direction and currency", async () => {
    const ran = await runOn(german, { columns: "normalised" });
    const [header = "", first = ""] = ran.stdout.split("\n");
    expect(header).toMatch(
      /^ledgerline_line;ledgerline_date;ledgerline_amount;ledgerline_direction;ledgerline_currency;/u,
    );
    expect(first).toMatch(/^2;2024-05-17;-1234\.50;outgoing;EUR;Bäcker;booked;/u);
  });

  test("JSONL has the input and the exact amount as text", async () => {
    const ran = await runOn(german, { format: "jsonl" });
    expect(JSON.parse(ran.stdout.split("\n")[0] ?? "")).toMatchObject({
      input: { Betrag: "-1.234,50" },
      transaction: { date: "2024-05-17", amount: "-1234.50", direction: "outgoing" },
    });
    const original = await runOn(german, { format: "jsonl", columns: "original" });
    expect(original.stdout).not.toContain('"transaction"');
  });
});

describe("cells that a spreadsheet would run", () => {
  test("are text unless the file was a CSV file, which keeps its cells", async () => {
    const formula = "=HYPERLINK(1)";
    const qif = `!Type:Bank\nD05/17/2024\nT-12.34\nP${formula}\n^\n`;
    const original = { columns: "original" as const };
    const fromQif = await runOn(qif, { ...original, map: "currency=EUR" });
    expect(fromQif.stdout).toContain(`'${formula}`);
    expect(fromQif.stdout).not.toMatch(/(?:^|,)=HYPERLINK/mu);
    expect(fromQif.stdout).toMatch(/(?:^|,)-12\.34(?:,|$)/mu);
    const csv = `Date,Text,Amount\n2024-05-17,${formula},-12.34\n`;
    expect((await runOn(csv, original)).stdout).toContain(`,${formula},-12.34,`);
  });
});

describe("number formats", () => {
  test("three digits behind a point are thousands, and the summary calls it ambiguous", async () => {
    const ran = await runOn("Datum;Text;Betrag\n17.05.2024;Miete;-1.234\n16.05.2024;Tee;-5\n");
    expect(ran.lines.map(brief)).toEqual([
      "2024-05-17 | Miete | -1234 EUR",
      "2024-05-16 | Tee | -5 EUR",
    ]);
    expect(ran.stderr).toContain("AMBIGUOUS: '-1.234'");
    expect(ran.stderr).toContain("--decimal point turns it");
  });

  test("another column that shows the mark decides", async () => {
    const ran = await runOn(
      'Date,Text,Amount,Balance\n2024-05-17,a,-1.234,"1.000,50"\n2024-05-16,b,-5,"2.234,50"\n',
    );
    expect(ran.lines[0]?.amount).toBe(1234);
    expect(ran.stderr).toContain("decimal comma (1.234,56; 2 numbers show it)");
  });

  test("--decimal overrides the guess", async () => {
    const ran = await runOn("Datum;Text;Betrag\n17.05.2024;Miete;-1.234\n", {
      parse: { decimal: "point" },
    });
    expect(ran.lines[0]?.amount).toBe(1.234);
    expect(ran.stderr).toContain("as given");
  });
});

describe("overrides", () => {
  test("--currency, --date-format, --delimiter and --encoding fix what would be guessed", async () => {
    const latin2 = Buffer.from("Date,Text,Amount\n24/05/17,\xb3\xf3d\x9f,-1.50\n", "latin1");
    const ran = await runOn(latin2, {
      parse: {
        ...{ currency: "PLN", date_format: "ymd", delimiter: "comma" },
        encoding: "windows-1250",
      },
    });
    expect(ran.lines.map(brief)).toEqual(["2024-05-17 | łódź | -1.5 PLN"]);
  });

  test("bytes that are not of the given encoding are an error with file and line", async () => {
    const ran = await runOn(Buffer.from("Date,Text,Amount\n2024-05-17,caf\xe9,-1\n", "latin1"), {
      parse: { encoding: "utf-8" },
    });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(/standard input, after line \d+: the bytes are not utf-8/u);
  });

  test.each([
    ["an unknown encoding", "Date,Text,Amount\n", { encoding: "klingon" }, "is not known"],
    ["a binary file", Buffer.from([1, 0, 2, 3, 4, 5]), {}, "is not a text file"],
  ])("%s is refused with what to do", async (_name, input, parse, message) => {
    const ran = await runOn(input, { parse });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(message);
  });
});

describe("the bank's own columns", () => {
  test("pending, reverted and declined rows are in the output and not in the sums", async () => {
    const ran = await runOn(
      "Date,Description,Amount,Currency,State\n2024-05-17,Coffee,-1.00,EUR,COMPLETED\n" +
        "2024-05-17,Tea,-10.00,EUR,PENDING\n2024-05-17,Bus,-20.00,EUR,REVERTED\n" +
        "2024-05-17,Gift,-30.00,EUR,DECLINED\n2024-05-17,Cake,-30.00,EUR,abgelehnt\n",
      { columns: "normalised" },
    );
    expect(ran.stderr).toMatch(/groceries\s+1\s+-1\.00 EUR/u);
    expect(ran.stderr).toContain(
      "left out of the sums by their status: 1 pending, 1 reverted, 2 declined",
    );
    expect(ran.stdout.trim().split("\n")).toHaveLength(6);
  });

  test("words of a status column that are not known are named, and their rows count as booked", async () => {
    const text =
      "Date,Description,Amount,Currency,State\n2024-05-17,Coffee,-1.00,EUR,COMPLETED\n" +
      "2024-05-17,Tea,-10.00,EUR,QUARANTINED\n2024-05-18,Tea,-10.00,EUR,QUARANTINED\n" +
      "2024-05-19,Coffee,-1.00,EUR,PENDING\n";
    const ran = await runOn(text, { columns: "normalised" });
    expect(ran.stderr).toContain('unknown status, counted as booked: "QUARANTINED" (2)');
    expect(ran.stdout.split("\n")[2]).toContain(",booked");
    const dry = await runOn(text, { dryRun: true });
    expect(dry.stdout).toContain("booked (QUARANTINED?)");
  });

  test("a clean name is read alone, and joined with the terminal's text only where it is weak", async () => {
    const ran = await runOn(
      "Date,Name,Description,Amount\n2024-05-17,Transport for London,TFL TRAVEL CH LONDON GBR,-2.80\n" +
        "2024-05-16,PayPal,PAYPAL *SPOTIFY 123456,-9.99\n2024-05-15,,SHELL 1234 LEEDS,-40.00\n" +
        "2024-05-14,Netflix,NFX 12 AMSTERDAM,-9.99\n",
    );
    expect(ran.lines.map((line) => line.description)).toEqual([
      "Transport for London",
      "PAYPAL *SPOTIFY 123456",
      "SHELL 1234 LEEDS",
      "Netflix",
      // The port of the tests answers "Transport", which lacks two words of the name.
      "Transport for London TFL TRAVEL CH LONDON GBR",
    ]);
    expect(ran.stdout).toContain(",Transport for London,booked,Transport,");
  });

  test("the bank's category and type fill what is open, with their source and a count", async () => {
    const text =
      "Date,Description,Amount,Category,Type\n2024-05-17,HABANEROS,-1.00,Dining,Card payment\n" +
      "2024-05-16,WELCH PLAZA,-2.00,,ATM\n2024-05-15,XQZV SHOP,-3.00,Shopping,Card payment\n";
    const open = (line: EnrichLine): string =>
      factsFor(line).replace('"groceries"', '"not enough information"');
    const port: Partial<EnrichFileDeps> = {
      enrichChunk: (lines) => Promise.resolve(lines.map(open)),
      readBankCategories: (...query) =>
        Promise.resolve(JSON.stringify(readBankCategories(...query))),
    };
    const ran = await runOn(text, { columns: "normalised" }, port);
    expect(ran.stdout).toContain(",food and drink,bank_category,");
    expect(ran.stdout).toContain(",atm/bank withdrawal,bank_type,");
    expect(ran.stdout).toContain(",not enough information,,");
    expect(ran.stderr).toContain(
      "categories from the bank's own columns: 1 from its category, 1 from its type",
    );
    const jsonl = await runOn(text, { format: "jsonl" }, port);
    const sources = jsonl.stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { category_source: unknown }).category_source);
    expect(sources).toEqual(["bank_category", "bank_type", null]);
    const dry = await runOn(text, { dryRun: true }, port);
    expect(dry.stdout).toMatch(/status +bank category +bank type +description\n2 .*Dining +Card/u);
  });

  test("an e-mail address in the city column is not a place", async () => {
    const ran = await runOn(
      "Date,Description,Amount,City\n2024-05-17,Shop,-1.00,help@paris.com\n2024-05-16,Cafe,-2.00,Boston\n",
    );
    expect(ran.lines.map((line) => line.rawAddress)).toEqual([null, "Boston"]);
  });
});

test("unknown merchants are counted, and grouped without the numbers of shops", async () => {
  const ran = await runOn(
    "Date,Description,Amount\n2024-05-17,XYZQ SHOP 12 6,-1.00\n2024-05-16,XYZQ SHOP 13,-1.00\n",
    {},
    {
      enrichChunk: (chunk) =>
        Promise.resolve(
          chunk.map((line) =>
            factsFor(line)
              .replace('"website":"example.com"', '"website":null')
              .replace('"name":"XYZQ"', `"name":"${line.description}"`),
          ),
        ),
    },
  );
  expect(ran.stderr).toMatch(/Unknown merchants\s+count\nXYZQ SHOP\s+2/u);
  expect(ran.stderr).toContain("unknown merchants 2 (100.0 %, 1 name)");
});

describe("several files", () => {
  const march =
    "Date,Description,Amount\n2024-03-30,Coffee,-1.00\n2024-03-31,Coffee,-1.00\n2024-03-31,Coffee,-1.00\n";
  const april = "Day;Details;Value\n2024-03-31;COFFEE;-1,00\n2024-04-01;Rent;-900,00\n";

  test("rows that an earlier file has are named and left out of the sums", async () => {
    const files = [await put("march.csv", march), await put("april.csv", april)];
    const ran = await runOn("", { files, parse: { currency: "EUR" }, columns: "normalised" });
    const rows = ran.stdout.trim().split("\n");
    expect(rows[0]).toMatch(/^ledgerline_file,ledgerline_line,.*ledgerline_duplicate_of,/u);
    expect(rows.filter((row) => row.includes(`${files[0] ?? ""}:3`))).toHaveLength(1);
    expect(ran.stderr).toContain("left out of the sums as duplicates of another file: 1 ");
    expect(ran.stderr).toMatch(/groceries\s+4\s+-903\.00 EUR/u);
  });

  test("the original columns of all files are united by name", async () => {
    const files = [await put("march.csv", march), await put("april.csv", april)];
    const ran = await runOn("", { files, columns: "original" });
    const [header = "", first = ""] = ran.stdout.split("\n");
    expect(header).toMatch(/^Date,Description,Amount,Day,Details,Value,ledgerline_file,/u);
    expect(first).toMatch(/^2024-03-30,Coffee,-1\.00,,,,/u);
  });

  test("one wrong file and nothing is written", async () => {
    const files = [await put("march.csv", march), join(folder, "missing.csv")];
    const ran = await runOn("", { files });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain("There is no file");
  });

  test("bad rows are named by file, line and column", async () => {
    const bad = await put("bad.csv", `${march}2024-04-01,Tea,none\n`);
    const ran = await runOn("", { files: [bad] });
    expect(ran.stderr).toContain(`${bad}, line 5: 'none' is not an amount (column 'Amount')`);
  });
});

describe("profiles", () => {
  test("what was decided is saved and read again", async () => {
    const path = join(folder, "bank.json");
    const first = await runOn("Datum;Text;Betrag\n03.04.2024;Tee;-1,50\n13.04.2024;Miete;-900\n", {
      saveProfile: path,
    });
    expect(first.stderr).toContain(`profile: saved as ${path}`);
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({
      ...{ version: 1, delimiter: "semicolon", decimal: "comma", currency: "EUR" },
      map: "date=Datum,description=Text,amount=Betrag,outflow=negative",
    });
    const again = await runOn("Datum;Text;Betrag\n03.05.2024;Miete;1.234\n", { profile: path });
    expect(again.lines.map(brief)).toEqual(["2024-05-03 | Miete | 1234 EUR"]);
  });

  test.each([
    ["not JSON", "it is not JSON"],
    ['{"version":2}', "version"],
    ['{"version":1,"decimal":"dot"}', "decimal"],
    ['{"version":1,"extra":1}', "extra"],
    [" ".repeat(70_000), "too large"],
  ])("a profile that is wrong is refused: %#", async (text, message) => {
    const profile = await put("bank.json", text);
    const ran = await runOn("Date,Text,Amount\n", { profile });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(message);
  });

  test("a profile with a name is kept in the folder of profiles", async () => {
    const deps = { profileFolder: join(folder, "profiles") };
    const text = "Date,Text,Amount\n2024-05-17,Tea,-1\n";
    expect((await runOn(text, { saveProfile: "my-bank" }, deps)).code).toBe(0);
    expect((await runOn(text, { profile: "my-bank" }, deps)).code).toBe(0);
    expect((await runOn(text, { profile: "other" }, deps)).stderr).toContain("no parse profile");
  });
});

test("--dry-run shows the guess and ten rows, and enriches nothing", async () => {
  const rows = Array.from({ length: 12 }, (_, at) => `2024-05-17,Shop ${String(at)},-1.00\n`);
  const ran = await runOn(`Date,Description,Amount\n${rows.join("")}`, { dryRun: true });
  expect(ran.lines).toEqual([]);
  expect(ran.stdout.trim().split("\n")).toHaveLength(11);
  expect(ran.stdout).toContain("2024-05-17  -1.00   USD");
  expect(ran.stderr).toContain("numbers: decimal point");
});

test("rows on a terminal have no progress bar between them", async () => {
  const parts: string[] = [];
  const terminal = new Writable({
    write: (chunk: unknown, _encoding, done) => {
      parts.push(String(chunk));
      done();
    },
  });
  Object.assign(terminal, { isTTY: true, cursorTo: () => true, clearLine: () => true });
  const file = await put("a.csv", "Date,Description,Amount\n2024-05-17,Coffee,-1.50\n");
  await runOn("", { file }, { stdout: terminal, stderr: terminal });
  const shown = parts.join("");
  expect(shown).toContain("2024-05-17,Coffee,-1.50,");
  expect(shown).not.toContain("\u001B");
});
