// Order of the work of one organization, see tenant-queue.ts.

/** `low`: processed after other work of the same organization. */
export const BATCH_PRIORITIES = ["default", "low"] as const;
export type BatchPriority = (typeof BATCH_PRIORITIES)[number];
