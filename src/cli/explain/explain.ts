// ledgerline explain TEXT: why a line is recognised as it is.
import type { Explanation } from "../../model/explanation.ts";
import type { AccountType, EntryType } from "../../model/transaction.ts";
import { explanationLines } from "./report.ts";

/** The transaction as the command line gives it. */
export interface ExplainOptions {
  readonly description: string;
  /** Units of the currency, never negative. */
  readonly amount: number;
  readonly entryType: EntryType;
  /** ISO 4217. */
  readonly currency: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly accountType: AccountType;
  readonly isJson: boolean;
}

export interface ExplainCommandDeps {
  /** The JSON text of an `Explanation`, null when the recogniser fails. */
  explain(
    item: Omit<ExplainOptions, "isJson"> & { readonly rawAddress: null },
  ): Promise<string | null>;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** Prints the explanation; the exit code is 1 without one. */
export async function explainLine(
  { isJson, ...item }: ExplainOptions,
  deps: ExplainCommandDeps,
): Promise<number> {
  const text = await deps.explain({ ...item, rawAddress: null });
  if (text === null) {
    deps.stderr.write("This line cannot be explained: the recogniser fails on it.\n");
    return 1;
  }
  const explanation = JSON.parse(text) as Explanation;
  const shown = isJson ? JSON.stringify(explanation, null, 2) : reportOf(explanation, item);
  deps.stdout.write(`${shown}\n`);
  return 0;
}

function reportOf(explanation: Explanation, item: Omit<ExplainOptions, "isJson">): string {
  const { amount, currency, entryType, accountType } = item;
  const written = String(amount);
  const exact = written === amount.toFixed(3) ? written : amount.toFixed(2);
  // Without an amount nothing is known of it, and it decides nothing.
  const money = amount === 0 ? currency : `${exact} ${currency}`;
  return explanationLines(explanation, `${money}, ${entryType}, ${accountType} account`).join("\n");
}
