// The command and its arguments. What it does is in enrich.ts.
import { type Command, Option } from "commander";
import type { AccountType } from "../../model/transaction.ts";
import { addParseOptions, type ParseFlags, parseSettingsOf } from "./parse-flags.ts";
import type { EnrichFileOptions } from "./enrich.ts";
import {
  COLUMN_CHOICES,
  type ColumnChoice,
  OUTPUT_FORMATS,
  type OutputFormat,
} from "./write/rows.ts";

interface EnrichFlags extends ParseFlags {
  readonly out?: string;
  readonly format?: OutputFormat;
  readonly columns: ColumnChoice;
  readonly saveProfile?: string;
  readonly dryRun?: boolean;
  readonly accountType: AccountType;
}

export function addEnrichCommand(
  program: Command,
  deps: { enrichFile(options: EnrichFileOptions): Promise<number> },
  done: (code: number) => void,
): void {
  const command = program
    .command("enrich <file...>")
    .description("enrich bank files without a server; - reads standard input")
    .option("--out <file>", "file for the result (default: standard output)")
    .addOption(new Option("--format <format>", "format of the result").choices(OUTPUT_FORMATS))
    .addOption(
      new Option("--columns <which>", "the bank's own columns, the parsed values, or both")
        .choices(COLUMN_CHOICES)
        .default("both"),
    );
  addParseOptions(command)
    .option("--save-profile <name or file>", "save the parse settings of the first file")
    .option("--dry-run", "show the detected settings and ten rows; enrich nothing")
    .addOption(
      new Option("--account-type <type>", "type of the account holder")
        .choices(["consumer", "business"])
        .default("consumer"),
    )
    .action(async (files: string[], flags: EnrichFlags) => {
      const { out = null, format = null, columns, saveProfile = null, accountType } = flags;
      const dryRun = flags.dryRun ?? false;
      const options = { files, out, format, columns, saveProfile, dryRun, accountType };
      done(await deps.enrichFile({ ...options, ...parseSettingsOf(flags) }));
    });
}
