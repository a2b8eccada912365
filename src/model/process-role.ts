/** What a process does: serve the API, enrich, read bank statements, tell subscribers, or all of it. */
export const PROCESS_ROLES = ["all", "ingest", "enrich", "statements", "dispatch"] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

/** Whether such a process does the work of the role. */
export const does = (role: ProcessRole, work: Exclude<ProcessRole, "all">): boolean =>
  role === "all" || role === work;
