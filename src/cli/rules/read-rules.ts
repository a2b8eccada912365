import { Buffer } from "node:buffer";
import type { Readable } from "node:stream";
import { checkRules, type RuleCheck } from "../../rule-language/rule-check.ts";
import { placeText } from "../../rule-language/rule-reader.ts";
import { type Rule, RULESET_BYTES_MAX } from "../../model/rules.ts";
import { InputError } from "../enrich/input-error.ts";
import { parseJson, readTextFile } from "./read-text.ts";

const PROBLEMS_SHOWN_MAX = 10;

/** The ruleset in a file, or on standard input for "-". Throws InputError with the place of each problem. */
export async function readRuleFiles(file: string, stdin: Readable): Promise<readonly Rule[]> {
  const { name, text } = await readTextFile(file, stdin);
  const check = checkRules(parseJson(name, text));
  if (!check.ok) throw new InputError(`${name} is not a ruleset.\n${problemsOf(check)}`);
  const bytes = Buffer.byteLength(JSON.stringify(check.value));
  if (bytes > RULESET_BYTES_MAX) {
    const counted = `${String(bytes)} bytes as compact JSON; ${String(RULESET_BYTES_MAX)} are allowed`;
    throw new InputError(`${name} is too large: ${counted}.`);
  }
  return check.value;
}

function problemsOf(check: Extract<RuleCheck<unknown>, { readonly ok: false }>): string {
  if (check.kind === "type") return check.message;
  const shown = check.problems
    .slice(0, PROBLEMS_SHOWN_MAX)
    .map(({ path, msg }) => `${placeText("rules", path)}: ${msg}`);
  const more = check.problems.length - shown.length;
  return [...shown, ...(more > 0 ? [`… and ${String(more)} more`] : [])].join("\n");
}
