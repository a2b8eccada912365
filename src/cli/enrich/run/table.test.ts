import { expect, test } from "vitest";
import { parseMapping } from "../guess/mapping.ts";
import type { ParsedRow } from "../parsed-file.ts";
import { parseRecords } from "./table.ts";

test("a sheet's records are guessed and parsed as those of a CSV file", async () => {
  const file = parseRecords(
    "XLSX",
    [
      ["Kontoauszug", "", ""],
      ["Datum", "Verwendungszweck", "Betrag"],
      ["17.05.2024", "Käse", "-1.234,50"],
      ["16.05.2024", "Lohn", "2000,00"],
      ["", "", ""],
    ].map((cells, at) => ({ line: at + 1, cells })),
    {
      mapping: parseMapping(null),
      encoding: null,
      delimiter: null,
      decimal: null,
      currency: null,
      today: "2024-05-20",
    },
  );
  expect(file.columns).toEqual(["Datum", "Verwendungszweck", "Betrag"]);
  const rows: ParsedRow[] = [];
  for await (const row of file.rows) rows.push(row);
  expect(rows.map(({ line, reading }) => [line, reading])).toMatchObject([
    [3, { ok: true, transaction: { date: "2024-05-17", amount: "-1234.50", currency: "EUR" } }],
    [4, { ok: true, transaction: { amount: "2000.00", entryType: "incoming" } }],
  ]);
});
