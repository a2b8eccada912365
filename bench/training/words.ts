// npm run train -- words
// Trains what the words of a name sound like, and writes models/words.bin: multinomial logistic regression over hashed words and
// pieces of words (recogniser/text/features.ts), by stochastic gradient descent with steps of their own for each weight (Adagrad;
// Duchi, Hazan and Singer 2011). It learns from the tables, the packages and the registers of businesses in DATA_DIR.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../../test/support/random.ts";
import { readAllTables } from "../../workers/knowledge/builder/collect.ts";
import { readTables } from "../../workers/knowledge/builder/inputs.ts";
import { readNameSuggestions } from "../../workers/knowledge/builder/name-suggestions.ts";
import { createProblems } from "../../workers/knowledge/builder/rows.ts";
import { categoryNames, categoryNumber } from "../../workers/knowledge/builder/small-tables.ts";
import { wordModelBytes } from "../../workers/knowledge/builder/words-file.ts";
import { FEATURE_BUCKETS, featuresOf } from "../../workers/recogniser/text/features.ts";
import { nameTokens } from "../../workers/recogniser/text/keys.ts";
import { type DataRow, readData } from "./data.ts";
import { collectSamples, type TrainingSample } from "./table-samples.ts";
import { shuffle } from "./shuffle.ts";

const ROOT = join(import.meta.dirname, "../..");
const TABLES = join(ROOT, "workers/knowledge/tables");
const FILE = join(ROOT, "workers/knowledge/models/words.bin");
const EPOCHS = 4;
const RATE = 0.25;
const SQUARES_START = 0.1;
const GRADIENT_MIN = 0.002;
const WEIGHT_MAX = 12;
const BYTE_MAX = 127;
const BALANCE_MAX = 4;
const SEED = 7;

type CategoryOf = (row: DataRow) => string;

interface Register {
  readonly file: string;
  readonly name: string;
  readonly category: CategoryOf;
  /** Every so many rows: large registers must not drown small ones. */
  readonly step: number;
  readonly weight: number;
}

const SERVICES: Readonly<Record<string, string>> = {
  banking: "bank fee",
  retail: "ecommerce purchase",
  cryptocurrencies: "trading (crypto)",
  utilities: "utilities",
  universities: "education",
  education: "education",
  finance: "investment",
  investing: "investment",
  gaming: "entertainment and recreation",
  tickets: "entertainment and recreation",
  entertainment: "media",
  health: "medical bill",
  travel: "hotels and lodging",
  government: "government",
  insurance: "insurance",
  food: "food and drink",
  legal: "legal services",
  betting: "gambling",
  crowdfunding: "donation",
  transport: "public transport",
};
const SOFTWARE =
  "developer,hosting,marketing,domains,communication,security,backup,email,cloud,creativity,task,remote,vpn".split(
    ",",
  );

const serviceCategory: CategoryOf = ({ categories = "" }) =>
  SERVICES[categories] ?? (SOFTWARE.includes(categories) ? "saas tools" : "");

const always =
  (category: string): CategoryOf =>
  () =>
    category;

function tradeReader(): (title: string) => string {
  const rows = readFileSync(join(TABLES, "trades.txt"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .flatMap((line) => {
      const [words = "", category = ""] = line.split("|").map((field) => field.trim());
      return words.split(";").map((word) => [word.trim(), category] as const);
    })
    .sort((a, b) => b[0].length - a[0].length);
  return (title) => rows.find(([words]) => title.toLowerCase().includes(words))?.[1] ?? "";
}

function registers(): readonly Register[] {
  const trade = tradeReader();
  const of =
    (column: string): CategoryOf =>
    (row) =>
      trade(row[column] ?? "");
  const row = (
    file: string,
    name: string,
    category: CategoryOf,
    step: number,
    weight: number,
  ): Register => ({ file, name, category, step, weight });
  return [
    row("names/london-food-businesses.csv.gz", "name", of("business_type"), 4, 0.6),
    row("names/melbourne-businesses.csv.gz", "trading_name", of("industry"), 1, 1),
    row("names/us-businesses-naics.csv.gz", "name", of("naics_title"), 1, 1.5),
    row("names/us-urgent-care.csv.gz", "name", always("medical bill"), 8, 0.7),
    row("websites/us-hospitals.csv.gz", "name", always("medical bill"), 8, 0.7),
    row("websites/openbrewerydb.csv.gz", "name", always("food and drink"), 10, 0.5),
    row("websites/dotgov.csv.gz", "organization", always("government"), 20, 0.5),
    row("websites/universities.csv.gz", "name", always("education"), 20, 0.7),
    row("websites/fdic-banks.csv.gz", "name", always("bank fee"), 10, 0.5),
    row("websites/twofactorauth.csv.gz", "name", serviceCategory, 1, 1),
    row("websites/svgl.csv.gz", "name", always("saas tools"), 1, 0.6),
  ];
}

function registerSamples(): readonly TrainingSample[] {
  return registers().flatMap(({ file, name, category, step, weight }) =>
    readData(file)
      .filter((_, at) => at % step === 0)
      .flatMap((row) => {
        const words = nameTokens(row[name] ?? "");
        const number = categoryNumber(category(row));
        if (words.length === 0 || number < 0) return [];
        return [{ words, isOutgoing: true, category: number, weight }];
      }),
  );
}

function tableSamples(): readonly TrainingSample[] {
  const problems = createProblems();
  const tables = readAllTables(readTables(TABLES), problems);
  const modules = join(ROOT, "node_modules");
  return collectSamples({
    presetsRoot: join(modules, "@openstreetmap/id-tagging-schema"),
    paths: tables.paths,
    merchants: tables.merchants,
    brands: readNameSuggestions(join(modules, "name-suggestion-index"), tables.paths).drafts,
    independents: tables.independents,
    wordings: tables.wordings,
    words: [...tables.words, ...tables.localWords],
  });
}

interface Prepared {
  readonly buckets: readonly number[];
  readonly category: number;
  readonly weight: number;
}

/** Categories with many samples must not drown those with few; the square root is the usual compromise. */
function prepare(samples: readonly TrainingSample[]): Prepared[] {
  const totals = new Float64Array(categoryNames.length);
  for (const { category, weight } of samples) totals[category] = (totals[category] ?? 0) + weight;
  const mean = totals.reduce((sum, total) => sum + total, 0) / totals.length;
  return samples.map(({ words, isOutgoing, category, weight }) => ({
    buckets: featuresOf(words, isOutgoing),
    category,
    weight: weight * Math.min(BALANCE_MAX, Math.sqrt(mean / Math.max(1, totals[category] ?? 1))),
  }));
}

function train(samples: Prepared[]): Float32Array {
  const count = categoryNames.length;
  const weights = new Float32Array(FEATURE_BUCKETS * count);
  const squares = new Float32Array(weights.length).fill(SQUARES_START);
  const scores = new Float64Array(count);
  const random = createRandom(SEED);
  /** Fills in the probability of each category. */
  function guess(buckets: readonly number[], share: number): void {
    scores.fill(0);
    for (const bucket of buckets)
      for (let at = 0; at < count; at++)
        scores[at] = (scores[at] ?? 0) + (weights[bucket * count + at] ?? 0);
    let most = -Infinity;
    for (const score of scores) most = Math.max(most, score);
    let sum = 0;
    for (let at = 0; at < count; at++) {
      scores[at] = Math.exp(((scores[at] ?? 0) - most) * share);
      sum += scores[at] ?? 0;
    }
    for (let at = 0; at < count; at++) scores[at] = (scores[at] ?? 0) / sum;
  }

  function learn({ buckets, category, weight }: Prepared): void {
    const share = 1 / Math.sqrt(buckets.length);
    guess(buckets, share);
    for (let at = 0; at < count; at++) {
      const error = (scores[at] ?? 0) - (at === category ? 1 : 0);
      if (Math.abs(error) < GRADIENT_MIN) continue;
      const gradient = weight * share * error;
      for (const bucket of buckets) {
        const place = bucket * count + at;
        const square = (squares[place] ?? 0) + gradient * gradient;
        squares[place] = square;
        weights[place] = (weights[place] ?? 0) - (RATE * gradient) / Math.sqrt(square);
      }
    }
  }
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(samples, random);
    for (const sample of samples) learn(sample);
  }
  return weights;
}

export function runWords(): void {
  const samples = [...tableSamples(), ...registerSamples()];
  const weights = train(prepare(samples));
  const most = weights.reduce((largest, weight) => Math.max(largest, Math.abs(weight)), 0);
  const scale = Math.min(most, WEIGHT_MAX) / BYTE_MAX;
  const rounded = Int8Array.from(weights, (weight) =>
    Math.max(-BYTE_MAX, Math.min(BYTE_MAX, Math.round(weight / scale))),
  );
  writeFileSync(FILE, wordModelBytes({ scale, weights: rounded }));
  process.stdout.write(`${String(samples.length)} names and phrases: ${FILE}\n`);
}
