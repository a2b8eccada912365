import { expect, test } from "vitest";
import { LIMITS_OF_SETTINGS, type Principal } from "../../model/api-key.ts";
import { createKnownKeys } from "./known-keys.ts";

const principal: Principal = {
  org: "acme",
  keyId: "k",
  roles: ["write"],
  limits: LIMITS_OF_SETTINGS,
};
const withKey = (key: string) => ({ headers: { "x-api-key": key } });

test("made-up keys share one queue, a good key has that of its organization once it was looked up", async () => {
  let good = true;
  const keys = createKnownKeys((key) => Promise.resolve(key === "good" && good ? principal : null));
  const unknown = keys.ownerOf({ headers: {} });
  expect(["a", "b", "good"].map((key) => keys.ownerOf(withKey(key)))).toEqual([
    unknown,
    unknown,
    unknown,
  ]);
  expect(await keys.authenticate("a")).toBeNull();
  expect(await keys.authenticate("good")).toBe(principal);
  expect(["a", "b", "good"].map((key) => keys.ownerOf(withKey(key)))).toEqual([
    unknown,
    unknown,
    "acme",
  ]);
  expect(keys.ownerOf({ headers: { authorization: "Bearer good" } })).toBe("acme");
  // Revoked.
  good = false;
  expect(await keys.authenticate("good")).toBeNull();
  expect(keys.ownerOf(withKey("good"))).toBe(unknown);
});

test("so many unknown keys are looked up at a time, and known ones do not wait for them", async () => {
  const opened: ((found: null) => void)[] = [];
  const keys = createKnownKeys(
    (key) =>
      key === "good" ? Promise.resolve(principal) : new Promise((resolve) => opened.push(resolve)),
    2,
  );
  await keys.authenticate("good");
  const made = ["a", "b", "c", "d"].map((key) => keys.authenticate(key));
  expect(await keys.authenticate("good")).toBe(principal);
  await new Promise(setImmediate);
  expect(opened).toHaveLength(2);
  opened[0]?.(null);
  expect(await made[0]).toBeNull();
  await new Promise(setImmediate);
  expect(opened).toHaveLength(3);
  opened[1]?.(null);
  await made[1];
  opened[2]?.(null);
  await made[2];
  opened[3]?.(null);
  expect(await Promise.all(made)).toEqual([null, null, null, null]);
  expect(await keys.authenticate("good")).toBe(principal);
});

test("a look-up that fails frees its place", async () => {
  const keys = createKnownKeys(() => Promise.reject(new Error("lost")), 1);
  await expect(keys.authenticate("a")).rejects.toThrow("lost");
  await expect(keys.authenticate("b")).rejects.toThrow("lost");
});
