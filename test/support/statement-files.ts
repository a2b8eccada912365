// Bank statements as files, and forms with them.
import { makePdf, type PdfText } from "./pdf.ts";

export interface SampleFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const row = (y: number, ...texts: readonly string[]): readonly PdfText[] =>
  texts.map((text, at) => ({ text, x: [40, 120, 360, 460][at] ?? 0, y }));

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
