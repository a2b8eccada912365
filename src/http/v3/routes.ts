import type { Cursors } from "../server/cursor.ts";
import type { CreditsPort } from "../server/limits.ts";
import type { Route } from "../server/route.ts";
import { accountHolderRoutes, type HoldersPort } from "./account-holders.ts";
import { type AuditPort, auditRoutes } from "./audit.ts";
import { batchRoutes, type BatchesPort, type BatchIngestPort } from "./batches.ts";
import { categoryRoutes, type CategoriesPort } from "./categories.ts";
import { deliveryRoutes } from "./deliveries.ts";
import { type EntitiesPort, entityRoutes } from "./entities.ts";
import { reapplicationRoutes, type ReapplicationsPort } from "./reapplications.ts";
import { recurrenceRoutes, type RecurrencePort } from "./recurrence.ts";
import { reportRoutes, type ReportsPort } from "./reports.ts";
import { ruleRoutes, type RulesPort } from "./rules.ts";
import type { Slots } from "../server/slots.ts";
import { statementRoutes, type StatementsPort } from "./statements.ts";
import {
  type TransactionIngestPort,
  transactionRoutes,
  type TransactionsPort,
} from "./transactions.ts";
import { webhookRoutes, type WebhooksPort } from "./webhooks.ts";

/** What the handlers of the v3 API work with. */
export interface V3Services {
  readonly holders: HoldersPort;
  readonly recurrence: RecurrencePort;
  readonly transactions: TransactionsPort;
  readonly ingest: TransactionIngestPort & BatchIngestPort;
  readonly batches: BatchesPort;
  readonly webhooks: WebhooksPort;
  readonly reapplications: ReapplicationsPort;
  readonly reports: ReportsPort;
  readonly rules: RulesPort;
  readonly categories: CategoriesPort;
  readonly entities: EntitiesPort;
  readonly statements: StatementsPort;
  readonly audit: AuditPort;
  readonly limits: CreditsPort;
  readonly cursors: Cursors;
  readonly syncSlots: Slots;
}

/** The v3 API. What is not in this table does not exist: no path, no method, nothing in the document. */
export const v3Routes: readonly Route<V3Services>[] = [
  ...transactionRoutes,
  ...batchRoutes,
  ...accountHolderRoutes,
  ...recurrenceRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...reportRoutes,
  ...ruleRoutes,
  ...categoryRoutes,
  ...entityRoutes,
  ...statementRoutes,
  ...reapplicationRoutes,
  ...auditRoutes,
];
