// Where a text that JSON.parse refused goes wrong, and how. Runs on refused texts only, so it may be slower than the
// parser; it never recurses and never quotes the text.

export interface JsonError {
  /** Index of the character. */
  readonly position: number;
  readonly message: string;
}

/** What may come next. */
export type Expected =
  | "value"
  | "value or end of array"
  | "key"
  | "key or end of object"
  | "colon"
  | "comma or end"
  | "end of text";

interface Scan {
  readonly text: string;
  position: number;
  expected: Expected;
  /** The open brackets, outermost first. */
  readonly open: ("[" | "{")[];
}

/** What came before a part of a text. */
export interface JsonContext {
  /** The open brackets, outermost first. */
  readonly open: readonly ("[" | "{")[];
  readonly expected: Expected;
}

/** The first error of a text that is not JSON, or of a part of one. */
export function findJsonError(
  text: string,
  { open, expected }: JsonContext = { open: [], expected: "value" },
): JsonError {
  const scan: Scan = { text, position: 0, expected, open: [...open] };
  for (;;) {
    scan.position = skipSpace(text, scan.position);
    const error = scan.position >= text.length ? endError(scan) : step(scan);
    if (error !== null) return error;
  }
}

function step(scan: Scan): JsonError | null {
  switch (scan.expected) {
    case "value":
    case "value or end of array":
      return stepValue(scan);
    case "key":
    case "key or end of object":
      return stepKey(scan);
    case "colon":
      if (current(scan) !== ":") return errorAt(scan, "Expecting ':' delimiter");
      return advance(scan, 1, "value");
    case "comma or end":
      return stepAfterValue(scan);
    case "end of text":
      return errorAt(scan, "Extra data");
  }
}

function stepValue(scan: Scan): JsonError | null {
  const character = current(scan);
  if (character === "]" && scan.expected === "value or end of array") return close(scan);
  if (character === "{") {
    scan.open.push("{");
    return advance(scan, 1, "key or end of object");
  }
  if (character === "[") {
    scan.open.push("[");
    return advance(scan, 1, "value or end of array");
  }
  if (character === '"') return scanString(scan, afterValue(scan));
  SCALAR.lastIndex = scan.position;
  const scalar = SCALAR.exec(scan.text);
  if (scalar === null) return errorAt(scan, "Expecting value");
  return advance(scan, scalar[0].length, afterValue(scan));
}

function stepKey(scan: Scan): JsonError | null {
  const character = current(scan);
  if (character === '"') return scanString(scan, "colon");
  if (character === "}" && scan.expected === "key or end of object") return close(scan);
  return errorAt(scan, "Expecting property name enclosed in double quotes");
}

function stepAfterValue(scan: Scan): JsonError | null {
  const inObject = scan.open.at(-1) === "{";
  const character = current(scan);
  if (character === ",") return advance(scan, 1, inObject ? "key" : "value");
  if (character === (inObject ? "}" : "]")) return close(scan);
  return errorAt(scan, "Expecting ',' delimiter");
}

const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;

function scanString(scan: Scan, next: Expected): JsonError | null {
  const start = scan.position;
  for (let index = start + 1; index < scan.text.length; index += 1) {
    const unit = scan.text.charCodeAt(index);
    if (unit === 0x22) return advance(scan, index + 1 - start, next);
    if (unit < 0x20) return { position: index, message: "Invalid control character at" };
    if (unit === 0x5c) {
      ESCAPE.lastIndex = index + 1;
      const escape = ESCAPE.exec(scan.text);
      if (escape === null) return { position: index, message: "Invalid \\escape" };
      index += escape[0].length;
    }
  }
  return { position: start, message: "Unterminated string starting at" };
}

function close(scan: Scan): null {
  scan.open.pop();
  return advance(scan, 1, afterValue(scan));
}

function afterValue(scan: Scan): Expected {
  return scan.open.length === 0 ? "end of text" : "comma or end";
}

function advance(scan: Scan, by: number, expected: Expected): null {
  scan.position += by;
  scan.expected = expected;
  return null;
}

function current(scan: Scan): string {
  return scan.text.charAt(scan.position);
}

function errorAt(scan: Scan, message: string): JsonError {
  return { position: scan.position, message };
}

function endError(scan: Scan): JsonError {
  const messages: Readonly<Record<Expected, string>> = {
    value: "Expecting value",
    "value or end of array": "Expecting value",
    key: "Expecting property name enclosed in double quotes",
    "key or end of object": "Expecting property name enclosed in double quotes",
    colon: "Expecting ':' delimiter",
    "comma or end": "Expecting ',' delimiter",
    // Not reached with a text that JSON.parse refused; it ensures that the scan always ends.
    "end of text": "Expecting value",
  };
  return errorAt(scan, messages[scan.expected]);
}

function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && " \t\n\r".includes(text.charAt(index))) index += 1;
  return index;
}
