import { Readable, Writable } from "node:stream";
import { expect, it } from "vitest";
import { LedgerlineError } from "../../shared/errors.ts";
import { GUESS_ALL } from "../enrich/run/parse-settings.ts";
import { type KafkaRecordDeps, sendFile } from "./records.ts";

function setUp(lines: readonly string[], send: (transactions: readonly object[]) => Promise<void>) {
  const written: string[] = [];
  const out = new Writable({
    write: (bytes: Buffer, _encoding, done) => {
      written.push(bytes.toString());
      done();
    },
  });
  const stop = new AbortController();
  const deps: KafkaRecordDeps = {
    program: { send, follow: () => Promise.resolve() },
    stdin: Readable.from([Buffer.from(lines.join("\n"))]),
    stdout: out,
    stderr: out,
    signal: stop.signal,
    now: () => 0,
    profileFolder: () => "",
  };
  const options = { file: "-", accountHolder: null, parse: GUESS_ALL, profile: null };
  return { stop, written, run: () => sendFile(deps, options) };
}

const line = (index: number): string =>
  JSON.stringify({
    ...{ id: `t${String(index)}`, description: "x", date: "2026-05-04", amount: 1 },
    ...{ entry_type: "outgoing", currency: "USD" },
  });
const LINES = Array.from({ length: 260 }, (_, index) => line(index));

it("a record that is too large is sent in halves, in order, and all of it", async () => {
  const sizes: number[] = [];
  const { run } = setUp(LINES, (transactions) => {
    if (transactions.length > 100)
      return Promise.reject(new LedgerlineError("too_large", "too large"));
    sizes.push(transactions.length);
    return Promise.resolve();
  });
  expect(await run()).toBe(0);
  expect(sizes).toEqual([62, 63, 62, 63, 10]);
});

it("a failure ends with 1 and with how many Kafka has by then", async () => {
  let records = 0;
  const { run, written } = setUp(LINES, () => {
    records += 1;
    return records === 1
      ? Promise.resolve()
      : Promise.reject(new LedgerlineError("unavailable", "Kafka is away."));
  });
  expect(await run()).toBe(1);
  expect(written.join("")).toBe(
    "Kafka is away. Kafka has 250 transactions; sending a file again changes nothing.\n",
  );
});

it("after an abort nothing more is sent, and the exit code is 130", async () => {
  let sent = 0;
  const { run, stop } = setUp(LINES, (transactions) => {
    sent += transactions.length;
    stop.abort();
    return Promise.resolve();
  });
  expect([await run(), sent]).toEqual([130, 250]);
});
