import { expect, test } from "vitest";
import { createRecogniser } from "./recogniser/recogniser.ts";
import { sampleKnowledge } from "../test/support/knowledge-sample.ts";
import type { Facts } from "../src/model/facts.ts";
import { ACCOUNT_TYPE_CODES, CHUNK_LENGTH_MAX, type EnrichTask } from "./protocol.ts";
import { answerOne, enrich, run } from "./workers.ts";
import type { RecogniserInput } from "../src/model/transaction.ts";

const recogniseFacts = createRecogniser(await sampleKnowledge());
const recognise = (item: RecogniserInput) => ({ facts: recogniseFacts(item), ruleFailures: 0 });

const taskOf = (descriptions: readonly string[]): EnrichTask => ({
  kind: "enrich",
  descriptions,
  amounts: new Float64Array(descriptions.length),
  outgoing: new Uint8Array(descriptions.length).fill(1),
  currencies: descriptions.map(() => "USD"),
  accountTypes: new Uint8Array(descriptions.length).fill(ACCOUNT_TYPE_CODES.consumer),
  rawAddresses: descriptions.map(() => null),
  countries: descriptions.map(() => null),
  mccs: null,
  settings: null,
  overrides: null,
  isEncoded: false,
  stop: null,
});

test("facts come back in the order of the transactions, as JSON text", () => {
  const answer = enrich(taskOf(["NETFLIX.COM", "QWERTZ PIZZA", "WENDYS 123"]), recognise);
  if (!answer.ok) throw new Error(answer.message);
  const names = answer.facts.map(
    (text) => (JSON.parse(text ?? "null") as Facts).entities?.counterparty?.name,
  );
  expect(names).toEqual(["Netflix", "Qwertz Pizza", "Wendy's"]);
});

test("an item the recogniser throws on is null, its neighbours are unharmed", () => {
  const answer = enrich(taskOf(["NETFLIX.COM", "BOOM", "WENDYS"]), (item) => {
    if (item.description === "BOOM") throw new Error("bug");
    return recognise(item);
  });
  expect(answer).toMatchObject({ ok: true, facts: [expect.any(String), null, expect.any(String)] });
});

test("columns of different lengths and chunks that are too long are refused", () => {
  const uneven = { ...taskOf(["A", "B"]), currencies: ["USD"] };
  expect(enrich(uneven, recognise)).toMatchObject({ ok: false, code: "bad_task" });
  const long = taskOf(new Array<string>(CHUNK_LENGTH_MAX + 1).fill("A"));
  expect(enrich(long, recognise)).toMatchObject({ ok: false, code: "bad_task" });
});

test("a thread without its setup reports the error and does not crash", async () => {
  expect(await run(taskOf(["A"]))).toMatchObject({ ok: false, code: "bad_task" });
});

test("rules that fail are counted over the chunk", () => {
  const answer = enrich(taskOf(["A", "B"]), (item) => ({ ...recognise(item), ruleFailures: 2 }));
  expect(answer).toMatchObject({ ok: true, ruleFailures: 4 });
});

test("a question whose answer fails is answered with null", async () => {
  const query = { kind: "entity", id: "x" } as const;
  const answer = answerOne(query, () => {
    throw new Error("bug");
  });
  expect(answer).toEqual({ ok: true, kind: "answered", text: null, threw: true });
  expect(await run(query)).toMatchObject({ ok: false, code: "bad_task" });
});

test("a task that is stopped ends behind the transaction it is at, and does one at least", () => {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const task = { ...taskOf(["NETFLIX.COM", "STOP", "WENDYS"]), stop };
  const stopping = enrich(task, (item) => {
    if (item.description === "STOP") Atomics.store(stop, 0, 1);
    return recognise(item);
  });
  const stopped = enrich({ ...task, isEncoded: true }, recognise);
  if (!stopping.ok || !stopped.ok) throw new Error("the task was refused");
  expect([stopping.facts.length, stopped.facts.length]).toEqual([2, 1]);
  expect(stopped.encoded?.bytes.length).toBe(stopped.encoded?.ends[0]);
});
