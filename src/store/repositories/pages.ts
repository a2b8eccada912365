import type { Page, PageRequest } from "../../shared/page.ts";
import type { Collection, FieldCondition, Where } from "../collection.ts";

/** The bounds of a page on createdAt, or nothing when it has none. */
function bounds(page: PageRequest): FieldCondition | undefined {
  if (page.createdAfter === null && page.createdBefore === null) return undefined;
  return {
    ...(page.createdAfter === null ? {} : { gte: page.createdAfter }),
    ...(page.createdBefore === null ? {} : { lt: page.createdBefore }),
  };
}

/**
 * One page of `collection` by (createdAt, tie), newest first by default. Reads one row more than asked to know
 * whether more follow.
 */
export async function readPage<Row extends { readonly createdAt: number }, Item>(
  collection: Collection<Row>,
  where: Where<Row>,
  page: PageRequest,
  tie: keyof Row & string,
  toItem: (row: Row) => Item,
  direction: "asc" | "desc" = "desc",
): Promise<Page<Item>> {
  const created = bounds(page);
  const rows = await collection.find({
    where: created === undefined ? where : { ...where, createdAt: created },
    order: { fields: ["createdAt", tie], direction },
    ...(page.after === null ? {} : { after: [page.after.createdAt, page.after.tie] }),
    limit: page.limit + 1,
  });
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const more = rows.length > page.limit && last !== undefined;
  return {
    rows: shown.map(toItem),
    next: more ? { createdAt: last.createdAt, tie: String(last[tie]) } : null,
  };
}

/** The same page with a bound on createdAt, which engines need to walk along an index that begins with it. */
export const bounded = (page: PageRequest): PageRequest => ({
  ...page,
  createdAfter: page.createdAfter ?? 0,
});
