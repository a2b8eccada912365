// A difference between picture and text layer is reported with both numbers, and not where recognition may be the one that is wrong.
import { describe, expect, it } from "vitest";
import type { StatementAccount } from "../../src/model/bank-statement.ts";
import { IDENTITY, scaling } from "./affine.ts";
import { findLayerDifferences } from "./layer-differences.ts";
import type { ReadPage } from "./read-page.ts";
import type { PageWord } from "./words.ts";

const HEIGHT = 10;

/** Words of one column, a line each; a space within one makes two words next to each other. */
const column = (texts: readonly string[], change: Partial<PageWord> = {}): PageWord[] =>
  texts.flatMap((text, line) =>
    text.split(" ").map((part, at) => ({
      ...{ page: 1, text: part, left: 100 + at * 30, right: 128 + at * 30 },
      ...{ top: line * 14, bottom: line * 14 + HEIGHT, confidence: 1, ...change },
    })),
  );

const pageOf = (words: readonly PageWord[]): ReadPage => ({ page: 1, words, toSeen: IDENTITY });

const reasons = (
  recognised: readonly PageWord[],
  layer: readonly PageWord[],
  accounts: readonly StatementAccount[] = [],
): string[] =>
  findLayerDifferences(accounts, [pageOf(recognised)], [pageOf(layer)]).map(({ reason }) => reason);

const PICTURE = ["2026-01-02", "5.00", "95.00", "50.00", "145.00"];

it("names both numbers, how many differ, and the place on the page", () => {
  const layer = column(["2026-01-02", "5.00", "95.00", "850.00", "945.00"]);
  const half: ReadPage = { page: 1, words: column(PICTURE), toSeen: scaling(0.5) };
  const words = layer.map((word) => ({
    ...word,
    ...{ left: word.left / 2, right: word.right / 2, top: word.top / 2, bottom: word.bottom / 2 },
  }));
  expect(findLayerDifferences([], [half], [pageOf(words)])).toEqual([
    {
      kind: "text_layer_differs",
      reason:
        'The picture shows "50.00", the invisible text layer "850.00"; 2 of 5 numbers of the page differ.',
      ...{ page: 1, box: [50, 21, 64, 26] },
    },
    {
      kind: "text_layer_differs",
      reason:
        'The picture shows "145.00", the invisible text layer "945.00"; 2 of 5 numbers of the page differ.',
      ...{ page: 1, box: [50, 28, 64, 33] },
    },
  ]);
});

describe("is not reported", () => {
  const changed = ["2026-01-02", "5.00", "95.00", "58.00", "145.00"];
  it.each([
    ["equal numbers", column(PICTURE), column(PICTURE)],
    [
      "a number that was recognised unsurely",
      column(changed, { confidence: 0.7 }),
      column(PICTURE),
    ],
    [
      "a number that was recognised in two ways",
      column(changed, { others: ["50.00"] }),
      column(PICTURE),
    ],
    ["a number of which a part was recognised", column(["17"]), column(["1.17"])],
    ["other signs and marks", column(["1,234.50", "(12.00)"]), column(["1234,50-", "-12.00"])],
    [
      "a number that is two words in one reading",
      column(["1 234,50"]),
      [...column(["1234,50"]).map((word) => ({ ...word, right: 158 }))],
    ],
    ["words with digits", column(["INV2231"]), column(["INV2237"])],
    ["a layer that is a line too low", column(PICTURE), column(["-", ...PICTURE])],
    ["a number that the layer does not have", column(PICTURE), column(PICTURE.slice(0, 3))],
  ])("%s", (_, recognised, layer) => {
    expect(reasons(recognised, layer)).toEqual([]);
  });

  it("a number that the balances corrected to what the layer has", () => {
    const repairs = [{ page: 1, row: 1, field: "amount" as const, from: "58.00", to: "50.00" }];
    const account = { repairs } as unknown as StatementAccount;
    expect(reasons(column(changed), column(PICTURE))).toHaveLength(1);
    expect(reasons(column(changed), column(PICTURE), [account])).toEqual([]);
  });
});

it("a layer of another statement gives at most 20 signals", () => {
  const [one, other] = ["1", "2"].map((digit) =>
    column(Array.from({ length: 30 }, (_, at) => `${digit}${String(at + 100)}.00`)),
  );
  expect(reasons(one ?? [], other ?? [])).toHaveLength(20);
});
