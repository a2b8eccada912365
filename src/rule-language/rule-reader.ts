// How a value of unknown shape is read: where the reader stands in it, and what is wrong there. The grammar that is read
// so is in rule-check.ts.
import { RULE_DEPTH_MAX } from "../model/rules.ts";

/** At most this many problems with the shape of a body are reported. */
const SHAPE_PROBLEMS_MAX = 100;

/** The rule is invalid. Never quotes what was sent. */
export interface ShapeProblem {
  /** From the value that was checked on, e.g. `[3, "then", 0, "to"]`. */
  readonly path: readonly (string | number)[];
  readonly msg: string;
  /** In the words that clients know from other 422 answers: `missing`, `list_type`, `enum` … */
  readonly type: string;
}

type ProblemWords = Pick<ShapeProblem, "msg" | "type">;
export type RawFields = Readonly<Record<string, unknown>>;

export interface Reader {
  /** What the value is called in sentences. */
  readonly root: string;
  /** The place that is being read. */
  readonly path: (string | number)[];
  readonly problems: ShapeProblem[];
  /** The first sentence about something well formed that makes no sense. */
  nonsense: string | null;
}

export const startReading = (root: string): Reader => ({
  root,
  path: [],
  problems: [],
  nonsense: null,
});

export const WORDS = {
  missing: { type: "missing", msg: "Field required" },
  unicode: {
    type: "string_unicode",
    msg: "Input should be a valid string, unable to parse raw data as a unicode string",
  },
  finite: { type: "finite_number", msg: "Input should be a finite number" },
  object: {
    type: "model_attributes_type",
    msg: "Input should be a valid dictionary or object to extract fields from",
  },
  expression: {
    type: "value_error",
    msg: "Value error, an expression is a boolean, a string, a number or an object with an operator",
  },
} as const satisfies Record<string, ProblemWords>;

const STRING: ProblemWords = { type: "string_type", msg: "Input should be a valid string" };
const LIST: ProblemWords = { type: "list_type", msg: "Input should be a valid list" };
const TOO_DEEP: ProblemWords = {
  type: "value_error",
  msg: `Value error, rules and expressions may be nested ${String(RULE_DEPTH_MAX)} levels deep`,
};

/** Always null, which is what a reading function answers when there is nothing to read. */
export function problem(reader: Reader, words: ProblemWords): null {
  if (reader.problems.length < SHAPE_PROBLEMS_MAX) {
    reader.problems.push({ path: reader.path.slice(), ...words });
  }
  return null;
}

export function nonsense(reader: Reader, sentence: string): void {
  reader.nonsense ??= `${placeText(reader.root, reader.path)}: ${sentence}`;
}

/** A place in words: `rules[3].then[0].to`. */
export function placeText(root: string, path: readonly (string | number)[]): string {
  return `${root}${path.map(step).join("")}`;
}

/** Reading goes no deeper than `RULE_DEPTH_MAX`, so that no body makes the stack overflow. */
export function isTooDeep(reader: Reader, depth: number): boolean {
  if (depth <= RULE_DEPTH_MAX) return false;
  problem(reader, TOO_DEEP);
  return true;
}

/** Reads what is found under a key. */
export function at<Value>(reader: Reader, key: string | number, read: () => Value): Value {
  reader.path.push(key);
  const value = read();
  reader.path.pop();
  return value;
}

/** Null unless every item could be read. */
export function readList<Item>(
  reader: Reader,
  input: unknown,
  read: (item: unknown) => Item | null,
): readonly Item[] | null {
  if (!Array.isArray(input)) return problem(reader, LIST);
  const items: Item[] = [];
  for (const [index, value] of (input as readonly unknown[]).entries()) {
    if (reader.problems.length >= SHAPE_PROBLEMS_MAX) return null;
    const item = at(reader, index, () => read(value));
    if (item !== null) items.push(item);
  }
  return items.length === input.length ? items : null;
}

export function readFields(reader: Reader, input: unknown, words: ProblemWords): RawFields | null {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return problem(reader, words);
  }
  return input as RawFields;
}

/** The one known field of an object. Others are ignored, as everywhere in the API. */
export function readOperator<Known extends string>(
  reader: Reader,
  fields: RawFields,
  known: readonly Known[],
): Known | null {
  const [operator, another] = Object.keys(fields)
    .filter((key) => isOneOf(key, known))
    .filter((key) => !isAbsent(fields, key));
  if (operator === undefined) {
    return problem(reader, { type: "missing", msg: `Field required: one of ${quoted(known)}` });
  }
  if (another !== undefined) {
    const msg = `Value error, an object has one operator, not both '${operator}' and '${another}'`;
    return problem(reader, { type: "value_error", msg });
  }
  return operator;
}

export function readWord<Known extends string>(
  reader: Reader,
  input: unknown,
  known: readonly Known[],
): Known | null {
  if (isOneOf(input, known)) return input;
  if (typeof input !== "string") return problem(reader, STRING);
  return problem(reader, { type: "enum", msg: `Input should be ${quoted(known)}` });
}

/** Clients send null for what they leave out. */
export function isAbsent(fields: RawFields, key: string): boolean {
  return !Object.hasOwn(fields, key) || fields[key] === null || fields[key] === undefined;
}

export function isOneOf<Known extends string>(
  value: unknown,
  known: readonly Known[],
): value is Known {
  return (known as readonly unknown[]).includes(value);
}

/** `a, b or c` */
export function choice(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${last}` : last;
}

function quoted(words: readonly string[]): string {
  return choice(words.map((word) => `'${word}'`));
}

function step(key: string | number): string {
  if (typeof key === "number") return `[${String(key)}]`;
  return /^[a-z_]+$/.test(key) ? `.${key}` : `["${key}"]`;
}
