import { expect, it } from "vitest";
import type { EventHead } from "../model/event.ts";
import type { Delivered } from "../model/records.ts";
import { LedgerlineError } from "../shared/errors.ts";
import { createSubscriber, type SubscriptionPorts } from "./subscribe.ts";

const EVENTS = 20;

const recordOf = (index: number): Delivered<EventHead> => {
  const head = { org: `o${String(index % 3)}`, eventId: String(index), resourceId: "r" };
  const value = { ...head, eventType: "batches.completed", sequence: 1, createdAt: 1 } as const;
  return { key: "k", value, order: "" };
};

/** Organizations without webhooks, but for what `webhooksOf` does. */
function setUp(webhooksOf: SubscriptionPorts["webhooksOf"]) {
  const reads: string[] = [];
  const handle = createSubscriber(
    {
      nowMs: () => 1,
      webhooksOf: (org) => {
        reads.push(org);
        return webhooksOf(org);
      },
      reportEndpoints: () => Promise.resolve([]),
      deliver: () => Promise.resolve(),
    },
    () => undefined,
  );
  const all = Array.from({ length: EVENTS }, (_, index) => handle(recordOf(index)));
  return { reads, handled: Promise.allSettled(all) };
}

it("events that wait at the same time are handled together, with one read for each organization", async () => {
  const { reads, handled } = setUp(() => Promise.resolve([]));
  expect((await handled).every(({ status }) => status === "fulfilled")).toBe(true);
  // The first goes alone.
  expect(reads).toEqual(["o0", "o1", "o2", "o0"]);
});

it("an event that cannot be handled fails alone; a store that is away fails all, to be retried", async () => {
  const poisoned = setUp((org) =>
    org === "o1" ? Promise.reject(new Error("bug")) : Promise.resolve([]),
  );
  const failed = (await poisoned.handled).flatMap(({ status }, index) =>
    status === "rejected" ? [index % 3] : [],
  );
  expect(new Set(failed)).toEqual(new Set([1]));
  const away = setUp(() => Promise.reject(new LedgerlineError("unavailable", "away")));
  expect((await away.handled).every(({ status }) => status === "rejected")).toBe(true);
  expect(away.reads.length).toBeLessThanOrEqual(4);
});
