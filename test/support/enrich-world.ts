// The enrich stage with ports that record what it does.
import { recordOrder } from "../../src/model/acceptance-order.ts";
import type { HolderSince } from "../../src/model/account-holder.ts";
import type { BatchHead } from "../../src/model/batch.ts";
import type { EnrichmentReply, EnrichmentRequest } from "../../src/model/records.ts";
import { createEnrich, type EnrichPorts } from "../../src/enrich/enrich.ts";

export type StoredChunk = Parameters<EnrichPorts<string>["storeChunk"]>[0];

export const holderSince = (id: string, since = recordOrder(0)): HolderSince => ({
  holder: { org: "o", id, type: "business", name: null, categoryId: null, createdAt: 0 },
  since,
});

export function requestFor(
  holders: readonly (string | null)[],
  fields: Partial<EnrichmentRequest> = {},
): EnrichmentRequest {
  return {
    org: "o",
    requestId: "r",
    origin: "v3",
    batchId: null,
    chunkIndex: 0,
    chunkCount: 1,
    total: holders.length,
    createdAt: 1000,
    replyTo: { address: "a", id: "x" },
    basedOn: null,
    priority: "default",
    transactions: holders.map((accountHolderId, index) => ({
      id: `t${String(index)}`,
      description: `d${String(index)}`,
      date: "2024-01-01",
      amount: 1,
      entryType: "outgoing",
      currency: "USD",
      accountHolderId,
      location: null,
    })),
    ...fields,
  };
}

export const enrichedAs = (facts: string | null) => ({ facts, bytes: null });

const holdersAmong = (ids: readonly string[]): HolderSince[] =>
  ids.filter((id) => id.startsWith("h")).map((id) => holderSince(id));

export function setUpEnrich(overrides: Partial<EnrichPorts<string>> = {}) {
  const stored: StoredChunk[] = [];
  const replies: EnrichmentReply[] = [];
  const finished: BatchHead[] = [];
  const withdrawn: { id: string; order: string; accountHolderId: string }[] = [];
  const chunks: (object | null)[] = [];
  const announced: string[] = [];
  const work: (readonly (string | null)[])[] = [];
  const credits: string[] = [];
  const ports: EnrichPorts<string> = {
    enrich: (items) => {
      work.push(items.map((item) => item.accountType));
      return Promise.resolve(
        items.map((item) =>
          enrichedAs(item.description === "d9" ? null : `{"of":"${item.description}"}`),
        ),
      );
    },
    settingsOf: () => Promise.resolve(null),
    versionOf: (settings) => settings,
    seenOf: () => Promise.resolve([]),
    getHolders: (_org, ids) => Promise.resolve(holdersAmong(ids)),
    getHoldersSoon: (_org, ids) => Promise.resolve(holdersAmong(ids)),
    storeChunk: async (chunk, whenToWrite) => {
      await whenToWrite();
      stored.push(chunk);
      return "stored";
    },
    storesTogether: false,
    withdraw: (_org, submissions, chunk) => {
      withdrawn.push(...submissions);
      chunks.push(chunk);
      return Promise.resolve();
    },
    hasChunk: () => Promise.resolve(false),
    joinBatch: () => Promise.resolve(null),
    takeCredits: (org, count) => {
      credits.push(`${org} ${String(count)}`);
      return Promise.resolve({ giveBack: () => credits.push("given back") });
    },
    chunkStored: (head) => {
      finished.push(head);
      return Promise.resolve();
    },
    announces: () => true,
    announce: (records) => {
      announced.push(...records.map((one) => one.input.id));
      return Promise.resolve();
    },
    reply: (_address, reply) => {
      replies.push(reply);
      return Promise.resolve();
    },
    nowMs: () => 2000,
    ...overrides,
  };
  const enrich = createEnrich(ports, "interactive");
  const run = (value: EnrichmentRequest, offset = 5) =>
    enrich({ key: "k", value, order: recordOrder(offset) });
  const runSigned = (value: EnrichmentRequest) =>
    enrich({ key: "k", value, order: recordOrder(5), chargedTo: value.org });
  return { run, runSigned, credits, stored, replies, finished, work, withdrawn, chunks, announced };
}
