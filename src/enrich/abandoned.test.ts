import { expect, it } from "vitest";
import { batchRecordKey, callRecordKey } from "../model/record-key.ts";
import type { Abandoned } from "../model/records.ts";
import { failBatchOf, failCallOf } from "./abandoned.ts";

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
