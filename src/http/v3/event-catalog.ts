import { z } from "zod";
import { type BatchStatus, batchResource } from "../../model/batch.ts";
import { EVENT_TYPES, type EventType, TEST_EVENT_TYPE } from "../../model/event.ts";
import { reportResource, type ReportStatus } from "../../model/report.ts";
import { type StatementFailure, statementResource } from "../../model/statement-document.ts";
import { describeSchemas } from "../server/openapi.ts";
import { report } from "./report-schemas.ts";
import { batch } from "./schemas.ts";
import { statement } from "./statement-schemas.ts";

// Every type of event as data: its meaning, and the body of a call. The catalog
// and the AsyncAPI document are made of this.

export type SentEventType = EventType | typeof TEST_EVENT_TYPE;

interface EventWords {
  readonly description: string;
  /** Null of the event that only tests the receiver. */
  readonly data: { readonly schema: z.ZodType; readonly example: object } | null;
}

export const eventWords: Readonly<Record<SentEventType, EventWords>> = {
  "reports.resolved": {
    description: "A report was resolved; its transaction has the corrected fields.",
    data: { schema: report, example: reportExample("resolved", null) },
  },
  "reports.rejected": {
    description: "A report was rejected; `rejection_reason` has the reason.",
    data: {
      schema: report,
      example: reportExample("rejected", "The bank names no other counterparty."),
    },
  },
  "reports.pending": {
    description: "A report is under investigation.",
    data: { schema: report, example: reportExample("pending", null) },
  },
  "bank_statements.completed": {
    description: "A bank statement finished processing; its results can be read.",
    data: { schema: statement, example: statementExample(null) },
  },
  "bank_statements.error": {
    description: "A bank statement failed processing; `error` has the reason.",
    data: { schema: statement, example: statementExample("password_needed") },
  },
  "batches.completed": {
    description: "A batch finished processing; its results can be read.",
    data: { schema: batch, example: batchExample("completed", 2) },
  },
  "batches.error": {
    description: "A batch failed processing.",
    data: { schema: batch, example: batchExample("error", 0) },
  },
  [TEST_EVENT_TYPE]: {
    description: "A test of the webhook, sent on request. It cannot be subscribed to.",
    data: null,
  },
};

/** One entry for every type that a webhook can subscribe to, and one for the test. */
export function buildEventCatalog(): object {
  const { description } = eventWords[TEST_EVENT_TYPE];
  return {
    events: EVENT_TYPES.map(catalogEntry),
    test_event: { event_type: TEST_EVENT_TYPE, description },
  };
}

/** What the body of a call with this event is. */
export function eventSchema(type: SentEventType): z.ZodType {
  const data = eventWords[type].data?.schema ?? ANY_DATA;
  return z
    .object({ event_id: z.string(), event_type: z.literal(type), data })
    .openapi(eventSchemaName(type), { description: ENVELOPE });
}

const ANY_DATA = z.looseObject({});
const ENVELOPE = "Every attempt carries the same bytes, and so the same `event_id`.";

/** The name of `eventSchema(type)`: `BatchesCompletedEvent`. */
export function eventSchemaName(type: SentEventType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}

/** The body of a call; null where its data is not known. */
export function eventExample(type: SentEventType): object | null {
  const { data } = eventWords[type];
  return data === null ? null : { event_id: EVENT_ID, event_type: type, data: data.example };
}

const EVENT_ID = "8b9e9fcc-92b7-5948-976a-94d36d4b9293";

function catalogEntry(type: EventType): object {
  const { description } = eventWords[type];
  const example = eventExample(type);
  return { event_type: type, sent: true, description, schema: standaloneSchema(type), example };
}

function standaloneSchema(type: EventType): unknown {
  const schemas = describeSchemas([eventSchema(type)]);
  const root = { $schema: JSON_SCHEMA_DIALECT, ...schemas[eventSchemaName(type)] };
  return withoutReferences(root, schemas);
}

const JSON_SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema";
const REFERENCE_START = "#/components/schemas/";

/** Puts what is referred to where it is referred to, so that a reader can take the schema out as it is. */
function withoutReferences(node: unknown, schemas: Readonly<Record<string, object>>): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutReferences(item, schemas));
  if (typeof node !== "object" || node === null) return node;
  const { $ref } = node as { $ref?: unknown };
  if (typeof $ref === "string") {
    return withoutReferences(schemas[$ref.slice(REFERENCE_START.length)], schemas);
  }
  const entries = Object.entries(node).map(([key, value]) => [
    key,
    withoutReferences(value, schemas),
  ]);
  return Object.fromEntries(entries) as unknown;
}

function batchExample(status: BatchStatus, progress: number): object {
  return batchResource({
    org: "",
    id: "5d9f3a0e-7c1b-4f6a-9a63-0f4c7d1c2b8e",
    status,
    priority: "default",
    createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    updatedAt: Date.UTC(2026, 0, 2, 3, 4, 7),
    progress,
    total: 2,
  });
}

function statementExample(failure: StatementFailure | null): object {
  return statementResource({
    org: "",
    id: "0d7c1a52-9c0e-4f0a-8f4b-2a6f6f3f1f7e",
    name: "May 2026.pdf",
    createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    status: failure === null ? "processed" : "failed",
    size: 31_675,
    pages: failure === null ? 3 : 0,
    accountHolderId: null,
    accountType: null,
    currency: null,
    failure,
    batchId: null,
  });
}

function reportExample(status: ReportStatus, rejectionReason: string | null): object {
  return reportResource({
    org: "",
    id: "9b2f6c1e-3d4a-4c58-8f0e-6a7d21c5e913",
    accountHolderId: null,
    transactionId: "tx-1",
    description: "This was the other Blue Bottle.",
    fields: ["merchant"],
    createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    updatedAt: Date.UTC(2026, 0, 2, 3, 4, 7),
    status,
    rejectionReason,
    expected: {},
    webhookUrl: null,
  });
}
