// Bank statements as files, and forms with them.
import { makePdf, type PdfText } from "./pdf.ts";

export interface SampleFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A good statement of one page. */
export const GOOD_STATEMENT: readonly PdfText[] = [
  { text: "Opening balance: 100.00", x: 40, y: 780 },
  { text: "Date", x: 40, y: 750 },
  { text: "Description", x: 120, y: 750 },
  { text: "Amount", x: 360, y: 750 },
  { text: "Balance", x: 460, y: 750 },
  { text: "2026-01-02", x: 40, y: 730 },
  { text: "Coffee house", x: 120, y: 730 },
  { text: "-5.00", x: 370, y: 730 },
  { text: "95.00", x: 470, y: 730 },
  { text: "2026-01-05", x: 40, y: 710 },
  { text: "Salary", x: 120, y: 710 },
  { text: "50.00", x: 370, y: 710 },
  { text: "145.00", x: 465, y: 710 },
];

const row = (y: number, ...texts: readonly string[]): readonly PdfText[] =>
  texts.map((text, at) => ({ text, x: [40, 120, 360, 460][at] ?? 0, y }));

/** A statement of a month without transactions. */
export const inactiveStatementFile = (): SampleFile => ({
  name: "inactive.pdf",
  bytes: makePdf([
    [
      ...row(800, "Account number: 1234-5678"),
      ...row(785, "Statement period: 1 February 2026 to 28 February 2026"),
      ...row(770, "Opening balance: EUR 145.00"),
      ...row(740, "No transactions in this period"),
      ...row(710, "Closing balance: EUR 145.00"),
    ],
  ]),
});

/** A statement of one account with two transactions, which add up. Statements of other marks are other documents. */
export function statementFile(mark: string): SampleFile {
  const bytes = makePdf([
    [
      ...row(800, "Account number: 1234-5678"),
      ...row(785, "Statement period: 1 January 2026 to 31 January 2026"),
      ...row(770, "Opening balance: EUR 100.00"),
      ...row(740, "Date", "Description", "Amount", "Balance"),
      ...row(720, "2026-01-02", `Coffee house ${mark}`, "-5.00", "95.00"),
      ...row(700, "2026-01-05", "Salary", "50.00", "145.00"),
      ...row(670, "Closing balance: EUR 145.00"),
    ],
  ]);
  return { name: `${mark}.pdf`, bytes };
}

/** The form of an upload; `fields` come before the file. */
export function formOf(
  { name, bytes }: SampleFile,
  fields: Readonly<Record<string, string>> = {},
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
  return form;
}
