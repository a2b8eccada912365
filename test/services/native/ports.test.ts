import { expect, it, onTestFinished } from "vitest";
import { claimPort } from "./ports.ts";

it("gives no port twice while it is claimed", async () => {
  const claims = await Promise.all(Array.from({ length: 100 }, claimPort));
  onTestFinished(async () => {
    await Promise.all(claims.map((claim) => claim.release()));
  });
  expect(new Set(claims.map(({ port }) => port)).size).toBe(claims.length);
});
