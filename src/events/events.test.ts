import { describe, expect, it } from "vitest";
import type { Batch } from "../domain/batch.ts";
import { batchEvent, EVENT_BODY_BYTES_MAX, eventBody, eventId } from "./events.ts";

const batch: Batch = {
  org: "o",
  id: "b",
  status: "completed",
  createdAt: 0,
  updatedAt: 5,
  progress: 2,
  total: 2,
};

describe("events", () => {
  it("a resource that would make a body too long is named only, and the body says so", () => {
    const data = { id: "r", text: "é".repeat(EVENT_BODY_BYTES_MAX / 2) };
    const body = eventBody("e", "batches.completed", "r", data);
    expect(JSON.parse(body)).toEqual({
      event_id: "e",
      event_type: "batches.completed",
      data: { id: "r" },
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
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("ids of earlier versions of the program stay what they were", () => {
    expect(eventId("default", "batches.completed", "00000000-0000-4000-8000-000000000000")).toBe(
      "8b9e9fcc-92b7-5948-976a-94d36d4b9293",
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
        progress: 2,
        total: 2,
        created_at: "1970-01-01T00:00:00.000Z",
        updated_at: "1970-01-01T00:00:00.005Z",
      },
    });
    expect(batchEvent({ ...batch, status: "error" }).eventType).toBe("batches.error");
  });
});
