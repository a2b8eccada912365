import type { Rule } from "../../../src/model/rules.ts";
import { compileAction } from "./action.ts";
import { createAgenda } from "./agenda.ts";
import { createBoard } from "./board.ts";
import { RULE_FAILED } from "./operations.ts";
import type { RunRules } from "./subject.ts";
import { createTransaction } from "./transaction.ts";

/**
 * Rules in a form in which a thousand of them take microseconds, since hardly any is looked at (see README.md). What comes
 * back holds the transaction it last ran on, and may be used by one thread, for one transaction after the other.
 *
 * @param rules what `checkRules` has passed; others may throw a TypeError
 */
export function compileRules(rules: readonly Rule[]): RunRules {
  const board = createBoard();
  const transaction = createTransaction(board);
  const actions = rules.map((rule) => compileAction({ board, transaction }, rule));
  const agenda = createAgenda(actions.map(({ idleUnless }) => idleUnless?.atoms ?? null));
  const runs = actions.map(({ run }) => run);
  board.wake = agenda.wake;

  /** Whether it did not fail. */
  function visit(run: () => void): boolean {
    try {
      run();
      transaction.keep();
      return true;
    } catch (error) {
      if (error !== RULE_FAILED) throw error;
      transaction.undo();
      return false;
    }
  }

  return (subject) => {
    agenda.start();
    transaction.load(subject);
    let failures = 0;
    for (let index = agenda.next(); index !== -1; index = agenda.next()) {
      const run = runs[index];
      if (run !== undefined && !visit(run)) failures++;
    }
    transaction.store(subject);
    return failures;
  };
}
