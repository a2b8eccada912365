import { expect, it } from "vitest";
import { statementEvent } from "../events/events.ts";
import type { StoredEvent } from "../model/event.ts";
import type { StatementDocument } from "../model/statement-document.ts";
import { createStatementRemovals, type RemovalPorts } from "./removal.ts";

const HOUR_MS = 3_600_000;
const document: StatementDocument = {
  ...{ org: "acme", id: "d1", name: "Jane Doe May.pdf", createdAt: 0, status: "processed" },
  ...{ size: 1, pages: 1, accountHolderId: "h", accountType: null, currency: null },
  ...{ failure: null, batchId: null },
};

function setUp(overrides: Partial<RemovalPorts> = {}) {
  const steps: string[] = [];
  const events: StoredEvent[] = [];
  const ports: RemovalPorts = {
    hide: (_org, id) => {
      steps.push(`hide ${id}`);
      return Promise.resolve(true);
    },
    deleteFile: ({ id }) => {
      steps.push(`file ${id}`);
      return Promise.resolve();
    },
    eraseAnswers: ({ id }) => {
      steps.push(`answers ${id}`);
      return Promise.resolve();
    },
    removeRows: ({ id }, replaced) => {
      steps.push(`rows ${id}`);
      events.push(...replaced);
      return Promise.resolve();
    },
    leftBehind: () => Promise.resolve([]),
    ofHolder: () => Promise.resolve(steps.includes("rows d1") ? [] : [document]),
    getEvents: () => Promise.resolve([statementEvent(document, 7)]),
    listFiles: async function* () {
      yield* await Promise.resolve([]);
    },
    has: () => Promise.resolve(false),
    nowMs: () => 10 * HOUR_MS,
    ...overrides,
  };
  return { removals: createStatementRemovals(ports), steps, events };
}

it("a document is hidden, then its file and kept answers go, then its rows: a crash leaves a row that names the file", async () => {
  const { removals, steps } = setUp();
  expect(await removals.remove("acme", "d1")).toBe(true);
  expect(steps).toEqual(["hide d1", "file d1", "answers d1", "rows d1"]);
  const none = setUp({ hide: () => Promise.resolve(false) });
  expect(await none.removals.remove("acme", "d1")).toBe(false);
  expect(none.steps).toEqual([]);
});

it("documents of a removed holder go, and their events keep nothing of them but the id", async () => {
  const { removals, steps, events } = setUp();
  await removals.removeOfHolder({ org: "acme", id: "h" });
  expect(steps).toEqual(["hide d1", "file d1", "answers d1", "rows d1"]);
  expect(events.map(({ eventId }) => eventId)).toEqual([statementEvent(document, 7).eventId]);
  expect(events[0]?.body).not.toContain("Jane");
  expect(events[0]?.body).toContain('"d1"');
});

it("what a crash left of submissions is removed an hour later", async () => {
  const asked: unknown[] = [];
  const { removals, steps } = setUp({
    leftBehind: (...query) => {
      asked.push(query);
      return Promise.resolve([document]);
    },
  });
  expect(await removals.removeLeftBehind(5 * HOUR_MS, 100)).toBe(1);
  expect(asked).toEqual([[4 * HOUR_MS, 100]]);
  expect(steps).toEqual(["file d1", "answers d1", "rows d1"]);
});

it("files without a document are erased, none that is being submitted, and looked for once an hour", async () => {
  const clock = { nowMs: 10 * HOUR_MS };
  const files = [
    { org: "acme", id: "old", storedAt: 0 },
    { org: "acme", id: "known", storedAt: 0 },
    { org: "acme", id: "new", storedAt: 9.5 * HOUR_MS },
  ];
  const { removals, steps } = setUp({
    listFiles: async function* () {
      yield* await Promise.resolve(files);
    },
    has: (_org, id) => Promise.resolve(id === "known"),
    nowMs: () => clock.nowMs,
  });
  await removals.removeFilesWithoutDocument();
  await removals.removeFilesWithoutDocument();
  expect(steps).toEqual(["file old"]);
  clock.nowMs += HOUR_MS;
  await removals.removeFilesWithoutDocument();
  expect(steps).toEqual(["file old", "file old", "file new"]);
});
