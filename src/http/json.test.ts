import { expect, test } from "vitest";
import { findJsonError } from "./json-error.ts";
import { readJson } from "./json.ts";

function errorOf(text: string | Buffer): unknown {
  const reading = readJson(typeof text === "string" ? Buffer.from(text) : text);
  return reading.ok ? null : [reading.error.loc, reading.error.type, reading.error.ctx];
}

test.each([
  ['{"a": x}', 6, "Expecting value"],
  ["[1,]", 3, "Expecting value"],
  ["[", 1, "Expecting value"],
  ["{", 1, "Expecting property name enclosed in double quotes"],
  ["{a:1}", 1, "Expecting property name enclosed in double quotes"],
  ['{"a":1,}', 7, "Expecting property name enclosed in double quotes"],
  ['{"a" 1}', 5, "Expecting ':' delimiter"],
  ['{"a":1 "b":2}', 7, "Expecting ',' delimiter"],
  ["[1 2]", 3, "Expecting ',' delimiter"],
  ["01", 1, "Extra data"],
  ["[1] 2", 4, "Extra data"],
  ['["abc', 1, "Unterminated string starting at"],
  ['["a\nb"]', 3, "Invalid control character at"],
  ['["a\\x"]', 3, "Invalid \\escape"],
  ['["\\u12"]', 2, "Invalid \\escape"],
  ["nul", 0, "Expecting value"],
  [" ", 1, "Expecting value"],
])("a text that is not JSON names the place and the reason: %j", (text, position, error) => {
  expect(errorOf(text)).toEqual([["body", position], "json_invalid", { error }]);
});

test("the finder of errors ends on every cut of a valid text", () => {
  const text = '{"a":[1,-2.5e3,"x\\u00e9\\n"],"b":{"c":null,"d":true},"e":{}}';
  for (let length = 0; length < text.length; length += 1) {
    expect(findJsonError(text.slice(0, length)).position).toBeLessThanOrEqual(length);
  }
});

test("bytes that are not UTF-8 are refused at their position", () => {
  const bytes = Buffer.concat([
    Buffer.from('{"a":"é'),
    Buffer.from([0xc3, 0x28]),
    Buffer.from('"}'),
  ]);
  expect(errorOf(bytes)).toEqual([["body", 7], "json_invalid", { error: "Invalid UTF-8" }]);
});

test("a cut character at the very end is refused", () => {
  expect(errorOf(Buffer.from([0x22, 0xf0, 0x9f]))).toMatchObject([["body", 1], "json_invalid", {}]);
});

test("a byte order mark is ignored, no bytes at all are no value", () => {
  expect(readJson(Buffer.from('\ufeff{"a":1}'))).toEqual({ ok: true, value: { a: 1 } });
  expect(readJson(Buffer.alloc(0))).toEqual({ ok: true, value: undefined });
});

test("hostile nesting is refused without being parsed, brackets inside strings do not count", () => {
  const size = 400_000;
  expect(errorOf("[".repeat(size))).toMatchObject([["body", 1000], "json_invalid", {}]);
  const text = JSON.stringify({ a: '["\\{'.repeat(size / 4), b: [[]] });
  expect(readJson(Buffer.from(text)).ok).toBe(true);
});

test("values beyond the limit are refused without being parsed, commas inside strings do not count", () => {
  const error = { error: "Too many values" };
  const empty = `[${"{},".repeat(600_000)}{}]`;
  expect(errorOf(empty)).toEqual([["body", 1_499_998], "json_invalid", error]);
  const numbers = `[${"1,".repeat(1_000_000)}1]`;
  expect(errorOf(numbers)).toEqual([["body", 1_999_998], "json_invalid", error]);
  // The place of the refusal comes before that of the error: nobody looked further.
  expect(errorOf(`${empty} nonsense`)).toEqual([["body", 1_499_998], "json_invalid", error]);
  expect(readJson(Buffer.from(JSON.stringify({ a: ",[{".repeat(1_000_000) }))).ok).toBe(true);
});

test("the largest batch with every field, and as many fields again, is within the limit of values", () => {
  const fields = Object.fromEntries(
    Array.from({ length: 26 }, (_, index) => [`f${String(index)}`, index]),
  );
  const item = { ...fields, location: { raw_address: "x", country: "US" } };
  const data = Array.from({ length: 24_960 }, () => item);
  expect(readJson(Buffer.from(JSON.stringify({ data }))).ok).toBe(true);
});
