// What a line states that is not a row: opening and closing balances, totals, and other values that have a label.
import { type DayOrder, findDates, type PrintedDate } from "./dates.ts";
import { DATED_BALANCE, FACT_PHRASES, type FactKind, type PhraseAt } from "./lexicon.ts";
import type { TextLine } from "./lines.ts";
import type { Money } from "./money.ts";
import type { PageWord } from "./words.ts";

export interface Fact {
  readonly kind: FactKind;
  /** null: a label without a value. */
  readonly money: Money | null;
  /** Of a balance with a day behind its label: opening or closing, as day and place say. Left out: it has none. */
  readonly date?: PrintedDate;
  /** Whether it is the first of two values, of which mostly the last one is that of the label. Left out: it is that one. */
  readonly isOther?: boolean;
}

const LABEL_START_MAX = 2;
/** Words between the label and the day, such as "on" and "as of". */
const FILLERS_MAX = 3;

/** Between a label and its value; more are a sentence. */
const WORDS_BETWEEN_MAX = 12;

/** "Balance on 31 March 2025  1,250.00" */
function datedBalance(line: TextLine, money: readonly Money[], order: DayOrder): Fact | null {
  const label = DATED_BALANCE.find(line.plain);
  if (label === null || !beginsBox(line, label.from)) return null;
  const [date] = findDates(line, order);
  if (date === undefined || date.from < label.to || date.from - label.to > FILLERS_MAX) return null;
  const value = balanceBehind(
    line,
    date,
    money.filter(({ from }) => from > label.from),
  );
  if (value === null) return null;
  const named = FACT_PHRASES.find(
    ([kind, phrases]) =>
      (kind === "opening" || kind === "closing") && phrases.find(line.plain)?.from === label.from,
  );
  return named === undefined
    ? { kind: "closing", money: value, date }
    : { kind: named[0], money: value };
}

/** "Last statement  03/31/25  balance 2,740.16": the label goes on behind a day. */
function balanceAroundDay(line: TextLine, money: readonly Money[], order: DayOrder): Fact | null {
  const [date] = findDates(line, order);
  const [value, ...more] = money.filter(({ isCertain }) => isCertain);
  if (date === undefined || date.from === 0 || value === undefined || more.length > 0) return null;
  const plain = line.plain.toSpliced(date.from, date.to - date.from);
  const label = FACT_PHRASES.find(([, phrases]) => {
    const { from = -1, to = -1 } = phrases.find(plain) ?? {};
    return from === 0 && to > date.from && to <= value.from - (date.to - date.from);
  });
  return label === undefined ? null : { kind: label[0], money: value };
}

/** Whether a word begins its line, or stands far behind what is left of it. */
function beginsBox({ words, top, bottom }: TextLine, at: number): boolean {
  const gap = (words[at]?.left ?? 0) - (words[at - 1]?.right ?? 0);
  return at === 0 || gap > (bottom - top) * BOX_GAP_MIN;
}

/** The only amount of the line behind a day; or the one right behind it, where the rest of the line is set apart. */
function balanceBehind(line: TextLine, date: PrintedDate, money: readonly Money[]): Money | null {
  const certain = money.filter(({ isCertain }) => isCertain);
  const [value, ...more] = certain;
  if (value === undefined || value.from < date.to) return null;
  const gap = (line.words[value.to]?.left ?? 0) - value.right;
  const isApart = value.from === date.to && gap > (line.bottom - line.top) * BOX_GAP_MIN;
  return more.length === 0 || isApart ? value : null;
}

interface FactLabel extends PhraseAt {
  readonly kind: FactKind;
}

interface LineValues {
  /** Dates at the start of the line. */
  readonly dates: readonly PrintedDate[];
  readonly money: readonly Money[];
  /** The line below it; null: it is the last one of its page. */
  readonly below: LowerLine | null;
}

/** What the labels of a line state, with the minus that a word gives. Of the header of a table: nothing. */
export function factsOfLine(line: TextLine, values: LineValues, order: DayOrder): readonly Fact[] {
  const dated =
    values.dates.length === 0
      ? (datedBalance(line, values.money, order) ?? balanceAroundDay(line, values.money, order))
      : null;
  const facts = dated === null ? factsOf(line, values, order) : [dated];
  return facts.map((fact) => withDebitSign(line, fact));
}

function factsOf(line: TextLine, { dates, money, below }: LineValues, order: DayOrder): Fact[] {
  const start = labelStart(line, dates, money);
  const labels = labelsOf(line, start);
  if (isOfRewards(line, labels)) return [];
  if (dates.length > 0) {
    const balance = balanceOfDay(line, start, dates, money);
    if (balance !== null) return [balance];
    const [label] = labels;
    if (label?.from !== start || !["opening", "closing", "weak closing"].includes(label.kind))
      return [];
  }
  return labels.flatMap((label, index): Fact[] => {
    const end = labels[index + 1]?.from ?? line.words.length;
    const values = money.filter(
      ({ from }) => from >= label.to && from < end && from - label.to <= WORDS_BETWEEN_MAX,
    );
    const certain = values.filter(({ isCertain }) => isCertain);
    const inLine = ownValue(line, label, certain) ?? values.at(-1);
    const under =
      below === null
        ? null
        : valueBelow(line, { ...label, to: dayEnd(line, label.to, order) }, below);
    const isOfOther = inLine !== undefined && under !== null && isBehindText(line, label, inLine);
    const value = (isOfOther ? under : inLine) ?? amountBefore(label, dates, money) ?? under;
    const fact: Fact = { kind: label.kind, money: value };
    const other = dates.length > 0 ? undefined : otherValue(label, certain);
    return other === undefined || other === value
      ? [fact]
      : [fact, { kind: label.kind, money: other, isOther: true }];
  });
}

const REWARDS = /^(?:rewards?|points|miles|cash-?back)$/u;

const POINTS = /^(?:points|miles)$/u;
/** A sentence about points is longer. */
const POINTS_WORDS_MAX = 5;

/** "Reward Points Summary", which begins no further right: the balances in the line below are of points. */
export const isPointsHeading = ({ plain, words }: TextLine, below: TextLine): boolean =>
  plain.length <= POINTS_WORDS_MAX &&
  plain.some((word) => POINTS.test(word)) &&
  plain.every((word) => !/\d/u.test(word)) &&
  (words[0]?.left ?? 0) < (below.words[0]?.left ?? 0) + below.bottom - below.top;

/** "CashBack rewards: Opening balance $61.18  Earned this period $15.94": the balance is not that of the account. */
const isOfRewards = ({ words, plain }: TextLine, labels: readonly FactLabel[]): boolean =>
  labels.some(
    ({ from }) =>
      (words[from - 1]?.text ?? "").endsWith(":") && REWARDS.test(plain[from - 1] ?? ""),
  );

/** "Beginning balance  21,335.44  19,880.12", where the columns are of the period and of the year, or of what is available and held. */
function otherValue(label: FactLabel, values: readonly Money[]): Money | undefined {
  const [first, second, ...more] = values;
  const isOfColumns = first !== undefined && first.to === second?.from && more.length === 0;
  return isOfColumns && (label.kind === "opening" || label.kind === "closing") ? first : undefined;
}

/**
 * Behind the dates, and codes of the kind of a row: "30/06/2026  0000  00000  000  Saldo anterior". Where texts stand right of the
 * amounts, behind the amount too.
 */
function labelStart(
  { plain }: TextLine,
  dates: readonly PrintedDate[],
  money: readonly Money[],
): number {
  const start = dates.at(-1)?.to ?? 0;
  if (dates.length === 0) return start;
  const amount = money.find(({ from, isCertain }) => from === start && isCertain);
  const text = plain.findIndex((word, at) => at >= start && !/^\d+$/u.test(word));
  return amount?.to ?? Math.max(text, start);
}

/** "31/03/25  2.087,14  Saldo iniziale": the amount between the day and its label. */
const amountBefore = (
  label: PhraseAt,
  dates: readonly PrintedDate[],
  money: readonly Money[],
): Money | undefined =>
  money.find(({ from, to }) => dates.length > 0 && from === dates.at(-1)?.to && to === label.from);

/** "31/07/2026  S A L D O  7.207,64  7.207,64": nothing but such a word, and the balance below the heading of the amounts too. */
function balanceOfDay(
  { plain }: TextLine,
  start: number,
  [date]: readonly PrintedDate[],
  money: readonly Money[],
): Fact | null {
  const [amount, balance, ...more] = money.filter(
    ({ isCertain, from }) => isCertain && from >= start,
  );
  if (date === undefined || amount === undefined || balance === undefined || more.length > 0)
    return null;
  if (amount.units !== balance.units || amount.sign !== balance.sign) return null;
  const words = plain.slice(start, amount.from);
  const text = words.join(words.every((word) => word.length === 1) ? "" : " ");
  return DATED_BALANCE.has(text) ? { kind: "closing", money: balance, date } : null;
}

/** In heights of a line: what stands behind it is not of the same box. */
const BOX_GAP_MIN = 2;

/**
 * The last one, unless a text stands before it that is set apart, or behind a value that follows the label: "New balance 1,250.00
 * Points available 45,331".
 */
function ownValue(line: TextLine, label: PhraseAt, values: readonly Money[]): Money | undefined {
  const gap = (line.bottom - line.top) * BOX_GAP_MIN;
  return (
    values.slice(0, -1).find(({ from, to, right }) => {
      const next = line.words[to];
      const isOwn = from === label.to || (next?.left ?? 0) - right > gap;
      return isOwn && WORD.test(next?.text ?? "");
    }) ?? values.at(-1)
  );
}

/** "New balance     Minimum payment due     Transactions  1,348.61": the value is that of a text that is set apart from the label. */
const isBehindText = ({ words, top, bottom }: TextLine, { to }: PhraseAt, value: Money): boolean =>
  words
    .slice(to, value.from)
    .some(
      ({ left, text }, at) =>
        WORD.test(text) &&
        left - (words[to + at - 1]?.right ?? left) > (bottom - top) * BOX_GAP_MIN,
    );

/** Behind "Alter Saldo per 30.09.2026": the day is of the label. */
function dayEnd(line: TextLine, from: number, order: DayOrder): number {
  const date = findDates(line, order).find((one) => one.from >= from);
  return date === undefined || date.from - from > FILLERS_MAX ? from : date.to;
}

/** "Ancien solde débiteur", "Saldo a vostro debito": a balance below zero that no sign marks. */
const OVERDRAWN =
  /(?:^| )(?:debiteur|deudor|debitore|devedor|overdrawn|(?:vostro|suo|tuo) debito)(?: |$)/u;

function withDebitSign({ plain }: TextLine, fact: Fact): Fact {
  const { money, kind } = fact;
  if (money?.sign !== 0 || !(kind === "opening" || kind === "closing")) return fact;
  const before = plain.slice(0, money.from);
  // Where the label stands behind the amount, so does this word.
  const words = before.some((word) => /\p{L}/u.test(word)) ? before : plain.slice(money.to);
  return OVERDRAWN.test(words.join(" ")) ? { ...fact, money: { ...money, sign: -1 } } : fact;
}

function labelsOf(line: TextLine, start: number): FactLabel[] {
  const labels: FactLabel[] = [];
  let at = start;
  while (at < line.plain.length) {
    const found = FACT_PHRASES.flatMap(([kind, phrases]) => {
      const phrase = phrases.find(line.plain, at);
      return phrase === null ? [] : [{ ...phrase, kind }];
    })
      // "Übertrag / Überweisung" is a transfer, and not the balance carried over.
      .filter(({ kind, to }) => kind !== "weak closing" || line.plain[to] !== "/")
      .filter(({ kind, from }) =>
        kind === "other fact"
          ? from - start < LABEL_START_MAX
          : !AVERAGE.test(line.plain.slice(Math.max(from - 2, start), from).join(" ")),
      )
      .sort((a, b) => a.from - b.from || b.to - a.to)[0];
    if (found === undefined) break;
    labels.push(found);
    at = found.to;
  }
  return labels;
}

/** "Average Monthly Statement Balance", "Lowest daily balance this statement": right in front of a label, or with a word between them. */
const AVERAGE = /(?:^| )(?:average|avg\.?|lowest|highest|minimum|maximum)(?: \p{L}+)?$/u;

/** "Points" or "Set", not a currency. */
const WORD = /\p{L}{4}|^\p{Lu}\p{Ll}{2}$/u;

/** The line below a label. */
export interface LowerLine {
  readonly words: readonly PageWord[];
  readonly money: readonly Money[];
}

/**
 * In the next line, between the label and the next word behind it. Where other words stand under the label, the value is
 * theirs: "New balance", whose own value was not read, above "Credit limit 5,000.00".
 */
function valueBelow(line: TextLine, label: FactLabel, { words, money }: LowerLine): Money | null {
  const left = (line.words[label.from]?.left ?? 0) - (line.bottom - line.top);
  const right = line.words[label.to]?.left ?? Number.POSITIVE_INFINITY;
  const value = money.find((one) => one.isCertain && one.left >= left && one.left < right);
  if (value === undefined) return null;
  const labelRight = line.words[label.to - 1]?.right ?? left;
  const isOfOther = words
    .slice(0, value.from)
    .some((word) => word.right > left && word.left < labelRight && WORD.test(word.text));
  return isOfOther ? null : value;
}
