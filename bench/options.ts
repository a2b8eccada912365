// The options that all benchmarks have, and the choice of parts that some have.
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

export const COMMON_OPTIONS = {
  quick: { type: "boolean", default: false },
  out: { type: "string" },
} as const;

/** The options of the command line: --quick, --out and `more`. Throws on others and on arguments that are not options. */
export function readOptions<More extends ParseArgsOptionsConfig>(more: More) {
  return parseArgs({ options: { ...COMMON_OPTIONS, ...more } }).values;
}

/**
 * The parts that --only names, separated by commas.
 * @param text the value of --only
 * @param whenAbsent what runs without it
 */
export function readParts<Part extends string>(
  text: string | undefined,
  parts: readonly Part[],
  whenAbsent: readonly Part[] = parts,
): ReadonlySet<Part> {
  if (text === undefined) return new Set(whenAbsent);
  return new Set(
    text.split(",").map((name) => {
      const part = parts.find((known) => known === name);
      if (part === undefined)
        throw new Error(`--only: '${name}' is not a part; the parts are ${parts.join(", ")}`);
      return part;
    }),
  );
}
