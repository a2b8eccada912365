import { Buffer } from "node:buffer";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { brief, factsFor, runOn } from "../../../test/support/enrich-file.ts";

const SMALL = "Date,Description,Amount\n2024-05-17,Coffee,-1.50\n2024-05-16,Payroll,2000.00\n";

test("no text whatever makes the run throw, and every record comes out again", async () => {
  const piece = fc.constantFrom(
    ...'\n \r\n , ; \t | " Date Amount Description 17/05/2024 -1,50 2.00 Coffee Debit 20240517 \u0000 é CR ( $'.split(
      " ",
    ),
  );
  const text = fc.array(fc.oneof({ weight: 5, arbitrary: piece }, fc.string({ maxLength: 5 })), {
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(text, async (parts) => {
      const ran = await runOn(parts.join(""), { format: "jsonl" });
      expect([0, 1, 2]).toContain(ran.code);
      const good = ran.stdout.split("\n").filter((row) => row.includes('"error":null'));
      expect(good).toHaveLength(ran.lines.length);
    }),
  );
});

test("noise of binary fractions in the amounts is read", async () => {
  const ran = await runOn(
    "Date,Description,Amount\n2024-05-17,Coffee,-1.1400000000000001\n2024-05-16,Tea,-2.5\n",
  );
  expect(ran.lines.map((line) => line.amount)).toEqual([1.1400000000000001, 2.5]);
  expect(ran.stderr).toContain("-3.64 USD");
});

describe("output", () => {
  test("CSV keeps the original cells and adds the facts", async () => {
    const ran = await runOn('Datum;Text;Betrag\n17.05.2024;"Käse; ""alt""";-1.234,56\n', {
      columns: "original",
    });
    expect(ran.stdout).toBe(
      "Datum;Text;Betrag;ledgerline_merchant;ledgerline_website;ledgerline_category;ledgerline_category_source;ledgerline_type;" +
        "ledgerline_intermediaries;ledgerline_city;ledgerline_state;ledgerline_country;ledgerline_error\n" +
        '17.05.2024;"Käse; ""alt""";-1.234,56;"Käse;";example.com;groceries;recogniser;organization;PayPal;;;;\n',
    );
  });

  test("an invalid date is a bad line, also in a file of few lines", async () => {
    const ran = await runOn(`${SMALL}2024-02-30,Tea,-2.00\n`.replace("Date,", "Posted,"));
    expect(ran.stderr).toContain("line 4: '2024-02-30' is not a date");
    expect(ran.lines.map((line) => line.description)).toEqual(["Coffee", "Payroll"]);
  });

  test("added cells cannot run as formulas; original cells are left alone", async () => {
    const ran = await runOn("Date,Description,Amount\n2024-05-17,=HYPERLINK() x,-1.50\n");
    expect(ran.stdout).toContain(
      "2024-05-17,=HYPERLINK() x,-1.50,2,2024-05-17,-1.50,outgoing,USD,'=HYPERLINK() x,booked,'=HYPERLINK(),",
    );
  });

  test("JSONL has the line, the input, the facts and no error", async () => {
    const ran = await runOn(SMALL, { format: "jsonl" });
    const [first] = ran.stdout.trim().split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject({
      line: 2,
      input: { Date: "2024-05-17", Description: "Coffee", Amount: "-1.50" },
      entities: { counterparty: { name: "Coffee" } },
      categories: { general: "groceries" },
      category_source: "recogniser",
      location: null,
      error: null,
    });
  });

  test("bad lines pass through with an error, are named by line, and the run goes on", async () => {
    const ran = await runOn(
      'Date,Description,Amount\n2024-05-17,"two\nlines",-1.50\n2024-02-30,Nope,-1\n2024-05-16,Bad,abc\n2024-05-15,,-3\n' +
        "2024-05-14,a,-4,surplus\n2024-05-13\n2024-05-12,Fine,-5.00\n",
    );
    expect(ran.code).toBe(0);
    expect(ran.lines.map((line) => line.description)).toEqual(["two lines", "Fine"]);
    expect(ran.stderr).toContain("line 4: '2024-02-30' is not a date");
    expect(ran.stderr).toContain("line 5: 'abc' is not an amount");
    expect(ran.stderr).toContain("line 6: the description is empty");
    expect(ran.stderr).toContain("line 7: 4 fields where 3 are expected");
    expect(ran.stderr).toContain("line 8: 1 fields where 3 are expected");
    expect(ran.stdout).toContain(
      '2024-05-14,a,"-4,surplus",7,,,,,,,,,,,,,,,,4 fields where 3 are expected\n',
    );
    expect(ran.stdout.trim().split("\n")).toHaveLength(9);
  });

  test("only the first twenty bad lines are shown, then a count", async () => {
    const ran = await runOn(
      `${SMALL}${"2024-05-16,Shop,-1.00\n".repeat(60)}${"2024-05-01,x,none\n".repeat(25)}`,
    );
    expect(ran.stderr.match(/is not an amount/gu)).toHaveLength(20);
    expect(ran.stderr).toContain("… and 5 more bad lines");
  });

  test("order of output is order of input when chunks answer out of order", async () => {
    const rows = Array.from({ length: 3000 }, (_, at) => `2024-05-17,shop${String(at)},-1.50\n`);
    const waiting: (() => void)[] = [];
    const ran = await runOn(
      `Date,Description,Amount\n${rows.join("")}`,
      {},
      {
        enrichChunk: (chunk) => {
          const { promise, resolve } = Promise.withResolvers<string[]>();
          waiting.push(() => {
            resolve(chunk.map(factsFor));
          });
          // The newest is answered first, again and again.
          setImmediate(() => waiting.pop()?.());
          return promise;
        },
      },
    );
    const written = ran.stdout.trim().split("\n").slice(1);
    expect(written.map((row) => row.split(",")[1])).toEqual(rows.map((row) => row.split(",")[1]));
    expect(written.every((row) => row.split(",")[1] === row.split(",")[10])).toBe(true);
  });

  test("a recogniser that fails costs its own lines only, and exit 1 when all failed", async () => {
    const half = await runOn(
      SMALL,
      {},
      { enrichChunk: (chunk) => Promise.resolve([null, ...chunk.slice(1).map(factsFor)]) },
    );
    expect(half.code).toBe(0);
    expect(half.stdout).toContain("the recogniser failed on this line");
    const none = await runOn(
      SMALL,
      {},
      { enrichChunk: () => Promise.reject(new Error("pool closed")) },
    );
    expect(none.code).toBe(1);
    expect(none.stdout).toContain("the recogniser failed: pool closed");
  });

  test("the summary counts in minor units", async () => {
    const rows = "2024-05-17,Coffee,-0.10\n".repeat(3);
    const ran = await runOn(`Date,Description,Amount\n${rows}2024-05-16,Payroll,1000.00\n`);
    expect(ran.stderr).toMatch(/groceries\s+4\s+999\.70 USD/u);
    expect(ran.stderr).toMatch(/Coffee\s+3/u);
    expect(ran.stderr).toContain("lines 4 · enriched 4 · bad 0 · unknown merchants 0 (0.0 %)");
  });
});

describe("--map", () => {
  const odd = "A,B,C,D\n03/04/2024,x,Coffee shop,7.5\n03/05/2024,y,Book shop,9.5\n";

  test("overrides the guesses, constants and joins included", async () => {
    const ran = await runOn(odd, {
      map: "description=b+#3,amount=D,date=A,currency=EUR,country=DE,dates=dmy,outflow=negative",
    });
    expect(ran.lines.map(brief)).toEqual([
      "2024-04-03 | x Coffee shop | 7.5 EUR",
      "2024-05-03 | y Book shop | 9.5 EUR",
    ]);
    expect(ran.lines[0]?.country).toBe("DE");
  });

  test.each([
    ["desc=A", "'desc' is not a key"],
    ["amount=Nope", "there is no column 'Nope' for amount. The columns are 'A', 'B', 'C', 'D'"],
    ["amount", "is not of the form key=column"],
    ["dates=dym", "dates must be dmy or mdy or ymd"],
  ])("%s is refused before anything is written", async (map, message) => {
    const ran = await runOn(odd, { map });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(message);
  });

  test("no description or amount to be found: the columns and --map are shown", async () => {
    const ran = await runOn("Foo,Bar\n1,2\n3,4\n");
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain("'Foo', 'Bar'");
    expect(ran.stderr).toContain("--map description=");
  });
});

describe("files", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "ledgerline-enrich-"));
    await writeFile(join(folder, "in.csv"), SMALL);
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  test("--out appears whole under its name, in the format of its extension", async () => {
    const ran = await runOn("", { file: join(folder, "in.csv"), out: join(folder, "out.jsonl") });
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    const rows = (await readFile(join(folder, "out.jsonl"), "utf8")).trim().split("\n");
    expect(rows.map((row) => (JSON.parse(row) as { line: number }).line)).toEqual([2, 3]);
    expect((await readdir(folder)).sort()).toEqual(["in.csv", "out.jsonl"]);
  });

  test("the input is never overwritten, not even through a link", async () => {
    await symlink(join(folder, "in.csv"), join(folder, "link.csv"));
    const ran = await runOn("", { file: join(folder, "in.csv"), out: join(folder, "link.csv") });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("is the input file");
    expect(await readFile(join(folder, "in.csv"), "utf8")).toBe(SMALL);
  });

  test("an interrupted run leaves no file and returns 130, even when the recogniser hangs", async () => {
    const controller = new AbortController();
    const ran = await runOn(
      "",
      { file: join(folder, "in.csv"), out: join(folder, "out.csv") },
      {
        signal: controller.signal,
        enrichChunk: () => {
          controller.abort();
          return new Promise(() => undefined);
        },
      },
    );
    expect(ran.code).toBe(130);
    expect(await readdir(folder)).toEqual(["in.csv"]);
  });

  test("an interrupt ends a run that waits for a pipe", async () => {
    const controller = new AbortController();
    const stdin = new Readable({ read: () => undefined });
    const ran = runOn("", {}, { stdin, signal: controller.signal });
    setImmediate(() => {
      controller.abort();
    });
    expect((await ran).code).toBe(130);
  });

  test.each([
    ["missing.csv", "There is no file"],
    [".", "is a directory"],
  ])("%s: one clear sentence, exit 2", async (file, message) => {
    const ran = await runOn("", { file: join(folder, file) });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(message);
    expect(ran.stderr.trim().split("\n")).toHaveLength(1);
  });

  test.each([
    ["an empty file", Buffer.alloc(0), "is empty"],
    ["a damaged archive", Buffer.from("PK\u0003\u0004rest of it"), "save it as .xlsx or CSV"],
    ["a cut gzip", gzipSync(SMALL.repeat(50)).subarray(0, 60), "damaged or incomplete gzip"],
    [
      "an open quotation mark late in the file",
      Buffer.from(`${SMALL}${"2024-05-16,Shop,-1.00\n".repeat(20_000)}2024-05-16,"Shop,-1.00\n`),
      "never closed",
    ],
  ])("%s: one clear sentence, exit 2", async (_name, input, message) => {
    const ran = await runOn(input);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(message);
  });

  test("a header without rows is written back, exit 1", async () => {
    const ran = await runOn("Date,Description,Amount\n");
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/^Date,Description,Amount,ledgerline_line/u);
    expect(ran.stderr).toContain("has a header and no rows below it");
  });

  test("a reader that goes away (| head) ends the run quietly", async () => {
    const error = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    const stdout = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) => {
        done(error);
      },
    });
    const ran = await runOn(SMALL, {}, { stdout });
    expect(ran.code).toBe(0);
    expect(ran.stderr).not.toContain("EPIPE");
  });
});
