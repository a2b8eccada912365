/** What a process does: serve the API, enrich, or both. */
export const PROCESS_ROLES = ["all", "ingest", "enrich"] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];
