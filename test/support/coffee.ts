import type { WireTransaction } from "./lines.ts";

/** One plain card purchase. */
export function coffee(id: string, fields: Partial<WireTransaction> = {}): WireTransaction {
  return {
    id,
    description: "SQ *BLUE BOTTLE COFFEE OAKLAND CA",
    date: "2026-05-04",
    amount: 6.5,
    entry_type: "outgoing",
    currency: "USD",
    account_holder_id: null,
    ...fields,
  };
}
