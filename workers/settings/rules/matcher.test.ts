import fc from "fast-check";
import { expect, test } from "vitest";
import { createMatcher, type Matcher } from "./matcher.ts";
import { TEXT_TESTS, type TextTest } from "./operations.ts";

interface Pattern {
  readonly test: TextTest;
  readonly constant: string;
  readonly atom: number;
}

function matcherOf(patterns: readonly Pattern[]): Matcher {
  const atoms = (wanted: TextTest): Map<string, number> =>
    new Map(
      patterns.flatMap(({ test: name, constant, atom }) =>
        name === wanted ? [[constant, atom]] : [],
      ),
    );
  return createMatcher({
    is_substring: atoms("is_substring"),
    starts_with: atoms("starts_with"),
    ends_with: atoms("ends_with"),
  });
}

function foundBy(patterns: readonly Pattern[], text: string): readonly number[] {
  const truth = patterns.map(() => false);
  const found: number[] = [];
  matcherOf(patterns)(text, truth, found);
  expect(truth).toEqual(patterns.map(({ atom }) => found.includes(atom)));
  expect(new Set(found).size).toBe(found.length);
  return found.toSorted((a, b) => a - b);
}

const isTrue = ({ test: name, constant }: Pattern, text: string): boolean =>
  name === "is_substring" ? TEXT_TESTS[name](constant, text) : TEXT_TESTS[name](text, constant);

const expected = (patterns: readonly Pattern[], text: string): readonly number[] =>
  patterns.filter((pattern) => isTrue(pattern, text)).map(({ atom }) => atom);

// Code units of all sizes; of few, so that constants contain each other.
const UNITS = ["a", "b", "c", "\u00E9", "\u0153", "\uD83D", "\uDE00", "\uFFFF"];

test("finds exactly the constants that each of the three tests finds alone", {
  timeout: 60_000,
}, () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.record({
          test: fc.constantFrom("is_substring", "starts_with", "ends_with"),
          constant: fc.oneof(
            fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 6, size: "max" }),
            fc.string({ unit: fc.constantFrom(...UNITS), minLength: 1, maxLength: 4 }),
          ),
        }),
        {
          minLength: 5,
          maxLength: 30,
          size: "max",
          selector: ({ test: name, constant }) => `${name} ${constant}`,
        },
      ),
      fc.oneof(
        fc.string({ unit: fc.constantFrom("a", "b"), minLength: 5, maxLength: 40, size: "max" }),
        fc.string({ unit: fc.constantFrom(...UNITS), maxLength: 40, size: "max" }),
      ),
      (drafts, text) => {
        const patterns = drafts.map((draft, atom) => ({ ...draft, atom }));
        const all = foundBy(patterns, text);
        expect(all).toEqual(expected(patterns, text));
        found += all.length;
      },
    ),
    { numRuns: 2_000, seed: 3 },
  );
  expect(found).toBeGreaterThan(2 * 2_000);
});

test("one matcher can be asked again and again", () => {
  const match = matcherOf([
    { test: "is_substring", constant: "he", atom: 0 },
    { test: "is_substring", constant: "she", atom: 1 },
    { test: "ends_with", constant: "hers", atom: 2 },
  ]);
  for (let round = 0; round < 2; round++) {
    const found: number[] = [];
    match("ushers", [false, false, false], found);
    expect(found.toSorted()).toEqual([0, 1, 2]);
    match("usher", [false, false, false], found);
    expect(found.toSorted()).toEqual([0, 0, 1, 1, 2]);
  }
});

test("a pass is linear, also where every constant ends everywhere", () => {
  const patterns = Array.from({ length: 300 }, (_, atom): Pattern => {
    return { test: "is_substring", constant: "a".repeat(atom + 1), atom };
  });
  const match = matcherOf(patterns);
  let reads = 0;
  // What costs time is asking whether an atom was found already.
  const truth = new Proxy<boolean[]>([], {
    get(target, key) {
      reads++;
      return Reflect.get(target, key) as unknown;
    },
  });
  const found: number[] = [];
  match("a".repeat(1000), truth, found);
  expect(found).toHaveLength(300);
  expect(reads).toBeLessThan(2 * (1000 + 300));
});

test("constants of a whole ruleset are taken in milliseconds, whatever they are", () => {
  const long = { test: "is_substring", constant: "ab".repeat(25_000), atom: 0 } as const;
  const wide = Array.from({ length: 17_000 }, (_, atom): Pattern => {
    return { test: "is_substring", constant: String.fromCharCode(0x800 + atom), atom };
  });
  for (const patterns of [[long], wide]) {
    const text = `${"ab".repeat(500)}${String.fromCharCode(0x900)}`;
    expect(foundBy(patterns, text)).toEqual(expected(patterns, text));
  }
});
