import type { Route } from "../server/route.ts";
import type { Slots } from "../server/slots.ts";
import type { EntitiesPort } from "../v3/entities.ts";
import {
  correctionRoutes,
  type OwnCorrectionServices,
  type OwnCorrectionsPort,
} from "./corrections.ts";
import { v2EntityRoutes } from "./entities.ts";
import { labelRoutes } from "./labels.ts";
import { codeRoutes } from "./merchant-category-codes.ts";
import { modelRoutes, type ModelsPort } from "./models.ts";
import { rulesetRoutes } from "./rules.ts";
import type { CategoriesPort } from "../v3/categories.ts";
import type { RulesPort } from "../v3/rules.ts";
import { v2LedgerRoutes, type V2LedgerServices } from "./ledger.ts";
import type { ReviewsPort } from "./result-texts.ts";
import { v2RecurrenceRoutes } from "./recurrence.ts";
import { v2HolderRoutes, type V2HolderServices } from "./account-holders.ts";
import { v2ReportRoutes, type V2ReportServices } from "./reports.ts";
import { v2StatementRoutes, type V2StatementServices } from "./statements.ts";
import {
  type ReadyModelPort,
  v2TransactionRoutes,
  type V2TransactionServices,
} from "./transactions.ts";

/** What the handlers of the v2 API work with: the services of the v3 API, seen in other words. */
export interface V2Services
  extends V2TransactionServices,
    OwnCorrectionServices,
    V2HolderServices,
    V2LedgerServices,
    V2ReportServices,
    Pick<V2StatementServices, "statements"> {
  readonly entities: EntitiesPort;
  readonly categories: CategoriesPort;
  readonly rules: RulesPort;
  readonly models: ModelsPort & ReadyModelPort;
  readonly ownCorrections: OwnCorrectionsPort & ReviewsPort;
  readonly syncSlots: Slots;
}

/** The v2 API. What is not in this table does not exist: no path, no method, nothing in the document. */
export const v2Routes: readonly Route<V2Services>[] = [
  ...v2TransactionRoutes,
  ...correctionRoutes,
  ...v2RecurrenceRoutes,
  ...v2HolderRoutes,
  ...v2LedgerRoutes,
  ...v2StatementRoutes,
  ...v2EntityRoutes,
  ...v2ReportRoutes,
  ...labelRoutes,
  ...rulesetRoutes,
  ...codeRoutes,
  ...modelRoutes,
];
