// Runs the command on a text inside a test, with a port that names the first word of each description.
import { Buffer } from "node:buffer";
import { Readable, Writable } from "node:stream";
import {
  type EnrichFileDeps,
  type EnrichFileOptions,
  enrichFile,
} from "../../src/cli/enrich/enrich.ts";
import { GUESS_ALL, type ParseSettings } from "../../src/cli/enrich/run/parse-settings.ts";
import type { EnrichLine } from "../../src/cli/enrich/run/enrich-line.ts";

const NOW_MS = Date.UTC(2024, 4, 20);

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly lines: readonly EnrichLine[];
}

/** `file` and `map` stand for the only file and for the only setting that most tests give. */
type RunOptions = Partial<Omit<EnrichFileOptions, "parse">> & {
  readonly file?: string;
  readonly map?: string;
  readonly parse?: Partial<ParseSettings>;
};

function createSink(): { stream: Writable; text: () => string } {
  const parts: string[] = [];
  const stream = new Writable({
    write: (chunk: unknown, _encoding, done) => {
      parts.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => parts.join("") };
}

export function factsFor(line: EnrichLine): string {
  const counterparty = {
    id: null,
    name: line.description.split(" ")[0] ?? null,
    website: "example.com",
    phone_number: null,
    tax_number: null,
    naics2017: null,
    logo: null,
    mccs: [],
    parent: null,
    type: "organization",
  };
  return JSON.stringify({
    entities: { counterparty, intermediaries: [{ ...counterparty, name: "PayPal" }] },
    categories: { general: "groceries", accounting: null },
    location: null,
  });
}

export async function runOn(
  input: string | Buffer,
  options: RunOptions = {},
  deps: Partial<EnrichFileDeps> = {},
): Promise<Ran> {
  const stdout = createSink();
  const stderr = createSink();
  const lines: EnrichLine[] = [];
  const { file = "-", map, ...given } = options;
  const code = await enrichFile(
    {
      ...{ files: [file], out: null, format: null, columns: "both", accountType: "consumer" },
      ...{ profile: null, saveProfile: null, dryRun: false },
      ...given,
      parse: { ...GUESS_ALL, ...(map === undefined ? {} : { map }), ...given.parse },
    },
    {
      stdin: Readable.from([Buffer.from(input)], { objectMode: false }),
      stdout: stdout.stream,
      stderr: stderr.stream,
      now: () => NOW_MS,
      signal: new AbortController().signal,
      runId: "test",
      profileFolder: "/no/profiles",
      readBankCategories: () => Promise.resolve(null),
      enrichChunk: (chunk) => {
        lines.push(...chunk);
        return Promise.resolve(chunk.map(factsFor));
      },
      ...deps,
    },
  );
  return { code, stdout: stdout.text(), stderr: stderr.text(), lines };
}

/** "date description amount currency", outgoing amounts with a minus. */
export function brief(line: EnrichLine): string {
  const amount = line.entryType === "outgoing" ? -line.amount : line.amount;
  return `${line.date} | ${line.description} | ${String(amount)} ${line.currency}`;
}
