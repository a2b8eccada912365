import { expect, it } from "vitest";
import type { StoredEvent } from "../../model/event.ts";
import { createEventPublishing } from "./event-publishing.ts";

const BODY_BYTES = 300 * 1024;

function eventOf(resourceId: string, sequence: number): StoredEvent {
  const body = `${resourceId} ${String(sequence)}`.padEnd(BODY_BYTES);
  const eventId = body.trimEnd();
  const head = { org: "o", eventId, resourceId, sequence, createdAt: 1, body };
  return { ...head, eventType: "reports.pending" };
}

/** @param failsAt number of the request that fails, from 1 */
function setUp(partitions: number, failsAt = Infinity) {
  const requests: { readonly partition: number; readonly events: readonly string[] }[] = [];
  const ownTopics: (readonly [org: string, kind: string, event: string])[] = [];
  const ownBytes: number[] = [];
  const publish = createEventPublishing({
    topic: "events",
    partitions: { events: partitions },
    codecs: {
      event: {
        encode: ({ body }) => Buffer.from(body),
        decode: () => Promise.reject(new Error("Nothing is read")),
      },
    },
    signing: { sign: () => Buffer.from("signature") },
    publishing: async (_topic, _partition, _count, send) => {
      await send();
    },
    bulk: {
      send: (_topic, partition, records) => {
        const events = records.map(({ value }) => String(value).trimEnd());
        requests.push({ partition, events });
        return requests.length === failsAt
          ? Promise.reject(new Error("away"))
          : Promise.resolve(requests.length);
      },
    },
    privately: {
      publish: (kind, records) => {
        ownBytes.push(records.reduce((sum, { value }) => sum + value.length, 0));
        for (const { org, value } of records) ownTopics.push([org, kind, String(value).trimEnd()]);
        return Promise.resolve();
      },
    },
  });
  return { publish, requests, ownTopics, ownBytes };
}

it("the events of a resource go to one partition, in requests of at most 1 MiB", async () => {
  const { publish, requests } = setUp(4);
  await publish(
    ["a", "b", "c", "d", "e"].flatMap((id) => [1, 2, 3, 4, 5].map((n) => eventOf(id, n))),
  );
  for (const { events } of requests) expect(events.length).toBeLessThanOrEqual(3);
  const all = requests.flatMap(({ partition, events }) =>
    events.map((event) => ({ partition, event })),
  );
  for (const id of ["a", "b", "c", "d", "e"]) {
    const own = all.filter(({ event }) => event.startsWith(id));
    expect(new Set(own.map(({ partition }) => partition)).size).toBe(1);
    expect(own.map(({ event }) => event)).toEqual([1, 2, 3, 4, 5].map((n) => `${id} ${String(n)}`));
  }
});

it("nothing follows a request that fails", async () => {
  const { publish, requests } = setUp(1, 2);
  await expect(publish([1, 2, 3, 4, 5, 6, 7].map((n) => eventOf("a", n)))).rejects.toThrow("away");
  expect(requests).toHaveLength(2);
});

it("events go to the topic of their organization once they are on that of all", async () => {
  const { publish, ownTopics } = setUp(1);
  await publish([eventOf("a", 1), { ...eventOf("a", 2), org: "p" }]);
  expect(ownTopics).toEqual([
    ["o", "events", "a 1"],
    ["p", "events", "a 2"],
  ]);
  const failing = setUp(1, 1);
  await expect(failing.publish([eventOf("a", 1)])).rejects.toThrow("away");
  expect(failing.ownTopics).toEqual([]);
});

it("what goes to an organization's topic at once is no more than the topic takes", async () => {
  const { publish, ownTopics, ownBytes } = setUp(4);
  await publish([1, 2, 3, 4, 5, 6, 7].map((sequence) => eventOf("a", sequence)));
  expect(ownTopics).toHaveLength(7);
  expect(Math.max(...ownBytes)).toBeLessThanOrEqual(1024 * 1024);
});
