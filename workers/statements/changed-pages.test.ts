// What a verdict promises about a page with a text layer on which one thing was changed: for each kind of page and of change, whether
// it can still be called reconciled. What no printed number shows is stated here as it is, and in docs/guides/statements.md.
import { describe, expect, it } from "vitest";
import { createRandom, type Random } from "../../test/support/random.ts";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { toDecimal } from "./money.ts";
import { understandStatement } from "./understand.ts";

interface Row {
  readonly day: number;
  /** As printed: minor units, below zero for a debit. */
  readonly units: number;
  readonly balance: number;
}

interface Page {
  readonly opening: number;
  readonly closing: number;
  readonly rows: readonly Row[];
  readonly credits: number;
  readonly debits: number;
}

/** Which rows print a balance; totals and the ends are printed on all pages. */
const PAGES = {
  "a balance in each row": () => true,
  "a balance a day": (rows: readonly Row[], at: number) => rows[at + 1]?.day !== rows[at]?.day,
  "no balances": () => false,
} as const;
type PageName = keyof typeof PAGES;
const NAMES = Object.keys(PAGES) as PageName[];
const ROWS = 8;

/** Two rows a day; all amounts differ, so that no two of them are the same by chance. */
function makePage(random: Random): Page {
  const opening = random.integer(100_000, 900_000);
  let balance = opening;
  const rows = Array.from({ length: ROWS }, (_, at): Row => {
    const size = 1_009 * (at + 1) + random.integer(1, 900);
    const units = random.chance(0.4) ? size : -size;
    balance += units;
    return { day: 1 + Math.floor(at / 2), units, balance };
  });
  const sum = (sign: number): number =>
    rows.reduce((total, { units }) => total + Math.max(sign * units, 0), 0);
  return { opening, closing: balance, rows, credits: sum(1), debits: sum(-1) };
}

function print({ opening, closing, rows, credits, debits }: Page, name: PageName): string {
  const lines = rows.map((row, at) => {
    const amount = toDecimal(row.units, 2).padStart(12);
    const balance = PAGES[name](rows, at) ? toDecimal(row.balance, 2).padStart(14) : "";
    return `0${String(row.day)}/03/2026  Shop ${String(at)}     ${amount}${balance}`;
  });
  return `
Example Bank
Account number 40001234
Opening balance                ${toDecimal(opening, 2)}
Total credits                  ${toDecimal(credits, 2)}
Total debits                   ${toDecimal(debits, 2)}
Closing balance                ${toDecimal(closing, 2)}
Date        Description         Amount${name === "no balances" ? "" : "       Balance"}
${lines.join("\n")}
`;
}

type Change = (page: Page, random: Random) => Page;
const withRows = (page: Page, rows: readonly Row[]): Page => ({ ...page, rows });
const changeRow = (page: Page, at: number, change: (row: Row) => Partial<Row>): Page =>
  withRows(
    page,
    page.rows.map((row, index) => (index === at ? { ...row, ...change(row) } : row)),
  );
const turn = ({ units }: Row): Partial<Row> => ({ units: -units });
const swapAt = (page: Page, at: number): Page => {
  const [one, other] = page.rows.slice(at, at + 2);
  if (one === undefined || other === undefined)
    throw new Error("The rows to change must be there.");
  return withRows(page, page.rows.toSpliced(at, 2, other, one));
};
const anyRow = (random: Random): number => random.integer(0, ROWS - 1);
const SHIFT = 37_00;

const CHANGES = {
  "two rows of a day swapped": (page, random) => swapAt(page, 2 * random.integer(0, ROWS / 2 - 1)),
  "a row printed twice": (page, random) => {
    const at = anyRow(random);
    return withRows(page, page.rows.toSpliced(at, 0, ...page.rows.slice(at, at + 1)));
  },
  "a row left out": (page, random) => withRows(page, page.rows.toSpliced(anyRow(random), 1)),
  "a sign turned": (page, random) => changeRow(page, anyRow(random), turn),
  "the signs of both rows of a day turned": (page, random) => {
    const at = 2 * random.integer(0, ROWS / 2 - 1);
    return changeRow(changeRow(page, at, turn), at + 1, turn);
  },
  "a digit of an amount": (page, random) =>
    changeRow(page, anyRow(random), ({ units }) => ({ units: units + Math.sign(units) * 1_000 })),
  "the decimal mark of an amount moved": (page, random) =>
    changeRow(page, anyRow(random), ({ units }) => ({ units: units * 10 })),
  "a balance of a row": (page, random) =>
    changeRow(page, 1 + 2 * random.integer(0, ROWS / 2 - 1), ({ balance }) => ({
      balance: balance + SHIFT,
    })),
  "the opening balance": (page) => ({ ...page, opening: page.opening + SHIFT }),
  "the closing balance": (page) => ({ ...page, closing: page.closing + SHIFT }),
  "the opening balance and a later amount": (page, random) =>
    changeRow(
      { ...page, opening: page.opening + SHIFT },
      random.integer(2, ROWS - 1),
      ({ units }) => ({ units: units - SHIFT }),
    ),
  "the opening balance and the first amount": (page) =>
    changeRow({ ...page, opening: page.opening + SHIFT }, 0, ({ units }) => ({
      units: units - SHIFT,
    })),
  "both totals, by the same": (page) => ({
    ...page,
    credits: page.credits + SHIFT,
    debits: page.debits + SHIFT,
  }),
  "one total": (page) => ({ ...page, credits: page.credits + SHIFT }),
} satisfies Readonly<Record<string, Change>>;

/** never: it is not reconciled; named: only with repairs, which name each changed row; unseen: no equation of the page shows it. */
type Promised = "never" | "named" | "unseen";
const NEVER = ["never", "never", "never"] as const;

/** For the pages in their order. */
const PROMISES: Readonly<Record<keyof typeof CHANGES, readonly [Promised, Promised, Promised]>> = {
  // The sums of rows without balances are the same in any order.
  "two rows of a day swapped": ["never", "never", "unseen"],
  "a row printed twice": NEVER,
  "a row left out": NEVER,
  // One amount between two balances has the sign that these give it.
  "a sign turned": ["named", "never", "never"],
  "the signs of both rows of a day turned": ["named", "never", "never"],
  "a digit of an amount": NEVER,
  "the decimal mark of an amount moved": NEVER,
  "a balance of a row": ["never", "never", "unseen"],
  "the opening balance": NEVER,
  "the closing balance": NEVER,
  // Without balances between them, the two errors cancel each other out.
  "the opening balance and a later amount": ["never", "never", "unseen"],
  "the opening balance and the first amount": ["unseen", "unseen", "unseen"],
  "both totals, by the same": NEVER,
  // Banks count fees and interest apart.
  "one total": ["unseen", "unseen", "unseen"],
};

const SEEDS = Array.from({ length: 12 }, (_, seed) => seed);

const read = (page: Page, name: PageName) =>
  understandStatement(wordsOfText(print(page, name))).accounts[0];

it.each(NAMES)("a page with %s that nothing was changed on is reconciled", (name) => {
  const verdicts = SEEDS.map((seed) => read(makePage(createRandom(seed)), name)?.verdict);
  expect(new Set(verdicts)).toEqual(new Set(["reconciled"]));
});

describe.each(Object.entries(CHANGES))("%s", (kind, change: Change) => {
  const promises = PROMISES[kind as keyof typeof CHANGES];

  it.each(NAMES.map((name, at) => [promises[at] ?? "never", name] as const))(
    "is %s, on a page with %s",
    (promise, name) => {
      for (const seed of SEEDS) {
        const page = makePage(createRandom(seed));
        const changed = change(page, createRandom(seed + 1_000));
        const account = read(changed, name);
        const verdict = account?.verdict ?? "";
        if (promise === "never") expect(verdict, print(changed, name)).not.toMatch(/^reconciled/u);
        if (promise === "unseen") expect(verdict, print(changed, name)).toBe("reconciled");
        if (promise === "named") {
          expect(verdict).toBe("reconciled_with_repairs");
          const turned = changed.rows.flatMap(({ units }, at) =>
            units === page.rows[at]?.units ? [] : [at + 1],
          );
          expect(account?.repairs.map(({ row, field }) => [row, field])).toEqual(
            turned.map((row) => [row, "direction"]),
          );
        }
      }
    },
  );
});
