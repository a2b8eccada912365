// The commands about rules and their arguments. What they do is in rules.ts.
import { type Command, Option } from "commander";
import type { AccountType } from "../../model/transaction.ts";
import type { RuleTestOptions } from "./rules.ts";

export interface RuleCliDeps {
  testRules(options: RuleTestOptions): Promise<number>;
}

interface TestFlags {
  readonly on: string;
  readonly map?: string;
  readonly accountType: AccountType;
  readonly json?: boolean;
}

export function addRuleCommands(
  program: Command,
  deps: RuleCliDeps,
  done: (code: number) => void,
): void {
  const rules = program.command("rules").description("test rules");
  rules
    .command("test <file>")
    .description(
      "show what the rules in a JSON file would change; needs no server; - reads standard input",
    )
    .requiredOption(
      "--on <transactions>",
      "a bank's CSV export, or JSON or JSON lines of transactions as the API takes them",
    )
    .option("--map <columns>", "columns of the export by name, as for enrich")
    .addOption(
      new Option("--account-type <type>", "type of the account holder")
        .choices(["consumer", "business"])
        .default("consumer"),
    )
    .option("--json", "print everything as JSON")
    .action(async (file: string, flags: TestFlags) => {
      const { on, map = null, accountType, json = false } = flags;
      done(await deps.testRules({ file, on, map, accountType, isJson: json }));
    });
}
