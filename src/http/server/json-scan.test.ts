import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonError } from "./json-error.ts";
import { JsonScan, SCAN_BOUNDS, type ScanBounds, type ScanFailure } from "./json-scan.ts";

/** So small that every text is cut in many places. */
const TINY: ScanBounds = { ...SCAN_BOUNDS, stepBytesMax: 4, stepValuesMax: 3 };

type Outcome = { readonly value: unknown } | { readonly failure: ScanFailure };

function scanned(text: string | Buffer, bounds = TINY, valuesMax = 1_000_000): Outcome {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  const scan = new JsonScan(bytes, 0, valuesMax, bounds);
  while (!scan.isDone) {
    const failure = scan.step();
    if (failure !== null) return { failure };
  }
  return { value: scan.value };
}

/** What JSON.parse returns, with the order of names; null when it throws. */
function parsed(text: string): { readonly value: unknown; readonly names: string } | null {
  try {
    const value = JSON.parse(text) as unknown;
    return { value, names: JSON.stringify(value) };
  } catch {
    return null;
  }
}

/** The scan and JSON.parse agree about a text: on its value, or on its first error. */
function expectAgreement(text: string): void {
  const outcome = scanned(text);
  const native = parsed(text);
  if (native !== null) {
    expect(outcome).toEqual({ value: native.value });
    if ("value" in outcome) expect(JSON.stringify(outcome.value)).toBe(native.names);
    return;
  }
  if (!("failure" in outcome) || outcome.failure.kind !== "syntax") {
    expect.fail(`no syntax error in ${JSON.stringify(text)}: ${JSON.stringify(outcome)}`);
  }
  const { from, to, context } = outcome.failure;
  const bytes = Buffer.from(text);
  const { position, message } = findJsonError(bytes.toString("utf8", from, to), context);
  const before = bytes.toString("utf8", 0, from).length;
  expect({ position: before + position, message }).toEqual(findJsonError(text));
}

const texts = fc
  .tuple(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, "\t"))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

test("a text cut in many places has the value that JSON.parse returns", () => {
  fc.assert(fc.property(texts, expectAgreement), { numRuns: 2_000 });
});

test("a text with a piece put in, taken out or moved is refused or accepted as by JSON.parse, at the same place", () => {
  const pieces = fc.constantFrom(
    ...[
      "[",
      "]",
      "{",
      "}",
      ",",
      ":",
      '"',
      "\\",
      " ",
      "\n",
      "1",
      "-",
      "e",
      "null",
      '"a":',
      "é",
      "[]",
      "{}",
      "\u0001",
    ],
  );
  const at = fc.nat(60);
  const changed = fc.tuple(texts, at, at, pieces).map(([text, from, length, piece]) => {
    const start = Math.min(from, text.length);
    return text.slice(0, start) + piece + text.slice(start + (length % 4));
  });
  fc.assert(fc.property(changed, expectAgreement), { numRuns: 10_000 });
});

test("any string of the characters of JSON is refused or accepted as by JSON.parse", () => {
  const unit = fc.constantFrom(
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    '"',
    "\\",
    " ",
    "1",
    "a",
    '"a":',
    "[1]",
    "{}",
  );
  fc.assert(fc.property(fc.string({ unit, maxLength: 24 }), expectAgreement), { numRuns: 20_000 });
});

const KIB = 1024;
const repeat = (before: string, item: string, count: number, after: string): string =>
  before + item.repeat(count) + after;
const members = Array.from({ length: 900 }, (_, index) => `"n${String(index)}":1`).join(",");

test.each([
  ["empty objects", repeat("[", "{},", 100_000, "{}]")],
  ["numbers", repeat("[", "1,", 200_000, "1]")],
  ["many names", repeat("[", `{${members}},`, 100, "{}]")],
  ["a list deep inside", repeat('{"a":{"b":[[', "1,", 300_000, "1]]}}")],
  ["long texts", repeat("[", `"${"x".repeat(900 * KIB)}",`, 5, "1]")],
  ["escapes", repeat("[", `"${"\\u4e2d".repeat(1_000)}",`, 200, "1]")],
  ["space", repeat("[", `${" ".repeat(900 * KIB)},1,`, 3, "1]")],
  ["space behind the end", repeat("[]", " ", 2_000_000, "")],
  ["levels without a comma", repeat("", `{"${"x".repeat(100 * KIB)}":`, 50, "")],
  ["what is refused at the end", repeat("[", '{"a":"b"},', 200_000, "}")],
])("no step of %s takes more than its bytes and values", (_, text) => {
  const scan = new JsonScan(Buffer.from(text), 0, 10_000_000);
  let steps = 0;
  for (let before = scan.progress; !scan.isDone; before = scan.progress) {
    const failure = scan.step();
    const { bytes, values } = scan.progress;
    expect(bytes - before.bytes).toBeLessThanOrEqual(
      SCAN_BOUNDS.stepBytesMax + 2 * SCAN_BOUNDS.tokenBytesMax,
    );
    expect(values - before.values).toBeLessThanOrEqual(SCAN_BOUNDS.stepValuesMax);
    steps += 1;
    if (failure !== null) break;
  }
  expect(steps).toBeGreaterThan(
    text.length / (SCAN_BOUNDS.stepBytesMax + 2 * SCAN_BOUNDS.tokenBytesMax),
  );
});
