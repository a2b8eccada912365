// A webhook with its secrets decrypted: all that a call to it needs.
import type { KeyObject } from "node:crypto";
import { LedgerlineError } from "../shared/errors.ts";
import type { Attempt, AttemptResult, EncryptedSecret, StoredWebhook } from "../model/webhook.ts";
import { LIVE_SECRETS_MAX, webhookHeaders } from "./signature.ts";

/** Encrypts secrets so that only this installation can use them. */
export interface Vault {
  /** @param context what the secret belongs to: it decrypts for nothing else */
  encrypt(text: string, context: string): string;
  open(encrypted: string, context: string): string;
  /** Whether the current key encrypted this. */
  isCurrent(encrypted: string): boolean;
}

/** What all calls of this installation have in common. */
export interface SenderIdentity {
  readonly userAgent: string;
  /** Signs every call, in addition to the webhook's own secrets; null: there is no such key. */
  readonly ed25519Key: KeyObject | null;
}

export interface Endpoint {
  readonly url: string;
  /**
   * Why it cannot be called, as one sentence that explains what to do: one of its secrets cannot be decrypted. Null: it can.
   */
  readonly failure: string | null;
  readonly ca: string | null;
  /** The headers of a call, and the names of the keys that signed it. */
  sign(call: {
    readonly eventId: string;
    readonly sequence: number | null;
    readonly body: string;
    readonly atMs: number;
    readonly replay: boolean;
    readonly requestId: string;
  }): { readonly headers: Record<string, string>; readonly keyIds: readonly string[] };
}

/** A call to an endpoint, for any purpose. */
export type Send = (call: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Certificates in PEM that are the only trusted ones; null: the default ones. */
  readonly ca: string | null;
}) => Promise<AttemptResult>;

/** What is sent to an endpoint. */
export interface SentEvent {
  readonly eventId: string;
  readonly sequence: number | null;
  readonly body: string;
  /** Number of the attempt, from 1. */
  readonly number: number;
  readonly replay: boolean;
}

const NO_CALL = { dns: null, connect: null, tls: null, firstByte: null, total: 0 } as const;

/**
 * Calls an endpoint once. Manual tests use it too, so that they behave like deliveries. An endpoint whose secret cannot be
 * decrypted is not called, and the attempt contains the reason.
 */
export async function callEndpoint(
  ports: { readonly send: Send; newId(): string; nowMs(): number },
  { url, ca, sign, failure }: Endpoint,
  { eventId, sequence, body, number, replay }: SentEvent,
): Promise<Attempt> {
  const at = ports.nowMs();
  if (failure !== null) {
    const unsent = { status: null, responseBody: null, retryAfter: null, timings: NO_CALL };
    const made = { number, eventId, at, replay, requestId: null, keyIds: [] };
    return { ...unsent, ...made, error: "secret_unavailable", detail: failure };
  }
  const requestId = ports.newId();
  const { headers, keyIds } = sign({ eventId, sequence, body, atMs: at, replay, requestId });
  const result = await ports.send({ url, headers, body, ca });
  return { ...result, number, eventId, at, replay, requestId, keyIds };
}

/** The name of the installation's key in the list of keys that signed a call. */
const ED25519_KEY_ID = "ed25519";

/** What a secret of a webhook is for. */
export type SecretField = "token" | "hmac_secret";

/**
 * The context for which a secret of a webhook is encrypted. A signing secret does not decrypt as a token, because tokens are
 * sent in the clear: an attacker who can write to the store cannot reveal a secret by moving it.
 */
export const contextOf = (
  { org, id }: { readonly org: string; readonly id: string },
  field: SecretField,
): string => `webhook/${org}/${id}/${field}`;

/** Null also when the key is lost: the owner must still be able to see the webhook and to set another secret. */
export function openOrNull(vault: Vault, encrypted: string, context: string): string | null {
  try {
    return vault.open(encrypted, context);
  } catch (error) {
    if (error instanceof LedgerlineError && error.code === "bad_secret") return null;
    throw error;
  }
}

/** The secrets that are still valid, newest first. */
export const liveSecrets = (
  secrets: readonly EncryptedSecret[],
  nowMs: number,
): readonly EncryptedSecret[] => secrets.filter(({ until }) => until === null || until > nowMs);

/**
 * A webhook with its secrets decrypted. A replaced secret that cannot be decrypted is left out, so that a new secret works at
 * once; a current one makes the endpoint fail.
 */
export function openEndpoint(
  webhook: StoredWebhook,
  vault: Vault,
  sender: SenderIdentity,
): Endpoint {
  const tokens = opened(webhook.tokens, vault, contextOf(webhook, "token"));
  const secrets = opened(webhook.secrets, vault, contextOf(webhook, "hmac_secret"));
  const live = (all: typeof tokens, nowMs: number): typeof tokens =>
    all.filter(([{ until }]) => until === null || until > nowMs);
  const currentToken = tokens.find(([{ until }]) => until === null)?.[1] ?? null;
  return {
    url: webhook.url,
    ca: webhook.ca,
    failure: failureOf(
      isLost(webhook.tokens, tokens) ? "token" : null,
      isLost(webhook.secrets, secrets) ? "hmac_secret" : null,
    ),
    sign: (call) => {
      const { atMs } = call;
      const signing = live(secrets, atMs).slice(0, LIVE_SECRETS_MAX);
      const ofInstallation = sender.ed25519Key === null ? [] : [ED25519_KEY_ID];
      const previous = live(
        tokens.filter(([{ until }]) => until !== null),
        atMs,
      );
      const headers = webhookHeaders({
        ...call,
        secrets: signing.map(([, text]) => text),
        token: currentToken,
        previousToken: previous[0]?.[1] ?? null,
        ...sender,
      });
      return { headers, keyIds: [...signing.map(([{ id }]) => id), ...ofInstallation] };
    },
  };
}

type OpenedSecrets = readonly (readonly [EncryptedSecret, string])[];

const opened = (
  secrets: readonly EncryptedSecret[],
  vault: Vault,
  context: string,
): OpenedSecrets =>
  secrets.flatMap((secret) => {
    const text = openOrNull(vault, secret.encrypted, context);
    return text === null ? [] : [[secret, text] as const];
  });

/** Whether the current secret is among those that cannot be decrypted. */
const isLost = (all: readonly EncryptedSecret[], readable: OpenedSecrets): boolean =>
  all.some(({ until }) => until === null) && !readable.some(([{ until }]) => until === null);

function failureOf(...lost: readonly (SecretField | null)[]): string | null {
  const fields = lost.filter((field) => field !== null);
  if (fields.length === 0) return null;
  const set = fields.length === 1 ? "it" : "both";
  return `The ${fields.join(" and the ")} of this webhook cannot be decrypted: set ${set} again with PATCH /v3/webhooks/{id}, or have the encryption key restored.`;
}
