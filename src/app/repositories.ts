// All repositories of a process, each constructed once.
import type { Store } from "../store/collection.ts";
import { createAuditRepository } from "../store/repositories/audit.ts";
import { createBatchErasureRepository } from "../store/repositories/batch-erasure.ts";
import { createBatchRemovalRepository } from "../store/repositories/batch-removal.ts";
import { createBatchRepository } from "../store/repositories/batches.ts";
import { createBucketRepository } from "../store/repositories/buckets.ts";
import { createCategorySetRepository } from "../store/repositories/category-sets.ts";
import { createCorrectionRepository } from "../store/repositories/corrections.ts";
import { createDeliveryRepository } from "../store/repositories/deliveries.ts";
import { createDispatchWrites } from "../store/repositories/dispatch-writes.ts";
import { createDispatcherRepository } from "../store/repositories/dispatchers.ts";
import { createEventRepository } from "../store/repositories/events.ts";
import { createHolderErasureRepository } from "../store/repositories/holder-erasure.ts";
import { createHolderRepository } from "../store/repositories/holders.ts";
import {
  createIdempotencyRepository,
  type IdempotencyOptions,
} from "../store/repositories/idempotency.ts";
import { createKafkaGrantRepository } from "../store/repositories/kafka-grants.ts";
import { createKeyRepository } from "../store/repositories/keys.ts";
import { createModelRepository } from "../store/repositories/models.ts";
import { createOrganizationRepository } from "../store/repositories/organizations.ts";
import { createOutsideBatchRepository } from "../store/repositories/outside-batches.ts";
import { createReapplicationRepository } from "../store/repositories/reapplications.ts";
import { createReapplicationWrites } from "../store/repositories/reapplication-writes.ts";
import { createRecoveryRepository } from "../store/repositories/recoveries.ts";
import { createReportWrites } from "../store/repositories/report-writes.ts";
import { createReportRepository } from "../store/repositories/reports.ts";
import { createRulesetRepository } from "../store/repositories/rulesets.ts";
import { createSettingRepository } from "../store/repositories/settings.ts";
import { createStatementErasureRepository } from "../store/repositories/statement-erasure.ts";
import { createStatementRepository } from "../store/repositories/statements.ts";
import { createTransactionRepository } from "../store/repositories/transactions.ts";
import { createLedgerPageRepository } from "../store/repositories/ledger-pages.ts";
import { createWebhookRepository } from "../store/repositories/webhooks.ts";
import { createLedgerWrites } from "../store/repositories/writes.ts";

export type Repositories = ReturnType<typeof createRepositories>;

export function createRepositories(store: Store) {
  const rows = {
    audit: createAuditRepository(store),
    batches: createBatchRepository(store),
    batchErasure: createBatchErasureRepository(store),
    batchRemoval: createBatchRemovalRepository(store),
    buckets: createBucketRepository(store),
    categorySets: createCategorySetRepository(store),
    corrections: createCorrectionRepository(store),
    deliveries: createDeliveryRepository(store),
    dispatchers: createDispatcherRepository(store),
    events: createEventRepository(store),
    holders: createHolderRepository(store),
    holderErasure: createHolderErasureRepository(store),
    kafkaGrants: createKafkaGrantRepository(store),
    keys: createKeyRepository(store),
    models: createModelRepository(store),
    organizations: createOrganizationRepository(store),
    outsideBatches: createOutsideBatchRepository(store),
    reapplications: createReapplicationRepository(store),
    recoveries: createRecoveryRepository(store),
    reports: createReportRepository(store),
    rulesets: createRulesetRepository(store),
    settings: createSettingRepository(store),
    transactions: createTransactionRepository(store),
    ledgerPages: createLedgerPageRepository(store),
    webhooks: createWebhookRepository(store),
  };
  return {
    ...rows,
    /** Writes that span collections. */
    ledgerWrites: createLedgerWrites(store, rows),
    reportWrites: createReportWrites(store, rows),
    /** Its final state and its event are one write. */
    statements: createStatementRepository(store, rows.events, rows.holders),
    statementErasure: createStatementErasureRepository(store),
    dispatchWrites: createDispatchWrites(store, rows.events, rows.deliveries, rows.recoveries),
    reapplicationWrites: createReapplicationWrites(store, rows),
    /** One for each process: what it keeps depends on the log. */
    idempotency: (options: IdempotencyOptions) => createIdempotencyRepository(store, options),
  };
}
