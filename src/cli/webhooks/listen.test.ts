import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { captureStream } from "../../../test/support/capture.ts";
import { until } from "../../../test/support/poll.ts";
import { listen, type ListenOptions } from "./listen.ts";

const AT = Date.parse("2026-11-21T09:30:00.000Z");
const BODY = '{"event_id":"e-1","event_type":"batches.error","data":{"id":"b-1"}}';
const OPTIONS: ListenOptions = {
  ...{ port: 0, host: "127.0.0.1", secret: null, secretFile: null, token: null, tokenFile: null },
  ...{ status: 200, isVerbose: false },
};
const running: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

/** Starts a receiver; `printed` is its output so far. */
async function start(over: Partial<ListenOptions> = {}) {
  const out = captureStream();
  const err = captureStream();
  const ctrlC = new AbortController();
  let output = "";
  const read = (): string => (output += out.take() + err.take());
  const ended = listen(
    { ...OPTIONS, ...over },
    { stdout: out.stream, stderr: err.stream, now: () => AT, signal: ctrlC.signal },
  );
  const stop = (): Promise<number> => {
    ctrlC.abort();
    return ended;
  };
  running.push(stop);
  await until("the receiver listens", () => read().includes("Ctrl-C") || null);
  return { url: /http:\S+/.exec(output)?.[0] ?? "", stop, printed: read };
}

async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ledgerline-listen-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "secret");
  await writeFile(file, text);
  return file;
}

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: "POST", body, headers });

it("prints a line for each call, with --verbose the body, and ends with 0", async () => {
  const { url, stop, printed } = await start({ isVerbose: true, status: 202 });
  expect((await post(url, BODY)).status).toBe(202);
  expect(printed()).toContain("2026-11-21T09:30:00.000Z  batches.error  e-1  b-1  not signed");
  expect(printed()).toContain(JSON.stringify(JSON.parse(BODY), null, 2));
  expect(await stop()).toBe(0);
});

it("verifies with the secret in a file, whose line break is ignored", async () => {
  const { url, printed } = await start({ secretFile: await fileWith("a text\n") });
  const signature = new Webhook("a text", { format: "raw" }).sign("e-1", new Date(AT), BODY);
  const headers = { "webhook-id": "e-1", "webhook-timestamp": String(AT / 1_000) };
  const good = await post(url, BODY, { ...headers, "webhook-signature": signature });
  expect([good.status, await good.text()]).toEqual([200, ""]);
  const bad = await post(url, BODY, { ...headers, "webhook-signature": "v1,AAAA" });
  expect([bad.status, await bad.text()]).toEqual([401, "WRONG SIGNATURE\n"]);
  expect(printed()).toMatch(/checks signatures.*\n.* verified .*\n.* WRONG SIGNATURE /);
});

it("continues after calls that are not HTTP, too large or cut off", async () => {
  const { url, printed } = await start();
  const port = Number(new URL(url).port);
  await say(port, "no HTTP at all\r\n\r\n");
  await say(port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc");
  expect((await post(url, "x".repeat(1_048_577))).status).toBe(413);
  expect((await fetch(url)).status).toBe(405);
  await until("it is printed", () => printed().includes("A call was cut off") || null);
  expect(printed()).toContain("A bad request");
  expect((await post(url, BODY)).status).toBe(200);
});

it("ends at once although a caller stays connected", async () => {
  const { url, stop } = await start();
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n");
  expect(await stop()).toBe(0);
});

it("a port in use is reported in a sentence, with exit code 1", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  expect(await fail({ port })).toEqual([1, `Port ${String(port)} is in use by another program.\n`]);
});

it("an invalid secret or token is reported in a sentence, with exit code 2", async () => {
  expect(await fail({ secretFile: "/no/such/file" })).toEqual([
    2,
    expect.stringMatching(/cannot be read/),
  ]);
  expect(await fail({ secretFile: await fileWith("\n") })).toEqual([
    2,
    expect.stringMatching(/empty/),
  ]);
  expect(await fail({ secret: "whsec_!" })).toEqual([2, expect.stringMatching(/not base64/)]);
  expect(await fail({ token: "" })).toEqual([2, "The token is empty.\n"]);
});

async function fail(over: Partial<ListenOptions>): Promise<[number, string]> {
  const { stream, take } = captureStream();
  const { signal } = new AbortController();
  const deps = { stdout: stream, stderr: stream, now: () => AT, signal };
  return [await listen({ ...OPTIONS, ...over }, deps), take()];
}

/** Writes to a connection of its own and ends it. */
function say(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.end(text));
    socket.on("error", () => undefined);
    socket.on("data", () => undefined);
    socket.once("close", () => {
      resolve();
    });
  });
}
