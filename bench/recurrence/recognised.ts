// Ledgers as the service has them: with what its recogniser finds in each line.
import { readKnowledge } from "../../test/eval/knowledge.ts";
import { createRecogniser } from "../../workers/recogniser/recogniser.ts";
import type { LabelledLedger, LedgerTransactionSample } from "./samples.ts";

/** The same ledgers, with counterparties and categories of the recogniser; their amounts and days do not change. */
export function recogniseLedgers(ledgers: readonly LabelledLedger[]): readonly LabelledLedger[] {
  const recognise = createRecogniser(readKnowledge());
  const recognised = (entry: LedgerTransactionSample): LedgerTransactionSample => {
    const { description, amount, entryType, currency } = entry;
    const { entities, categories } = recognise({
      ...{ description, amount, entryType, currency },
      ...{ accountType: "consumer", rawAddress: null, country: null },
    });
    const counterparty = entities?.counterparty ?? null;
    const name = counterparty?.name ?? null;
    return {
      ...entry,
      counterparty: counterparty === null || name === null ? null : { ...counterparty, name },
      category: categories?.general ?? null,
    };
  };
  return ledgers.map((ledger) => ({ ...ledger, entries: ledger.entries.map(recognised) }));
}

/** The same ledgers with names alone: no entities and no categories. */
export function nameLedgers(ledgers: readonly LabelledLedger[]): readonly LabelledLedger[] {
  const named = (entry: LedgerTransactionSample): LedgerTransactionSample => {
    const { counterparty } = entry;
    return {
      ...entry,
      counterparty:
        counterparty === null
          ? null
          : { id: null, name: counterparty.name, website: null, type: "organization" },
      category: null,
    };
  };
  return ledgers.map((ledger) => ({ ...ledger, entries: ledger.entries.map(named) }));
}
