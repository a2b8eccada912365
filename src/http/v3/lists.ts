import type { Principal } from "../../model/api-key.ts";
import type { Page, PageRequest, Position } from "../../shared/page.ts";
import { type Answer, errorAnswer, jsonTextAnswer } from "../server/answer.ts";
import type { Cursors } from "../server/cursor.ts";
import { unprocessable } from "../server/validation.ts";
import type { PageQuery } from "./schemas.ts";

// What all lists have in common: the request for a page, cursors, and the form of the answer.

interface List<Row> {
  /** Part of every cursor, so that one of another list is refused. */
  readonly name: string;
  /** Null when that which has the list does not exist. */
  read(page: PageRequest): Promise<Page<Row> | null>;
  /** The answer then. */
  readonly missing?: Answer;
  /** JSON text of one row. */
  write(row: Row): string;
}

/** Answers one page of a list. */
export async function answerPage<Row>(
  cursors: Cursors,
  principal: Principal,
  query: PageQuery,
  list: List<Row>,
): Promise<Answer> {
  const scope = { org: principal.org, list: list.name };
  let after: Position | null = null;
  // An empty cursor is how some clients write that they have none.
  if (query.cursor !== undefined && query.cursor !== null && query.cursor !== "") {
    after = cursors.read(scope, query.cursor);
    if (after === null) return unprocessable([FOREIGN_CURSOR]);
  }
  const page = await list.read({
    limit: query.limit,
    createdAfter: query.created_after ?? null,
    createdBefore: query.created_before ?? null,
    after,
  });
  if (page === null) return list.missing ?? NO_LIST;
  const next = page.next === null ? null : cursors.write(scope, page.next);
  const rows = page.rows.map((row) => list.write(row)).join(",");
  return jsonTextAnswer(200, `{"next_cursor":${JSON.stringify(next)},"data":[${rows}]}`);
}

const NO_LIST = errorAnswer("route_not_found", "Path not found");
const FOREIGN_CURSOR = {
  loc: ["query", "cursor"],
  msg: "Value error, this cursor was not issued for this list",
  type: "value_error",
};
