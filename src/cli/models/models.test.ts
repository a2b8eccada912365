import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ModelCommand, runModelCommand } from "./models.ts";

function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "models-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, "labelled.csv");
  writeFileSync(file, text);
  return file;
}

const LINES = "description,amount,label\nSHELL,-1,fuel\nBP,-2,Travel ||fuel\nRYMAN,-3,paper\n";
const commandOf = (kind: "test" | "train"): ModelCommand => ({
  ...{ kind, file: fileOf(LINES), name: "m", threshold: null },
  ...{ accountType: "business", currency: "GBP" },
});

type Answer = (path: string, body: string) => readonly [status: number, body: unknown];

/** Runs a command against a server that answers like this. */
async function run(command: ModelCommand, answers: Readonly<Record<string, Answer>>) {
  const stop = new AbortController();
  const texts = { stdout: "", stderr: "" };
  const streamTo = (name: keyof typeof texts) =>
    new Writable({
      write: (chunk, _, done) => {
        texts[name] += String(chunk);
        done();
      },
    });
  const calls: string[] = [];
  const answer = (url: string, { method = "", body, signal }: RequestInit): Response => {
    const { pathname } = new URL(url);
    calls.push(`${method} ${pathname}`);
    const [status, sent] = answers[method]?.(pathname, body as string) ?? [404, null];
    if (status === STOPPED) stop.abort();
    signal?.throwIfAborted();
    return new Response(status === 204 ? null : JSON.stringify(sent), { status });
  };
  const code = await runModelCommand(
    command,
    { url: "http://server", apiKey: "k" },
    {
      ...{ stdout: streamTo("stdout"), stderr: streamTo("stderr") },
      ...{ newId: () => "1", signal: stop.signal },
      fetch: async (url, init = {}) => {
        await Promise.resolve();
        return answer(url as string, init);
      },
      wait: () => Promise.resolve(),
      cleaning: { signal: new AbortController().signal, wait: () => Promise.resolve() },
    },
  );
  return { code, calls, printed: texts.stdout, problem: texts.stderr };
}

/** The command is stopped while this call runs. */
const STOPPED = 299;
const HOLDER = "/v3/account_holders/model-test-1-business";
const deleted: Readonly<Record<string, Answer>> = {
  GET: () => [200, {}],
  DELETE: () => [204, null],
};

describe("ledgerline models", () => {
  it("a test sends lines of one account holder, which is deleted, and counts whole answers", async () => {
    let sent: unknown[] = [];
    const POST: Answer = (_, body) => {
      sent = JSON.parse(body) as unknown[];
      return [200, [{ labels: ["fuel"] }, { labels: ["Travel", "fuel"] }, { labels: ["fuel"] }]];
    };
    const { code, calls, printed, problem } = await run(commandOf("test"), { ...deleted, POST });
    expect([code, problem]).toEqual([0, ""]);
    expect(printed).toContain("3 lines: 66.7 % right");
    expect(printed).toMatch(/^paper +fuel +1$/m);
    expect(sent[1]).toMatchObject({
      transaction_id: "model-test-1-1",
      account_holder_id: "model-test-1-business",
    });
    expect(sent[1]).not.toHaveProperty("label");
    expect(calls).toEqual([
      "GET /v2/models/m",
      "POST /v2/transactions/sync",
      `GET ${HOLDER}`,
      `DELETE ${HOLDER}`,
    ]);
  });

  it("a test that is stopped waits for its call and leaves no transactions behind", async () => {
    const POST: Answer = () => [STOPPED, [{}, {}, {}]];
    const { code, calls, problem } = await run(commandOf("test"), { ...deleted, POST });
    expect([code, problem]).toEqual([130, "Stopped.\n"]);
    expect(calls).toEqual([
      "GET /v2/models/m",
      "POST /v2/transactions/sync",
      `GET ${HOLDER}`,
      `DELETE ${HOLDER}`,
    ]);
  });

  it("a test whose transactions cannot be deleted prints what to delete", async () => {
    const answers: Readonly<Record<string, Answer>> = {
      POST: () => [400, { detail: "no" }],
      GET: () => [200, {}],
      DELETE: () => [403, { detail: "not you" }],
    };
    const { code, problem } = await run(commandOf("test"), answers);
    expect(code).toBe(1);
    expect(problem).toContain("delete the account holder model-test-1-business");
    expect(problem).toContain("answered 400: no");
  });

  it("a test of a model that does not exist sends nothing, so that there is nothing to delete", async () => {
    const { code, calls, problem } = await run(commandOf("test"), {});
    expect([code, problem]).toEqual([1, "There is no model 'm'.\n"]);
    expect(calls).toEqual(["GET /v2/models/m"]);
  });

  it("a training sends several labels as a list; after a stop the command names where it is", async () => {
    let sent: unknown;
    const POST: Answer = (_, body) => {
      sent = (JSON.parse(body) as { transactions: { label: unknown }[] }).transactions[1]?.label;
      return [200, {}];
    };
    const GET: Answer = () => [STOPPED, null];
    const { code, problem } = await run(commandOf("train"), { POST, GET });
    expect(sent).toEqual(["Travel", "fuel"]);
    expect([code, problem]).toEqual([130, expect.stringContaining("models show m")]);
  });
});
