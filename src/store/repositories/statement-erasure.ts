// What is kept of a bank statement in addition to its rows and its file: answers of idempotency keys.
import type { StatementKey } from "../../model/statement-document.ts";
import type { Store } from "../collection.ts";
import { type IdempotencyRow, idempotencySpec } from "../specs/idempotency-specs.ts";
import { type StatementRow, statementSpec } from "../specs/statement-specs.ts";

export interface StatementErasureRepository {
  /** Replaces the kept answers about a statement: a repeated request gets the answer that it is gone. */
  eraseAnswers(statement: StatementKey): Promise<void>;
  /** The same, unless the statement is there and is not being removed. */
  eraseIfGone(statement: StatementKey): Promise<void>;
}

const ERASED_AT_ONCE = 500;
const ERASED_ANSWER = {
  status: 404,
  body: JSON.stringify({ detail: "Bank statement not found", code: "statement_not_found" }),
  holderId: null,
  statementId: null,
} as const;

export function createStatementErasureRepository(store: Store): StatementErasureRepository {
  const answers = store.collection<IdempotencyRow>(idempotencySpec);
  const statements = store.collection<StatementRow>(statementSpec);
  const eraseAnswers = async ({ org, id }: StatementKey): Promise<void> => {
    for (;;) {
      const found = await answers.find({ where: { org, statementId: id }, limit: ERASED_AT_ONCE });
      if (found.length === 0) return;
      await store.apply(
        found.map(({ route, key }) =>
          answers.update({ org, route, key, statementId: id }, ERASED_ANSWER, "ignore"),
        ),
      );
    }
  };
  return {
    eraseAnswers,
    eraseIfGone: async ({ org, id }) => {
      const row = await statements.get({ org, id });
      if (row === null || row.status === "removed") await eraseAnswers({ org, id });
    },
  };
}
