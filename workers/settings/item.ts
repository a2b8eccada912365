import type { CorrectedParts } from "../../src/model/tenant-settings.ts";
import type { RecogniserItem } from "../recogniser/recogniser.ts";

/** A line, and what rules may ask of its account holder. */
export interface ItemWithSettings extends RecogniserItem {
  readonly accountHolderId: string | null;
  readonly accountHolderName: string | null;
  readonly categorySetId: string | null;
  /** What was said to be right about this very transaction. */
  readonly override: CorrectedParts | null;
}
