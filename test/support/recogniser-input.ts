import type { RecogniserInput } from "../../src/model/transaction.ts";

/** A line of a consumer who paid 12.50 dollars. */
export const paidLine = (
  description: string,
  fields: Partial<RecogniserInput> = {},
): RecogniserInput => ({
  description,
  amount: 12.5,
  entryType: "outgoing",
  currency: "USD",
  accountType: "consumer",
  rawAddress: null,
  country: null,
  ...fields,
});
