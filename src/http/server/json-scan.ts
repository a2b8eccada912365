import { isUtf8 } from "node:buffer";
import { type JsonContainer, put, putAll } from "./json-container.ts";
import type { Expected, JsonContext } from "./json-error.ts";

// Parses a large JSON text in steps, with the same result as JSON.parse. The scan follows brackets, commas and quotes;
// whenever it has passed enough of them, the complete items so far go to JSON.parse and into the value being assembled.
// What the grammar allows is decided by JSON.parse alone: the scan only finds where an item ends.

/** The limits of one step and of a body. */
export interface ScanBounds {
  /** A step scans and parses no more bytes than this, and one text or number. */
  readonly stepBytesMax: number;
  /** And no more values than this: a thousand take a tenth of a millisecond, or one where each has a name of its own. */
  readonly stepValuesMax: number;
  /** A text or number with its escapes: a step cannot end inside one. The longest text of any field has 96 KiB, escaped. */
  readonly tokenBytesMax: number;
  /** Levels of nesting. V8 needs 40 bytes for each: 32 MB of `[` would take 4 s and 1.4 GB. */
  readonly depthMax: number;
  /** Members of one object: V8 makes a larger table of names in one step, of a million in 100 ms. */
  readonly membersMax: number;
}

export const SCAN_BOUNDS: ScanBounds = {
  stepBytesMax: 256 * 1024,
  stepValuesMax: 8_000,
  tokenBytesMax: 1024 * 1024,
  depthMax: 1_000,
  membersMax: 1_000,
};

export type ScanFailure =
  | { readonly kind: "too_many_values" }
  /** Between these bytes is something that JSON.parse refuses. */
  | {
      readonly kind: "syntax";
      readonly from: number;
      readonly to: number;
      readonly context: JsonContext;
    }
  | { readonly kind: "encoding"; readonly from: number; readonly to: number }
  | { readonly kind: "limit"; readonly from: number; readonly message: string };

/** An array or object whose end was not scanned yet. */
interface Level {
  readonly isObject: boolean;
  /** Of its bracket. */
  readonly opening: number;
  /** Where the item begins that is not complete: behind the bracket or the last comma. */
  next: number;
  commas: number;
  /** Null while nothing of it was parsed. */
  assembled: Assembled | null;
}

interface Assembled {
  readonly value: JsonContainer;
  /** Its name in the level above, when that is an object. */
  readonly name: string | null;
  /** All before it is in `value`. */
  from: number;
  /** `from` is behind an item that was assembled too: a comma or the end must follow. */
  isBehindItem: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** `[` and `{`, `]` and `}` differ in this one bit only. */
const BRACKET_MASK = 0xdf;
const OPENING = 0x5b;
const CLOSING = 0x5d;
const CURLY_BIT = 0x20;

export class JsonScan {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #valuesMax: number;
  readonly #bounds: ScanBounds;
  readonly #levels: Level[] = [];
  #position: number;
  /** Behind the last bracket, comma or quote. */
  #tokenFrom: number;
  #values = 1;
  /** Where the items begin that the next cut parses, and how many values came before. */
  #cutFrom: number;
  #cutValues = 0;
  #root: { readonly value: unknown } | null = null;

  /** @param start of the text, behind a byte order mark */
  constructor(bytes: Buffer, start: number, valuesMax: number, bounds = SCAN_BOUNDS) {
    this.#bounds = bounds;
    this.#bytes = bytes;
    this.#start = start;
    this.#valuesMax = valuesMax;
    this.#position = start;
    this.#tokenFrom = start;
    this.#cutFrom = start;
  }

  get isDone(): boolean {
    return this.#root !== null && this.#position >= this.#bytes.length;
  }

  /** How far it has come, in bytes and values. */
  get progress(): { readonly bytes: number; readonly values: number } {
    return { bytes: this.#position, values: this.#values };
  }

  /** The value of the text, once it is done. */
  get value(): unknown {
    return this.#root?.value;
  }

  step(): ScanFailure | null {
    const end = Math.min(this.#bytes.length, this.#position + this.#bounds.stepBytesMax);
    if (this.#root !== null) return this.#skipEnd(end);
    if (this.#levels.length === 0) return this.#begin();
    const failure = this.#scanTo(end);
    // All brackets are closed.
    if (failure !== null || this.#levels.length === 0) return failure;
    if (end - this.#tokenFrom > this.#bounds.tokenBytesMax) return tooLong(this.#tokenFrom);
    return this.#position >= this.#bytes.length ? this.#syntax(this.#bytes.length) : null;
  }

  /** To the outermost bracket; a text that has none is parsed whole. */
  #begin(): ScanFailure | null {
    const start = this.#position;
    const { length } = this.#bytes;
    const first = skipSpace(
      this.#bytes,
      start,
      Math.min(length, start + this.#bounds.tokenBytesMax),
    );
    if (((this.#bytes[first] ?? 0) & BRACKET_MASK) === OPENING) {
      this.#position = first + 1;
      return this.#open(first);
    }
    if (length - start > this.#bounds.tokenBytesMax) return tooLong(start);
    const parsed = this.#parse(start, length, "", "");
    if (!parsed.ok) return parsed.failure ?? this.#syntax(length);
    this.#root = { value: parsed.value };
    this.#position = length;
    return null;
  }

  /** Behind the value there is nothing but space. */
  #skipEnd(end: number): ScanFailure | null {
    const at = skipSpace(this.#bytes, this.#position, end);
    this.#position = at;
    if (at === end) return null;
    const context = { open: [], expected: "end of text" } as const;
    return { kind: "syntax", from: at, to: at + 1, context };
  }

  #scanTo(end: number): ScanFailure | null {
    const bytes = this.#bytes;
    const bytesMax = this.#bounds.tokenBytesMax;
    let index = this.#position;
    for (; index < end; index += 1) {
      const byte = bytes[index] ?? 0;
      if (byte === QUOTE) {
        const opening = index;
        index = closingQuote(bytes, opening, bytesMax);
        if (opening - this.#tokenFrom > bytesMax) return tooLong(this.#tokenFrom);
        if (index - opening > bytesMax) return tooLong(opening);
        this.#tokenFrom = index + 1;
        continue;
      }
      const bracket = byte & BRACKET_MASK;
      if (byte !== COMMA && bracket !== OPENING && bracket !== CLOSING) continue;
      const failure = this.#pass(byte, index);
      this.#position = index + 1;
      if (failure !== null || this.#root !== null) return failure;
      if (this.#isCutDue()) return this.#cut();
    }
    // Behind a text, which ends where it ends.
    this.#position = index;
    return null;
  }

  /** A comma or bracket at `index`. */
  #pass(byte: number, index: number): ScanFailure | null {
    if (index - this.#tokenFrom > this.#bounds.tokenBytesMax) return tooLong(this.#tokenFrom);
    this.#tokenFrom = index + 1;
    if ((byte & BRACKET_MASK) === CLOSING) return this.#close(byte, index);
    return byte === COMMA ? this.#endItem(index) : this.#open(index);
  }

  #open(index: number): ScanFailure | null {
    if (this.#levels.at(-1)?.assembled?.isBehindItem === true) return this.#syntax(index);
    if (this.#levels.length === this.#bounds.depthMax)
      return limit(index, "Too many levels of nesting");
    const isObject = ((this.#bytes[index] ?? 0) & CURLY_BIT) !== 0;
    this.#levels.push({ isObject, opening: index, next: index + 1, commas: 0, assembled: null });
    return this.#count();
  }

  #endItem(index: number): ScanFailure | null {
    const level = this.#level();
    if (level.assembled?.isBehindItem === true) {
      if (!this.#isSpace(level.assembled.from, index)) return this.#syntax(index);
      level.assembled.isBehindItem = false;
      level.assembled.from = index + 1;
    }
    level.next = index + 1;
    level.commas += 1;
    if (level.isObject && level.commas >= this.#bounds.membersMax)
      return limit(index, "Too many names in one object");
    return this.#count();
  }

  #count(): ScanFailure | null {
    this.#values += 1;
    return this.#values > this.#valuesMax ? { kind: "too_many_values" } : null;
  }

  #close(byte: number, index: number): ScanFailure | null {
    const level = this.#level();
    const isObject = (byte & CURLY_BIT) !== 0;
    if (level.isObject !== isObject) return this.#syntax(index);
    if (level.assembled === null) {
      if (this.#levels.length > 1) {
        this.#levels.pop();
        return null;
      }
      level.assembled = assemble(level, null);
    }
    const failure = this.#finish(level, level.assembled, index);
    if (failure !== null) return failure;
    this.#levels.pop();
    const { value, name } = level.assembled;
    const parent = this.#levels.at(-1)?.assembled;
    if (parent === undefined || parent === null) {
      this.#root = { value };
      return null;
    }
    put(parent.value, name, value);
    parent.from = index + 1;
    parent.isBehindItem = true;
    return null;
  }

  /** Parses what is left of a level that ends at `index`. */
  #finish(level: Level, own: Assembled, index: number): ScanFailure | null {
    if (!own.isBehindItem) return this.#flush(level, own, index, own.from === level.opening + 1);
    return this.#isSpace(own.from, index) ? null : this.#syntax(index);
  }

  #isCutDue(): boolean {
    return (
      this.#position - this.#cutFrom >= this.#bounds.stepBytesMax / 2 ||
      this.#values - this.#cutValues >= this.#bounds.stepValuesMax
    );
  }

  /** Parses all complete items that were passed, of every open level. */
  #cut(): ScanFailure | null {
    this.#cutFrom = this.#position;
    this.#cutValues = this.#values;
    let above: Level | null = null;
    for (const level of this.#levels) {
      if (level.assembled === null) {
        const name = above === null ? NO_NAME : this.#nameOf(above, level.opening);
        if (!name.ok) return name.failure;
        level.assembled = assemble(level, name.name);
      }
      if (level.next > level.assembled.from) {
        const failure = this.#flush(level, level.assembled, level.next - 1, false);
        if (failure !== null) return failure;
        level.assembled.from = level.next;
      }
      above = level;
    }
    return null;
  }

  /** The name of the item that begins with the bracket at `opening`; items of arrays have none. */
  #nameOf(above: Level, opening: number): NameReading {
    const parsed = above.isObject
      ? this.#parse(above.next, opening, "{", "[]}")
      : this.#parse(above.next, opening, "[", "[]]");
    if (!parsed.ok)
      return { ok: false, failure: parsed.failure ?? this.#syntaxIn(above, above.next, opening) };
    const name = above.isObject ? (Object.keys(parsed.value as object)[0] ?? "") : null;
    return { ok: true, name };
  }

  /** Parses the items of a level up to `to`, where a comma or its closing bracket is. */
  #flush(level: Level, own: Assembled, to: number, mayBeEmpty: boolean): ScanFailure | null {
    const parsed = level.isObject
      ? this.#parse(own.from, to, "{", "}")
      : this.#parse(own.from, to, "[", "]");
    if (!parsed.ok) return parsed.failure ?? this.#syntaxIn(level, own.from, to);
    const count = putAll(own.value, parsed.value);
    return count > 0 || mayBeEmpty ? null : this.#syntaxIn(level, own.from, to);
  }

  #parse(from: number, to: number, before: string, behind: string): Parsed {
    const part = this.#bytes.subarray(from, to);
    if (!isUtf8(part)) return { ok: false, failure: { kind: "encoding", from, to } };
    try {
      return { ok: true, value: JSON.parse(before + part.toString("utf8") + behind) as unknown };
    } catch {
      return { ok: false, failure: null };
    }
  }

  #isSpace(from: number, to: number): boolean {
    return skipSpace(this.#bytes, from, to) === to;
  }

  #level(): Level {
    const level = this.#levels.at(-1);
    if (level === undefined) throw new Error("No bracket is open");
    return level;
  }

  /** The failure of a text that goes wrong at `to` or before, in what was not parsed yet. */
  #syntax(to: number): ScanFailure {
    const level = this.#levels.findLast(({ assembled: own }) => own !== null);
    if (level?.assembled !== undefined && level.assembled !== null)
      return this.#syntaxIn(level, level.assembled.from, to);
    return { kind: "syntax", from: this.#start, to: to + 1, context: START };
  }

  #syntaxIn(level: Level, from: number, to: number): ScanFailure {
    const above = this.#levels.slice(0, this.#levels.indexOf(level) + 1);
    const open = above.map(({ isObject }) => (isObject ? "{" : "["));
    return {
      kind: "syntax",
      from,
      to: to + 1,
      context: { open, expected: expectedAt(level, from) },
    };
  }
}

type NameReading =
  | { readonly ok: true; readonly name: string | null }
  | { readonly ok: false; readonly failure: ScanFailure };

/** `failure` is null when JSON.parse refused the text. */
type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: ScanFailure | null };

const START: JsonContext = { open: [], expected: "value" };
const NO_NAME: NameReading = { ok: true, name: null };

function expectedAt({ isObject, opening, assembled: own }: Level, from: number): Expected {
  if (own?.isBehindItem === true) return "comma or end";
  if (from !== opening + 1) return isObject ? "key" : "value";
  return isObject ? "key or end of object" : "value or end of array";
}

function assemble({ isObject, opening }: Level, name: string | null): Assembled {
  return { value: isObject ? {} : [], name, from: opening + 1, isBehindItem: false };
}

function limit(from: number, message: string): ScanFailure {
  return { kind: "limit", from, message };
}

const tooLong = (from: number): ScanFailure => limit(from, "Too long a text, number or space");

function skipSpace(bytes: Buffer, from: number, to: number): number {
  let index = from;
  while (index < to && isSpace(bytes[index] ?? 0)) index += 1;
  return index;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/**
 * Where the text that begins at `opening` ends, or how far it may be looked for. A loop of its own, in which most bytes
 * are: it takes half the time.
 */
function closingQuote(bytes: Buffer, opening: number, bytesMax: number): number {
  const end = Math.min(bytes.length, opening + bytesMax + 2);
  let index = opening + 1;
  while (index < end && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
  return index;
}
