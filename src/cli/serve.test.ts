import { expect, it } from "vitest";
import { captureStream } from "../../test/support/capture.ts";
import { LedgerlineError } from "../shared/errors.ts";
import { type RunningService, serve, type ServeDeps } from "./serve.ts";

function setUp(open: ServeDeps["open"], isTerminal = false) {
  const stdout = captureStream();
  const stderr = captureStream();
  const exits: number[] = [];
  let stop: (signal: string) => void = () => undefined;
  const silent = () => undefined;
  const running = serve({
    open,
    logger: { info: silent, warn: silent, error: silent, debug: silent },
    stdout: stdout.stream,
    stderr: stderr.stream,
    isTerminal,
    onStopSignal: (handler) => {
      stop = handler;
    },
    exit: (code) => exits.push(code),
  });
  return {
    running,
    exits,
    stop: (signal: string) => {
      stop(signal);
    },
    out: () => stdout.take(),
    err: () => stderr.take(),
  };
}

const service = (closed: string[]): RunningService => ({
  url: "http://127.0.0.1:1",
  hasApi: true,
  close: () => {
    closed.push("closed");
    return Promise.resolve();
  },
  closeAllConnections: () => undefined,
});

it("prints its address and the first key, and closes at a stop signal with exit code 0", async () => {
  const closed: string[] = [];
  const subject = setUp((onFirstKey) => {
    onFirstKey("the-first-key");
    return Promise.resolve(service(closed));
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(subject.out()).toMatch(/the-first-key[^]*listens on http:\/\/127\.0\.0\.1:1/);
  subject.stop("SIGTERM");
  expect(await subject.running).toBe(0);
  expect(closed).toEqual(["closed"]);
});

it.each([
  ["the key that was just made", "the-first-key", "X-Api-Key: the-first-key"],
  ["a variable for the key", null, "X-Api-Key: $KEY"],
])("on a terminal it shows three lines to try, with %s", async (_, firstKey, header) => {
  const subject = setUp((onFirstKey) => {
    if (firstKey !== null) onFirstKey(firstKey);
    return Promise.resolve(service([]));
  }, true);
  await new Promise((resolve) => setImmediate(resolve));
  subject.stop("SIGTERM");
  await subject.running;
  const lines = subject
    .out()
    .split("\n")
    .filter((line) => line.startsWith("  curl "));
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toContain(header);
});

it("names no documentation where there is no API", async () => {
  const subject = setUp(() => Promise.resolve({ ...service([]), hasApi: false }));
  await new Promise((resolve) => setImmediate(resolve));
  subject.stop("SIGTERM");
  await subject.running;
  expect(subject.out()).toBe(
    "Ledgerline listens on http://127.0.0.1:1 (health and metrics only)\n",
  );
});

it("a second signal ends the process at once", async () => {
  const subject = setUp(() => Promise.resolve(service([])));
  subject.stop("SIGINT");
  subject.stop("SIGINT");
  await subject.running;
  expect(subject.exits).toEqual([1]);
});

it("a fatal failure is printed and ends the process, so that its supervisor restarts it", async () => {
  const subject = setUp((_onFirstKey, onFatal) => {
    onFatal("no records come from t although there are some");
    return Promise.resolve(service([]));
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(subject.exits).toEqual([1]);
  expect(subject.err()).toBe("Ledgerline stops: no records come from t although there are some.\n");
  subject.stop("SIGTERM");
  await subject.running;
});

it.each([
  [new LedgerlineError("data_folder", "Another one runs."), "Another one runs.\n", 1],
  [
    Object.assign(new Error("x"), { code: "EADDRINUSE", port: 8080, address: "127.0.0.1" }),
    "Port 8080 of 127.0.0.1 is in use by another program: stop it, or set PORT to another port (0: any free one).\n",
    1,
  ],
  [
    Object.assign(new Error("x"), { code: "EADDRNOTAVAIL" }),
    "HOST is not an address of this machine.\n",
    2,
  ],
])("what keeps it from starting is one clear sentence (%s)", async (error, sentence, code) => {
  const subject = setUp(() => Promise.reject(error));
  expect(await subject.running).toBe(code);
  expect(subject.err()).toBe(sentence);
});
