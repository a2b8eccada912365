import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findTypo } from "./typos.ts";

const find =
  (names: Readonly<Record<string, number>>) =>
  (key: string): number | null =>
    names[key] ?? null;

const letter = fc.constantFrom(...Array.from("abcdefghijklmnopqrstuvwxyz0123456789"));

/** One typo after the first letter. */
function typo(name: string, at: number, kind: number, other: string): string {
  const before = name.slice(0, at);
  const after = name.slice(at);
  if (kind === 0) return before + other + after;
  if (kind === 1) return before + after.slice(1);
  if (kind === 2) return before + other + after.slice(1);
  return before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2);
}

test("a name is found with any one typo after its first letter", () => {
  fc.assert(
    fc.property(
      fc.array(letter, { minLength: 7, maxLength: 20 }),
      fc.nat({ max: 5 }),
      fc.nat({ max: 3 }),
      letter,
      (letters, at, kind, other) => {
        const name = letters.join("");
        const written = typo(name, at + 1, kind, other);
        fc.pre(written !== name);
        expect(findTypo(written, find({ [name]: 7 }))).toBe(7);
      },
    ),
  );
});

test("a typo of two merchants' names matches none, of two names of one it matches", () => {
  expect(findTypo("starbuck", find({ starbucks: 1, starbuckz: 2 }))).toBeNull();
  expect(findTypo("starbuck", find({ starbucks: 1, starbuckz: 1 }))).toBe(1);
});

test("two typos, another first letter, and short or long names find no merchant", () => {
  const names = find({ netflix: 1, gaps: 2, ["x".repeat(30)]: 3 });
  for (const written of ["netfliks", "betflix", "nextflixx", "gap", "gaps1", "x".repeat(29), ""])
    expect(findTypo(written, names)).toBeNull();
  expect(findTypo("netflx", names)).toBe(1);
});
