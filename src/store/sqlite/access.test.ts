import { describe, expect, it } from "vitest";
import { openDatabase } from "../../sqlite/database.ts";
import { createTransactionRepository } from "../repositories/transactions.ts";
import { createSqliteStore } from "./store.ts";

const ALONG = "SEARCH store_transactions USING INDEX store_transactions_ledger";
const OF_HOLDER = "org=? AND holderId=?";
const PLACE = "(createdAt,order)<(?,?)";
const place = { createdAt: 50, tie: "x" };

/** How SQLite finds a page of a holder's transactions. */
async function planOf(page: {
  readonly from: number | null;
  readonly until: number | null;
  readonly after: { readonly createdAt: number; readonly tie: string } | null;
}): Promise<readonly string[]> {
  const database = openDatabase(":memory:");
  const plans: string[] = [];
  const store = createSqliteStore({
    ...database,
    all: (sql, parameters) => {
      const rows = database.all(`EXPLAIN QUERY PLAN ${sql}`, parameters);
      plans.push(...rows.map((row) => String(row["detail"])));
      return database.all(sql, parameters);
    },
  });
  const { from, until, after } = page;
  const bounds = { createdAfter: from, createdBefore: until };
  await createTransactionRepository(store).list("o", "h", { limit: 10, after, ...bounds });
  await database.close();
  return plans;
}

describe("a page of a holder's transactions is read along the holder's own index", () => {
  it.each([
    { from: null, until: null, after: null, range: "" },
    { from: 10, until: null, after: null, range: " AND createdAt>?" },
    { from: null, until: 90, after: null, range: " AND createdAt<?" },
    { from: 10, until: 90, after: null, range: " AND createdAt>? AND createdAt<?" },
    { from: null, until: null, after: place, range: ` AND ${PLACE}` },
    { from: 10, until: null, after: place, range: ` AND createdAt>? AND ${PLACE}` },
  ])("bounds $from and $until, after $after", async ({ range, ...page }) => {
    expect(await planOf(page)).toEqual([`${ALONG} (${OF_HOLDER}${range})`]);
  });

  it("and begins where the page before ended, not at the bound that everything before it was within", async () => {
    for (const until of [90, 51]) {
      const plan = [`${ALONG} (${OF_HOLDER} AND createdAt>? AND ${PLACE})`];
      expect(await planOf({ from: 10, until, after: place })).toEqual(plan);
      const open = [`${ALONG} (${OF_HOLDER} AND ${PLACE})`];
      expect(await planOf({ from: null, until, after: place })).toEqual(open);
    }
  });
});
