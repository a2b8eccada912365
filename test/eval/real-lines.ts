// Real bank and card lines from public files, with hand-made labels. The files are not part of the project (see
// CONTRIBUTING.md); the labels are, under the hash of the line that they belong to.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import type { EntryType, RecogniserInput } from "../../src/model/transaction.ts";
import type { Case, Label } from "./cases.ts";

const SIBLING_FOLDER = fileURLToPath(new URL("../../../shared/data", import.meta.url));
/** Where the public files are. `DATA_DIR` names another folder. */
export const DATA_FOLDER = process.env["DATA_DIR"] ?? SIBLING_FOLDER;
const LABELS_FOLDER = join(import.meta.dirname, "labels");

/** The blocks, each of which has a file of labels. */
export const REAL_BLOCKS = ["us", "uk", "sandbox"] as const;
export type RealBlock = (typeof REAL_BLOCKS)[number];

/** A line of a public file. */
export interface RealLine {
  /** Set of lines whose figures are reported apart. */
  readonly block: RealBlock;
  /** What kind of account or card it is from. */
  readonly kind: string;
  /** The first 16 hexadecimal digits of a SHA-256 over everything below that distinguishes the line. */
  readonly key: string;
  readonly item: RecogniserInput;
}

type Row = Readonly<Record<string, string>>;

function readRows(name: string): readonly Row[] {
  const bytes = readFileSync(join(DATA_FOLDER, "lines", name));
  const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return parse(text, { bom: true, columns: true, relax_column_count: true });
}

const joined = (...fields: readonly (string | undefined)[]): string =>
  fields
    .map((field) => field?.trim() ?? "")
    .filter((field) => field !== "")
    .join(" ");

function realLine(
  block: RealBlock,
  kind: string,
  distinctive: readonly string[],
  item: Pick<RecogniserInput, "description" | "amount" | "entryType" | "currency" | "accountType">,
): RealLine {
  const hashed = JSON.stringify([block, ...distinctive, item.description, item.entryType]);
  const key = createHash("sha256").update(hashed).digest("hex").slice(0, 16);
  return { block, kind, key, item: { ...item, rawAddress: null, country: null } };
}

const entryTypeOf = (amount: number): EntryType => (amount < 0 ? "incoming" : "outgoing");

const CARD_TYPES: ReadonlySet<string> = new Set([
  "VISA DEBIT",
  "VISA CREDIT",
  "INTERLINK/NETS POS",
  "",
]);

/**
 * Consumer accounts of US banks. Columns are joined as a statement prints them: what the card networks write, and in
 * front of it the type of a transaction that is the bank's own.
 */
function readUs(): readonly RealLine[] {
  return readRows("omaha-bank-lines.csv").map((row) => {
    const { source = "", tran_type: type = "", descriptor, city, state, debit_credit } = row;
    const isCard = source === "card" || CARD_TYPES.has(type);
    return realLine("us", isCard ? "card" : "bank", [source, type], {
      description: joined(isCard ? "" : type, descriptor, city, state),
      // The file has no amounts.
      amount: 0,
      entryType: debit_credit === "C" ? "incoming" : "outgoing",
      currency: "USD",
      accountType: "consumer",
    });
  });
}

const UK_FILES = [
  "barnet-2014-17.csv.gz",
  "barnet-2017-18.csv",
  "birmingham-2014-16.csv.gz",
  "birmingham-2017-18.csv.gz",
  "oxford-2017-18.csv.gz",
] as const;

/** Purchase cards of three city councils, which are business accounts. */
function readUk(): readonly RealLine[] {
  return UK_FILES.flatMap((file) => {
    const council = file.slice(0, file.indexOf("-"));
    return readRows(file).map((row) => {
      const amount = Number((row["amount"] ?? "0").replaceAll(",", ""));
      return realLine("uk", council, [council], {
        description: joined(row["merchant"], row["city_field"]),
        amount: Number.isFinite(amount) ? Math.abs(amount) : 0,
        entryType: entryTypeOf(amount),
        currency: "GBP",
        accountType: "business",
      });
    });
  });
}

/** Made for a sandbox after lines of US banks: real shapes, made-up histories. */
function readSandbox(): readonly RealLine[] {
  return readRows("plaid-sandbox.csv").map((row) => {
    const amount = Number(row["amount_outflow_positive"] ?? "0");
    return realLine("sandbox", row["type"] ?? "", [row["type"] ?? ""], {
      description: joined(row["descriptor"]),
      amount: Number.isFinite(amount) ? Math.abs(amount) : 0,
      entryType: entryTypeOf(amount),
      currency: row["currency"] ?? "USD",
      accountType: "consumer",
    });
  });
}

/** Every line of the public files, labelled or not. Empty where the files are not found. */
function readRealLines(): readonly RealLine[] {
  if (!existsSync(join(DATA_FOLDER, "lines"))) return [];
  return [...readUs(), ...readUk(), ...readSandbox()];
}

/** Labels by the key of their line. */
type Labels = ReadonlyMap<string, Label>;

/** An answer that ends with it is not certain, and not measured. */
const UNCERTAIN = "?";

const alternativesOf = (text: string): readonly string[] => text.split("|");

/**
 * Where an empty name is right too, an empty website is right. Of a company that must be named nothing is known when the column is
 * empty: it may have one.
 */
function websitesOf(text: string, mayBeEmpty: boolean): readonly string[] | null {
  if (text.endsWith(UNCERTAIN) || (text === "" && !mayBeEmpty)) return null;
  return mayBeEmpty ? [...alternativesOf(text), ""] : alternativesOf(text);
}

/** A city that is not printed is not measured: what is answered then may come from a known site. */
const citiesOf = (text: string): readonly string[] | null =>
  text === "" ? null : alternativesOf(text);

function readLabels(block: RealBlock): Labels {
  const [, ...rows] = readFileSync(join(LABELS_FOLDER, `${block}.tsv`), "utf8")
    .trimEnd()
    .split("\n");
  return new Map(
    rows.map((row) => {
      const [key = "", name = "", website = "", category = "", city = ""] = row.split("\t");
      const merchants = alternativesOf(name);
      const label: Label = {
        merchants,
        websites: websitesOf(website, merchants.includes("")),
        categories: alternativesOf(category),
        cities: citiesOf(city),
        kind: "",
      };
      return [key, label];
    }),
  );
}

/** The labelled lines of each block, in the order of the files. Empty where the files are not found. */
export function readRealBlocks(): ReadonlyMap<RealBlock, readonly Case[]> {
  const lines = readRealLines();
  const blocks = new Map<RealBlock, readonly Case[]>();
  if (lines.length === 0) return blocks;
  for (const block of REAL_BLOCKS) {
    const labels = readLabels(block);
    const seen = new Set<string>();
    const cases: Case[] = [];
    for (const line of lines) {
      const label = labels.get(line.key);
      if (line.block !== block || label === undefined || seen.has(line.key)) continue;
      seen.add(line.key);
      cases.push({ item: line.item, label: { ...label, kind: line.kind } });
    }
    blocks.set(block, cases);
  }
  return blocks;
}
