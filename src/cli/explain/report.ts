// An explanation as a person reads it: what was decided first, then what each part of the line is, who else could have been
// meant, and what weighed on the category.
import type {
  CandidateKind,
  ExplainedCandidate,
  ExplainedCategory,
  ExplainedEntity,
  ExplainedEvidence,
  Explanation,
} from "../../model/explanation.ts";
import { LINE_LENGTH_MAX, safeText, table, wrap } from "./table.ts";

const INDENT = 2;
/** Behind the mark of a candidate. */
const EVIDENCE_INDENT = 5;

const KINDS: Readonly<Record<CandidateKind, string>> = {
  curated: "curated",
  brand: "brand of a package",
  name: "a name that no table has",
  person: "a person",
  address: "a web address that no table has",
  none: "no counterparty",
};

const withSite = ({ name, website }: ExplainedEntity): string =>
  website === null ? (name ?? "") : `${name ?? ""} (${website})`;

function counterpartyRows({ decision }: Explanation): string[][] {
  const { counterparty } = decision;
  if (counterparty === null) return [["counterparty", "none"]];
  const { type, kind, confidence, found, website_because: because } = counterparty;
  return [
    ["counterparty", `${withSite(counterparty)}, ${type === "person" ? "a " : "an "}${type}`],
    ["known as", KINDS[kind]],
    ["confidence", confidence.toFixed(2)],
    ["found in", `"${found.text}"`],
    ...(because === null ? [] : [["website", because]]),
  ];
}

function decisionRows(explanation: Explanation): string[][] {
  const { intermediaries, categories, category_probability, location } = explanation.decision;
  const rows = counterpartyRows(explanation);
  for (const intermediary of intermediaries) rows.push(["through", withSite(intermediary)]);
  const sure = category_probability === null ? "" : ` (${category_probability.toFixed(2)})`;
  if (categories !== null) rows.push(["category", `${categories.general ?? "none"}${sure}`]);
  if (categories?.accounting != null) rows.push(["accounting", categories.accounting]);
  rows.push(["location", location ?? "none"]);
  return rows;
}

const partRows = ({ parts }: Explanation): string[][] =>
  parts.map(({ start, end, kind, text, probability }) => [
    `${String(start)}-${String(end)}`,
    kind,
    text,
    probability.toFixed(2),
  ]);

const signed = (weight: number): string =>
  `${weight < 0 ? "-" : "+"}${Math.abs(weight).toFixed(2)}`;

const evidenceLines = (evidence: readonly ExplainedEvidence[]): string[] =>
  table(
    evidence.map(({ because, weight }) => [signed(weight), safeText(because)]),
    EVIDENCE_INDENT,
  ).flat();

const candidateRow = (one: ExplainedCandidate): string[] => [
  one.chosen ? "*" : "-",
  one.name === null ? "no counterparty" : withSite(one),
  one.name === null ? "" : `"${one.text}"`,
  one.name === null ? "" : KINDS[one.kind],
  one.probability.toFixed(2),
];

/** Each candidate with what weighs on it below. */
function candidateLines({ candidates, candidates_left_out: leftOut }: Explanation): string[] {
  const rows = safeTable(candidates.map(candidateRow));
  return [
    "",
    "Candidates (* chosen) with their probability and what weighs on them",
    ...rows.flatMap((lines, i) => [...lines, ...evidenceLines(candidates[i]?.evidence ?? [])]),
    ...(leftOut === 0 ? [] : [`${" ".repeat(EVIDENCE_INDENT)}and ${String(leftOut)} more`]),
  ];
}

function categoryLines(categories: readonly ExplainedCategory[]): string[] {
  if (categories.length === 0) return [];
  const rows = safeTable(
    categories.map(({ category, score, chosen }) => [
      chosen ? "*" : "-",
      category,
      score.toFixed(2),
    ]),
  );
  return [
    "",
    "Categories (* chosen) with their score and what weighs on them",
    ...rows.flatMap((lines, i) => [...lines, ...evidenceLines(categories[i]?.evidence ?? [])]),
  ];
}

function wordingRows({ wording }: Explanation): string[][] {
  if (wording === null) return [];
  const { pattern, text, category } = wording;
  return [[`"${text}"`, `matches ${pattern}`, category]];
}

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  return ["", title, ...safeTable(rows).flat()];
}

const safeTable = (rows: readonly (readonly string[])[]): string[][] =>
  table(
    rows.map((row) => row.map(safeText)),
    INDENT,
  );

/** Lines of at most 100 characters. `heading` describes the explained line. */
export function explanationLines(explanation: Explanation, heading: string): string[] {
  const { text, countries } = explanation;
  const where = countries.length === 1 ? `, account in ${countries[0] ?? ""}` : "";
  return [
    ...wrap(text === "" ? "(empty)" : safeText(text), LINE_LENGTH_MAX),
    heading + where,
    ...section("Decision", decisionRows(explanation)),
    ...section("Parts (characters, what, as written, probability)", partRows(explanation)),
    ...section("Transaction-type pattern", wordingRows(explanation)),
    ...candidateLines(explanation),
    ...categoryLines(explanation.categories),
  ];
}
