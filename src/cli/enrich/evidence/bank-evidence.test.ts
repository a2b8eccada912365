import { expect, test } from "vitest";
import { factsFor } from "../../../../test/support/enrich-file.ts";
import { readBankCategories } from "../../../../workers/settings/categories/bank-categories.ts";
import type { Facts } from "../../../model/facts.ts";
import type { AccountType } from "../../../model/transaction.ts";
import type { ParsedTransaction } from "../parsed-file.ts";
import { toLine } from "../run/enrich-line.ts";
import { createBankEvidence } from "./bank-evidence.ts";

type Fields = Partial<ParsedTransaction>;

function transactionOf(fields: Fields): ParsedTransaction {
  return {
    ...{ description: "WELCH PLAZA", joinedDescription: null, date: "2024-05-17", id: null },
    ...{ amount: "-1.00", currency: "USD", entryType: "outgoing", counterparty: null },
    ...{ bankType: null, bankCategory: null, unknownStatus: null, status: "booked" },
    ...{ account: null, country: null, address: null },
    ...fields,
  };
}

function factsOf(general: string | null, website: string | null): Facts {
  const facts = JSON.parse(factsFor(toLine(transactionOf({}), "consumer"))) as {
    entities: { counterparty: object };
    categories: object;
  };
  Object.assign(facts.entities.counterparty, { website });
  Object.assign(facts.categories, { general });
  return facts as unknown as Facts;
}

async function decide(
  general: string | null,
  website: string | null,
  fields: Fields,
  accountType: AccountType = "consumer",
) {
  const evidence = createBankEvidence(
    {
      readBankCategories: (...query) =>
        Promise.resolve(JSON.stringify(readBankCategories(...query))),
    },
    accountType,
  );
  const transaction = transactionOf(fields);
  await evidence.read([transaction]);
  const { facts, categorySource } = evidence.apply(factsOf(general, website), transaction);
  return [facts?.categories?.general ?? null, categorySource];
}

const OPEN = "not enough information";

test.each<[string, string | null, string | null, Fields, string | null, string | null]>([
  [
    "an open category is filled",
    OPEN,
    null,
    { bankCategory: "Dining" },
    "food and drink",
    "bank_category",
  ],
  [
    "also of a known merchant",
    null,
    "x.com",
    { bankCategory: "Dining" },
    "food and drink",
    "bank_category",
  ],
  [
    "a known merchant keeps its own",
    "fuel",
    "x.com",
    { bankCategory: "Dining" },
    "fuel",
    "recogniser",
  ],
  [
    "a guess about an unknown name does not",
    "insurance",
    null,
    { bankCategory: "ATM / CASH" },
    "atm/bank withdrawal",
    "bank_category",
  ],
  [
    "unless it is narrower",
    "cafes and coffee shops",
    null,
    { bankCategory: "Restaurants" },
    "cafes and coffee shops",
    "recogniser",
  ],
  [
    "nor for a transfer",
    "utilities",
    null,
    { bankCategory: "Transfers" },
    "utilities",
    "recogniser",
  ],
  [
    "nor for money that arrives",
    "refund",
    null,
    { bankCategory: "Salary", entryType: "incoming" },
    "refund",
    "recogniser",
  ],
  ["an ambiguous text is not evidence", OPEN, null, { bankCategory: "Shopping" }, OPEN, null],
  [
    "a type fills an open category",
    OPEN,
    null,
    { bankType: "SERVICE_CHARGE" },
    "bank fee",
    "bank_type",
  ],
  [
    "by the direction of the money",
    OPEN,
    null,
    { bankType: "INT", entryType: "incoming" },
    "interest and dividends",
    "bank_type",
  ],
  [
    "a cash machine is not a merchant",
    "fuel",
    null,
    { bankType: "ATM" },
    "atm/bank withdrawal",
    "bank_type",
  ],
  ["but a known merchant stays", "fuel", "x.com", { bankType: "ATM" }, "fuel", "recogniser"],
  ["the payment method is not a category", OPEN, null, { bankType: "DIRECTDEBIT" }, OPEN, null],
  [
    "the category takes precedence",
    OPEN,
    null,
    { bankCategory: "Dining", bankType: "FEE" },
    "food and drink",
    "bank_category",
  ],
])("%s", async (_title, general, website, fields, category, source) => {
  expect(await decide(general, website, fields)).toEqual([category, source]);
});

test("a business account gets its own categories and what they are in accounting", () => {
  const evidence = createBankEvidence(
    { readBankCategories: () => Promise.resolve(null) },
    "business",
  );
  const { facts } = evidence.apply(factsOf(OPEN, null), transactionOf({ bankType: "FEE" }));
  expect(facts?.categories).toEqual({ general: "bank fee", accounting: "operational expenses" });
});

test("each text is queried once, at most 1,000 of them, and a failed query is not evidence", async () => {
  const queries: number[] = [];
  const evidence = createBankEvidence(
    {
      readBankCategories: (texts) => {
        queries.push(texts.length);
        return Promise.reject(new Error("overloaded"));
      },
    },
    "consumer",
  );
  const rows = Array.from({ length: 1001 }, (_, at) => transactionOf({ bankCategory: String(at) }));
  await evidence.read(rows.slice(0, 2));
  await evidence.read([...rows, transactionOf({ bankCategory: "x".repeat(257) })]);
  await evidence.read(rows);
  expect(queries).toEqual([2, 998]);
  expect(
    evidence.apply(factsOf(OPEN, null), rows[0] ?? transactionOf({})).categorySource,
  ).toBeNull();
});
