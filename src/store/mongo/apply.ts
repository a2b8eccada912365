// Steps that are done one after the other, each durable before the next begins, without a transaction.
import type { Write } from "../collection.ts";
import { accessTo } from "./access.ts";
import type { CallDeadline } from "./deadline.ts";
import { toDocument } from "./documents.ts";
import { isDuplicate } from "./errors.ts";
import { deleteSome, updateAll } from "./steps.ts";
import { inSlices } from "./slices.ts";
import type { OpenTable } from "./tables.ts";
import { insertNew, keyText, upsertRows } from "./upsert.ts";
import { optionsOf } from "./within.ts";

type Insert = Extract<Write, { kind: "insert" }>;
type Delete = Extract<Write, { kind: "delete" }>;
type Update = Extract<Write, { kind: "update" }>;

/** Steps that may be done in one bulk: which of them is done first makes no difference to what is there afterwards. */
type WriteGroup =
  | { readonly kind: "inserts"; readonly open: OpenTable; readonly steps: Insert[] }
  | { readonly kind: "deletes"; readonly open: OpenTable; readonly steps: Delete[] }
  | {
      readonly kind: "updates";
      readonly open: OpenTable;
      readonly steps: Update[];
      readonly keys: Set<string>;
    }
  | { readonly kind: "single"; readonly open: OpenTable; readonly step: Write };

export async function applySteps(
  steps: readonly Write[],
  tableOf: (step: Write) => OpenTable,
  call: CallDeadline,
): Promise<boolean> {
  for (const group of groupsOf(steps, tableOf)) {
    if (group.kind === "inserts") await insertAll(group.open, group.steps, call);
    else if (group.kind === "deletes") await deleteAll(group.open, group.steps, call);
    else if (group.kind === "updates") await changeAll(group.open, group.steps, call);
    else if (!(await applySingle(group.open, group.step, call))) return false;
  }
  return true;
}

function groupsOf(steps: readonly Write[], tableOf: (step: Write) => OpenTable): WriteGroup[] {
  const groups: WriteGroup[] = [];
  for (const step of steps) {
    const open = tableOf(step);
    const last = groups.at(-1);
    if (last?.open !== open || !joined(last, step)) groups.push(groupOf(open, step));
  }
  return groups;
}

function groupOf(open: OpenTable, step: Write): WriteGroup {
  if (step.kind === "insert" && !hasOtherUnique(open))
    return { kind: "inserts", open, steps: [step] };
  if (step.kind === "delete" && step.limit === undefined)
    return { kind: "deletes", open, steps: [step] };
  if (step.kind === "update" && isOfOneRow(open, step))
    return { kind: "updates", open, steps: [step], keys: new Set([keyText(open, step.where)]) };
  return { kind: "single", open, step };
}

/** Adds the step to the group, if it may be done together with what is there. */
function joined(group: WriteGroup, step: Write): boolean {
  if (group.kind === "single") return false;
  const own = groupOf(group.open, step);
  if (own.kind === "inserts" && group.kind === "inserts") group.steps.push(...own.steps);
  else if (own.kind === "deletes" && group.kind === "deletes") group.steps.push(...own.steps);
  else if (own.kind === "updates" && group.kind === "updates") {
    // Of two changes of one row the second must come second.
    if ([...own.keys].some((key) => group.keys.has(key))) return false;
    group.steps.push(...own.steps);
    for (const key of own.keys) group.keys.add(key);
  } else return false;
  return true;
}

const isOfOneRow = (open: OpenTable, { where }: Update): boolean =>
  accessTo(open.table, { where })?.single === true;

/** Of rows that only one of can be there, the first must be inserted first. */
function hasOtherUnique(open: OpenTable): boolean {
  return open.table.indexes.some((index) => index.unique === true);
}

async function insertAll(
  open: OpenTable,
  steps: readonly Insert[],
  call: CallDeadline,
): Promise<void> {
  const first = new Map<string, object>();
  for (const { row } of steps) {
    const key = keyText(open, row);
    if (!first.has(key)) first.set(key, row);
  }
  for (const rows of inSlices([...first.values()]))
    await insertNew(
      open,
      rows.map((row) => toDocument(open.table, row)),
      call,
    );
}

/** Up to one more than is required. */
async function countRows(
  open: OpenTable,
  { where, count }: Extract<Write, { kind: "require" }>,
  call: CallDeadline,
): Promise<number> {
  const access = accessTo(open.table, { where });
  if (access === null) return 0;
  const { filter, hint } = access;
  return open.documents.countDocuments(filter, {
    ...optionsOf({ call }),
    ...(hint === undefined ? {} : { hint }),
    limit: count + 1,
  });
}

async function deleteAll(
  open: OpenTable,
  steps: readonly Delete[],
  call: CallDeadline,
): Promise<void> {
  const operations = steps.flatMap(({ where }) => {
    const access = accessTo(open.table, { where });
    if (access === null) return [];
    const { filter, hint } = access;
    const model = { filter, ...(hint === undefined ? {} : { hint }) };
    // The driver tries those of single rows again by itself.
    return [access.single ? { deleteOne: model } : { deleteMany: model }];
  });
  for (const slice of inSlices(operations))
    await open.documents.bulkWrite([...slice], { ordered: false, ...optionsOf({ call }) });
}

async function changeAll(
  open: OpenTable,
  steps: readonly Update[],
  call: CallDeadline,
): Promise<void> {
  const operations = steps.flatMap(({ where, set }) => {
    const access = accessTo(open.table, { where });
    if (access === null) return [];
    const { filter, hint } = access;
    return [
      { updateOne: { filter, update: { $set: set }, ...(hint === undefined ? {} : { hint }) } },
    ];
  });
  for (const slice of inSlices(operations))
    await open.documents.bulkWrite([...slice], { ordered: false, ...optionsOf({ call }) });
}

/** False: what the step requires does not hold. */
async function applySingle(open: OpenTable, step: Write, call: CallDeadline): Promise<boolean> {
  switch (step.kind) {
    case "insert":
      try {
        await open.documents.insertOne(toDocument(open.table, step.row), optionsOf({ call }));
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
      return true;
    case "upsertMany":
      await upsertRows(open, step, call);
      return true;
    case "update":
      await updateAll(open, step, { call });
      return true;
    case "delete":
      await deleteSome(open, step, { call });
      return true;
    case "require":
      return (await countRows(open, step, call)) === step.count;
  }
}
