import { expect, it } from "vitest";
import { nearestName } from "./nearest-name.ts";

const KNOWN = ["id", "description", "account_holder_id", "limit", "created_after", "LOG_LEVEL"];

it.each([
  ["acount_holder_id", "account_holder_id"],
  ["accountHolderId", "account_holder_id"],
  ["account-holder-id", "account_holder_id"],
  ["lmit", "limit"],
  ["limti", "limit"],
  ["Limit", "limit"],
  ["desciption", "description"],
  ["LOGLEVEL", "LOG_LEVEL"],
])("%s was meant to be %s", (name, meant) => {
  expect(nearestName(name, KNOWN)).toBe(meant);
});

it.each(["", "_", "x", "colour", "metadata", "ix", "a".repeat(65), "l".repeat(100_000)])(
  "a name that is near to none gets no suggestion: %.20s",
  (name) => {
    expect(nearestName(name, KNOWN)).toBeNull();
  },
);
