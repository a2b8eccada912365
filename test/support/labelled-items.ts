/** Items of a training: 20 labels that begin with the prefix. Thousands of them take longer to learn than a kill. */
export const labelledItems = (count: number, prefix: string): object[] =>
  Array.from({ length: count }, (_, at) => ({
    account_holder_type: "consumer",
    amount: 1 + (at % 97),
    entry_type: "outgoing",
    iso_currency_code: "USD",
    description: `SHOP ${String(at % 5_000)} OF NUMBER ${String(at % 20)}`,
    label: [`${prefix} ${String(at % 20)}`],
  }));

/** A transaction whose label is `${prefix} 3`. */
export const unlabelledItem = {
  ...{ transaction_id: "t", description: "SHOP 3 OF NUMBER 3", date: "2026-11-20", amount: 4 },
  ...{ entry_type: "outgoing", iso_currency_code: "USD", account_holder_type: "consumer" },
} as const;
