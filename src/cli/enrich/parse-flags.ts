// The arguments that say how files of banks are parsed, of every command that reads them.
import { type Command, Option } from "commander";
import { parseCurrency } from "../arguments.ts";
import {
  DATE_FORMATS,
  DECIMAL_NAMES,
  DELIMITER_NAMES,
  type ParseSettings,
} from "./run/parse-settings.ts";

export interface ParseFlags {
  readonly map?: string;
  readonly decimal?: ParseSettings["decimal"];
  readonly delimiter?: ParseSettings["delimiter"];
  readonly encoding?: string;
  readonly currency?: string;
  readonly dateFormat?: ParseSettings["date_format"];
  readonly profile?: string;
}

export function addParseOptions(command: Command): Command {
  return command
    .option("--map <columns>", "columns by name, e.g. description=Memo,amount=Amt,date=Posted")
    .addOption(new Option("--decimal <mark>", "decimal mark of the amounts").choices(DECIMAL_NAMES))
    .addOption(new Option("--delimiter <name>", "separator of the cells").choices(DELIMITER_NAMES))
    .option("--encoding <label>", "encoding of the text, e.g. windows-1250")
    .option("--currency <code>", "ISO 4217, for every row", parseCurrency)
    .addOption(
      new Option("--date-format <order>", "order of day, month and year").choices(DATE_FORMATS),
    )
    .option("--profile <name or file>", "parse with a saved profile");
}

/** `profile`: name or path of a saved one; what `parse` gives takes precedence. Null: not given. */
export function parseSettingsOf(flags: ParseFlags): {
  readonly parse: ParseSettings;
  readonly profile: string | null;
} {
  const { map = null, encoding = null, delimiter = null, decimal = null, currency = null } = flags;
  const { dateFormat = null, profile = null } = flags;
  return {
    parse: { map, encoding, delimiter, decimal, currency, date_format: dateFormat },
    profile,
  };
}
