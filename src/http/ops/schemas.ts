import { z } from "zod";
import {
  CANDIDATE_KINDS,
  type ExplainedCandidate,
  type ExplainedCounterparty,
  type ExplainedDecision,
  type Explanation,
  PART_KINDS,
} from "../../model/explanation.ts";
import {
  accountType,
  categories,
  entities,
  location,
  transactionInputObject,
  double,
} from "../v3/schemas.ts";

// What the operations for operators accept and answer. The rules of a field are those of the API.

/** A transaction as far as it matters for what is recognised. */
const explainInputObject = transactionInputObject
  .pick({ description: true, amount: true, entry_type: true, currency: true, location: true })
  .extend({ account_type: accountType.default("consumer") })
  .openapi("ExplainInput");

export const explainInput = explainInputObject.transform((input) => ({
  description: input.description,
  amount: input.amount,
  entryType: input.entry_type,
  currency: input.currency,
  accountType: input.account_type,
  rawAddress: input.location?.raw_address ?? null,
  country: input.location?.country ?? null,
}));

const excerptShape = { text: z.string(), start: z.int(), end: z.int() };
const excerpt = z.object(excerptShape).openapi("Excerpt");
const anyText = z.string().nullable();
const entityShape = { name: anyText, website: anyText };
const share = z.number().min(0).max(1).openapi({ format: "double" });
const weight = z.number().openapi({ format: "double" });
const candidateKind = z.enum(CANDIDATE_KINDS).openapi("CandidateKind");

const counterparty = z
  .object({
    ...entityShape,
    type: z.enum(["person", "organization"]),
    kind: candidateKind,
    confidence: share,
    found: excerpt,
    website_because: anyText,
  } satisfies Record<keyof ExplainedCounterparty, z.ZodType>)
  .openapi("ExplainedCounterparty");

const decision = z
  .object({
    counterparty: counterparty.nullable(),
    intermediaries: z.array(z.object(entityShape)),
    categories: categories.nullable(),
    category_probability: share.nullable(),
    location: anyText,
  } satisfies Record<keyof ExplainedDecision, z.ZodType>)
  .openapi("ExplainedDecision");

const part = z
  .object({ ...excerptShape, kind: z.enum(PART_KINDS), probability: share })
  .openapi("ExplainedPart");

const wording = z
  .object({ ...excerptShape, pattern: z.string(), category: z.string() })
  .openapi("ExplainedWording");

const evidence = z.object({ because: z.string(), weight }).openapi("ExplainedEvidence");

const candidate = z
  .object({
    ...excerptShape,
    ...entityShape,
    kind: candidateKind,
    score: weight,
    probability: share,
    chosen: z.boolean(),
    evidence: z.array(evidence),
  } satisfies Record<keyof ExplainedCandidate, z.ZodType>)
  .openapi("ExplainedCandidate");

const category = z
  .object({ category: z.string(), score: weight, chosen: z.boolean(), evidence: z.array(evidence) })
  .openapi("ExplainedCategory");

const facts = z
  .object({
    entities: entities.nullable(),
    categories: categories.nullable(),
    location: location.nullable(),
    confidence: double.nullish(),
  })
  .openapi("Facts");

export const explanation = z
  .object({
    text: z.string(),
    direction: z.enum(["incoming", "outgoing"]),
    countries: z.array(z.string()),
    decision,
    parts: z.array(part),
    wording: wording.nullable(),
    candidates: z.array(candidate),
    candidates_left_out: z.int(),
    categories: z.array(category),
    facts,
  } satisfies Record<keyof Explanation, z.ZodType>)
  .openapi("Explanation");

/** Innermost first, see the components of the API. */
export const opsComponents: readonly z.ZodType[] = [
  explainInputObject,
  excerpt,
  candidateKind,
  counterparty,
  decision,
  part,
  wording,
  evidence,
  candidate,
  category,
  facts,
];
