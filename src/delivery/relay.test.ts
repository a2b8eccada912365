import { expect, it } from "vitest";
import type { StoredEvent } from "../model/event.ts";
import { PUBLISHED_EVENTS_MAX, relayEvents, type RelayPorts } from "./relay.ts";

function eventOf(org: string, resourceId: string, sequence: number): StoredEvent {
  const eventId = `${org} ${resourceId} ${String(sequence)}`;
  const eventType = "reports.pending";
  return { org, eventId, eventType, resourceId, sequence, createdAt: 1, body: eventId };
}

/** @param read what a part of the outbox contains */
function portsOf(outbox: readonly StoredEvent[], read: readonly StoredEvent[]) {
  const published: string[] = [];
  const removed: string[] = [];
  const ports: RelayPorts = {
    outbox: () => Promise.resolve({ entries: read, more: false }),
    outboxOf: (org, ids) =>
      Promise.resolve(outbox.filter((one) => one.org === org && ids.includes(one.resourceId))),
    getEvents: (org, ids) =>
      Promise.resolve(outbox.filter((one) => one.org === org && ids.includes(one.eventId))),
    publishedEvents: () => 0,
    publishEvents: (events) => {
      published.push(...events.map(({ body }) => body));
      return Promise.resolve();
    },
    relayed: (entries) => {
      removed.push(...entries.map(({ eventId }) => eventId));
      return Promise.resolve();
    },
  };
  return { ports, published, removed };
}

it("the events of a resource are published in their sequence, with those before that were not read with them", async () => {
  const [first, second, third] = [eventOf("a", "r", 1), eventOf("a", "r", 2), eventOf("a", "r", 3)];
  const other = eventOf("b", "r", 1);
  const later = eventOf("a", "r", 4);
  const outbox = [first, second, third, other, later];
  const { ports, published, removed } = portsOf(outbox, [third, other, second]);
  expect(await relayEvents(ports)).toEqual({ events: 3, more: false });
  expect(published).toEqual(["a r 1", "a r 2", "a r 3", "b r 1"]);
  expect(removed.toSorted()).toEqual(["a r 1", "a r 2", "a r 3", "b r 1"]);
});

it("what could not be published stays in the outbox", async () => {
  const event = eventOf("a", "r", 1);
  const { ports, removed } = portsOf([event], [event]);
  const failing = { ...ports, publishEvents: () => Promise.reject(new Error("away")) };
  await expect(relayEvents(failing)).rejects.toThrow("away");
  expect(removed).toEqual([]);
});

it("an entry whose event was removed leaves the outbox and is not published", async () => {
  const event = eventOf("a", "r", 1);
  const { ports, published, removed } = portsOf([], [event]);
  await relayEvents(ports);
  expect([published, removed]).toEqual([[], [event.eventId]]);
});

it("nothing is published while too many published events have no deliveries", async () => {
  const event = eventOf("a", "r", 1);
  const { ports, published } = portsOf([event], [event]);
  const full = { ...ports, publishedEvents: () => PUBLISHED_EVENTS_MAX };
  expect(await relayEvents(full)).toEqual({ events: 0, more: false });
  expect(published).toEqual([]);
});

it("events of an organization that cannot be published hold no other's up", async () => {
  const [stuck, other] = [eventOf("a", "r", 1), eventOf("b", "r", 1)];
  const { ports, published, removed } = portsOf([stuck, other], [stuck, other]);
  const failing: RelayPorts = {
    ...ports,
    publishEvents: (events) =>
      events.some(({ org }) => org === "a")
        ? Promise.reject(new Error("away"))
        : ports.publishEvents(events),
  };
  await expect(relayEvents(failing)).rejects.toThrow("away");
  expect([published, removed]).toEqual([["b r 1"], [other.eventId]]);
});
