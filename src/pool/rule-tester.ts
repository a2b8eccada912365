import { createHash } from "node:crypto";
import { CHUNK_LENGTH_MAX } from "../../workers/protocol.ts";
import type { Rule } from "../model/rules.ts";
import { FEATURES } from "../model/tenant-settings.ts";
import type { AccountType } from "../model/transaction.ts";
import type { PoolEvent } from "../model/process-events.ts";
import type { EnrichItem } from "../model/enrich-item.ts";
import type { Pool } from "./pool.ts";
import { shareSettings } from "./shared-settings.ts";

/** A line to try rules on. */
export interface TestedItem extends Omit<EnrichItem, "holder"> {
  readonly accountType: AccountType;
  readonly accountHolderId: string | null;
}

export interface RuleTester {
  /** Facts as JSON text in the order of the lines, null where the recogniser failed. One run at a time. */
  run(
    lines: readonly TestedItem[],
    rules: readonly Rule[],
  ): Promise<{ readonly facts: readonly (string | null)[]; readonly failures: number }>;
  /** Counts the rules that failed; to be called with the events of the pool. */
  report(event: PoolEvent): void;
}

/** Runs the recogniser and then rules over lines, in chunks. */
export function createRuleTester(enrich: Pool["enrich"]): RuleTester {
  let failures = 0;
  return {
    report: (event) => {
      if (event.kind === "rules_failed") failures += event.count;
    },
    run: async (lines, rules) => {
      failures = 0;
      const key = createHash("sha256").update(JSON.stringify(rules)).digest("hex");
      const set = { rules, mappings: {}, corrections: [], features: FEATURES };
      const settings = shareSettings(key, set);
      const items = lines.map(({ accountHolderId: id, ...line }): EnrichItem => {
        const holder = id === null ? null : { id, name: null, categorySetId: line.accountType };
        return { ...line, holder };
      });
      const chunks = Array.from(
        { length: Math.ceil(items.length / CHUNK_LENGTH_MAX) },
        (_, index) => items.slice(index * CHUNK_LENGTH_MAX, (index + 1) * CHUNK_LENGTH_MAX),
      );
      const facts = await Promise.all(chunks.map((chunk) => enrich(chunk, "batch", settings)));
      return { facts: facts.flat(), failures };
    },
  };
}
