import { z } from "zod";
import { nearestName } from "../../shared/nearest-name.ts";
import type { SlicedWork } from "./steps.ts";
import { type FieldError, FIELD_ERRORS_MAX, type RequestPart } from "./validation.ts";

// Names in a request that its schema does not have. Clients may send newer fields, so they are accepted; but a typo in an
// optional field looks like success. They are named in a header, and refused where the caller asked for strictness.

/** Schemas of items by the list's own, which parses its items itself and has no other place for it (`boundedList`). */
const itemsOfLists = new WeakMap<object, z.core.$ZodType>();

/** Declares what the items of a list are whose schema takes any. */
export function declareItems(list: z.core.$ZodType, item: z.core.$ZodType): void {
  itemsOfLists.set(list, item);
}

/** Names that one place of a request may have. */
type KnownNames = ObjectNames | ListNames;
interface ObjectNames {
  readonly kind: "object";
  readonly fields: ReadonlyMap<string, KnownNames | null>;
}
interface ListNames {
  readonly kind: "list";
  readonly items: KnownNames;
}

/** A name that is not known, and where it is. */
export interface UnknownName {
  readonly part: RequestPart;
  /** Keys and list indexes from the part on, without the name itself. */
  readonly path: readonly (string | number)[];
  readonly name: string;
  /** The known name that was probably meant. */
  readonly nearest: string | null;
}

/**
 * Finds unknown names in values of a schema; made once for each schema.
 * @returns at most `max` of them; a name that is unknown at many items of a list counts once unless `isEach`
 */
export function createUnknownNameFinder(
  part: RequestPart,
  schema: z.ZodType,
): (value: unknown, max: number, isEach?: boolean) => SlicedWork<readonly UnknownName[]> {
  const names = namesOf(schema);
  return function* find(value, max, isEach = false) {
    const search: NameSearch = {
      part,
      max,
      isEach,
      path: [],
      found: [],
      seen: new Map(),
      looked: 0,
    };
    if (names?.kind === "object") yield* lookInSteps(names, value, search);
    return search.found;
  };
}

/** Names that are looked up in one step, and those of one item more. */
const NAMES_PER_STEP = 5_000;

interface NameSearch {
  readonly part: RequestPart;
  readonly max: number;
  readonly isEach: boolean;
  /** Where `look` is now. */
  readonly path: (string | number)[];
  readonly found: UnknownName[];
  /** Names that were found already, by the place of the schema. */
  readonly seen: Map<KnownNames, Set<string>>;
  /** Names that were looked up. */
  looked: number;
}

/** The names of a body; those of its lists in many steps. */
function* lookInSteps(names: ObjectNames, value: unknown, search: NameSearch): SlicedWork<void> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  for (const name in value) {
    const inner = lookUpName(names, name, search);
    if (inner === null) continue;
    const member = (value as Record<string, unknown>)[name];
    search.path.push(name);
    if (inner.kind === "list") {
      for (let next: number | null = 0; next !== null; ) {
        next = lookAtItems(inner, member, next, search);
        yield;
      }
    } else look(inner, member, search);
    search.path.pop();
  }
}

// Runs over each of up to 24 960 items of a batch: a loop over the names that were sent, and a look-up for each.
function look(names: KnownNames, value: unknown, search: NameSearch): void {
  if (typeof value !== "object" || value === null) return;
  if (names.kind === "list") {
    for (let next: number | null = 0; next !== null; )
      next = lookAtItems(names, value, next, search);
    return;
  }
  if (Array.isArray(value)) return;
  for (const name in value) {
    const inner = lookUpName(names, name, search);
    if (inner === null) continue;
    search.path.push(name);
    look(inner, (value as Record<string, unknown>)[name], search);
    search.path.pop();
  }
}

/** Looks at items from `start` on; returns where to go on, null at the end. */
function lookAtItems(
  names: ListNames,
  list: unknown,
  start: number,
  search: NameSearch,
): number | null {
  if (!Array.isArray(list)) return null;
  const lookedMax = search.looked + NAMES_PER_STEP;
  for (let index = start; index < list.length; index += 1) {
    if (search.found.length >= search.max) return null;
    if (search.looked > lookedMax) return index;
    // An item without names is looked at too.
    search.looked += 1;
    search.path.push(index);
    look(names.items, list[index], search);
    search.path.pop();
  }
  return null;
}

/** What may stand in a member of this name; an unknown one is reported. */
function lookUpName(names: ObjectNames, name: string, search: NameSearch): KnownNames | null {
  search.looked += 1;
  const inner = names.fields.get(name);
  if (inner === undefined) report(names, name, search);
  return inner ?? null;
}

function report(names: ObjectNames, name: string, search: NameSearch): void {
  const { part, path, found, seen } = search;
  if (found.length >= search.max) return;
  const known = seen.get(names) ?? new Set();
  if (!search.isEach && known.has(name)) return;
  seen.set(names, known.add(name));
  found.push({ part, path: [...path], name, nearest: nearestName(name, names.fields.keys()) });
}

/** Null where any name may stand, or none can. */
function namesOf(schema: z.core.$ZodType): KnownNames | null {
  if (schema instanceof z.ZodObject) {
    // A catchall takes every name, or looks at it itself.
    if (schema.def.catchall !== undefined) return null;
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
    const entries = Object.entries(shape);
    return { kind: "object", fields: new Map(entries.map(([key, one]) => [key, namesOf(one)])) };
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return namesOf(schema.def.innerType);
  if (schema instanceof z.ZodDefault) return namesOf(schema.def.innerType);
  if (schema instanceof z.ZodPipe) return namesOf(schema.def.in);
  if (schema instanceof z.ZodArray) {
    const items = namesOf(itemsOfLists.get(schema) ?? schema.element);
    return items === null ? null : { kind: "list", items };
  }
  return null;
}

/** Names that an answer warns about; the others it does not mention, so that the header stays short. */
export const WARNED_NAMES_MAX = 10;
const SHOWN_LENGTH_MAX = 64;

/** The warning about a name, in visible ASCII whatever was sent. */
export function unknownNameWarning({ part, name, nearest }: UnknownName): string {
  const kind = part === "query" ? "query parameter" : "field";
  const hint = nearest === null ? "" : ` (did you mean "${nearest}"?)`;
  return `unknown ${kind} ${quoted(name)}${hint}`;
}

/** The 422 entries of unknown names. */
export function unknownNameErrors(unknown: readonly UnknownName[]): readonly FieldError[] {
  return unknown.slice(0, FIELD_ERRORS_MAX).map(({ part, path, name, nearest }) => ({
    loc: [part, ...path, name],
    msg: `Extra inputs are not permitted${nearest === null ? "" : `, did you mean '${nearest}'?`}`,
    type: "extra_forbidden",
  }));
}

/** A name in quotes, cut, with everything that a header cannot carry escaped as in JSON. */
function quoted(name: string): string {
  const shown = name.length > SHOWN_LENGTH_MAX ? `${name.slice(0, SHOWN_LENGTH_MAX)}...` : name;
  return JSON.stringify(shown).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
