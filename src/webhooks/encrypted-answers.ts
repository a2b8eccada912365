// Answers that idempotency keys keep: those about new webhooks contain tokens, and are kept encrypted.
import type { IdempotencyRepository } from "../model/idempotency.ts";
import { openOrNull, type Vault } from "./endpoint.ts";

const ENCRYPTED_ROUTE = "POST /v3/webhooks";

/** The same repository with the answers about new webhooks encrypted. */
export function encryptAnswers(
  answers: IdempotencyRepository,
  vault: Vault,
): IdempotencyRepository {
  const contextOf = (org: string, route: string, key: string): string =>
    `idempotency/${org}/${route}/${key}`;
  return {
    ...answers,
    begin: async (org, route, key, fingerprint) => {
      const begun = await answers.begin(org, route, key, fingerprint);
      if (begun.kind !== "replay" || route !== ENCRYPTED_ROUTE) return begun;
      const body = openOrNull(vault, begun.body, contextOf(org, route, key));
      // It must not run again: what it created is stored.
      return body === null ? { kind: "unreadable" } : { ...begun, body };
    },
    finish: (org, route, key, status, body, ...about) => {
      const context = contextOf(org, route, key);
      const kept = route === ENCRYPTED_ROUTE ? vault.encrypt(body, context) : body;
      return answers.finish(org, route, key, status, kept, ...about);
    },
  };
}
