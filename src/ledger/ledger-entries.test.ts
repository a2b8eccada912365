import { describe, expect, it } from "vitest";
import type { WalkedTransaction } from "../model/ledger-transaction.ts";
import { createEntryReader } from "./ledger-entries.ts";

const transaction = (facts: object | null, label: string | null = null): WalkedTransaction => ({
  id: "t",
  description: "line",
  date: "2026-01-05",
  amount: 1,
  entryType: "outgoing",
  currency: "USD",
  facts: facts === null ? null : JSON.stringify(facts),
  label,
  isCorrected: false,
});
const entity = (name: string | null, website: string | null = null, more = {}): object => ({
  id: "1",
  name,
  website,
  phone_number: null,
  ...more,
});
const factsWith = (counterparty: object | null): object => ({
  entities: { counterparty, intermediaries: [entity("Between")] },
  categories: { general: null, accounting: null },
  location: null,
});

describe("an entry of a ledger", () => {
  const read = createEntryReader();
  const counterparty = (facts: object | null) => read(transaction(facts)).counterparty;

  it("has the counterparty that parsing the facts gives, the first time and each time after", () => {
    const facts = factsWith({ type: "organization", ...entity("A", "a.com") });
    const expected = { type: "organization", id: "1", name: "A", website: "a.com" };
    expect(counterparty(facts)).toEqual(expected);
    expect(counterparty(facts)).toEqual(expected);
    expect(counterparty(factsWith({ type: "person", ...entity("A", "a.com") }))).toEqual({
      ...expected,
      type: "person",
    });
    expect(counterparty(factsWith({ type: "organization", ...entity(null, "a.com") }))).toEqual({
      ...expected,
      name: "a.com",
    });
  });

  it("has it in any order of the properties: two that begin alike are not one", () => {
    const begun = { type: "organization", id: "1", phone_number: null };
    const names = ["A", "B"].map(
      (name) => counterparty(factsWith({ ...begun, name, website: null }))?.name,
    );
    expect(names).toEqual(["A", "B"]);
  });

  it("does not take an intermediary for the counterparty, nor a quoted name of a property for one", () => {
    expect(counterparty(factsWith(null))).toBeNull();
    expect(counterparty({ entities: null, categories: null, location: null })).toBeNull();
    expect(counterparty(null)).toBeNull();
    expect(counterparty(factsWith({ type: "organization", ...entity(null) }))).toBeNull();
    const quoted = '"phone_number":';
    expect(counterparty(factsWith({ type: "person", ...entity(quoted) }))?.name).toBe(quoted);
  });

  it("has a category that the threads know, and no other", () => {
    const categoryOf = (general: string | null) => read(transaction(factsWith(null), general));
    expect(categoryOf("groceries").category).toBe("groceries");
    expect(categoryOf("our own name").category).toBeNull();
    expect(categoryOf(null).category).toBeNull();
  });
});
