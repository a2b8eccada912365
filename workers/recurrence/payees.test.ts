import { expect, it } from "vitest";
import { createLedgerColumns } from "../../src/codec/ledger-columns.ts";
import type { LedgerCounterparty, LedgerEntry } from "../../src/model/recurrence.ts";
import { readAccounts } from "./payees.ts";

const named = (name: string, id: string | null = null): LedgerCounterparty => ({
  ...{ id, name, website: null, type: "organization" },
});

/** The places of each payee of payments on one day, in the order of amounts. */
function placesOf(entries: readonly Partial<LedgerEntry>[]): readonly (readonly number[])[] {
  const builder = createLedgerColumns();
  for (const [index, entry] of entries.entries())
    builder.add({
      ...{
        id: String(index),
        date: "2026-01-05",
        amount: index + 1,
        entryType: "outgoing",
        currency: "USD",
      },
      ...{ description: "PAYMENT", counterparty: null, category: null, ...entry },
    });
  const { accounts, placesOf } = readAccounts(builder.columns());
  return accounts.map(placesOf);
}

it("an entity, its name in other spellings and its name in the text of a line are one payee", () => {
  const netflix = named("Netflix", "n");
  expect(
    placesOf([
      { counterparty: netflix },
      { counterparty: named("NETFLIX.COM") },
      { counterparty: named("Netflix Inc") },
      { description: "CHECKCARD 0122 NETFLIX 4482" },
      { counterparty: named("Spotify") },
    ]),
  ).toEqual([[0, 1, 2, 3], [4]]);
});

it("two entities are two payees, however alike their names are", () => {
  const shop = named("Walmart", "a");
  const pharmacy = named("Walmart Pharmacy", "b");
  expect(placesOf([{ counterparty: shop }, { counterparty: pharmacy }])).toEqual([[0], [1]]);
});

it("a beginning that several payees share belongs to none of them", () => {
  expect(
    placesOf([
      { counterparty: named("First National Bank of Omaha", "o") },
      { counterparty: named("First National Bank of Texas", "t") },
      { counterparty: named("First National Bank") },
    ]),
  ).toEqual([[0], [1], [2]]);
});

it("lines without a name are one payee when their words are, whatever their references", () => {
  expect(
    placesOf([
      { description: "HARBOUR GYM 4711 DDR" },
      { description: "HARBOUR GYM 4712 DDR" },
      { description: "4713 DDR" },
    ]),
  ).toEqual([[0, 1], [2]]);
});

it("directions and currencies are kept apart", () => {
  const acme = { counterparty: named("Acme") };
  expect(
    placesOf([acme, { ...acme, entryType: "incoming" }, { ...acme, currency: "EUR" }]),
  ).toEqual([[0], [1], [2]]);
});

it("ten thousand names that begin alike are read", () => {
  const entries = Array.from({ length: 10_000 }, (_, index) => ({
    counterparty: named(`Shop ${String(index)} of the High Street`),
  }));
  expect(placesOf(entries).flat()).toHaveLength(10_000);
});
