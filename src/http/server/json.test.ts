import { expect, test } from "vitest";
import { findJsonError } from "./json-error.ts";
import { BATCH_BODY } from "./body-bounds.ts";
import { type JsonReading, readJson } from "./json.ts";
import { runAtOnce } from "./steps.ts";

function read(text: string | Buffer): JsonReading {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  return runAtOnce(readJson(bytes, BATCH_BODY.valuesMax));
}

function errorOf(text: string | Buffer): unknown {
  const reading = read(text);
  if (reading.ok) return null;
  if (reading.reason !== "invalid") return reading.reason;
  return [reading.error.loc, reading.error.type, reading.error.ctx];
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

test("a byte order mark is ignored, an empty body has no value", () => {
  expect(read('\ufeff{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
  expect(read(Buffer.alloc(0))).toEqual({ ok: true, value: undefined });
});

test("hostile nesting is refused without being parsed, brackets inside strings do not count", () => {
  const size = 400_000;
  expect(errorOf("[".repeat(size))).toMatchObject([["body", 1000], "json_invalid", {}]);
  const text = JSON.stringify({ a: '["\\{'.repeat(size / 4), b: [[]] });
  expect(read(text).ok).toBe(true);
});

test("values beyond the limit are refused before the text is parsed, commas inside strings do not count", () => {
  const empty = `[${"{},".repeat(600_000)}{}]`;
  expect(errorOf(empty)).toBe("too_many_values");
  expect(errorOf(`[${"1,".repeat(1_000_000)}1]`)).toBe("too_many_values");
  // The refusal comes before the error: the scan stops there.
  expect(errorOf(`${empty} nonsense`)).toBe("too_many_values");
  expect(read(JSON.stringify({ a: ",[{".repeat(300_000) })).ok).toBe(true);
});

test.each([
  ["a text that is too long", `{"a": "${"x".repeat(1_100_000)}"}`, 6],
  ["a text without an end", `{"a": "${"\\".repeat(1_100_000)}`, 6],
  ["a number that is too long", `[1,${"7".repeat(1_100_000)}]`, 3],
  ["space that is too long", `["é",${" ".repeat(1_100_000)}]`, 5],
  ["space that is too long before everything", `${" ".repeat(1_100_000)}[]`, 0],
])("%s is refused where it begins, as a step cannot end inside it", (_, text, position) => {
  const error = { error: "Too long a text, number or space" };
  expect(errorOf(text)).toEqual([["body", position], "json_invalid", error]);
});

test("an object of too many members is refused, many objects of many members are not", () => {
  const members = (count: number): string =>
    `{${Array.from({ length: count }, (_, index) => `"n${String(index)}":1`).join(",")}}`;
  expect(errorOf(members(3_000))).toMatchObject([
    {},
    "json_invalid",
    { error: "Too many names in one object" },
  ]);
  expect(read(`[${members(1_000)},${members(1_000)}]`).ok).toBe(true);
});

test("an error deep in a large text has its place and reason, counted in characters", () => {
  const item = '{"id":"é😀","list":[1,[2]]}';
  const before = `{"data":[${`${item},`.repeat(20_000)}`;
  expect(errorOf(`${before}{"id" 1}]}`)).toEqual([
    ["body", before.length + 6],
    "json_invalid",
    { error: "Expecting ':' delimiter" },
  ]);
  expect(errorOf(`${before}]}`)).toMatchObject([["body", before.length], "json_invalid", {}]);
  expect(errorOf(`${before}1]} 2`)).toMatchObject([
    ["body", before.length + 4],
    "json_invalid",
    { error: "Extra data" },
  ]);
  const cut = Buffer.concat([Buffer.from(`${before}"`), Buffer.from([0xff]), Buffer.from('"]}')]);
  expect(errorOf(cut)).toMatchObject([
    ["body", before.length + 1],
    "json_invalid",
    { error: "Invalid UTF-8" },
  ]);
});

test("the largest batch with every field, and as many fields again, is within the limit of values", () => {
  const fields = Object.fromEntries(
    Array.from({ length: 26 }, (_, index) => [`f${String(index)}`, index]),
  );
  const item = { ...fields, location: { raw_address: "x", country: "US" } };
  const data = Array.from({ length: 24_960 }, () => item);
  expect(read(JSON.stringify({ data })).ok).toBe(true);
});
