// Companies of one place: banks, hospitals and breweries.
import { readData } from "../data.ts";
import { countryNamed, stateNamed } from "./areas.ts";
import { cleanName, readableCase, type SetRow, type WebsiteTable } from "./rows.ts";

const BANKS = "websites/fdic-banks.csv.gz";
const HOSPITALS = "websites/us-hospitals.csv.gz";
const BREWERIES = "websites/openbrewerydb.csv.gz";

/** `The State Bank of Canton, Canton, Kansas`: what stands behind the comma is the seat, or a legal form. */
const bankRows = (): readonly SetRow[] =>
  readData(BANKS)
    .filter((row) => row["active"] === "1")
    .map((row) => ({
      name: cleanName((row["name"] ?? "").replace(/,.*$/u, "")),
      website: row["website"] ?? "",
      category: "inter account transfer",
      mcc: "6012",
      areas: ["US"],
    }));

/** Hospitals of the armed forces and of veterans have websites of a department. */
const hospitalRows = (): readonly SetRow[] =>
  readData(HOSPITALS)
    .filter((row) => row["type"] !== "MILITARY" && row["status"] === "OPEN")
    .map((row) => ({
      name: readableCase(cleanName(row["name"] ?? "")),
      website: row["website"] ?? "",
      category: "medical bill",
      mcc: "8062",
      areas: [`US-${row["state"] ?? ""}`],
    }));

const NOT_OPEN = new Set(["closed", "planning"]);

function breweryRows(): readonly SetRow[] {
  return readData(BREWERIES).flatMap((row) => {
    const country = countryNamed(row["country"] ?? "");
    if (country === null || NOT_OPEN.has(row["type"] ?? "")) return [];
    const state = country === "US" ? stateNamed(row["state"] ?? "") : null;
    return [
      {
        name: cleanName(row["name"] ?? ""),
        website: row["website"] ?? "",
        category: "food and drink",
        mcc: "5813",
        areas: [state ?? country],
      },
    ];
  });
}

export const localTables = (): readonly WebsiteTable[] => [
  {
    name: "banks-us",
    title: "Banks of the United States.",
    sources: [{ file: BANKS, from: "FDIC BankFind", licence: "public domain" }],
    rows: bankRows(),
  },
  {
    name: "hospitals-us",
    title: "Hospitals of the United States.",
    sources: [{ file: HOSPITALS, from: "US DHS HIFLD", licence: "public domain" }],
    isOld: true,
    rows: hospitalRows(),
  },
  {
    name: "breweries",
    title: "Breweries.",
    sources: [{ file: BREWERIES, from: "openbrewerydb @7b65c4f", licence: "MIT" }],
    rows: breweryRows(),
  },
];
