// What every part of a generated statement is drawn with.
import type { Random } from "../random.ts";
import type { Country, GeneratedHolder } from "./countries.ts";
import type { StatementFormat } from "./formats.ts";
import type { Labels } from "./labels.ts";
import type { GeneratedLayout } from "./layouts.ts";
import type { Sheet } from "./sheet.ts";
import type { TableStyle } from "./table.ts";

export interface StatementDrawing {
  readonly sheet: Sheet;
  readonly random: Random;
  readonly country: Country;
  readonly labels: Labels;
  readonly layout: GeneratedLayout;
  readonly format: StatementFormat;
  readonly style: TableStyle;
  readonly bank: string;
  readonly holder: GeneratedHolder;
  /** YYYY-MM-DD */
  readonly start: string;
  readonly end: string;
}

export const PAGE_MARGIN = 44;
export const PAGE_FOOT = 70;
