// Credits of records from outside producers. They are taken when a record is about to be enriched, because a producer
// gets no answer: what is refused waits in the log.
import type { CreditLimits } from "../model/api-key.ts";
import type { PostponedRecord } from "../model/records.ts";
import type { Limits } from "./limits.ts";

export interface RecordCreditPorts {
  readonly limits: Pick<Limits, "takeRecordCredits" | "giveBackRecordCredits">;
  /** What records of the organization may cost, where its grant limits it; null: by the settings. */
  grantedCredits(org: string): Promise<CreditLimits | null>;
}

/**
 * Takes the credits of a record, or none of them.
 * @throws LedgerlineError `unavailable` when it cannot be known now
 */
export type TakeRecordCredits = (
  org: string,
  count: number,
) => Promise<{ giveBack(): void } | PostponedRecord>;

export function createRecordCredits({
  limits,
  grantedCredits,
}: RecordCreditPorts): TakeRecordCredits {
  return async (org, count) => {
    const grant = { org, credits: await grantedCredits(org) };
    const waitMs = await limits.takeRecordCredits(grant, count);
    if (waitMs > 0) return { org, waitMs };
    return {
      giveBack: () => {
        limits.giveBackRecordCredits(grant, count);
      },
    };
  };
}
