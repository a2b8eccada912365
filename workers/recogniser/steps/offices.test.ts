import { expect, test } from "vitest";
import { tokenise } from "../text/tokenise.ts";
import { officeParts } from "./offices.ts";

const spelled = (text: string): string | null => {
  const line = { text, tokens: tokenise(text) };
  const parts = line.tokens.map((token) => token.text);
  return officeParts(line, { from: 0, to: parts.length }, parts)?.join(" ") ?? null;
};

test.each([
  ["IL DEPT OF REV", "illinois departmentof  revenue"],
  ["PHILA DEPT REVENUE", "philadelphia departmentof revenue"],
  ["NM DOH VITAL RECORDS", "newmexico departmentofhealth vital records"],
  ["OKLA TAX COMMISSI", "oklahoma tax commission"],
  // Only the first word may be a state: IN and OR are words elsewhere.
  ["KETTLE TAX IN CO", "kettle tax in county"],
])("the office %j is looked up as %j", (text, parts) => {
  expect(spelled(text)).toBe(parts);
});

test("where no office shows itself nothing is looked up, and nothing behind a reference is read", () => {
  expect(spelled("IL FORNO")).toBeNull();
  expect(spelled("CA KETTLE 1234567 DEPT")).toBeNull();
});
