// The webhook of the operator of the installation. It comes from settings instead of the API, belongs to no organization, and
// gets the events about the webhooks of all organizations.
import { COMMAND_LINE } from "../model/audit.ts";
import { OPERATOR_WEBHOOK } from "../model/webhook.ts";
import { contextOf, openOrNull } from "./endpoint.ts";
import type { WebhookPorts, Webhooks } from "./webhooks.ts";

export interface OperatorSettings {
  readonly url: string;
  readonly secret: string | null;
}

/**
 * Creates, changes or removes (null) the operator's webhook as the settings define it. Several processes may do so at the same
 * time.
 */
export async function setOperatorWebhook(
  { getWebhook, vault }: Pick<WebhookPorts, "getWebhook" | "vault">,
  webhooks: Pick<Webhooks, "create" | "patch" | "delete">,
  settings: OperatorSettings | null,
): Promise<void> {
  const { org, id } = OPERATOR_WEBHOOK;
  const stored = await getWebhook(org, id);
  if (settings === null) {
    if (stored !== null) await webhooks.delete(org, id, COMMAND_LINE);
    return;
  }
  const { url, secret } = settings;
  if (stored === null) {
    const input = { url, events: [], token: null, hmacSecret: secret, ordered: false, ca: null };
    await webhooks.create(org, input, id, COMMAND_LINE);
    return;
  }
  const current = stored.secrets.find(({ until }) => until === null);
  const opened =
    current === undefined
      ? null
      : openOrNull(vault, current.encrypted, contextOf(stored, "hmac_secret"));
  if (stored.url !== url || opened !== secret)
    await webhooks.patch(org, id, { url, hmacSecret: secret }, COMMAND_LINE);
}
