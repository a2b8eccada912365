import type { RecogniserItem } from "../enrichment/enrichment.ts";

/** A line, and what rules may ask of its account holder. */
export interface ProfiledItem extends RecogniserItem {
  readonly accountHolderId: string | null;
  readonly accountHolderName: string | null;
  readonly categorySetId: string | null;
}
