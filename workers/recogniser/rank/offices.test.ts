import { expect, test } from "vitest";
import { tokenise } from "../text/tokenise.ts";
import { officeParts } from "./offices.ts";

function spelledOut(text: string): string | null {
  const tokens = tokenise(text);
  const parts = tokens.map((token) => token.text);
  const spelled = officeParts({ text, tokens }, { from: 0, to: tokens.length }, parts);
  expect(parts).toEqual(tokens.map((token) => token.text));
  return spelled === null ? null : spelled.join("");
}

test.each([
  ["IL DEPT OF REV", "illinoisdepartmentofrevenue"],
  ["PHILA DEPT REVENUE", "philadelphiadepartmentofrevenue"],
  ["NM DOH", "newmexicodepartmentofhealth"],
  ["AUSTIN CNTY", "austincounty"],
])("%s is spelled out as %s", (text, name) => {
  expect(spelledOut(text)).toBe(name);
});

test("a name without a word of an office is left alone", () => {
  expect(spelledOut("IL FORNAIO")).toBeNull();
  expect(spelledOut("TAX")).toBeNull();
  expect(spelledOut("")).toBeNull();
});

test("only the first word may be a state, and what stands behind a number is left alone", () => {
  expect(spelledOut("DOR IN DEPT")).toBe("dorindepartmentof");
  expect(spelledOut("SHELL 12345 DEPT")).toBeNull();
});
