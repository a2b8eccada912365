import { z } from "zod";
import { PERIODICITIES } from "../../model/recurrence.ts";
import { categories, counterparty, double, entryType } from "./schemas.ts";

// Recurring groups, like `schemas.ts`.

const day = z.string().openapi({ format: "date" });
const periodicity = z.enum(PERIODICITIES).openapi("RecurrencePeriodicity");

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
  })
  .openapi("RecurrenceGroup");

export const recurrenceGroups = z.array(recurrenceGroup);
