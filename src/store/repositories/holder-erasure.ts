// What is kept of an account holder in addition to its transactions and the results of batches.
import type { HolderKey } from "../../model/account-holder.ts";
import type { Store, Write } from "../collection.ts";
import { createLongAnswerRepository, ERASED_ANSWER } from "./long-answers.ts";
import { createOrganizationRepository } from "./organizations.ts";
import { type CorrectionRow, correctionSpec } from "../specs/settings-specs.ts";
import { type IdempotencyRow, idempotencySpec } from "../specs/idempotency-specs.ts";

export interface HolderErasureRepository {
  /** Replaces the kept answers about the holder: a repeated request gets the answer that the holder is gone. */
  eraseAnswers(holder: HolderKey): Promise<void>;
  /** Removes learned corrections that come only from lines of this holder, with a new version of the tenant settings. */
  eraseCorrections(holder: HolderKey, newVersion: () => string): Promise<void>;
}

const ERASED_AT_ONCE = 500;
export function createHolderErasureRepository(store: Store): HolderErasureRepository {
  const answers = store.collection<IdempotencyRow>(idempotencySpec);
  const longAnswers = createLongAnswerRepository(store);
  const corrections = store.collection<CorrectionRow>(correctionSpec);
  const { settingsChangedSteps } = createOrganizationRepository(store);
  return {
    eraseAnswers: async ({ org, id }) => {
      for (;;) {
        const found = await answers.find({ where: { org, holderId: id }, limit: ERASED_AT_ONCE });
        if (found.length === 0) break;
        await store.apply(
          found.map(({ route, key }) =>
            answers.update({ org, route, key, holderId: id }, ERASED_ANSWER, "ignore"),
          ),
        );
      }
      await longAnswers.eraseOfHolder({ org, id });
    },
    eraseCorrections: async ({ org, id }, newVersion) => {
      for (;;) {
        const where = { org, accountHolderId: id };
        const found = await corrections.find({ where, limit: ERASED_AT_ONCE });
        if (found.length === 0) return;
        const steps: readonly Write[] = found.map((row) =>
          corrections.delete({ org, id: row.id, accountHolderId: id }),
        );
        await store.write([...steps, ...settingsChangedSteps(org, newVersion())]);
      }
    },
  };
}
