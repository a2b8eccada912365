// The workbooks are made here, part by part, as ISO/IEC 29500 describes them.
import { strToU8, zipSync } from "fflate";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseText } from "../../../../test/support/parse-file.ts";
import { InputError } from "../input-error.ts";

type Cell = string | number | { readonly date: number };

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

function cellXml(cell: Cell, at: string): string {
  if (typeof cell === "string")
    return cell === "" ? "" : `<c r="${at}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  if (typeof cell === "number") return `<c r="${at}"><v>${String(cell)}</v></c>`;
  return `<c r="${at}" s="1"><v>${String(cell.date)}</v></c>`;
}

function sheetXml(rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((row, y) => {
    const cells = row.map((cell, x) => cellXml(cell, `${"ABCDEFG"[x] ?? "H"}${String(y + 1)}`));
    return `<row r="${String(y + 1)}">${cells.join("")}</row>`;
  });
  return `<worksheet ${MAIN}><sheetData>${lines.join("")}</sheetData></worksheet>`;
}

function workbook(sheets: Readonly<Record<string, string>>, is1904 = false): Uint8Array {
  const names = Object.keys(sheets);
  const list = names.map(
    (name, at) => `<sheet name="${name}" sheetId="${String(at + 1)}" r:id="rId${String(at + 1)}"/>`,
  );
  const relations = names.map(
    (_, at) =>
      `<Relationship Id="rId${String(at + 1)}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${String(at + 1)}.xml"/>`,
  );
  const package_ = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';
  const parts: Record<string, string> = {
    "[Content_Types].xml":
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    "_rels/.rels": `<Relationships ${package_}><Relationship Id="r" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook ${MAIN} xmlns:r="${OFFICE}"><workbookPr date1904="${is1904 ? "1" : "0"}"/><sheets>${list.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships ${package_}>${relations.join("")}<Relationship Id="s" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `<styleSheet ${MAIN}><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0" xfId="0"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  };
  for (const [at, name] of names.entries())
    parts[`xl/worksheets/sheet${String(at + 1)}.xml`] = sheets[name] ?? "";
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])),
  );
}

/** 2024-05-17 in days since the epoch of workbooks. */
const DAY_1900 = 45_429;
const DAY_1904 = DAY_1900 - 1_462;
const TRANSACTIONS: readonly (readonly Cell[])[] = [
  ["Statement of May"],
  [],
  ["Date", "Description", "Amount"],
  [{ date: DAY_1900 }, "Coffee; black", -12.300000000000001],
  ["2024-05-18", "=HYPERLINK() payroll", 1000.1],
];

test("the header is found below other rows, the sheet among others, numbers lose binary noise", async () => {
  const { file, good } = await parseText(
    workbook({ About: sheetXml([["Bank of X"]]), May: sheetXml(TRANSACTIONS) }),
  );
  expect(file).toMatchObject({ format: "XLSX", columns: ["Date", "Description", "Amount"] });
  expect(file.report[0]).toBe("format: XLSX, sheet 'May', of 2");
  expect(file.report[1]).toContain("layout: with a header, 2 lines above it left out");
  expect(good).toMatchObject([
    { date: "2024-05-17", description: "Coffee; black", amount: "-12.3", entryType: "outgoing" },
    { date: "2024-05-18", amount: "1000.1", entryType: "incoming" },
  ]);
});

test("days since 1904 are read as such", async () => {
  const rows = TRANSACTIONS.map((row) =>
    row.map((cell) => (typeof cell === "object" ? { date: DAY_1904 } : cell)),
  );
  const { good } = await parseText(workbook({ May: sheetXml(rows) }, true));
  expect(good).toMatchObject([{ date: "2024-05-17" }, { date: "2024-05-18" }]);
});

test("another sheet with transactions is named and can be chosen", async () => {
  const short = sheetXml(TRANSACTIONS.slice(0, 4));
  const bytes = workbook({ April: short, May: sheetXml(TRANSACTIONS) });
  expect((await parseText(bytes)).file.report[0]).toBe(
    "format: XLSX, sheet 'May', of 2; not read: 'April' (1 rows); --map sheet=NAME reads another",
  );
  const chosen = await parseText(bytes, { map: "sheet=april" });
  expect(chosen.file.report[0]).toBe("format: XLSX, sheet 'April' (as given)");
  expect(chosen.good).toHaveLength(1);
  await expect(parseText(bytes, { map: "sheet=June" })).rejects.toThrow(
    "has no sheet 'June'. Its sheets are 'April', 'May'.",
  );
});

test.each([
  [
    "a cell far away",
    workbook({
      S: sheetXml(TRANSACTIONS).replace(
        "</sheetData>",
        '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>',
      ),
    }),
    "spans more than 2,000,000 cells. Delete the rows and columns",
  ],
  [
    "an address with an entity",
    workbook({ S: sheetXml([["a"]]).replace('r="A1"', 'r="&#88;FD1048576"') }),
    "is a damaged workbook",
  ],
  ["a bomb", workbook({ S: " ".repeat(129 * 1024 * 1024) }), "is larger than 128 MiB unpacked"],
  ["another archive", zipSync({ "a.txt": strToU8("x") }), "is an archive, not an XLSX workbook"],
  ["an OpenDocument table", zipSync({ mimetype: strToU8("x") }), "is an OpenDocument table"],
])("%s is refused before it takes memory", async (_name, bytes, message) => {
  await expect(parseText(bytes)).rejects.toThrow(message);
});

test("an archive that hides how much it holds is refused", async () => {
  const bytes = workbook({ S: sheetXml([...TRANSACTIONS, ["x".repeat(100_000)]]) });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Every entry of the directory declares ten unpacked bytes.
  for (let at = 0; at + 28 < bytes.length; at += 1)
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 10, true);
  await expect(parseText(bytes)).rejects.toThrow("is a damaged archive");
});

test("changed bytes end in rows or in one clear error", async () => {
  const whole = workbook({ S: sheetXml(TRANSACTIONS) });
  const change = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(change, async (changes) => {
      const bytes = Uint8Array.from(whole);
      for (const [at, value] of changes) bytes[at] = value;
      await parseText(bytes).catch((error: unknown) => {
        expect(error).toBeInstanceOf(InputError);
      });
    }),
    { numRuns: 150 },
  );
});
