// Sums of rows by group, from an index alone. Those of many rows are made of two halves at once: the server adds up an
// aggregation on one core.
import type { FieldCondition, FieldValue, RowGroup } from "../collection.ts";
import { combineSums } from "../../shared/sums.ts";
import {
  type Conditions,
  conditionsOf,
  matchesNothing,
  toFilter,
  type UntypedWhere,
} from "./conditions.ts";
import type { CallDeadline } from "./deadline.ts";
import type { Fields } from "./documents.ts";
import { coverOf } from "./reads.ts";
import type { OpenTable } from "./tables.ts";
import { optionsOf } from "./within.ts";

/** Rows from which halves pay for finding out that there are so many, some ten milliseconds. */
export const HALVES_FROM_ROWS = 100_000;

/** A query whose fields are known to be those of an index. */
export interface UntypedGroups {
  readonly where: UntypedWhere;
  readonly by: readonly string[];
  readonly of: string;
}

/**
 * Groups of the rows of a filter. Bounds are those of the index where nothing stands in front of their field but fields of one
 * value, or of the groups. Elsewhere the server would search for each value in front, which takes three times as long as walking
 * past all, so that they are tested where the sums are made.
 */
export async function groupRows(
  open: OpenTable,
  query: UntypedGroups & { readonly halvesFromRows: number },
  call: CallDeadline,
): Promise<RowGroup[]> {
  const { where, by, of, halvesFromRows } = query;
  const conditions = conditionsOf(where);
  const index = coverOf(open.table, conditions, [...by, of]);
  if (index === undefined)
    throw new Error(`${open.table.name}: no index has all fields of the groups`);
  if (matchesNothing(conditions)) return [];
  const walk: IndexWalk = { open, call, index: index.name, halvesFromRows };
  const inFront = new Set([...conditions.equal.keys(), ...by]);
  const next = index.fields.find((field) => !inFront.has(field));
  const tested = [...conditions.other].filter(([field]) => field !== next);
  const pipeline = groupingOf(query, tested);
  const filter = toFilter(
    conditions,
    tested.map(([field]) => field),
  );
  const filters = await halvesOf(walk, filter, middleField(index.fields, conditions));
  const [all = [], rest] = await Promise.all(
    filters.map((one) => foundGroups(walk, [{ $match: one }, ...pipeline], by)),
  );
  return rest === undefined ? all : combined([...all, ...rest]);
}

/** A walk along one index of a collection. */
interface IndexWalk {
  readonly open: OpenTable;
  readonly call: CallDeadline;
  readonly index: string;
  readonly halvesFromRows: number;
}

/** The field behind those of one value, by which a walk can be cut in two; null: there is none, or its values are listed. */
function middleField(fields: readonly string[], conditions: Conditions): string | null {
  const field = fields.find((name) => !conditions.equal.has(name));
  const condition = field === undefined ? undefined : conditions.other.get(field);
  const isRange = condition?.in === undefined && condition?.ne === undefined;
  return field !== undefined && isRange ? field : null;
}

/** Filters that find what one finds, each a half of it where that is much. */
async function halvesOf(
  { open, call, index, halvesFromRows }: IndexWalk,
  filter: Fields,
  field: string | null,
): Promise<readonly Fields[]> {
  if (field === null) return [filter];
  const endOf = async (direction: 1 | -1, skip = 0): Promise<FieldValue> => {
    const [found] = await open.documents
      .find<Fields>(filter, {
        ...optionsOf({ call }, { hint: index }),
        sort: { [field]: direction },
        skip,
        projection: { _id: 0, [field]: 1 },
        limit: 1,
      })
      .toArray();
    return (found?.[field] ?? null) as FieldValue;
  };
  const [low, high, beyond] = await Promise.all([endOf(1), endOf(-1), endOf(1, halvesFromRows)]);
  const middle = beyond === null ? null : middleOf(low, high);
  if (middle === null) return [filter];
  return [
    { $and: [filter, { [field]: { $lt: middle } }] },
    { $and: [filter, { [field]: { $gte: middle } }] },
  ];
}

/**
 * Half-way between two numbers or two calendar dates (YYYY-MM-DD); null for other values. Walking to the middle row would take a
 * quarter of the time that halves save.
 */
function middleOf(low: FieldValue, high: FieldValue): FieldValue {
  if (typeof low === "number" && typeof high === "number") return (low + high) / 2;
  if (typeof low !== "string" || typeof high !== "string") return null;
  const time = (Date.parse(low) + Date.parse(high)) / 2;
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, CALENDAR_DATE_LENGTH);
}

const CALENDAR_DATE_LENGTH = 10;

const OUT_OF_BOUNDS = "out of bounds";

/** What adds up the rows of a filter. */
function groupingOf(
  { by, of }: UntypedGroups,
  tested: readonly (readonly [string, FieldCondition])[],
): Fields[] {
  const tests = tested.flatMap(([field, condition]) => testsOf(field, condition));
  const values = Object.fromEntries(by.map((field, at) => [`v${String(at)}`, `$${field}`]));
  const value = `$${of}`;
  const group = {
    // What is out of bounds is a group of its own, which is left out.
    _id: tests.length === 0 ? values : { $cond: [{ $and: tests }, values, OUT_OF_BOUNDS] },
    count: { $sum: 1 },
    sum: { $sum: value },
    deviation: { $stdDevPop: value },
    min: { $min: value },
    max: { $max: value },
  };
  return [{ $group: group }, { $match: { _id: { $ne: OUT_OF_BOUNDS } } }];
}

type FoundGroup = Omit<RowGroup, "values" | "squaredDistances"> & {
  readonly _id: Readonly<Record<string, FieldValue | undefined>>;
  /** The standard deviation: an accumulator less than for a sum of squares, and more exact. */
  readonly deviation: number;
};

async function foundGroups(
  { open, call, index }: IndexWalk,
  pipeline: Fields[],
  by: readonly string[],
): Promise<RowGroup[]> {
  const options = { ...optionsOf({ call }, { hint: index }), allowDiskUse: true };
  const groups = await open.documents.aggregate<FoundGroup>(pipeline, options).toArray();
  return groups.map(({ _id, deviation, ...sums }) => ({
    ...sums,
    squaredDistances: deviation ** 2 * sums.count,
    values: by.map((_, at) => _id[`v${String(at)}`] ?? null),
  }));
}

/** Groups of which several may have the same values. */
function combined(groups: readonly RowGroup[]): RowGroup[] {
  const byValues = new Map<string, RowGroup>();
  for (const group of groups) {
    const values = JSON.stringify(group.values);
    const known = byValues.get(values);
    byValues.set(
      values,
      known === undefined ? group : { ...combineSums(known, group), values: group.values },
    );
  }
  return [...byValues.values()];
}

const OPERATORS = { gte: "$gte", lt: "$lt", lte: "$lte", ne: "$ne" } as const;

function testsOf(field: string, condition: FieldCondition): Fields[] {
  const { in: values, contains, ...bounds } = condition;
  if (contains !== undefined) throw new Error("Groups cannot be limited to a part of a text");
  const tests = Object.entries(bounds).map(([name, value]): Fields => {
    return { [OPERATORS[name as keyof typeof OPERATORS]]: [`$${field}`, { $literal: value }] };
  });
  if (values !== undefined) tests.push({ $in: [`$${field}`, { $literal: values }] });
  return tests;
}
