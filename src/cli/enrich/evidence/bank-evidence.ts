// The bank's own category and type of a transaction, where the recogniser is not certain.
import type { BankCategories, BankCategory } from "../../../model/bank-categories.ts";
import {
  accountingOf,
  businessCategories,
  consumerCategories,
  NOT_ENOUGH_INFORMATION,
} from "../../../model/categories.ts";
import type { Facts } from "../../../model/facts.ts";
import type { AccountType, EntryType } from "../../../model/transaction.ts";
import type { ParsedTransaction } from "../parsed-file.ts";
import type { EnrichPort } from "../run/enrich-line.ts";
import { categoriesOfType } from "./bank-types.ts";

/** Where a category is from; null: there is no category. */
export type CategoryOrigin = "recogniser" | "bank_category" | "bank_type";

export interface Categorised {
  readonly facts: Facts | null;
  readonly categorySource: CategoryOrigin | null;
}

/** Fills categories from the bank's columns; one for each run, because it remembers the texts that were read. */
export interface BankEvidence {
  /** Reads the category texts that are new, in one query. Never rejects: without an answer they are ignored. */
  read(transactions: readonly ParsedTransaction[]): Promise<void>;
  apply(facts: Facts | null, transaction: ParsedTransaction): Categorised;
}

/** A column with more distinct texts does not hold categories; it bounds the memory and the queries. */
const TEXTS_MAX = 1000;
const TEXT_LENGTH_MAX = 256;

// Kinds of transfer, which depend on both sides: a bank's category never corrects the recogniser here.
const MOVEMENTS: ReadonlySet<string> = new Set([
  "inter account transfer",
  "intra account transfer",
  "peer to peer transfer",
  "credit card bill",
  "contribution to reserve fund",
  "investment",
  "reversal / adjustment",
]);

export function createBankEvidence(
  port: Pick<EnrichPort, "readBankCategories">,
  accountType: AccountType,
): BankEvidence {
  const own = accountType === "business" ? businessCategories : consumerCategories;
  const categories = new Map<string, Promise<Record<EntryType, BankCategory> | null>>();
  const known = new Map<string, Record<EntryType, BankCategory>>();
  const toRead = (transactions: readonly ParsedTransaction[]): string[] => {
    const texts = new Set(transactions.flatMap(({ bankCategory }) => bankCategory ?? []));
    return [...texts]
      .filter((text) => text.length <= TEXT_LENGTH_MAX && !categories.has(text))
      .slice(0, TEXTS_MAX - categories.size);
  };
  return {
    read: async (transactions) => {
      const texts = toRead(transactions);
      if (texts.length > 0) {
        const answer = query(port, texts, accountType);
        for (const [at, text] of texts.entries())
          categories.set(
            text,
            answer.then((all) => pickAt(all, at)),
          );
      }
      const used = new Set(transactions.flatMap(({ bankCategory }) => bankCategory ?? []));
      for (const text of used) {
        const category = await categories.get(text);
        if (category !== undefined && category !== null) known.set(text, category);
      }
    },
    apply: (facts, transaction) => {
      const current = facts?.categories?.general ?? null;
      const source = isOpen(current) ? null : "recogniser";
      if (facts === null || facts.categories === null) return { facts, categorySource: source };
      const found = ofCategory(facts, transaction) ?? ofType(facts, transaction);
      return found === null
        ? { facts, categorySource: source }
        : withCategory(facts, found.category, found.source, accountType);
    },
  };

  function ofCategory(facts: Facts, transaction: ParsedTransaction): Found | null {
    const { entryType, bankCategory } = transaction;
    const bank = bankCategory === null ? undefined : known.get(bankCategory)?.[entryType];
    const category = bank?.category ?? null;
    if (bank === undefined || category === null) return null;
    return isStronger(bank, facts, transaction) ? { category, source: "bank_category" } : null;
  }

  function ofType(facts: Facts, transaction: ParsedTransaction): Found | null {
    const { entryType, bankType } = transaction;
    const categories = categoriesOfType(bankType ?? "", entryType);
    const category = categories.find((one) => own[entryType].includes(one));
    if (category === undefined) return null;
    const isNeeded =
      isOpen(facts.categories?.general ?? null) || isTypeStronger(category, facts, transaction);
    return isNeeded ? { category, source: "bank_type" } : null;
  }
}

interface Found {
  readonly category: string;
  readonly source: CategoryOrigin;
}

const isOpen = (category: string | null): boolean =>
  category === null || category === NOT_ENOUGH_INFORMATION;

/**
 * The bank wins where the recogniser has no category, or guessed one from the words of an unknown merchant's name and the
 * bank's text does not agree with it. Money that arrives, and movements between accounts, are read from better evidence.
 */
function isStronger(bank: BankCategory, facts: Facts, { entryType }: ParsedTransaction): boolean {
  const current = facts.categories?.general ?? null;
  if (current === null || isOpen(current)) return true;
  if (entryType === "incoming" || !isUnknownMerchant(facts)) return false;
  return !MOVEMENTS.has(bank.category ?? "") && !bank.agreeing.includes(current);
}

/** At a cash machine the words of the place do not name a merchant: "WELCH PLAZA OMAHA". */
function isTypeStronger(category: string, facts: Facts, { entryType }: ParsedTransaction): boolean {
  return entryType === "outgoing" && category === "atm/bank withdrawal" && isUnknownMerchant(facts);
}

function isUnknownMerchant({ entities }: Facts): boolean {
  const counterparty = entities?.counterparty ?? null;
  return counterparty?.type === "organization" && counterparty.website === null;
}

function withCategory(
  facts: Facts,
  category: string,
  categorySource: CategoryOrigin,
  accountType: AccountType,
): Categorised {
  const accounting = accountType === "business" ? (accountingOf[category] ?? null) : null;
  return { facts: { ...facts, categories: { general: category, accounting } }, categorySource };
}

/** The port is our own pool: its text is `BankCategories` by contract. */
async function query(
  port: Pick<EnrichPort, "readBankCategories">,
  texts: readonly string[],
  accountType: AccountType,
): Promise<BankCategories | null> {
  try {
    const text = await port.readBankCategories(texts, accountType);
    return text === null ? null : (JSON.parse(text) as BankCategories);
  } catch {
    return null;
  }
}

function pickAt(all: BankCategories | null, at: number): Record<EntryType, BankCategory> | null {
  const [incoming, outgoing] = [all?.incoming[at], all?.outgoing[at]];
  return incoming === undefined || outgoing === undefined ? null : { incoming, outgoing };
}
