// Bank statements of strangers, all at once: what one does to the process that reads it harms no other document.
import pLimit from "p-limit";
import { expect, it } from "vitest";
import { answered, API_KEY } from "../support/client.ts";
import { makeHostileStatements } from "../support/hostile-statements.ts";
import { until } from "../support/poll.ts";
import { scanPage } from "../support/scans.ts";
import { shared, startService } from "../support/service.ts";
import { formOf, type SampleFile, statementFile } from "../support/statement-files.ts";

interface Statement {
  readonly status: string;
  readonly error: { readonly fault: string } | null;
}
interface Results {
  readonly accounts: readonly object[];
}
interface Submission {
  readonly id?: string;
  readonly code?: string;
}
interface SentFile extends SampleFile {
  readonly password?: string;
}

/** Of one API key. */
const UPLOADS_AT_ONCE_MAX = 16;
/** Some hundred files, of which the worst are read until a limit ends them. */
const READ_WITHIN_MS = 480_000;

const setUp = shared((atEnd) => {
  const workerUrl = new URL("../support/fixtures/lethal-statement-worker.ts", import.meta.url);
  return startService({ config: { poolThreads: 2 }, statementPool: { workerUrl } }, atEnd);
});

const get = async <Body>(path: string): Promise<Body> =>
  answered(await setUp().client.call<Body>("GET", `/v3/bank_statements/${path}`), 200);

/** What the form refuses, where the reader alone would find another fault. */
const REFUSED: Readonly<Record<string, string>> = {
  nothing: "validation_error",
  "a password of 100,000 characters": "validation_error",
};

const atOnce = pLimit(UPLOADS_AT_ONCE_MAX);

/** The id of the document, or the code of the refusal. */
async function submit(file: SentFile): Promise<Submission> {
  const response = await fetch(`${setUp().url}/v3/bank_statements`, {
    method: "POST",
    headers: { "X-Api-Key": API_KEY },
    body: formOf(file, file.password === undefined ? {} : { password: file.password }),
  });
  return (await response.json()) as Submission;
}

/** What was read, or the fault of the document, or the code of its refusal. */
async function outcomeOf({ id, code }: Submission): Promise<string | Results> {
  if (id === undefined) return code === "unsupported_file_type" ? "unsupported_type" : String(code);
  const read = async (): Promise<Statement | null> => {
    const found = await get<Statement>(id);
    return found.status === "processing" ? null : found;
  };
  const { error } = await until(`the end of ${id}`, read, READ_WITHIN_MS);
  return error?.fault ?? get<Results>(`${id}/results`);
}

/** Of every good file, be it text or a picture. */
const EXACT = {
  accounts: [
    {
      ...{ number: "1234-5678", opening_balance: 100, closing_balance: 145, verdict: "reconciled" },
      transactions: [
        { date: "2026-01-02", amount: 5, entry_type: "outgoing", running_balance: 95 },
        { date: "2026-01-05", amount: 50, entry_type: "incoming", running_balance: 145 },
      ],
    },
  ],
};

async function goodFiles(): Promise<readonly SentFile[]> {
  const texts = [1, 2, 3, 4].map((copy) => statementFile(`good ${String(copy)}`));
  const scans = texts.map(async ({ name, bytes }, turn) => {
    const scan = await scanPage(bytes, 1, { turn });
    return { name: `scan of ${name}`, bytes: scan.bytes };
  });
  return [...(await Promise.all(scans)), ...texts];
}

/** Each ends the process that reads it, with all that is in it. */
const lethalFile = (password: string): SentFile => ({ ...statementFile(password), password });

it("of hostile and good statements at once, the good are exact and each hostile one has its error", {
  timeout: READ_WITHIN_MS,
}, async () => {
  const hostile = await makeHostileStatements();
  const good = await goodFiles();
  const lethal = ["stop the process", "take all memory"].map(lethalFile);
  // Each that ends the process has a scan before and behind it, which takes a second.
  const mixed = good.flatMap((file, at) => [file, ...lethal.slice(at, at + 1)]);
  const sent: readonly SentFile[] = [...mixed, ...hostile];
  const submissions = await Promise.all(sent.map((file) => atOnce(() => submit(file))));
  const outcomeByName = new Map<string, string | Results>();
  for (const [at, { name }] of sent.entries())
    outcomeByName.set(name, await outcomeOf(submissions[at] ?? {}));
  expect(outcomeByName.size).toBe(sent.length);
  for (const { name } of good) expect(outcomeByName.get(name), name).toMatchObject(EXACT);
  expect(outcomeByName.get("stop the process.pdf")).toBe("internal_error");
  expect(outcomeByName.get("take all memory.pdf")).toBe("memory_limit");
  const wrong = hostile.flatMap(({ name, outcomes: right }) => {
    const outcome = outcomeByName.get(name);
    const text = typeof outcome === "string" ? outcome : "statement";
    const allowed: readonly string[] = name in REFUSED ? [REFUSED[name] ?? ""] : right;
    return allowed.includes(text) ? [] : [`${name}: ${text}`];
  });
  expect(wrong).toEqual([]);
});
