// Labelled lines of a CSV file as items of a training.
import { parse } from "csv-parse/sync";
import { LABEL_MARK } from "../../model/labels.ts";
import { InputError } from "../enrich/input-error.ts";

/** As the API takes it. */
export interface LabelledLine {
  readonly account_holder_type: string;
  readonly amount: number;
  readonly entry_type: "incoming" | "outgoing";
  readonly iso_currency_code: string;
  readonly description: string;
  readonly country: string | null;
  readonly mcc: number | null;
  readonly label: readonly string[];
}

/** What holds for all lines whose file has no column for it. */
export interface LineDefaults {
  readonly accountType: string;
  readonly currency: string;
}

const REQUIRED = ["description", "amount", "label"] as const;

type LabelledRow = Readonly<Record<string, string | undefined>>;

/** An amount without an `entry_type` is negative for money that leaves. */
function toLabelledLine(row: LabelledRow, number: number, defaults: LineDefaults): LabelledLine {
  const amount = Number(row["amount"]?.replaceAll(",", "") || Number.NaN);
  if (!Number.isFinite(amount))
    throw new InputError(`Line ${String(number)}: the amount is not a number such as 6.50.`);
  const entryType = row["entry_type"] || (amount < 0 ? "outgoing" : "incoming");
  if (entryType !== "incoming" && entryType !== "outgoing")
    throw new InputError(`Line ${String(number)}: entry_type is incoming or outgoing.`);
  return {
    account_holder_type: row["account_holder_type"] || defaults.accountType,
    amount: Math.abs(amount),
    entry_type: entryType,
    iso_currency_code: row["currency"] || defaults.currency,
    description: row["description"] ?? "",
    country: row["country"] || null,
    mcc: row["mcc"] ? Number(row["mcc"]) : null,
    label: (row["label"] ?? "").split(LABEL_MARK).map((label) => label.trim()),
  };
}

/**
 * Reads a file with the columns description, amount and label, and entry_type, currency, account_holder_type, country and mcc
 * where it has them. Several labels have `||` between them.
 * @throws InputError when it is something else
 */
export function readLabelledFile(text: string, defaults: LineDefaults): readonly LabelledLine[] {
  let rows: readonly LabelledRow[];
  try {
    rows = parse(text, { bom: true, columns: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    throw new InputError(
      `The file is not a CSV file: ${error instanceof Error ? error.message : ""}`,
    );
  }
  const [first = {}] = rows;
  const missing = REQUIRED.filter((name) => first[name] === undefined);
  if (missing.length > 0)
    throw new InputError(`The file has no line, or no column ${missing.join(", ")}.`);
  // The header is line 1.
  return rows.map((row, at) => toLabelledLine(row, at + 2, defaults));
}
