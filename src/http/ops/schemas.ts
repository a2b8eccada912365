import { z } from "zod";
import {
  CATEGORY_SOURCES,
  type Explanation,
  type ExplainedCandidate,
  PART_KINDS,
} from "../../model/explanation.ts";
import {
  accountType,
  categories,
  entities,
  location,
  transactionInputObject,
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
const categorySource = z.enum(CATEGORY_SOURCES).openapi("CategorySource");
const share = z.number().min(0).max(1).openapi({ format: "double" });

const counterparty = z
  .object({
    ...entityShape,
    type: z.enum(["person", "organization"]),
    by: z.string(),
    because: z.string(),
    confidence: share,
    found: excerpt,
  })
  .openapi("ExplainedCounterparty");

const decision = z
  .object({
    counterparty: counterparty.nullable(),
    intermediaries: z.array(z.object(entityShape)),
    categories: categories.nullable(),
    category_by: categorySource.nullable(),
    location: anyText,
  })
  .openapi("ExplainedDecision");

const part = z
  .object({ ...excerptShape, kind: z.enum(PART_KINDS), means: anyText })
  .openapi("ExplainedPart");

const wording = z
  .object({ ...excerptShape, pattern: z.string(), category: z.string() })
  .openapi("ExplainedWording");

const candidate = z
  .object({
    ...excerptShape,
    name: z.string(),
    website: anyText,
    source: z.enum(["hand", "brand"]).nullable(),
    length: z.int(),
    stands: z.enum(["whole", "first", "inside"]),
    trades: z.enum(["here", "anywhere", "elsewhere"]),
    areas: z.array(z.string()),
    verdict: z.enum(["chosen", "believed", "refused"]),
    because: z.string(),
  } satisfies Record<keyof ExplainedCandidate, z.ZodType>)
  .openapi("ExplainedCandidate");

const evidence = z
  .object({
    source: categorySource,
    from: z.string(),
    category: anyText,
    probability: share.nullable(),
    decided: z.boolean(),
  })
  .openapi("ExplainedEvidence");

const facts = z
  .object({
    entities: entities.nullable(),
    categories: categories.nullable(),
    location: location.nullable(),
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
    category_evidence: z.array(evidence),
    facts,
  } satisfies Record<keyof Explanation, z.ZodType>)
  .openapi("Explanation");

/** Innermost first, see the components of the API. */
export const opsComponents: readonly z.ZodType[] = [
  explainInputObject,
  excerpt,
  categorySource,
  counterparty,
  decision,
  part,
  wording,
  candidate,
  evidence,
  facts,
];
