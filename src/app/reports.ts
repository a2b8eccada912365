// Joins reports and corrections with the store and the threads; part of the composition root.
import { randomUUID } from "node:crypto";
import type { Query } from "../../workers/protocol.ts";
import type { ReportCommandPort } from "../cli/reports/reports.ts";
import { type Config, publicUrlOf } from "../config/config.ts";
import { COMMAND_LINE } from "../model/audit.ts";
import type { PageRequest } from "../shared/page.ts";
import type { CorrectedLine } from "../model/report.ts";
import { openEngine } from "./engine.ts";
import type { CorrectionQuery } from "../settings/corrections.ts";
import { createReports, type Reports } from "../settings/reports.ts";
import { type Clock, systemClock } from "../shared/clock.ts";
import type { Logger } from "../observability/logger.ts";
import { openThreads } from "./parts.ts";
import type { Pool } from "../pool/pool.ts";
import { createAuditRepository } from "../store/repositories/audit.ts";
import { createCategorySetRepository } from "../store/repositories/category-sets.ts";
import type { Store } from "../store/collection.ts";
import { correctionId, createCorrectionRepository } from "../store/repositories/corrections.ts";
import { createEventRepository } from "../store/repositories/events.ts";
import { createHolderRepository } from "../store/repositories/holders.ts";
import { createOrganizationRepository } from "../store/repositories/organizations.ts";
import { createReportWrites } from "../store/repositories/report-writes.ts";
import { createReportRepository } from "../store/repositories/reports.ts";
import { createTransactionRepository } from "../store/repositories/transactions.ts";

export interface ReportStageParts {
  readonly store: Store;
  readonly nowMs: Clock;
  readonly ask: Pool["ask"];
  /** Called when an event was recorded. */
  onEvent(): void;
}

export function createReportStage({ store, nowMs, ask, onEvent }: ReportStageParts): Reports {
  const reports = createReportRepository(store);
  const corrections = createCorrectionRepository(store);
  const transactions = createTransactionRepository(store);
  const organizations = createOrganizationRepository(store);
  const writes = createReportWrites(store, {
    reports,
    corrections,
    transactions,
    organizations,
    events: createEventRepository(store),
    audit: createAuditRepository(store),
  });
  return createReports({
    insertReport: reports.insert,
    getReport: reports.get,
    findReport: reports.find,
    listReports: reports.list,
    listAllReports: reports.listAll,
    removeReport: reports.remove,
    moveReport: writes.move,
    listCorrections: corrections.list,
    findCorrection: corrections.find,
    removeCorrection: writes.removeCorrection,
    getTransaction: transactions.get,
    getHolder: createHolderRepository(store).get,
    getCategorySet: createCategorySetRepository(store).get,
    getFeatures: async (org) => (await organizations.get(org))?.features ?? [],
    getCorrection: corrections.get,
    correctionId,
    correctLine: async (query) => {
      const text = await ask(toQuestion(query));
      return text === null ? null : (JSON.parse(text) as CorrectedLine);
    },
    onEvent,
    nowMs,
    newId: randomUUID,
  });
}

function toQuestion({ input, accountType, ...asked }: CorrectionQuery): Query {
  const { description, amount, entryType, currency, location } = input;
  return {
    kind: "correct",
    line: {
      description,
      amount,
      entryType,
      currency,
      accountType,
      rawAddress: location?.rawAddress ?? null,
      country: location?.country ?? null,
    },
    ...asked,
  };
}

/** Opens reports for the command line. What there is to tell, a running service tells. */
export async function openReports(
  config: Config,
  logger: Logger,
): Promise<{ readonly reports: ReportCommandPort; close(): Promise<void> }> {
  const engine = await openEngine(config, logger, "command");
  // Only corrections have something to ask, and threads take a moment to start.
  let opening: Promise<Pool> | null = null;
  const openPool = async (): Promise<Pool> => {
    const options = { publicUrl: publicUrlOf(config) };
    return (await openThreads({ ...config, poolThreads: 1 }, logger, null, options)).pool;
  };
  const stage = createReportStage({
    store: engine.store,
    nowMs: systemClock,
    ask: async (query) => (await (opening ??= openPool())).ask(query),
    onEvent: () => undefined,
  });
  const close = async (): Promise<void> => {
    await opening?.then((pool) => pool.close()).catch(() => undefined);
    await engine.close();
  };
  try {
    await engine.ready();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    reports: {
      details: stage.details,
      list: async (filter, limit) => (await stage.listAll(filter, firstPage(limit))).rows,
      move: (id, move) => stage.move(id, move, COMMAND_LINE),
      corrections: async (org, limit) => (await stage.corrections({ org }, firstPage(limit))).rows,
      dropCorrection: (id) => stage.dropCorrection(id, COMMAND_LINE),
    },
    close,
  };
}

const firstPage = (limit: number): PageRequest => ({
  limit,
  createdAfter: null,
  createdBefore: null,
  after: null,
});
