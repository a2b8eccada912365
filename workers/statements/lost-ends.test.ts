// Opening and closing balances of which the labels alone were recognised: where they are looked for, and that the balances must
// prove what is found there.
import { describe, expect, it } from "vitest";
import { wordsOfText } from "../../test/support/statement-texts.ts";
import { agreedReading, placesOfLostEnds } from "./lost-ends.ts";
import { understandStatement } from "./understand.ts";
import type { PageWord } from "./words.ts";

const SUMMARY = `Opening balance        1000.00
Payments in              25.00
Payments out             60.50
Closing balance         964.50
`;
const ROWS = `
Date        Description          Amount
2026-03-01  Shop                 -10.00
2026-03-02  Rent                 -50.50
2026-03-02  Refund                25.00
`;

const recognised = (text: string): PageWord[] =>
  wordsOfText(text).map((word) => ({ ...word, confidence: 0.95, source: "ocr" }));
const without = (words: readonly PageWord[], text: string): PageWord[] =>
  words.filter((word) => word.text !== text);

/** The statement without one of its numbers, and what is found late in its place. */
const readWith = (lost: string, found: string | null) => {
  const words = recognised(SUMMARY + ROWS);
  const place = words.find(({ text }) => text === lost);
  const late: PageWord[] =
    found === null || place === undefined
      ? []
      : [{ ...place, text: found, confidence: 0.5, isFoundLate: true }];
  const [account] = understandStatement([...without(words, lost), ...late]).accounts;
  return { verdict: account?.verdict, repairs: account?.repairs };
};

describe("the place of a balance whose label was read alone", () => {
  it.each(["964.50", "1000.00"])("is behind the label, where the others stand: %s", (lost) => {
    const words = recognised(SUMMARY + ROWS);
    const number = words.find(({ text }) => text === lost);
    const [place, ...more] = placesOfLostEnds(without(words, lost));
    expect(more).toEqual([]);
    const [left = 0, top = 0, right = 0, bottom = 0] = place ?? [];
    expect(left).toBeLessThanOrEqual(number?.left ?? 0);
    expect(right).toBeGreaterThan(number?.right ?? 0);
    expect([top, bottom]).toEqual([number?.top, number?.bottom]);
    const label = words.filter(({ top: at, text }) => at === top && text !== lost);
    expect(left).toBeGreaterThan(Math.max(...label.map((word) => word.right)));
  });

  it("is not looked for where each label has its number, none shows the column, or in a text layer", () => {
    const words = recognised(SUMMARY + ROWS);
    expect(placesOfLostEnds(words)).toEqual([]);
    expect(placesOfLostEnds(recognised("Closing balance\n"))).toEqual([]);
    expect(placesOfLostEnds(without(wordsOfText(SUMMARY + ROWS), "964.50"))).toEqual([]);
  });

  it("is that of the line as it lies, where a photo was made level", () => {
    const more = ROWS.split("\n").slice(2).join("\n").repeat(6);
    const sloping = recognised(SUMMARY + ROWS + more).map((word) => {
      const shift = word.left * 0.03;
      return { ...word, top: word.top + shift, bottom: word.bottom + shift };
    });
    const number = sloping.find(({ text }) => text === "964.50");
    const [place] = placesOfLostEnds(without(sloping, "964.50"));
    const label = sloping.find(({ text }) => text === "Closing");
    expect((number?.top ?? 0) - (label?.top ?? 0)).toBeGreaterThan(3);
    expect(Math.abs((place?.[1] ?? 0) - (number?.top ?? 0))).toBeLessThan(3);
  });
});

describe("what several views show", () => {
  it("is the digits of most of them, in their most frequent form", () => {
    expect(agreedReading(["-3,798.65", "+3,798.65", "63,798.65", "+3,798.65"])).toBe("+3,798.65");
    expect(agreedReading(["3,798.65", "-3,798.65"])).toBe("3,798.65");
  });

  it("is nothing where no two of them agree", () => {
    expect(agreedReading(["3.40", "3.70"])).toBeNull();
    expect(agreedReading([])).toBeNull();
  });
});

describe("a balance that was found late", () => {
  const verdict = "reconciled_with_repairs";
  const closing = { page: 1, row: 3, field: "closing_balance", from: null, to: "964.50" };

  it("makes an account exact, and is listed as not read", () => {
    expect(readWith("964.50", null)).toEqual({ verdict: "not_checkable", repairs: [] });
    expect(readWith("964.50", "964.50")).toEqual({ verdict, repairs: [closing] });
    const opening = { ...closing, row: 1, field: "opening_balance", to: "1000.00" };
    expect(readWith("1000.00", "1000.00")).toEqual({ verdict, repairs: [opening] });
  });

  it("is listed once where its minus was read as something else", () => {
    const words = recognised(
      SUMMARY.replace("1000.00", "  20.00").replace("964.50", "-15.50") + ROWS,
    ).map(
      (word): PageWord =>
        word.text === "-15.50" ? { ...word, text: "15.50", isFoundLate: true } : word,
    );
    const [account] = understandStatement(words).accounts;
    expect(account?.repairs).toEqual([{ ...closing, to: "-15.50" }]);
    expect(account?.closing).toBe("-15.50");
  });

  it("reconciles nothing that it does not fit", () => {
    expect(readWith("964.50", "964.80").verdict).toBe("not_reconciled");
  });
});
