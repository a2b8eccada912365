// What every engine promises about the URL of a report: it gets the report's events like a webhook, and is not one.
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { eventId, reportEvent } from "../../src/events/events.ts";
import { COMMAND_LINE } from "../../src/model/audit.ts";
import type { Report } from "../../src/model/report.ts";
import { createReportErasure } from "../../src/settings/report-erasure.ts";
import { reportEndpointId } from "../../src/model/webhook.ts";
import { createRepositories } from "../../src/app/repositories.ts";
import type { PageRequest } from "../../src/shared/page.ts";
import {
  type AttemptRow,
  attemptSpec,
  type DeliveryRow,
  deliverySpec,
} from "../../src/store/specs/webhook-specs.ts";
import {
  DAY,
  type Dispatching,
  HOUR,
  MINUTE,
  openDispatching,
  type OpenStore,
  ORG,
  walk,
} from "./dispatching.ts";

const URL = "https://hooks.example.com/reports";
const REGISTERED = "https://registered.example.com/";
const all: PageRequest = { limit: 100, createdAfter: null, createdBefore: null, after: null };

/** Reports in the store, without their transactions. */
function reportsOf(on: Dispatching) {
  const { events, reports, reportWrites } = createRepositories(on.store);
  const add = async (
    webhookUrl: string | null = URL,
    org = ORG,
    fields: Partial<Report> = {},
  ): Promise<Report> => {
    const report: Report = {
      org,
      id: randomUUID(),
      transactionId: "t",
      description: "",
      fields: [],
      expected: {},
      webhookUrl,
      createdAt: on.clock.now,
      updatedAt: on.clock.now,
      status: "open",
      rejectionReason: null,
      accountHolderId: null,
      ...fields,
    };
    await reports.insert(report);
    return report;
  };
  /** Returns the id of the event. */
  const move = async (
    { org, id }: Report,
    status: "pending" | "resolved" | "rejected",
  ): Promise<string> => {
    const seen = await reports.get(org, id);
    if (seen === null) throw new Error("There should be a report");
    const next = { ...seen, status, updatedAt: on.clock.now };
    const event = reportEvent(next, seen.status);
    const change = { action: "report.moved", subject: id, details: {} } as const;
    const entry = { ...COMMAND_LINE, ...change, org, id: randomUUID(), createdAt: on.clock.now };
    await reportWrites.move({ seen, next, event, entry, correcting: null });
    return event.eventId;
  };
  /** Erases the reports of the account holder that this one is about. */
  const erase = async (accountHolderId: string): Promise<void> => {
    const erasure = createReportErasure({
      reportsOfHolder: reports.ofHolder,
      holderOf: () => Promise.resolve(undefined),
      reassign: reports.reassign,
      getEvents: events.getMany,
      removeWithEvents: reportWrites.removeWithEvents,
    });
    await erasure({ org: ORG, id: accountHolderId });
  };
  return { add, move, erase, remove: ({ org, id }: Report) => reports.remove(org, id) };
}

/** Deliveries and attempts that are stored for the URL of the report. */
async function rowsOf({ store }: Dispatching, { org, id }: Report): Promise<readonly number[]> {
  const query = { where: { org, webhookId: reportEndpointId(id) }, limit: 100 };
  const deliveries = await store.collection<DeliveryRow>(deliverySpec).find(query);
  const attempts = await store.collection<AttemptRow>(attemptSpec).find(query);
  return [deliveries.length, attempts.length];
}

export function reportEndpointsContract(name: string, open: OpenStore): void {
  describe(`URLs of reports: ${name}`, () => {
    it("every move is sent to the URL, with the bytes and the id that a webhook gets", async () => {
      const on = await openDispatching(open);
      const { add, move } = reportsOf(on);
      await on.register(REGISTERED, { events: ["reports.pending", "reports.resolved"] });
      const process = await on.start("d");
      const report = await add();
      await add("https://unmoved.example.com/");
      const without = await add(null);
      const pending = await move(report, "pending");
      await on.pass(0, process);
      const resolved = await move(report, "resolved");
      await move(without, "pending");
      await on.pass(MINUTE, process);
      const own = on.callsTo(URL);
      expect(own.map((call) => call.eventId)).toEqual([pending, resolved]);
      expect(resolved).toBe(eventId(ORG, "reports.resolved", report.id, 2));
      const bodies = on.callsTo(REGISTERED).map(({ body }) => body);
      expect(bodies).toEqual(expect.arrayContaining(own.map(({ body }) => body)));
      expect([bodies.length, on.calls.length]).toEqual([3, 5]);
    });

    it("the same URL in reports of two organizations gets the events of each once", async () => {
      const on = await openDispatching(open);
      const { add, move } = reportsOf(on);
      const process = await on.start("d");
      const [mine, theirs] = [await add(), await add(URL, "p")];
      await on.register(REGISTERED, { events: ["reports.pending"] }, "p");
      const first = await move(mine, "pending");
      await on.pass(0, process);
      const second = await move(theirs, "rejected");
      await on.pass(0, process);
      expect(on.calls.map((call) => [call.url, call.eventId])).toEqual([
        [URL, first],
        [URL, second],
      ]);
    });

    it("it is not a webhook: not listed, not found by its id, not one of the ten", async () => {
      const on = await openDispatching(open);
      const { add, move } = reportsOf(on);
      const process = await on.start("d");
      const { webhooks } = process;
      const report = await add();
      for (let count = 0; count < 11; count += 1) await add();
      for (let count = 0; count < 10; count += 1) await on.register(REGISTERED);
      const event = await move(report, "pending");
      await on.pass(0, process);
      expect(on.callsTo(URL)).toHaveLength(1);
      expect((await webhooks.list(ORG, all)).rows).toHaveLength(10);
      const id = reportEndpointId(report.id);
      expect([
        await webhooks.get(ORG, id),
        await webhooks.patch(ORG, id, { enabled: false }, COMMAND_LINE),
        await webhooks.delete(ORG, id, COMMAND_LINE),
        await webhooks.test(ORG, id),
        await webhooks.deliveries(ORG, id, { state: null }, all),
        await webhooks.delivery(ORG, id, event),
        await webhooks.resend(ORG, id, event),
      ]).toEqual([null, null, false, null, null, null, null]);
    });

    it("a move survives the death of every dispatcher and is retried for 24 hours", async () => {
      const on = await openDispatching(open, { failuresMax: 2, failingMs: 0 });
      const { add, move } = reportsOf(on);
      on.answer(() => 500);
      const report = await add();
      const begin = on.clock.now;
      const event = await move(report, "pending");
      // Killed between the move and the delivery.
      await on.start("killed");
      const processes = await Promise.all(["a", "b", "c", "d"].map((one) => on.start(one)));
      let dues = 0;
      const alive = () => processes.slice(Math.floor(dues / 4), Math.floor(dues / 4) + 1);
      await walk(on, reportEndpointId(report.id), begin + DAY + HOUR, alive, () => (dues += 1));
      const calls = on.callsTo(URL);
      expect(new Set(calls.map((call) => call.eventId))).toEqual(new Set([event]));
      expect(calls.length).toBeGreaterThan(10);
      expect(new Set(calls.map((call) => call.by)).size).toBeGreaterThan(2);
      const last = (calls.at(-1)?.at ?? 0) - begin;
      expect(last).toBeGreaterThan(23 * HOUR);
      expect(last).toBeLessThan(DAY);
    });

    it("once the report is final and its deliveries are over, nothing of its URL is left", async () => {
      const on = await openDispatching(open);
      const { add, move } = reportsOf(on);
      const process = await on.start("d");
      const [report, still] = [await add(), await add()];
      await move(report, "pending");
      await move(still, "pending");
      await on.pass(0, process);
      await move(report, "resolved");
      await on.pass(0, process);
      // Longer than between two searches for what is over.
      await on.pass(11 * MINUTE, process);
      expect([await rowsOf(on, report), await rowsOf(on, still)]).toEqual([
        [2, 2],
        [1, 1],
      ]);
      await on.pass(DAY + 2 * HOUR, process);
      await on.pass(11 * MINUTE, process);
      await on.pass(MINUTE, process);
      expect([await rowsOf(on, report), await rowsOf(on, still)]).toEqual([
        [0, 0],
        [1, 1],
      ]);
      expect(on.callsTo(URL)).toHaveLength(3);
    });

    it("an endpoint that was down for hours still gets the last event, and then it is over", async () => {
      const on = await openDispatching(open);
      const { add, move } = reportsOf(on);
      const process = await on.start("d");
      const report = await add();
      const event = await move(report, "rejected");
      const begin = on.clock.now;
      on.answer(({ at }) => (at - begin < 20 * HOUR ? 500 : 200));
      await walk(on, reportEndpointId(report.id), begin + DAY + HOUR, () => [process]);
      const calls = on.callsTo(URL);
      expect(new Set(calls.map((call) => call.eventId))).toEqual(new Set([event]));
      expect((calls.at(-1)?.at ?? 0) - begin).toBeGreaterThanOrEqual(20 * HOUR);
    });

    it("a report that is deleted takes the pending deliveries to its URL with it", async () => {
      const on = await openDispatching(open);
      const { add, move, remove } = reportsOf(on);
      const process = await on.start("d");
      on.answer(() => 500);
      const report = await add();
      await move(report, "pending");
      await on.pass(0, process);
      await remove(report);
      on.answer(() => 200);
      for (let count = 0; count < 4; count += 1) await on.pass(HOUR, process);
      expect([on.callsTo(URL).length, await rowsOf(on, report)]).toEqual([1, [0, 0]]);
    });

    it("the erasure of an account holder takes right values, URL and pending deliveries with it", async () => {
      const on = await openDispatching(open);
      const { add, move, erase } = reportsOf(on);
      const process = await on.start("d");
      on.answer(() => 500);
      const words = { accountHolderId: "h", description: "QUILL", expected: { merchant: "QUILL" } };
      const url = `${URL}/QUILL`;
      const report = await add(url, ORG, words);
      const other = await add(URL, ORG, { accountHolderId: "other" });
      const eventIds = [await move(report, "pending"), await move(other, "pending")];
      await on.pass(0, process);
      await erase("h");
      const { events, reports } = createRepositories(on.store);
      const bodies = (await events.getMany(ORG, eventIds)).map(({ body }) => body);
      expect([bodies.length, bodies.join("")]).toEqual([2, expect.not.stringContaining("QUILL")]);
      expect(await reports.get(ORG, report.id)).toBeNull();
      on.answer(() => 200);
      for (let count = 0; count < 4; count += 1) await on.pass(HOUR, process);
      expect([on.callsTo(url).length, on.callsTo(URL).length]).toEqual([1, 2]);
      expect([await rowsOf(on, report), await rowsOf(on, other)]).toEqual([
        [0, 0],
        [1, 2],
      ]);
    });

    it("deliveries to the URL of a report that stays pending go with their event", async () => {
      const on = await openDispatching(open);
      const { add, move } = reportsOf(on);
      const process = await on.start("d");
      const report = await add();
      await move(report, "pending");
      await on.pass(0, process);
      for (let day = 0; day < 29; day += 1) await on.pass(DAY, process);
      expect(await rowsOf(on, report)).toEqual([1, 1]);
      for (let day = 0; day < 3; day += 1) await on.pass(DAY, process);
      expect(await rowsOf(on, report)).toEqual([0, 0]);
    });
  });
}
