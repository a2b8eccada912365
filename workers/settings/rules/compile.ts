import type { Rule } from "../../../src/model/rules.ts";
import { compileAction } from "./action.ts";
import { createRuleIndex } from "./rule-index.ts";
import type { CompiledRules } from "./subject.ts";
import {
  createTransaction,
  loadTransaction,
  RULE_FAILED,
  storeTransaction,
  undo,
} from "./transaction.ts";

/**
 * Compiles a ruleset to closures. The result holds the texts of its last transaction; use it in one thread, for one
 * transaction after the other.
 *
 * @param rules as `checkRules` returned them
 */
export function compileRules(rules: readonly Rule[]): CompiledRules {
  const transaction = createTransaction();
  const actions = rules.map(compileAction);
  const { due, start, update } = createRuleIndex(rules);

  /** Returns whether it did not fail. */
  function run(act: (typeof actions)[number]): boolean {
    try {
      act(transaction);
    } catch (error) {
      if (error !== RULE_FAILED) throw error;
      undo(transaction);
      return false;
    }
    if (transaction.snapshot !== null) {
      update(transaction, transaction.snapshot);
      transaction.snapshot = null;
    }
    return true;
  }

  return (subject) => {
    loadTransaction(transaction, subject);
    start(transaction);
    let failures = 0;
    for (let rule = 0; rule < actions.length; rule++) {
      if (due[rule] === 0) continue;
      const act = actions[rule];
      if (act !== undefined && !run(act)) failures++;
    }
    storeTransaction(transaction, subject);
    return failures;
  };
}
