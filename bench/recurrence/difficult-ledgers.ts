// Makes a labelled ledger of each series that was written by hand.
import type { EntryType } from "../../src/model/transaction.ts";
import { DIFFICULT_SERIES, type DifficultSeries } from "./difficult-series.ts";
import {
  isShown,
  type LabelledLedger,
  type LedgerTransactionSample,
  type TruePayment,
  type TrueSeries,
} from "./samples.ts";

const ENDED = "ended";
const NO_SERIES = "-";
const KNOWN_SUBSCRIPTIONS: ReadonlySet<string> = new Set(["Amazon Prime"]);

interface HandRow {
  readonly entry: LedgerTransactionSample;
  readonly letter: string;
}

/** `2025-03-04 +12.99 A Other name` */
const ROW = /^(\d{4}-\d{2}-\d{2}) (\+?)(\d+(?:\.\d{1,2})?) (\S)(?: (.+))?$/u;

function readRow(text: string, index: number, series: DifficultSeries): HandRow {
  const match = ROW.exec(text.trim());
  if (match === null) throw new Error(`${series.name}: '${text}' is not a row`);
  const [, date = "", sign, amount = "", letter = "", otherName] = match;
  const [payeeName, website, category] = series.payee;
  const name = otherName ?? payeeName;
  const site = website === "-" || otherName !== undefined ? null : website;
  const entryType: EntryType = sign === "+" ? "incoming" : "outgoing";
  const intermediary = series.intermediary ?? null;
  const entry: LedgerTransactionSample = {
    ...{ id: `t${String(index + 1)}`, date, amount: Number(amount), entryType },
    currency: series.currency ?? "USD",
    description: intermediary === null ? name : `${intermediary} *${name}`,
    counterparty: {
      id: site === null ? null : `entity:${name}`,
      ...{ name, website: site },
      type: category === "peer to peer transfer" ? "person" : "organization",
    },
    ...{ category, intermediary },
  };
  return { entry, letter };
}

function paymentOf(text: string): TruePayment | null {
  if (text === ENDED) return null;
  const [date = "", amount] = text.split(" ");
  return { date, amount: Number(amount) };
}

function ledgerOf(series: DifficultSeries): LabelledLedger {
  const rows = series.rows.split(",").map((text, index) => readRow(text, index, series));
  const letters = new Set(rows.map(({ letter }) => letter).filter((one) => one !== NO_SERIES));
  const truths = [...letters].map((letter): TrueSeries => {
    const truth = series.truth[letter];
    if (truth === undefined) throw new Error(`${series.name}: series ${letter} has no truth`);
    const [periodicity, nextText, incomeType = null] = truth;
    const members = rows.filter((row) => row.letter === letter).map(({ entry }) => entry.id);
    const next = paymentOf(nextText);
    const isKnown = KNOWN_SUBSCRIPTIONS.has(series.payee[0]);
    return {
      ...{ id: letter, case: series.name, periodicity, transactionIds: members, runs: [] },
      ...{ isRequired: isShown(periodicity, members.length, isKnown), isActive: next !== null },
      ...{ next, incomeType },
    };
  });
  return {
    ...{ id: series.name, level: "hand-labelled", asOf: series.asOf },
    entries: rows.map(({ entry }) => entry),
    series: truths,
    cases: new Map(rows.map(({ entry }) => [entry.id, series.name])),
    ignored: new Set(),
  };
}

/** @throws Error when a row cannot be read or a series has no truth */
export const readDifficultLedgers = (): readonly LabelledLedger[] => DIFFICULT_SERIES.map(ledgerOf);
