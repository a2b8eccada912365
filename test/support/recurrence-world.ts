// The ledger of one account holder, and what finds recurring groups in it, for tests of what is between them.
import { labelOfFacts } from "../../src/codec/facts-party.ts";
import {
  createRecurrence,
  recurrenceLimits,
  type RecurrenceLimits,
} from "../../src/ledger/recurrence.ts";
import type { AccountHolder } from "../../src/model/account-holder.ts";
import type { Facts } from "../../src/model/facts.ts";
import type { LedgerTransaction, WalkedTransaction } from "../../src/model/ledger-transaction.ts";
import type { LedgerColumns, Recurrence, RecurringGroup } from "../../src/model/recurrence.ts";
import type { TransactionInput } from "../../src/model/transaction.ts";

const walkedHolder: AccountHolder = {
  org: "o",
  id: "h",
  type: "consumer",
  name: null,
  categoryId: null,
  createdAt: 0,
};

export const namedFacts = (name: string | null, general: string | null): Facts => ({
  entities: {
    counterparty: {
      ...{ id: "n", name, website: null, logo: null, mccs: [], parent: null },
      ...{ phone_number: null, tax_number: null, naics2017: null, type: "organization" },
    },
    intermediaries: [],
  },
  categories: { general, accounting: null },
  location: null,
});

export function paidRow(
  id: string,
  fields: Partial<TransactionInput> = {},
  facts: Facts | null = namedFacts("Netflix", "media"),
): LedgerTransaction {
  return {
    org: "o",
    input: {
      ...{ id, description: `NETFLIX ${id}`, date: "2026-01-31", amount: 15.49, currency: "USD" },
      ...{ entryType: "outgoing", accountHolderId: "h", location: null, ...fields },
    },
    createdAt: 1,
    order: "1",
    facts: facts === null ? null : JSON.stringify(facts),
    error: facts === null ? { code: "internal_error", message: "It failed." } : null,
    override: null,
  };
}

export const monthlyGroup = (...members: readonly number[]): RecurringGroup => ({
  members,
  periodicity: "monthly",
  periodDays: 30.5,
  totalAmount: 30.98,
  averageAmount: 15.49,
  isActive: true,
  next: null,
  kind: "subscription",
  isEssential: false,
  confidence: 0.9,
  incomeType: null,
});

/** One group of everything, if there is anything. */
export const groupOfAll = ({ days }: LedgerColumns): Recurrence => ({
  groups: days.length === 0 ? [] : [monthlyGroup(...days.keys())],
  income: [],
});

export interface RecurrenceWorld {
  rows: LedgerTransaction[];
  version: number;
  holderIds: string[];
  /** Called for each page of a walk after it was read. */
  onPage: () => Promise<void> | void;
  find: (columns: LedgerColumns) => Recurrence | Promise<Recurrence>;
}

function walked({ input, facts, override }: LedgerTransaction): WalkedTransaction {
  const label = facts === null ? null : labelOfFacts(facts);
  return { ...input, facts, label, isCorrected: override?.review !== undefined };
}

export function openRecurrenceWorld(
  rows: LedgerTransaction[] = [],
  limits: Partial<RecurrenceLimits> = {},
) {
  const world: RecurrenceWorld = {
    rows,
    version: 1,
    holderIds: ["h"],
    onPage: () => undefined,
    find: groupOfAll,
  };
  const found: LedgerColumns[] = [];
  const recurrence = createRecurrence(
    {
      getHolder: (org, id) =>
        Promise.resolve(
          org === "o" && world.holderIds.includes(id) ? { ...walkedHolder, id } : null,
        ),
      ledgerVersion: () => Promise.resolve(`v${String(world.version)}`),
      async *walkLedger(_org, _id, size) {
        for (let from = 0; from === 0 || from < world.rows.length; from += size) {
          const page = world.rows.slice(from, from + size);
          await world.onPage();
          if (page.length > 0) yield page.map(walked);
        }
      },
      async *walkIds(_org, _id, size) {
        const ids = world.rows.map(({ input }) => input.id);
        for (let from = 0; from < ids.length; from += size) {
          await Promise.resolve();
          yield ids.slice(from, from + size);
        }
      },
      getTransactions: (_org, ids) =>
        Promise.resolve(world.rows.filter(({ input }) => ids.includes(input.id))),
      findRecurrence: async (_org, columns) => {
        found.push(columns);
        return world.find(columns);
      },
    },
    { ...recurrenceLimits, ...limits },
  );
  const groups = async (org = "o", id = "h") => {
    const answer = await recurrence.groups(org, id);
    return answer.ok ? answer.groups : answer.reason;
  };
  const idsOf = async () => {
    const all = await groups();
    return typeof all === "string" ? all : all.map(({ transactionIds }) => transactionIds);
  };
  return { world, found, groups, idsOf, recurrence };
}
