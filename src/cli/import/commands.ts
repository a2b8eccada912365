// The command and its arguments. What it does is in import.ts.
import { type Command, Option } from "commander";
import type { AccountType } from "../../model/transaction.ts";
import { addParseOptions, type ParseFlags, parseSettingsOf } from "../enrich/parse-flags.ts";
import type { ImportOptions } from "./import.ts";

export interface ImportCliDeps {
  /** @param options `apiKey` null: the one of the environment */
  importFile(options: ImportOptions): Promise<number>;
}

interface Flags extends ParseFlags {
  readonly accountHolder: string;
  readonly create?: AccountType;
  readonly url: string;
  readonly key?: string;
  readonly dryRun?: boolean;
}

const URL_DEFAULT = "http://127.0.0.1:8080";

export function addImportCommand(
  program: Command,
  deps: ImportCliDeps,
  done: (code: number) => void,
): void {
  const command = program
    .command("import <file>")
    .description("send a bank file of any format to a server; - reads standard input")
    .requiredOption("--account-holder <id>", "id of the account holder")
    .addOption(
      new Option(
        "--create <type>",
        "type of the account holder to create if it does not exist",
      ).choices(["consumer", "business"]),
    )
    .option("--url <url>", "address of the server", URL_DEFAULT)
    .option("--key <key>", "API key (default: LEDGERLINE_API_KEY)");
  addParseOptions(command)
    .option("--dry-run", "send nothing; print the first ten transactions")
    .action(async (file: string, flags: Flags) => {
      const { accountHolder, create = null, url, key = null, dryRun = false } = flags;
      const options = { file, accountHolder, create, url, apiKey: key, isDryRun: dryRun };
      done(await deps.importFile({ ...options, ...parseSettingsOf(flags) }));
    });
}
