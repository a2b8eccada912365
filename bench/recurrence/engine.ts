// The product's own engine as a detector to compare.
import { createLedgerColumns } from "../../src/codec/ledger-columns.ts";
import type { LedgerColumns } from "../../src/model/recurrence.ts";
import { parseDay } from "../../workers/recurrence/calendar/days.ts";
import { findRecurrence } from "../../workers/recurrence/recurrence.ts";
import type { Detector, LedgerTransactionSample } from "./samples.ts";

export function columnsOf(entries: readonly LedgerTransactionSample[]): LedgerColumns {
  const builder = createLedgerColumns();
  for (const entry of entries) builder.add(entry);
  return builder.columns();
}

/** Irregular income counts as groups too: its type is measured, and what is not income would be a wrong group. */
export const detectByEngine: Detector = (entries, asOf) => {
  const { groups, income } = findRecurrence(columnsOf(entries), parseDay(asOf));
  const idsOf = (members: readonly number[]): readonly string[] =>
    members.map((place) => entries[place]?.id ?? "");
  const regular = groups.map((group) => ({
    transactionIds: idsOf(group.members),
    periodicity: group.periodicity,
    nextDate: group.next?.date ?? null,
    nextAmount: group.next?.amount ?? null,
    nextInterval: group.next,
    isActive: group.isActive,
    confidence: group.confidence,
    incomeType: group.incomeType,
  }));
  const irregular = income
    .filter(({ payFrequency }) => payFrequency === null)
    .map(({ members, isActive, incomeType }) => ({
      transactionIds: idsOf(members),
      periodicity: "other" as const,
      ...{ nextDate: null, nextAmount: null, isActive, confidence: 1, incomeType },
    }));
  return [...regular, ...irregular];
};
