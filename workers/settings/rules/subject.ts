/** What rules read and write of one transaction. Absent texts are "". */
export interface RuleSubject {
  readonly description: string;
  /** Units of the currency, never negative. */
  readonly amount: number;
  readonly entryType: "incoming" | "outgoing";
  readonly accountHolderType: string;
  readonly accountHolderId: string;
  readonly accountHolderName: string;
  readonly country: string;
  logo: string;
  website: string;
  merchant: string;
  merchantId: string;
  location: string;
  person: string;
  transactionType: string;
  labels: readonly string[];
  mccs: readonly number[];
}

/**
 * Runs all rules, in their order, on the subject, whose properties it changes; lists are replaced, and stay the same list
 * where nothing is changed. Says how many of the rules failed: what they did is undone.
 */
export type RunRules = (subject: RuleSubject) => number;
