import { expect, it } from "vitest";
import { batchRecordKey, callRecordKey } from "../model/record-key.ts";
import type { Abandoned, EnrichmentRequest } from "../model/records.ts";
import { failBatchOf, failCallOf, markStatementOf } from "./abandoned.ts";

const unread = (key: string): Abandoned => ({ key, value: null });

it("ends the batch that the key of an unreadable record names", async () => {
  const failed: unknown[][] = [];
  const fail = (...batch: unknown[]) => Promise.resolve(void failed.push(batch));
  await failBatchOf(unread(batchRecordKey("o", "b", 3, "low")), fail);
  await failBatchOf(unread("key of another producer"), fail);
  expect(failed).toEqual([["o", "b", false]]);
});

it("answers the call that the key of an unreadable record names", async () => {
  const replies: unknown[] = [];
  const reply = (address: string, sent: { readonly id: string }) =>
    Promise.resolve(void replies.push([address, sent.id]));
  await failCallOf(unread(callRecordKey("o", "address", "call")), reply);
  await failCallOf(unread("key of another producer"), reply);
  expect(replies).toEqual([["address", "call"]]);
});

it("marks the statement that an abandoned record was made from, and no document of another record", async () => {
  const marked: unknown[] = [];
  const mark = (key: object) => Promise.resolve(void marked.push(key));
  const request = { org: "o", requestId: "document", batchId: "b" } as EnrichmentRequest;
  await markStatementOf({ key: "k", value: { ...request, origin: "statement" } }, mark);
  await markStatementOf({ key: "k", value: { ...request, origin: "batch" } }, mark);
  await markStatementOf(unread(batchRecordKey("o", "b", 0, "low")), mark);
  expect(marked).toEqual([{ org: "o", id: "document" }]);
});
