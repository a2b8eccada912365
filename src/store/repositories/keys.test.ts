import { expect, it } from "vitest";
import { LIMITS_OF_SETTINGS } from "../../model/api-key.ts";
import { openDatabase } from "../../sqlite/database.ts";
import { createKeyRepository } from "./keys.ts";
import { type KeyRow, keySpec } from "../specs/specs.ts";
import { createSqliteStore } from "../sqlite/store.ts";

it("all keys are listed, oldest first, however many there are", async () => {
  const database = openDatabase(":memory:");
  const store = createSqliteStore(database);
  const keys = store.collection<KeyRow>(keySpec);
  const rows = Array.from({ length: 10_001 }, (_, index): KeyRow => {
    const id = String(index).padStart(5, "0");
    const org = `org-${String(index % 7)}`;
    const common = {
      name: null,
      roles: ["read"],
      revokedAt: null,
      expiresAt: null,
      limits: LIMITS_OF_SETTINGS,
    };
    return { ...common, org, id, hash: id, createdAt: Math.floor(index / 2) } as KeyRow;
  });
  await store.write(rows.map((row) => keys.insert(row, "fail")));
  const listed = await createKeyRepository(store).list();
  expect(listed.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  await database.close();
});
