/** Documents of one organization that may wait or be processed. */
export const UNFINISHED_PER_ORGANIZATION_MAX = 500;
/** Documents of all organizations that may wait. */
export const WAITING_DOCUMENTS_MAX = 5_000;
/** Headers that are read at a time, each with its file in memory; one organization gets at most half. */
export const VERIFY_AT_ONCE_MAX = 8;
/** A document whose reader was lost so often fails. */
export const CRASHES_MAX = 2;
/** A submission that has not ended after this long never will: its process has died. */
export const SUBMISSION_MAX_MS = 3_600_000;

/** Documents in flight at a time: one for each thread that reads, and one whose file is fetched meanwhile. */
export const statementLimits = (
  threads: number,
): { readonly inFlightMax: number; readonly inFlightPerTenantMax: number } => ({
  inFlightMax: threads + 1,
  inFlightPerTenantMax: threads,
});
