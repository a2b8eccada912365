// A document is read as thoroughly as its balances need, and never longer than its limits.
import { expect, it } from "vitest";
import type { ReadPage, RecogniseTask, RereadTask } from "../../workers/protocol.ts";
import type { PrintedValue, StatementResult } from "../model/bank-statement.ts";
import { readStatement, verifyStatement } from "./statement-reading.ts";
import type { StatementThreads } from "./statement-threads.ts";

const FILE = { document: 1, bytes: new Uint8Array(), password: "", submittedAt: 0 };
const PAGE = { toSeen: [1, 0, 0, 1, 0, 0] } as const;
const word = (page: number, text: string) => ({
  ...{ page, text, left: 0, top: 0, right: 9, bottom: 9, confidence: 0.5 },
  source: "ocr" as const,
});

const printed = (page: number): PrintedValue => ({
  ...{ page, box: [0, 0, 9, 9], text: "1.00", confidence: 0.5, source: "ocr" },
});

/** A statement whose only row, on page 2, is right when the words of the page are among `right`. */
function understoodFrom(read: readonly ReadPage[], right: readonly string[]): StatementResult {
  const isRight = read.some(({ words }) => words.some(({ text }) => right.includes(text)));
  const evidence = { date: null, description: [], amount: printed(2), balance: null };
  const account = {
    verdict: isRight ? "reconciled" : "not_reconciled",
    firstBreak: isRight ? null : { page: 2, row: 1, difference: "1.00" },
    period: null,
    unproven: [],
    transactions: [{ page: 2, row: 1, date: null, evidence }],
  };
  return { accounts: [account] } as unknown as StatementResult;
}

function threadsThat(right: readonly string[]) {
  const recognised: Pick<RecogniseTask, "page" | "mode">[] = [];
  const reread: RereadTask["boxes"][] = [];
  const threads: StatementThreads = {
    plan: () =>
      Promise.resolve({
        ...{ kind: "recognise", pages: 2, pagesToRecognise: [1, 2], facts: null },
        read: [],
      }),
    recognise: ({ page, mode }) => {
      recognised.push({ page, mode });
      return Promise.resolve({ ...PAGE, page, words: [word(page, mode)] });
    },
    reread: ({ before, boxes }) => {
      reread.push(boxes);
      return Promise.resolve({ ...before, words: [word(before.page, "again")] });
    },
    understand: ({ read }) => Promise.resolve(understoodFrom(read, right)),
  };
  return { recognised, reread, deps: { threads, pagesAtOnce: 2, now: () => 0 } };
}

const SPARSE = [
  { page: 1, mode: "sparse" },
  { page: 2, mode: "sparse" },
];

it("a statement that adds up is recognised once", async () => {
  const { recognised, reread, deps } = threadsThat(["sparse"]);
  expect(await readStatement(FILE, deps)).toMatchObject({ accounts: [{ verdict: "reconciled" }] });
  expect({ recognised, reread }).toEqual({ recognised: SPARSE, reread: [] });
});

it("pages that do not add up are recognised in the other mode, and no other page is", async () => {
  const { recognised, reread, deps } = threadsThat(["automatic"]);
  expect(await readStatement(FILE, deps)).toMatchObject({ accounts: [{ verdict: "reconciled" }] });
  expect(recognised).toEqual([...SPARSE, { page: 2, mode: "automatic" }]);
  expect(reread).toEqual([]);
});

it("then the numbers around the break are read again", async () => {
  const { reread, deps } = threadsThat(["again"]);
  expect(await readStatement(FILE, deps)).toMatchObject({ accounts: [{ verdict: "reconciled" }] });
  expect(reread).toEqual([[printed(2).box]]);
});

it("what adds up no better is not taken, and the search ends", async () => {
  const { reread, deps } = threadsThat([]);
  expect(await readStatement(FILE, deps)).toMatchObject({
    accounts: [{ verdict: "not_reconciled" }],
  });
  expect(reread).toHaveLength(1);
});

it("pages are counted while they are recognised", async () => {
  const { deps } = threadsThat(["sparse"]);
  const counted: number[][] = [];
  const onPages = (done: number, total: number) => void counted.push([done, total]);
  await readStatement(FILE, { ...deps, onPages });
  expect(counted).toEqual([
    [0, 2],
    [1, 2],
    [2, 2],
  ]);
});

it("the header needs the first page alone", async () => {
  const { recognised, deps } = threadsThat([]);
  await verifyStatement(FILE, deps);
  expect(recognised).toEqual([{ page: 1, mode: "sparse" }]);
});

it("a document that takes too long has a fault, and its other pages are not begun", async () => {
  const { recognised, deps } = threadsThat([]);
  let time = 0;
  const now = (): number => (time += 10_000_000);
  expect(await readStatement(FILE, { ...deps, pagesAtOnce: 1, now })).toEqual({
    fault: "time_limit",
  });
  expect(recognised).toEqual([]);
});

it("the fault of a page is the fault of its document", async () => {
  const { deps } = threadsThat([]);
  const recognise = () => Promise.resolve({ fault: "memory_limit" } as const);
  const threads = { ...deps.threads, recognise };
  expect(await readStatement(FILE, { ...deps, threads })).toEqual({ fault: "memory_limit" });
});

it.each([
  ["another number", "7.00", "not_checkable"],
  ["the same digits", "-1.00", "reconciled"],
])("a first amount in no sum is read again: %s", async (_, second, verdict) => {
  const { reread, deps } = threadsThat([]);
  const evidence = { date: null, description: [], amount: printed(2), balance: null };
  const account = {
    ...{ verdict: "reconciled", unproven: ["opening_balance"], firstBreak: null, period: null },
    transactions: [{ page: 2, row: 1, date: null, balance: "9.00", evidence }],
  };
  const threads: StatementThreads = {
    ...deps.threads,
    recognise: ({ page }) => Promise.resolve({ ...PAGE, page, words: [word(page, "1.00")] }),
    reread: (task) => {
      reread.push(task.boxes);
      return Promise.resolve({ ...task.before, words: [word(task.before.page, second)] });
    },
    understand: () => Promise.resolve({ accounts: [account] } as unknown as StatementResult),
  };
  expect(await readStatement(FILE, { ...deps, threads })).toMatchObject({
    accounts: [{ verdict }],
  });
  expect(reread).toEqual([[printed(2).box]]);
});

it.each([
  ["its page has a fault then", 0, "not_checkable"],
  ["the time for it is over", Infinity, "not_checkable"],
])(
  "without a second reading a first amount in no sum proves nothing: %s",
  async (_, late, verdict) => {
    const { deps } = threadsThat([]);
    const evidence = { date: null, description: [], amount: printed(2), balance: null };
    const account = {
      ...{ verdict: "reconciled", unproven: ["opening_balance"], firstBreak: null, period: null },
      transactions: [{ page: 2, row: 1, date: null, balance: "9.00", evidence }],
    };
    let isRead = false;
    const threads: StatementThreads = {
      ...deps.threads,
      recognise: ({ page }) => Promise.resolve({ ...PAGE, page, words: [word(page, "1.00")] }),
      reread: () => Promise.resolve({ fault: "time_limit" } as const),
      understand: () => {
        isRead = true;
        return Promise.resolve({ accounts: [account] } as unknown as StatementResult);
      },
    };
    const now = (): number => (isRead ? late : 0);
    expect(await readStatement(FILE, { ...deps, threads, now })).toMatchObject({
      accounts: [{ verdict }],
    });
  },
);

/** A statement that is not checkable until its closing balance is found, which makes it so. */
const threadsWithoutClosing = (found: "fitting" | "wrong" | null) => {
  const kinds: RereadTask["kind"][] = [];
  const row = { page: 1, row: 1, date: null, amount: "1.00", direction: "debit", balance: null };
  const evidence = { date: null, description: [], amount: printed(1), balance: null };
  const account = { firstBreak: null, period: null, unproven: [] };
  const threads: StatementThreads = {
    ...threadsThat([]).deps.threads,
    reread: ({ before, kind }) => {
      kinds.push(kind);
      const words = found === null ? [] : [word(1, found)];
      return Promise.resolve({ ...before, words: [...before.words, ...words] });
    },
    understand: ({ read }) => {
      const isFound = read.some(({ words }) => words.some(({ text }) => text === found));
      const verdict = !isFound
        ? "not_checkable"
        : found === "fitting"
          ? "reconciled_with_repairs"
          : "not_reconciled";
      const transactions = [{ ...row, evidence }];
      return Promise.resolve({
        accounts: [{ ...account, verdict, transactions }],
      } as unknown as StatementResult);
    },
  };
  return { kinds, deps: { threads, pagesAtOnce: 2, now: () => 0 } };
};

it("a balance of which the label alone was read is looked for where an account is not checkable", async () => {
  const { kinds, deps } = threadsWithoutClosing("fitting");
  const read = await readStatement(FILE, deps);
  expect(read).toMatchObject({ accounts: [{ verdict: "reconciled_with_repairs" }] });
  expect(new Set(kinds)).toEqual(new Set(["balances"]));
});

it.each(["wrong", null] as const)(
  "one that does not fit the rows changes nothing: %s",
  async (found) => {
    const { deps } = threadsWithoutClosing(found);
    const read = await readStatement(FILE, deps);
    expect(read).toMatchObject({ accounts: [{ verdict: "not_checkable" }] });
  },
);
