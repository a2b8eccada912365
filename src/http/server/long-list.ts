import type { z } from "zod";
import type { SlicedWork } from "./steps.ts";
import { FIELD_ERRORS_MAX, type FieldError, parsePart } from "./validation.ts";

// The items of a list of thousands, checked some at a time.

/** Items that are checked in one step: a millisecond, ten where every text is at its limit. */
const ITEMS_PER_STEP = 500;

/** A field of a body whose schema is a `longList`, and the schema of its items. Without a field: the body itself. */
export interface ListOf<Field extends string, Item extends z.ZodType> {
  readonly field: Field | null;
  readonly item: Item;
}

/** `head` is the checked body without the list. */
export type CheckedList<Item> =
  | { readonly ok: true; readonly head: unknown; readonly items: readonly Item[] }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

type CheckedBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * Checks the items of a body that was checked but for them. They are checked also when something else in it is wrong, so
 * that one answer names all errors; but not when the list itself is.
 */
export function* checkItems<Field extends string, Item extends z.ZodType>(
  list: ListOf<Field, Item> | null,
  raw: unknown,
  body: CheckedBody,
): SlicedWork<CheckedList<z.output<Item>>> {
  const values = list === null ? undefined : valuesOf(raw, list.field);
  const isWrong =
    !body.ok && body.errors.some(({ loc }) => list?.field === null || loc[1] === list?.field);
  if (list === null || !Array.isArray(values) || isWrong)
    return body.ok ? { ok: true, head: body.value, items: [] } : { ok: false, errors: [] };
  const items: z.output<Item>[] = [];
  const errors: FieldError[] = [];
  for (const [index, value] of values.entries()) {
    const part = parsePart("body", list.item, value);
    if (part.ok) items.push(part.value);
    else errors.push(...part.errors.map((error) => placed(error, list.field, index)));
    if (errors.length >= FIELD_ERRORS_MAX) break;
    if (index % ITEMS_PER_STEP === ITEMS_PER_STEP - 1) yield;
  }
  if (errors.length > 0) return { ok: false, errors };
  const head = body.ok && list.field !== null ? Object.entries(body.value as object) : [];
  return {
    ok: true,
    head: Object.fromEntries(head.filter(([name]) => name !== list.field)),
    items,
  };
}

const valuesOf = (body: unknown, field: string | null): unknown =>
  field === null ? body : (body as Readonly<Record<string, unknown>> | null)?.[field];

/** The error of an item, at its place in the body. */
function placed(error: FieldError, field: string | null, index: number): FieldError {
  const [part = "body", ...path] = error.loc;
  return { ...error, loc: [part, ...(field === null ? [] : [field]), index, ...path] };
}
