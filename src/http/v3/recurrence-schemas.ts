import { z } from "zod";
import { INCOME_TYPES, PERIODICITIES } from "../../model/recurrence.ts";
import { categories, counterparty, double, entryType } from "./schemas.ts";

// Recurring groups, like `schemas.ts`.

const day = z.string().openapi({ format: "date" });
const periodicity = z.enum(PERIODICITIES).openapi("RecurrencePeriodicity");

const expectedPayment = z
  .object({
    date: day,
    earliest_date: day,
    latest_date: day,
    amount: double,
    lowest_amount: double,
    highest_amount: double,
  })
  .openapi("ExpectedPayment");

const recurrenceGroup = z
  .object({
    id: z.string(),
    start_date: day,
    end_date: day,
    total_amount: double,
    average_amount: double,
    periodicity_in_days: double,
    periodicity,
    counterparty,
    categories,
    transaction_ids: z.array(z.string()),
    entry_type: entryType,
    // What the public v3 document does not have.
    currency: z.string(),
    latest_amount: double,
    is_active: z.boolean(),
    next_expected_payment: expectedPayment.nullable(),
    type: z.enum(["subscription", "bill"]).nullable(),
    is_essential: z.boolean().nullable(),
    income_type: z.enum(INCOME_TYPES).nullable(),
    confidence: double,
  })
  .openapi("RecurrenceGroup");

export const recurrenceGroups = z.array(recurrenceGroup);
