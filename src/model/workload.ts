/** `low` is batch work that runs after the other batch work of its organization. */
export type Priority = "interactive" | "batch" | "low";

/** The organization and kind of some work. */
export interface Workload {
  readonly org: string;
  readonly priority: Priority;
  /** Whether it may run rules of the organization. */
  readonly hasSettings?: boolean;
}
