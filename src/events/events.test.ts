import { describe, expect, it } from "vitest";
import type { Batch } from "../model/batch.ts";
import type { StoredEvent } from "../model/event.ts";
import { mayMove, type Report, REPORT_STATUSES } from "../model/report.ts";
import { batchEvent, EVENT_BODY_BYTES_MAX, eventBody, eventId, reportEvent } from "./events.ts";

const batch: Batch = {
  org: "o",
  id: "b",
  status: "completed",
  priority: "default",
  createdAt: 0,
  updatedAt: 5,
  progress: 2,
  total: 2,
};

const report: Report = {
  org: "o",
  id: "r",
  transactionId: "t",
  description: "",
  fields: [],
  createdAt: 0,
  updatedAt: 5,
  status: "open",
  rejectionReason: null,
  expected: {},
  webhookUrl: null,
  accountHolderId: null,
};

/** The events of a report for every sequence of its states. */
function historiesOf(
  from: Report,
  events: readonly StoredEvent[] = [],
): (readonly StoredEvent[])[] {
  const next = REPORT_STATUSES.filter((status) => mayMove(from.status, status));
  const further = next.flatMap((status) => {
    if (status === "open") throw new Error("Nothing is moved back to the beginning");
    const moved = { ...from, status };
    return historiesOf(moved, [...events, reportEvent(moved, from.status)]);
  });
  return [events, ...further];
}

describe("events", () => {
  it("a resource too large for a body is left out, and the body marks it", () => {
    const data = { id: "r", text: "é".repeat(EVENT_BODY_BYTES_MAX / 2) };
    const body = eventBody("e", "batches.completed", "r/1", data);
    expect(JSON.parse(body)).toEqual({
      event_id: "e",
      event_type: "batches.completed",
      data: { id: "r/1", url: "/v3/batches/r%2F1" },
      data_truncated: true,
    });
    const fits = eventBody("e", "batches.completed", "r", { id: "r" });
    expect(JSON.parse(fits)).not.toHaveProperty("data_truncated");
  });

  it("the id is a function of what happened, and differs for everything else", () => {
    expect(eventId("o", "batches.completed", "b")).toBe(eventId("o", "batches.completed", "b"));
    const ids = [
      eventId("o", "batches.completed", "b"),
      eventId("o", "batches.error", "b"),
      eventId("p", "batches.completed", "b"),
      eventId("o", "batches.completed", "c"),
      eventId("o,b", "batches.completed", ""),
      eventId("o", "batches.completed", "b", 2),
      eventId("o", "batches.completed", "b", 3),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("whatever way a report goes, its events are counted from 1, and no two of them have one id", () => {
    const histories = historiesOf(report);
    expect(histories).toHaveLength(6);
    for (const events of histories) {
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
      expect(new Set(events.map((event) => event.eventId)).size).toBe(events.length);
    }
    expect(batchEvent(batch).sequence).toBe(1);
  });

  it("the same move that is made again is the same event, and one after more moves is another", () => {
    const resolved = { ...report, status: "resolved" } as const;
    expect(reportEvent(resolved, "open")).toEqual(reportEvent(resolved, "open"));
    expect(reportEvent(resolved, "pending").eventId).not.toBe(
      reportEvent(resolved, "open").eventId,
    );
  });

  it("the body is the envelope with the batch as the API shows it", () => {
    const event = batchEvent(batch);
    expect(JSON.parse(event.body)).toEqual({
      event_id: event.eventId,
      event_type: "batches.completed",
      data: {
        id: "b",
        operation: "POST /v3/transactions",
        status: "completed",
        priority: "default",
        progress: 2,
        total: 2,
        created_at: "1970-01-01T00:00:00.000Z",
        updated_at: "1970-01-01T00:00:00.005Z",
      },
    });
    expect(batchEvent({ ...batch, status: "error" }).eventType).toBe("batches.error");
  });
});
