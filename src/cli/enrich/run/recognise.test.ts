import { expect, test } from "vitest";
import { factsFor } from "../../../../test/support/enrich-file.ts";
import type { ParsedTransaction } from "../parsed-file.ts";
import type { EnrichLine } from "./enrich-line.ts";
import { recognise } from "./recognise.ts";

const transaction = (description: string, joinedDescription: string | null): ParsedTransaction => ({
  ...{ description, joinedDescription, date: "2024-05-17", amount: "-1.00", currency: "GBP" },
  ...{ entryType: "outgoing", counterparty: null, id: null, account: null, bankType: null },
  ...{ bankCategory: null, unknownStatus: null, status: "booked", country: null, address: null },
});

type Known = readonly [name: string | null, website: string | null, type?: "person"];

/** What was read and found, with a recogniser that finds what `known` has for a description. */
async function run(
  known: Readonly<Record<string, Known>>,
  ...transactions: readonly ParsedTransaction[]
) {
  const chunks: string[][] = [];
  const facts = (line: EnrichLine): string => {
    const [name, website, type = "organization"] = known[line.description] ?? [null, null];
    const made = JSON.parse(factsFor(line)) as { entities: { counterparty: object } };
    Object.assign(made.entities.counterparty, { name, website, type });
    return JSON.stringify(made);
  };
  const enrichChunk = (lines: readonly EnrichLine[]): Promise<string[]> => {
    chunks.push(lines.map(({ description }) => description));
    return Promise.resolve(lines.map(facts));
  };
  const found = await recognise(transactions, { enrichChunk }, "consumer");
  const read = found.map(({ transaction: { description }, facts: one }) => [
    description,
    one?.entities?.counterparty?.website ?? null,
  ]);
  return { chunks, read };
}

test("a clean name that resolves to its own name is not recognised twice", async () => {
  const { chunks, read } = await run(
    { "Costa Coffee": ["Costa Coffee", "costa.co.uk"], "Jane Doe": ["Jane Doe", null, "person"] },
    transaction("Costa Coffee", "Costa Coffee COSTA 43021 LONDON GBR"),
    transaction("Jane Doe", "Jane Doe netflix"),
  );
  expect(chunks).toHaveLength(1);
  expect(read).toEqual([
    ["Costa Coffee", "costa.co.uk"],
    ["Jane Doe", null],
  ]);
});

test("weak clean names of a chunk are recognised once more, joined, and the better stands", async () => {
  const known: Readonly<Record<string, Known>> = {
    "Costa Coffee": ["Costa", "costakuwait.com"],
    "Costa Coffee COSTA 43021": ["Costa Coffee", "costa.co.uk"],
    "Transport for London": ["Transport", null],
    "Transport for London TFL TRAVEL": ["Transport for London", "tfl.gov.uk"],
    "Hobbs & Sons": ["Hobbs & Sons", null],
    "Hobbs & Sons HOBBS 12": ["Hobbs", null],
    "Corner Shop": ["Corner", "corner.example"],
    "Corner Shop SHOP 1": ["Shop", "shop.example"],
  };
  const { chunks, read } = await run(
    known,
    transaction("Costa Coffee", "Costa Coffee COSTA 43021"),
    transaction("Tesco", null),
    transaction("Transport for London", "Transport for London TFL TRAVEL"),
    transaction("Hobbs & Sons", "Hobbs & Sons HOBBS 12"),
    transaction("Corner Shop", "Corner Shop SHOP 1"),
  );
  expect(chunks.map(({ length }) => length)).toEqual([5, 4]);
  expect(read).toEqual([
    ["Costa Coffee COSTA 43021", "costa.co.uk"],
    ["Tesco", null],
    ["Transport for London TFL TRAVEL", "tfl.gov.uk"],
    ["Hobbs & Sons", null],
    ["Corner Shop", "corner.example"],
  ]);
});
