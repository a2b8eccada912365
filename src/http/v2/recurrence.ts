import { z } from "zod";
import type { Counterparty } from "../../model/facts.ts";
import {
  LEDGER_LENGTH_MAX,
  type LedgerGroup,
  type LedgerGroups,
  type LedgerIncome,
} from "../../model/ledger-group.ts";
import { labelsIn } from "../../model/labels.ts";
import type { Periodicity } from "../../model/recurrence.ts";
import { type Answer, errorAnswer, jsonAnswer, ofHolder } from "../server/answer.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { roundAmount } from "../../shared/round-amount.ts";
import { type Slots, TOO_MANY_CALLS, withSlot } from "../server/slots.ts";
import { anyText, double, entryType, id } from "./schemas.ts";

// Recurring payments and income, and what they are for a single transaction: the groups of the v3 API in other words.
//
// | v2                                          | v3                                                              |
// | ------------------------------------------- | --------------------------------------------------------------- |
// | `recurring-payments`                        | recurring groups of money that leaves                           |
// | `periodicity`: `other`                      | `semi-monthly`, which the v2 API does not have, and `other`     |
// | `recurrence`: `subscription`                | a group of money that leaves for a subscription                 |
// | `recurrence`: `recurring`                   | any other group                                                 |
// | `recurrence`: `one off`                     | in no group                                                     |

export interface V2RecurrencePort {
  /** What recurs in the ledger of a holder, as it is when the call is made. */
  groups(org: string, accountHolderId: string): Promise<LedgerGroups>;
}

export interface V2RecurrenceServices {
  readonly recurrence: V2RecurrencePort;
  readonly syncSlots: Slots;
}

// ---- Answers

const PAY_FREQUENCIES = [
  "daily",
  "weekly",
  "bi-weekly",
  "monthly",
  "bi-monthly",
  "quarterly",
  "semi-yearly",
  "yearly",
  "other",
] as const;
const payFrequency = z.enum(PAY_FREQUENCIES).openapi("PayFrequency");
const day = z.string().openapi({ format: "date" });

const recurringPayment = z
  .object({
    recurrence_group_id: z.string(),
    periodicity: payFrequency.nullish(),
    latest_payment_amount: double,
    total_amount: double,
    merchant: anyText,
    merchant_id: anyText,
    logo: anyText,
    website: anyText,
    labels: z.array(z.string()).nullish(),
    first_payment_date: day,
    latest_payment_date: day,
    transaction_ids: z.array(z.string()),
    is_active: z.boolean(),
    next_expected_payment_date: day.nullish(),
    latest_payment_description: z.string(),
    type: z.enum(["subscription", "bill"]),
    is_essential: z.boolean(),
    iso_currency_code: z.string(),
    entry_type: entryType,
    periodicity_in_days: z.int().nullish(),
    average_amount: double.nullish(),
  })
  .openapi("RecurringPaymentsGroup");

const incomeGroup = z
  .object({
    total_amount: double,
    iso_currency_code: z.string(),
    source: anyText,
    merchant_id: anyText,
    income_type: z.string(),
    first_payment_date: day,
    latest_payment_date: day,
    duration: z.string(),
    is_active: z.boolean(),
    latest_payment_description: z.string(),
    pay_frequency: payFrequency.nullable(),
    next_expected_payment_date: day.nullable(),
    next_expected_payment_amount: z.string().nullable(),
    transaction_ids: z.array(z.string()),
  })
  .openapi("IncomeGroup");

export const recurrenceComponents: readonly z.ZodType[] = [
  payFrequency,
  recurringPayment,
  incomeGroup,
];

// ---- Operations

const tag = "Recurring payments";
const NOT_FOUND = "Account holder not found";
const TOO_LARGE = `The account holder has more than ${String(LEDGER_LENGTH_MAX)} transactions`;
const holderPath = z.object({ account_holder_id: id });
const words = {
  method: "POST",
  tag,
  isSafe: true,
  request: { path: holderPath, query: nothing, body: null },
  errors: { 400: TOO_LARGE, 404: NOT_FOUND, 429: TOO_MANY_CALLS },
} as const;

export const v2RecurrenceRoutes: readonly Route<V2RecurrenceServices>[] = [
  defineRoute({
    ...words,
    path: "/v2/account-holder/{account_holder_id}/recurring-payments",
    operationId: "find_recurring_payments",
    summary: "Find the subscriptions and bills of an account holder",
    success: z.array(recurringPayment),
    handle: (services: V2RecurrenceServices, { principal, path }) =>
      answered(services, principal, path.account_holder_id, ({ groups }) =>
        groups.filter((group) => group.entryType === "outgoing").map(paymentResource),
      ),
  }),
  defineRoute({
    ...words,
    path: "/v2/account-holder/{account_holder_id}/income",
    operationId: "find_income",
    summary: "Find the income of an account holder by its sources",
    success: z.array(incomeGroup),
    handle: (services: V2RecurrenceServices, { principal, path }) =>
      answered(services, principal, path.account_holder_id, ({ income }) =>
        income.map(incomeResource),
      ),
  }),
];

function answered(
  { recurrence, syncSlots }: V2RecurrenceServices,
  { org, keyId }: { readonly org: string; readonly keyId: string },
  accountHolderId: string,
  show: (found: LedgerGroups & { readonly ok: true }) => readonly object[],
): Promise<Answer> {
  return withSlot(syncSlots, keyId, async () => {
    const found = await recurrence.groups(org, accountHolderId);
    if (found.ok) return ofHolder(jsonAnswer(200, show(found)), accountHolderId);
    return errorAnswer(found.reason, found.reason === "ledger_too_large" ? TOO_LARGE : NOT_FOUND);
  });
}

/** A value that the v2 API has. */
const frequencyOf = (periodicity: Periodicity): string =>
  periodicity === "semi-monthly" ? "other" : periodicity;

/** Sums and means are exact in minor units, none of which has more digits. */
const rounded = (amount: number): number => roundAmount(amount, 10_000);

function paymentResource(group: LedgerGroup): object {
  const { counterparty } = group;
  return {
    recurrence_group_id: group.id,
    periodicity: frequencyOf(group.periodicity),
    periodicity_in_days: Math.round(group.periodDays),
    latest_payment_amount: group.latestAmount,
    total_amount: group.totalAmount,
    average_amount: rounded(group.averageAmount),
    merchant: counterparty?.name ?? null,
    merchant_id: counterparty?.id ?? null,
    logo: counterparty?.logo ?? null,
    website: counterparty?.website ?? null,
    labels: labelsOf(group),
    first_payment_date: group.startDate,
    latest_payment_date: group.endDate,
    transaction_ids: group.transactionIds,
    is_active: group.isActive,
    next_expected_payment_date: group.next?.date ?? null,
    latest_payment_description: group.latestDescription,
    type: group.kind,
    is_essential: group.isEssential,
    iso_currency_code: group.currency,
    entry_type: group.entryType,
  };
}

function labelsOf({ categories }: LedgerGroup): readonly string[] {
  const general = categories?.general ?? null;
  return general === null ? [] : labelsIn(general);
}

const nameOf = (counterparty: Counterparty | null, description: string): string =>
  counterparty?.name ?? counterparty?.website ?? description;

const DAY_MS = 86_400_000;

function incomeResource(income: LedgerIncome): object {
  const { startDate, endDate, next } = income;
  const days = (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS;
  return {
    total_amount: income.totalAmount,
    iso_currency_code: income.currency,
    source: nameOf(income.counterparty, income.latestDescription),
    merchant_id: income.counterparty?.id ?? null,
    income_type: income.incomeType,
    first_payment_date: startDate,
    latest_payment_date: endDate,
    duration: `${String(days)} days`,
    is_active: income.isActive,
    latest_payment_description: income.latestDescription,
    pay_frequency: income.payFrequency === null ? null : frequencyOf(income.payFrequency),
    next_expected_payment_date: next?.date ?? null,
    // Clients read a text here.
    next_expected_payment_amount: next === null ? null : String(next.amount),
    transaction_ids: income.transactionIds,
  };
}

// ---- Transactions

/** Ids of a group that each of its transactions shows, the latest ones: all of a long group in each would be its square. */
const SHOWN_IDS_MAX = 100;

/** The three recurrence fields of a transaction, as the last properties of its JSON object, without braces. */
export type RecurrenceText = (transactionId: string) => string;

/** Of transactions about which nothing recurring was looked for. */
export const NO_RECURRENCE: RecurrenceText = () =>
  '"recurrence":null,"recurrence_group":null,"recurrence_group_id":null';

const ONE_OFF = '"recurrence":"one off","recurrence_group":null,"recurrence_group_id":null';

/** Writes each group once, however many transactions it has. What the customer has decided takes the place of what was found. */
export function recurrenceTexts(found: LedgerGroups): RecurrenceText {
  if (!found.ok) return NO_RECURRENCE;
  const textById = new Map<string, string>();
  for (const group of found.groups) {
    const text = groupText(group);
    for (const one of group.transactionIds) textById.set(one, text);
  }
  for (const [id, decided] of found.corrected) {
    const text = textById.get(id) ?? ONE_OFF;
    textById.set(id, text.replace(RECURRENCE, `"recurrence":"${decided}"`));
  }
  return (transactionId) => textById.get(transactionId) ?? ONE_OFF;
}

/** The first of the fields; the group stays as it was found. */
const RECURRENCE = /^"recurrence":"[^"]*"/;

function groupText(group: LedgerGroup): string {
  const fields = {
    recurrence:
      group.kind === "subscription" && group.entryType === "outgoing"
        ? "subscription"
        : "recurring",
    recurrence_group: {
      id: group.id,
      first_payment_date: group.startDate,
      latest_payment_date: group.endDate,
      total_amount: group.totalAmount,
      average_amount: rounded(group.averageAmount),
      periodicity_in_days: Math.round(group.periodDays * 100) / 100,
      periodicity: frequencyOf(group.periodicity),
      other_party: nameOf(group.counterparty, group.latestDescription),
      // Clients read a number out of a text here.
      confidence: group.confidence.toFixed(2),
      transaction_ids: group.transactionIds.slice(-SHOWN_IDS_MAX),
    },
    recurrence_group_id: group.id,
  };
  return JSON.stringify(fields).slice(1, -1);
}
