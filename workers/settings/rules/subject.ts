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
 * Runs all rules, in their order, on the subject and changes its properties; a list is replaced only if its items change.
 * Returns the number of rules that failed; their changes are undone.
 */
export type CompiledRules = (subject: RuleSubject) => number;
