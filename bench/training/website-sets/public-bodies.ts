// Public transport, rented bicycles and universities.
import { nameKey } from "../../../workers/recogniser/text/keys.ts";
import { readData } from "../data.ts";
import { countryOfWebsite } from "./areas.ts";
import { cleanName, type SetRow, type WebsiteTable } from "./rows.ts";

const TRANSIT = "websites/transit-operators.csv.gz";
const BICYCLES = "websites/gbfs-systems.csv.gz";
const UNIVERSITIES = "websites/universities.csv.gz";

/** Beginnings of geohashes between the Arctic and the tropics of North America. */
const NORTH_AMERICA = /^o-[9bcdf]/u;

function areasOfOperator(website: string, id: string): readonly string[] {
  if (/~us$/u.test(id)) return ["US"];
  const country = countryOfWebsite(website);
  if (country !== null) return [country];
  return NORTH_AMERICA.test(id) ? ["CA", "US"] : [];
}

/** Universities, cities and airports that run a bus line are paid for other things. */
const TRANSPORT =
  /transi|bus|transp|rail|metro|train|tram|trolley|coach|ferr|shuttle|lines?\b|verkehr|bahn|ride|mobil|navette|autocar|tisséo|vlak|taxi/iu;

/** A short name has a row of its own where the website has it, too: others abbreviate to the same letters. */
function transitRows(): readonly SetRow[] {
  return readData(TRANSIT).flatMap((row) => {
    const website = row["website"] ?? "";
    const short = row["short_name"] ?? "";
    if (!TRANSPORT.test(`${row["name"] ?? ""} ${website}`) || website.endsWith(".edu")) return [];
    const isShort = short !== "" && website.split(".")[0]?.startsWith(nameKey(short)) === true;
    return [
      {
        name: cleanName(isShort ? short : (row["name"] ?? "")),
        website,
        category: "public transport",
        mcc: "4111",
        areas: areasOfOperator(website, row["onestop_id"] ?? ""),
      },
    ];
  });
}

const bicycleRows = (): readonly SetRow[] =>
  readData(BICYCLES).map((row) => ({
    name: cleanName(row["name"] ?? ""),
    website: row["website"] ?? "",
    category: "other transport",
    mcc: "7519",
    areas: [row["country"] ?? ""].filter((country) => country !== ""),
  }));

/** Countries whose statements are in languages that the recogniser reads. */
const COUNTRIES = new Set(
  "US GB IE CA AU NZ DE AT CH FR ES IT NL BE PT BR MX IN ZA SE NO DK FI PL".split(" "),
);

const universityRows = (): readonly SetRow[] =>
  readData(UNIVERSITIES)
    .filter((row) => COUNTRIES.has(row["country"] ?? ""))
    .map((row) => ({
      name: cleanName(row["name"] ?? ""),
      website: row["website"] ?? "",
      category: "education",
      mcc: "8220",
      areas: [row["country"] ?? ""],
    }));

export const publicBodyTables = (): readonly WebsiteTable[] => [
  {
    name: "transit",
    title: "Operators of public transport.",
    sources: [{ file: TRANSIT, from: "transitland-atlas @a4d0204", licence: "CC BY 4.0" }],
    rows: transitRows(),
  },
  {
    name: "bicycles",
    title: "Rented bicycles and scooters.",
    sources: [{ file: BICYCLES, from: "MobilityData/gbfs @2d9ecb5", licence: "CC BY 3.0" }],
    rows: bicycleRows(),
  },
  {
    name: "universities",
    title: "Universities.",
    sources: [
      { file: UNIVERSITIES, from: "Hipo/university-domains-list @bb07faf", licence: "MIT" },
    ],
    rows: universityRows(),
  },
];
