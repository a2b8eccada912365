// Sums of amounts with open directions are all sums and no others, also where they were asked for before.
import fc from "fast-check";
import { expect, it } from "vitest";
import { followSums, possibleSums, type SignedUnits } from "./possible-sums.ts";

const AMOUNT = fc.tuple(fc.nat(9), fc.constantFrom(-1, 0, 1)) satisfies fc.Arbitrary<SignedUnits>;
const AMOUNTS = fc.array(AMOUNT, { maxLength: 8 });

/** One by one, each direction of each amount. */
function allSums(amounts: readonly SignedUnits[]): number[] {
  const [first, ...others] = amounts;
  if (first === undefined) return [0];
  const [units, sign] = first;
  const signs = sign === 0 ? [-1, 1] : [sign];
  return allSums(others).flatMap((sum) => signs.map((one) => sum + one * units));
}

const ascending = (sums: Iterable<number>): number[] => [...new Set(sums)].sort((a, b) => a - b);

it("are those of every choice of directions", () => {
  fc.assert(
    fc.property(fc.array(AMOUNTS, { minLength: 1, maxLength: 40 }), (all) => {
      for (const amounts of [...all, ...all]) {
        const sums = possibleSums(amounts);
        expect(sums === "undecided" ? sums : ascending(sums)).toEqual(ascending(allSums(amounts)));
      }
    }),
  );
});

it("are made in one way where one choice of directions has the sum, and else in more", () => {
  fc.assert(
    fc.property(AMOUNTS, (amounts) => {
      const nonZero = amounts.filter(([units]) => units > 0);
      const counts = Map.groupBy(allSums(nonZero), (sum) => sum);
      for (const [sum, { ways }] of followSums(nonZero).at(-1) ?? [])
        expect(ways > 1).toBe((counts.get(sum)?.length ?? 0) > 1);
    }),
  );
});

it("are undecided where there are more than can be followed", () => {
  const doubled = Array.from({ length: 16 }, (_, at): SignedUnits => [2 ** at, 0]);
  expect(possibleSums(doubled)).toBe("undecided");
});
