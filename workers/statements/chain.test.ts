// The chain decides only what it proves: a break is never explained away, and of two possible answers neither is taken.
import { describe, expect, it } from "vitest";
import { createRandom } from "../../test/support/random.ts";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { type ChainRow, followChain, type Sign } from "./chain.ts";
import { understandStatement } from "./understand.ts";

const row = (units: number, sign: Sign, balance: number | null = null, index = 1): ChainRow => ({
  page: 1,
  row: index,
  units,
  sign,
  isSignWeak: false,
  balance,
});

describe("signs that nothing printed decides", () => {
  it("follow from the only choice that has the right sum", () => {
    const chain = followChain(
      [row(50_000, 0), row(30_000, 0), row(7_000, 0)],
      1_000,
      { closings: [14_000] },
      1,
    );
    expect(chain).toMatchObject({ signs: [1, -1, -1], links: 1, breaks: [], isComplete: true });
  });

  it("stay open when two choices have the same sum", () => {
    const chain = followChain([row(500, 0), row(500, 0)], 1_000, { closings: [1_000] }, 1);
    expect(chain).toMatchObject({ breaks: [], isComplete: false });
  });

  it("stay open where chance would often find some", () => {
    const chain = followChain(
      [row(500, 0), row(300, 0), row(70, 0)],
      1_000,
      { closings: [1_130] },
      1,
    );
    expect(chain).toMatchObject({ breaks: [], isComplete: false });
  });

  it("are not searched for when the number of sums explodes, which shows no break either", () => {
    const rows = Array.from({ length: 40 }, (_, index) => row(2 ** index, 0));
    const chain = followChain(rows, 0, { closings: [5] }, 1);
    expect(chain).toMatchObject({ breaks: [], links: 0, isComplete: false });
  });

  it("are not those of any sum that few rows have: then it is a break", () => {
    const chain = followChain([row(100, 0), row(40, 0)], 1_000, { closings: [1_001] }, 1);
    expect(chain.breaks).toHaveLength(1);
  });
});

/** A statement with so many amounts without signs between its opening and its closing balance, which add up. */
function unsignedStatement(count: number): string {
  const random = createRandom(7);
  const sums = Array.from({ length: count }, () => random.integer(100, 250_000));
  const signed = sums.map((amount, at) => (at % 3 === 0 ? amount : -amount));
  const closing = signed.reduce((sum, amount) => sum + amount, 5_000_000);
  const rows = sums.map(
    (amount, at) => `2026-03-${String(at + 1).padStart(2, "0")}  Shop          ${toText(amount)}`,
  );
  return `
Example Bank
Account number 40001234
Opening balance               50000.00
Date        Description         Amount
${rows.join("\n")}
Closing balance               ${toText(closing)}
`;
}

const toText = (units: number): string => (units / 100).toFixed(2).padStart(8);

it.each([
  [10, "reconciled"],
  [15, "not_checkable"],
  [25, "not_checkable"],
])("%i right amounts without signs are %s: no break is named", (count, verdict) => {
  const { accounts } = understandStatement(wordsOfText(unsignedStatement(count)));
  expect(accounts).toMatchObject([{ verdict, firstBreak: null }]);
});

describe("printed signs", () => {
  it("are turned for one row between two balances, and that is reported", () => {
    const chain = followChain([row(100, 1, 1_100), row(40, 1, 1_060)], 1_000, { closings: [] }, 1);
    expect(chain).toMatchObject({ signs: [1, -1], flipped: [1], breaks: [] });
  });

  it("are not turned among several rows, because another error may have the same sum", () => {
    const chain = followChain([row(100, 1), row(40, 1, 1_060)], 1_000, { closings: [] }, 1);
    expect(chain).toMatchObject({ flipped: [], breaks: [{ row: 1, difference: -80 }] });
  });
});

it("a heading is weaker than the balances, a printed sign is not", () => {
  const weak: ChainRow = { ...row(100, 1), isSignWeak: true };
  expect(followChain([weak, row(40, 1)], 1_000, { closings: [940] }, 1)).toMatchObject({
    signs: [-1, 1],
    flipped: [0],
    breaks: [],
  });
});

it("a break names the difference, and the chain goes on from the printed balance", () => {
  const chain = followChain(
    [row(100, 1, 1_107), row(7, -1, 1_100, 2)],
    1_000,
    { closings: [1_100] },
    1,
  );
  expect(chain.breaks).toEqual([{ page: 1, row: 1, difference: 7 }]);
  expect(chain.links).toBe(2);
});

it("a closing balance that the last balance contradicts is a break", () => {
  expect(followChain([row(100, 1, 1_100)], 1_000, { closings: [1_200] }, 1).breaks).toEqual([
    { page: 1, row: 1, difference: 100 },
  ]);
});

it("a balance carried forward does not close an account that prints another closing balance", () => {
  const ends = { closings: [1_044], weakClosings: [1_100] };
  expect(followChain([row(100, 1)], 1_000, ends, 1)).toMatchObject({
    closing: 1_044,
    breaks: [{ page: 1, row: 1, difference: -56 }],
  });
});

it("rows behind the last balance leave the chain incomplete", () => {
  expect(followChain([row(100, 1, 1_100), row(5, 1)], 1_000, { closings: [] }, 1).isComplete).toBe(
    false,
  );
});

it("what is owed rises with debits", () => {
  expect(followChain([row(100, -1), row(30, 1)], 500, { closings: [570] }, -1)).toMatchObject({
    breaks: [],
    links: 1,
  });
});

it("a weak closing balance that equals the opening one closes nothing while rows are open", () => {
  const chain = followChain([row(100, -1)], 500, { closings: [], weakClosings: [500] }, 1);
  expect(chain).toMatchObject({ breaks: [], closing: null, isComplete: false });
  const fitting = { closings: [], weakClosings: [500, 400] };
  expect(followChain([row(100, -1)], 500, fitting, 1)).toMatchObject({ breaks: [], closing: 400 });
});
