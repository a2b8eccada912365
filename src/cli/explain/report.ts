// An explanation as a person reads it: what was decided first, then what the line was taken apart into, who else could
// have been meant, and what spoke for the category.
import type {
  CategorySource,
  ExplainedCandidate,
  ExplainedEntity,
  ExplainedEvidence,
  Explanation,
} from "../../model/explanation.ts";
import { LINE_LENGTH_MAX, safeText, table, wrap } from "./table.ts";

const INDENT = 2;
/** Behind the mark of a candidate. */
const REASON_INDENT = 5;
/** A merchant may trade in a hundred countries. */
const AREAS_SHOWN_MAX = 4;

const SOURCES: Readonly<Record<CategorySource, string>> = {
  wording: "transaction-type pattern",
  person: "payment to a person",
  platform: "a platform that pays people",
  service: "purpose of a payment to an authority",
  merchant: "the merchant",
  codes: "the merchant's codes (MCC)",
  words: "words of the name",
  intermediary: "the intermediary",
  guess: "similar names",
};

const withSite = ({ name, website }: ExplainedEntity): string =>
  website === null ? (name ?? "") : `${name ?? ""} (${website})`;

function counterpartyRows({ decision }: Explanation): string[][] {
  const { counterparty } = decision;
  if (counterparty === null) return [["counterparty", "none: no name is certain enough"]];
  const { type, confidence, because, by, found } = counterparty;
  return [
    ["counterparty", `${withSite(counterparty)}, ${type === "person" ? "a " : "an "}${type}`],
    ["because", `${because} [${by}]`],
    ["confidence", confidence.toFixed(2)],
    ["found in", `"${found.text}"`],
  ];
}

function decisionRows(explanation: Explanation): string[][] {
  const { intermediaries, categories, category_by: by, location } = explanation.decision;
  const rows = counterpartyRows(explanation);
  for (const intermediary of intermediaries) rows.push(["through", withSite(intermediary)]);
  const reason = by === null ? "" : `, by ${SOURCES[by]}`;
  if (categories !== null) rows.push(["category", `${categories.general ?? "none"}${reason}`]);
  if (categories?.accounting != null) rows.push(["accounting", categories.accounting]);
  rows.push(["location", location ?? "none"]);
  return rows;
}

const partRows = ({ parts }: Explanation): string[][] =>
  parts.map((part) => {
    const means = part.means === null || part.means === part.text ? "" : part.means;
    return [`${String(part.start)}-${String(part.end)}`, part.kind, part.text, means];
  });

const MARKS = { chosen: "*", believed: "+", refused: "-" } as const;

function areasText({ trades, areas }: ExplainedCandidate): string {
  if (areas.length === 0) return "anywhere";
  const more = areas.length > AREAS_SHOWN_MAX ? " …" : "";
  return `${trades} (${areas.slice(0, AREAS_SHOWN_MAX).join(" ")}${more})`;
}

const ORIGINS = { hand: "curated", brand: "brand of a package" } as const;

const candidateRow = (one: ExplainedCandidate): string[] => [
  MARKS[one.verdict],
  withSite(one),
  `"${one.text}"`,
  one.source === null ? "" : ORIGINS[one.source],
  one.stands,
  areasText(one),
];

/** Each candidate with the reason under it. */
function candidateLines({ candidates, candidates_left_out: leftOut }: Explanation): string[] {
  if (candidates.length === 0) return [];
  const rows = safeTable(candidates.map(candidateRow));
  const under = " ".repeat(REASON_INDENT);
  return [
    "",
    "Candidates (* chosen, + believed, - refused)",
    ...rows.flatMap((lines, i) => [...lines, under + (candidates[i]?.because ?? "")]),
    ...(leftOut === 0 ? [] : [`${under}and ${String(leftOut)} more`]),
  ];
}

const evidenceRow = (one: ExplainedEvidence): string[] => {
  const sure = one.probability === null ? "" : ` (${one.probability.toFixed(2)})`;
  return [one.decided ? "*" : "-", SOURCES[one.source], one.from, `${one.category ?? ""}${sure}`];
};

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
    ...section("Parts (characters, what, as written, read as)", partRows(explanation)),
    ...section("Transaction-type pattern", wordingRows(explanation)),
    ...candidateLines(explanation),
    ...section(
      "Evidence for the category (* decided)",
      explanation.category_evidence.map(evidenceRow),
    ),
  ];
}
