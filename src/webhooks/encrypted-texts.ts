import { OPERATOR_WEBHOOK, type StoredWebhook } from "../model/webhook.ts";
import { liveSecrets } from "./endpoint.ts";
import type { StoredSettings } from "../shared/stored-settings.ts";
import { SIGNING_KEY_SETTING } from "./installation-key.ts";

/**
 * Every stored text that must be decryptable for the service to start. Left out are kept answers, which expire in a day,
 * secrets that have ended, and the operator's webhook, whose secrets are in the settings.
 * @param settings has the signing key of the installation; null: it is not in use
 */
export async function* encryptedTexts(
  webhooks: AsyncIterable<StoredWebhook>,
  settings: StoredSettings | null,
  nowMs: number,
): AsyncGenerator<{ readonly owner: string; readonly text: string }> {
  const signingKey = (await settings?.get(SIGNING_KEY_SETTING)) ?? null;
  if (signingKey !== null) yield { owner: SIGNING_KEY_SETTING, text: signingKey };
  for await (const { org, id, tokens, secrets } of webhooks) {
    if (org === OPERATOR_WEBHOOK.org) continue;
    const live = liveSecrets([...tokens, ...secrets], nowMs);
    for (const { encrypted } of live) yield { owner: `${org}/${id}`, text: encrypted };
  }
}
