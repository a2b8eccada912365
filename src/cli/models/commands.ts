// The commands about labelling models and their arguments. What they do is in models.ts.
import { type Command, InvalidArgumentError, Option } from "commander";
import { HOLDER_TYPES } from "../../model/transaction.ts";
import { parseCurrency } from "../arguments.ts";
import type { ModelCommand, ModelServerOptions } from "./models.ts";

export interface ModelCliDeps {
  /** @param options `apiKey` null: the one of the environment */
  runModels(command: ModelCommand, options: ModelServerOptions): Promise<number>;
}

interface ServerFlags {
  readonly url: string;
  readonly key?: string;
}

interface FileFlags extends ServerFlags {
  readonly name: string;
  readonly accountType: string;
  readonly currency: string;
}

const URL_DEFAULT = "http://127.0.0.1:8080";

function parseShare(text: string): number {
  const share = Number(text);
  if (text === "" || !(share >= 0 && share <= 1))
    throw new InvalidArgumentError("A probability from 0 to 1.");
  return share;
}

const withServer = (command: Command): Command =>
  command
    .option("--url <url>", "address of the service", URL_DEFAULT)
    .option("--key <key>", "API key (default: LEDGERLINE_API_KEY)");

const withFile = (command: Command): Command =>
  withServer(command)
    .requiredOption("--name <name>", "name of the model")
    .addOption(
      new Option("--account-type <type>", "of lines without account_holder_type")
        .choices(HOLDER_TYPES)
        .default("business"),
    )
    .option("--currency <code>", "of lines without currency, ISO 4217", parseCurrency, "USD");

export function addModelCommands(
  program: Command,
  deps: ModelCliDeps,
  done: (code: number) => void,
): void {
  const run = async (command: ModelCommand, { url, key }: ServerFlags): Promise<void> => {
    done(await deps.runModels(command, { url, apiKey: key ?? null }));
  };
  const models = program
    .command("models")
    .description("train, list, show and test the labelling models of a running service");
  withFile(models.command("train <file>"))
    .description(
      "train a model with a CSV file: description, amount, label, entry_type, currency, mcc, country",
    )
    .option("--threshold <share>", "probability below which it does not label", parseShare)
    .action(async (file: string, flags: FileFlags & { readonly threshold?: number }) => {
      const { name, accountType, currency, threshold = null } = flags;
      await run({ kind: "train", file, name, accountType, currency, threshold }, flags);
    });
  withServer(models.command("list"))
    .description("list the models with status and accuracy")
    .action((flags: ServerFlags) => run({ kind: "list" }, flags));
  withServer(models.command("show <name>"))
    .description(
      "show a model: versions, the quality of each label, and the most frequent mistakes",
    )
    .action((name: string, flags: ServerFlags) => run({ kind: "show", name }, flags));
  withFile(models.command("test <file>"))
    .description("label the lines of a CSV file with a model, and count the right answers")
    .action(async (file: string, flags: FileFlags) => {
      const { name, accountType, currency } = flags;
      await run({ kind: "test", file, name, accountType, currency }, flags);
    });
}
