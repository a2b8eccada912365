import { expect, it } from "vitest";
import { LedgerlineError } from "../shared/errors.ts";
import { createBucketsInMemory } from "./buckets-in-memory.ts";
import { createLimits } from "./limits.ts";
import { createRecordCredits } from "./record-credits.ts";

const SETTINGS = { requestsPerSecond: 0, creditsMax: 500, creditsPerSecond: 100 };

it("a record gets all its credits, by the grant of its organization, or is postponed and gets none", async () => {
  const limits = createLimits({ ...createBucketsInMemory(), nowMs: () => 0 }, SETTINGS);
  const take = createRecordCredits({
    limits,
    grantedCredits: (org) => Promise.resolve(org === "large" ? { max: 0, perSecond: 0 } : null),
  });
  const kept = await take("acme", 250);
  expect(await take("acme", 200)).not.toHaveProperty("waitMs");
  expect(await take("acme", 100)).toEqual({ org: "acme", waitMs: 500 });
  expect(await take("acme", 50)).not.toHaveProperty("waitMs");
  for (let count = 0; count < 10; count += 1)
    expect(await take("large", 250)).not.toHaveProperty("waitMs");
  if ("waitMs" in kept) throw new Error("It was refused");
  kept.giveBack();
  expect(await take("acme", 250)).not.toHaveProperty("waitMs");
});

it("where grants cannot be read, nothing is taken and the record is tried again later", async () => {
  const away = new LedgerlineError("unavailable", "away");
  const take = createRecordCredits({
    limits: createLimits({ ...createBucketsInMemory(), nowMs: () => 0 }, SETTINGS),
    grantedCredits: () => Promise.reject(away),
  });
  await expect(take("acme", 1)).rejects.toBe(away);
});
