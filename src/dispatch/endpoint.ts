// A webhook with its secrets opened: all that a call to it needs.
import type { KeyObject } from "node:crypto";
import type { SealedSecret, StoredWebhook } from "../domain/webhook.ts";
import { LIVE_SECRETS_MAX, webhookHeaders } from "./signature.ts";

/** Keeps secrets so that they are of use here alone. */
export interface Vault {
  /** @param context what the secret belongs to: it opens for nothing else */
  seal(text: string, context: string): string;
  open(sealed: string, context: string): string;
}

/** What every call of this installation carries. */
export interface Sender {
  readonly userAgent: string;
  /** Signs every call beside the webhook's own secrets; null: nothing does. */
  readonly ed25519Key: KeyObject | null;
}

export interface Endpoint {
  readonly url: string;
  headers(call: {
    readonly eventId: string;
    readonly body: string;
    readonly atMs: number;
    readonly replay: boolean;
  }): Record<string, string>;
}

/** What the secrets of a webhook are sealed for. */
export const contextOf = ({ org, id }: { readonly org: string; readonly id: string }): string =>
  `webhook/${org}/${id}`;

/** Those that are still good, newest first. */
export const liveSecrets = (
  secrets: readonly SealedSecret[],
  nowMs: number,
): readonly SealedSecret[] => secrets.filter(({ until }) => until === null || until > nowMs);

/** @throws LedgerlineError when the key that sealed a secret is not here */
export function openEndpoint(webhook: StoredWebhook, vault: Vault, sender: Sender): Endpoint {
  const context = contextOf(webhook);
  const opened = (secrets: readonly SealedSecret[]): readonly (readonly [SealedSecret, string])[] =>
    secrets.map((secret) => [secret, vault.open(secret.sealed, context)]);
  const tokens = opened(webhook.tokens);
  const secrets = opened(webhook.secrets);
  const live = (all: typeof tokens, nowMs: number): readonly string[] =>
    all.filter(([{ until }]) => until === null || until > nowMs).map(([, text]) => text);
  const currentToken = tokens.find(([{ until }]) => until === null)?.[1] ?? null;
  return {
    url: webhook.url,
    headers: ({ eventId, body, atMs, replay }) => {
      const previous = live(
        tokens.filter(([{ until }]) => until !== null),
        atMs,
      );
      return webhookHeaders({
        eventId,
        body,
        atMs,
        replay,
        secrets: live(secrets, atMs).slice(0, LIVE_SECRETS_MAX),
        token: currentToken,
        previousToken: previous[0] ?? null,
        ...sender,
      });
    },
  };
}
