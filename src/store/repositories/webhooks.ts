import type { AuditEntry } from "../../model/audit.ts";
import type { StoredEvent } from "../../model/event.ts";
import type { StoredWebhook, WebhookSettings } from "../../model/webhook.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { createAuditRepository } from "./audit.ts";
import type { Store } from "../collection.ts";
import { createEventRepository } from "./events.ts";
import { readPage } from "./pages.ts";
import { type WebhookRow, webhookSpec } from "../specs/webhook-specs.ts";

/** An entry of the audit is written with the change, or not at all. */
export interface WebhookRepository {
  /** False when the organization has as many as it may have. The same id again is the webhook that is there. */
  insert(
    webhook: Omit<StoredWebhook, "revision">,
    slotsMax: number,
    entry: AuditEntry,
  ): Promise<boolean>;
  get(org: string, id: string): Promise<StoredWebhook | null>;
  /** All webhooks of an organization. */
  ofOrganization(org: string): Promise<readonly StoredWebhook[]>;
  list(org: string, page: PageRequest): Promise<Page<StoredWebhook>>;
  /** All webhooks of the installation, in parts. */
  all(): AsyncIterable<StoredWebhook>;
  /**
   * Replaces the settings, unless the webhook was changed since it was read; false then.
   * @param entry left out: no caller requested the change
   * @param notices events about the change
   */
  replace(
    seen: StoredWebhook,
    settings: WebhookSettings,
    entry?: AuditEntry,
    notices?: readonly StoredEvent[],
  ): Promise<boolean>;
  /** False when there is none. */
  remove(org: string, id: string, entry: AuditEntry): Promise<boolean>;
}

const PART = 500;

export function createWebhookRepository(store: Store): WebhookRepository {
  const webhooks = store.collection<WebhookRow>(webhookSpec);
  const audit = createAuditRepository(store);
  const events = createEventRepository(store);
  const ofOrganization: WebhookRepository["ofOrganization"] = async (org) =>
    (await webhooks.find({ where: { org }, limit: PART })).map(toWebhook);
  return {
    insert: async (webhook, slotsMax, entry) => {
      const { org, id, createdAt } = webhook;
      const row = { org, id, createdAt, revision: 0, body: bodyText(webhook) };
      // A concurrent writer of the same slot is refused by the unique index and reads again.
      for (let tries = 0; tries <= slotsMax; tries++) {
        const there = await webhooks.find({ where: { org }, limit: PART });
        if (there.some((other) => other.id === id)) return true;
        const taken = new Set(there.map((other) => other.slot));
        const free = Array.from({ length: slotsMax }, (_, slot) => slot).filter(
          (slot) => !taken.has(slot),
        );
        // Not all the first one: of many at once each then takes another.
        const slot = free[Math.floor(Math.random() * free.length)];
        if (slot === undefined) return false;
        const outcome = await store.write([
          webhooks.insert({ ...row, slot }, "fail"),
          audit.step(entry),
        ]);
        if (outcome.ok) return true;
      }
      return false;
    },
    get: async (org, id) => {
      const row = await webhooks.get({ org, id });
      return row === null ? null : toWebhook(row);
    },
    ofOrganization,
    list: (org, page) => readPage(webhooks, { org }, page, "id", toWebhook),
    all: async function* () {
      let after: readonly [string, string] | null = null;
      for (;;) {
        const rows: WebhookRow[] = await webhooks.find({
          where: {},
          order: { fields: ["org", "id"], direction: "asc" },
          ...(after === null ? {} : { after }),
          limit: PART,
        });
        for (const row of rows) yield toWebhook(row);
        const last = rows.at(-1);
        if (last === undefined || rows.length < PART) return;
        after = [last.org, last.id];
      }
    },
    replace: async ({ org, id, revision }, settings, entry, notices = []) => {
      const set = { body: bodyText(settings), revision: revision + 1 };
      const outcome = await store.write([
        webhooks.update({ org, id, revision }, set, "fail"),
        ...(entry === undefined ? [] : [audit.step(entry)]),
        ...notices.flatMap((event) => events.insertSteps(event)),
      ]);
      return outcome.ok;
    },
    remove: async (org, id, entry) => {
      const outcome = await store.write([
        webhooks.require({ org, id }, 1),
        webhooks.delete({ org, id }),
        audit.step(entry),
      ]);
      return outcome.ok;
    },
  };
}

/** The settings alone, whatever else the object carries. */
function bodyText(webhook: WebhookSettings): string {
  const { url, events, enabled, ordered, ca, tokens, secrets, health } = webhook;
  const settings: WebhookSettings = { url, events, enabled, ordered, ca, tokens, secrets, health };
  return JSON.stringify(settings);
}

function toWebhook({ org, id, createdAt, revision, body }: WebhookRow): StoredWebhook {
  return { org, id, createdAt, revision, ...(JSON.parse(body) as WebhookSettings) };
}
