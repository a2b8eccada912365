import type { Counterparty } from "../../model/facts.ts";
import {
  LEDGER_LENGTH_MAX,
  type LedgerGroup,
  type LedgerGroups,
} from "../../model/ledger-group.ts";
import type { ExpectedPayment } from "../../model/recurrence.ts";
import { errorAnswer, jsonAnswer, ofHolder } from "../server/answer.ts";
import { type ClientExceptions, periodicityFor } from "../server/client-exceptions.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { recurrenceGroups } from "./recurrence-schemas.ts";
import { idPath } from "./schemas.ts";
import { type Slots, TOO_MANY_CALLS, withSlot } from "../server/slots.ts";

export interface RecurrencePort {
  groups(org: string, accountHolderId: string): Promise<LedgerGroups>;
}

interface RecurrenceServices {
  readonly recurrence: RecurrencePort;
  readonly syncSlots: Slots;
}

const NOT_FOUND = "Account holder not found";
const TOO_LARGE = `The account holder has more than ${String(LEDGER_LENGTH_MAX)} transactions`;

export const recurrenceRoutes: readonly Route<RecurrenceServices>[] = [
  defineRoute({
    method: "POST",
    path: "/v3/account_holders/{id}/recurring_groups",
    operationId: "find_recurring_groups",
    summary: "Find the recurring payments and income of an account holder",
    tag: "Account holders",
    isSafe: true,
    request: { path: idPath, query: nothing, body: null },
    success: recurrenceGroups,
    errors: { 400: TOO_LARGE, 404: NOT_FOUND, 429: TOO_MANY_CALLS },
    handle: ({ recurrence, syncSlots }: RecurrenceServices, { principal, client, path }) =>
      withSlot(syncSlots, principal.keyId, async () => {
        const found = await recurrence.groups(principal.org, path.id);
        if (found.ok) {
          const groups = found.groups.map((group) => groupResource(group, client));
          return ofHolder(jsonAnswer(200, groups), path.id);
        }
        return found.reason === "ledger_too_large"
          ? errorAnswer(found.reason, TOO_LARGE)
          : errorAnswer(found.reason, NOT_FOUND);
      }),
  }),
];

/** The contract has a counterparty in every group: one of which nothing is known has neither id nor name. */
const UNKNOWN: Counterparty = {
  id: null,
  name: null,
  website: null,
  phone_number: null,
  tax_number: null,
  naics2017: null,
  logo: null,
  mccs: [],
  parent: null,
  type: "organization",
};

const round = (value: number): number => Math.round(value * 100) / 100;

function groupResource(group: LedgerGroup, client: ClientExceptions): object {
  const isPaid = group.entryType === "outgoing";
  return {
    id: group.id,
    start_date: group.startDate,
    end_date: group.endDate,
    total_amount: group.totalAmount,
    average_amount: group.averageAmount,
    periodicity_in_days: round(group.periodDays),
    periodicity: periodicityFor(client, group.periodicity),
    counterparty: group.counterparty ?? UNKNOWN,
    categories: group.categories ?? { general: null, accounting: null },
    transaction_ids: group.transactionIds,
    entry_type: group.entryType,
    currency: group.currency,
    latest_amount: group.latestAmount,
    is_active: group.isActive,
    next_expected_payment: group.next === null ? null : expectedPaymentResource(group.next),
    // Income is not something that is paid for.
    type: isPaid ? group.kind : null,
    is_essential: isPaid ? group.isEssential : null,
    income_type: group.incomeType,
    confidence: round(group.confidence),
  };
}

function expectedPaymentResource(next: ExpectedPayment): object {
  return {
    date: next.date,
    earliest_date: next.earliestDate,
    latest_date: next.latestDate,
    amount: next.amount,
    lowest_amount: next.lowestAmount,
    highest_amount: next.highestAmount,
  };
}
