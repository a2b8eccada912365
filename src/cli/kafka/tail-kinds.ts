/** The topics of an organization that can be followed. */
export const TAIL_KINDS = ["enriched", "events", "dead-letters", "replies"] as const;
export type TailKind = (typeof TAIL_KINDS)[number];
