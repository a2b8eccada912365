import type { Cursors } from "../server/cursor.ts";
import type { Route } from "../server/route.ts";
import { opsRoutes, type OpsServices } from "./explain.ts";
import { operatorOrganizationRoutes, type OrganizationsPort } from "./organizations.ts";
import { operatorReportRoutes, type OperatorReportsPort } from "./reports.ts";

/** What the operations for operators work with, in a process that serves the API. */
export interface OperatorServices extends OpsServices {
  readonly organizations: OrganizationsPort;
  readonly reports: OperatorReportsPort;
  readonly cursors: Cursors;
}

/** The operations for operators that a process with the API serves; one without it serves `opsRoutes` alone. */
export const operatorRoutes: readonly Route<OperatorServices>[] = [
  ...opsRoutes,
  ...operatorReportRoutes,
  ...operatorOrganizationRoutes,
];
