import { COMMAND_LINE, type Actor } from "../../model/audit.ts";
import type { PageRequest } from "../../shared/page.ts";
import type { ReportCommandPort } from "./reports.ts";

/** What the commands use of the report stage. */
interface ReportStage {
  readonly details: ReportCommandPort["details"];
  listAll(
    filter: Parameters<ReportCommandPort["list"]>[0],
    page: PageRequest,
  ): Promise<{ readonly rows: Awaited<ReturnType<ReportCommandPort["list"]>> }>;
  move(
    id: string,
    move: Parameters<ReportCommandPort["move"]>[1],
    by: Actor,
  ): ReturnType<ReportCommandPort["move"]>;
  corrections(
    filter: { readonly org: string | null },
    page: PageRequest,
  ): Promise<{ readonly rows: Awaited<ReturnType<ReportCommandPort["corrections"]>> }>;
  dropCorrection(id: string, by: Actor): Promise<boolean>;
}

/** Reports as the command line changes them. */
export const toReportCommandPort = (stage: ReportStage): ReportCommandPort => ({
  details: stage.details,
  list: async (filter, limit) => (await stage.listAll(filter, firstPage(limit))).rows,
  move: (id, move) => stage.move(id, move, COMMAND_LINE),
  corrections: async (org, limit) => (await stage.corrections({ org }, firstPage(limit))).rows,
  dropCorrection: (id) => stage.dropCorrection(id, COMMAND_LINE),
});

const firstPage = (limit: number): PageRequest => ({
  limit,
  createdAfter: null,
  createdBefore: null,
  after: null,
});
