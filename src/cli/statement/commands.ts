// The command and its arguments. What it does is in statement.ts.
import { type Command, Option } from "commander";
import type { StatementCommandOptions } from "./statement.ts";
import { TRANSACTION_FORMATS, type TransactionFormat } from "./write.ts";

export interface StatementCliDeps {
  readStatements(options: StatementCommandOptions): Promise<number>;
}

interface StatementFlags {
  readonly out?: TransactionFormat;
  readonly output?: string;
  readonly check?: boolean;
  readonly password?: string;
}

export function addStatementCommand(
  program: Command,
  deps: StatementCliDeps,
  done: (code: number) => void,
): void {
  program
    .command("statement <file...>")
    .description("read bank statements (PDF, PNG, JPEG): transactions, and whether they add up")
    .addOption(
      new Option(
        "--out <format>",
        "print the transactions; the table goes to standard error",
      ).choices(TRANSACTION_FORMATS),
    )
    .option("--output <file>", "write the transactions into a file (needs --out)")
    .option("--check", "exit code 1 unless every account is reconciled")
    .option("--password <text>", "password of locked files", "")
    .action(async (files: string[], flags: StatementFlags, command: Command) => {
      const { out = null, output = null, check = false, password = "" } = flags;
      if (output !== null && out === null)
        command.error("error: --output needs --out csv, jsonl or ofx");
      done(await deps.readStatements({ files, out, output, isChecked: check, password }));
    });
}
