import { describe, expect, it } from "vitest";
import {
  ACTIVITIES,
  newQueueState,
  type QueueEffect,
  type QueueEvent,
  type QueueFacts,
  type QueueState,
  transition,
  withDue,
  withFound,
} from "./queue-machine.ts";

const NOW = 1_000_000;
const LEASE_MS = 30_000;
const DAY_MS = 86_400_000;

/** Every combination of these values, one at a time. */
function* product<T extends object>(
  values: {
    readonly [Name in keyof T]: readonly T[Name][];
  },
): Generator<T> {
  const names = Object.keys(values) as (keyof T)[];
  const total = names.reduce((count, name) => count * values[name].length, 1);
  for (let number = 0; number < total; number += 1) {
    let rest = number;
    const chosen: Partial<T> = {};
    for (const name of names) {
      const { length } = values[name];
      chosen[name] = values[name][rest % length];
      rest = Math.floor(rest / length);
    }
    yield Object.freeze(chosen as T);
  }
}

const NO = [false, true] as const;
const states = [
  ...product<QueueState>({
    activity: ACTIVITIES,
    isExpediting: NO,
    nextDueAt: [null, NOW - 1],
    inFlight: [0, 1, 2],
    unwritten: [0, 2],
    movedAt: [0],
  }),
];
const facts = [
  ...product<Omit<QueueFacts, "ready" | "first"> & Pick<QueueFacts, "first">>({
    nowMs: [NOW],
    isClosing: NO,
    isEnabled: [null, false, true],
    isOutdated: NO,
    first: [
      null,
      { leaseUntil: NOW + LEASE_MS, expiresAt: NOW + DAY_MS },
      { leaseUntil: NOW + LEASE_MS, expiresAt: NOW },
      { leaseUntil: NOW + 10_000, expiresAt: NOW + DAY_MS },
    ],
    hasMoved: NO,
    holdMs: [0, 500, 30_000],
    isProbing: NO,
    limit: [2],
    unwrittenMax: [2],
    aheadMax: [0],
    hasSlot: NO,
    isWaitingForSlot: NO,
    recorder: ["ready", "full", "failing"],
  }),
]
  // An unknown webhook is outdated, and no queue is in line for a slot that is free.
  .filter(({ isEnabled, isOutdated }) => isEnabled !== null || isOutdated)
  .filter(({ hasSlot, isWaitingForSlot }) => !hasSlot || !isWaitingForSlot)
  .map((fact): QueueFacts => Object.freeze({ ...fact, ready: fact.first === null ? 0 : 1 }));

/** The events that can happen in a state. */
function eventsIn({ activity, isExpediting, inFlight, unwritten }: QueueState): QueueEvent[] {
  const ends: Record<QueueState["activity"], readonly QueueEvent[]> = {
    idle: [],
    reading: [
      { kind: "read_ended", isDeleted: false },
      { kind: "read_ended", isDeleted: true },
      { kind: "read_failed" },
    ],
    draining: [{ kind: "drained" }, { kind: "work_failed" }],
    claiming: [
      { kind: "claim_ended", isEmpty: false },
      { kind: "claim_ended", isEmpty: true },
      { kind: "work_failed" },
    ],
    expiring: [
      { kind: "expire_ended", hasMore: false },
      { kind: "expire_ended", hasMore: true },
      { kind: "work_failed" },
    ],
    removing: [
      { kind: "remove_ended", hasMore: false },
      { kind: "remove_ended", hasMore: true },
      { kind: "work_failed" },
    ],
  };
  return [
    { kind: "tick" },
    { kind: "advance" },
    ...ends[activity],
    ...(isExpediting ? [{ kind: "expedite_ended" } as const] : []),
    ...(inFlight > 0 ? [{ kind: "call_ended", hasOutcome: true } as const] : []),
    ...(unwritten > 0 ? [{ kind: "outcome_stored" } as const] : []),
  ];
}

interface Walked {
  readonly before: QueueState;
  readonly event: QueueEvent;
  readonly fact: QueueFacts;
  readonly after: QueueState;
  readonly effect: QueueEffect | null;
}

function* walk(): Generator<Walked> {
  for (const before of states)
    for (const event of eventsIn(before))
      for (const fact of facts) {
        const { state: after, effect } = transition(before, event, fact);
        yield { before, event, fact, after, effect };
      }
}

const STORE_WORK: readonly unknown[] = ["read", "drain", "claim", "expire", "remove"];
const endsActivity = ({ kind }: QueueEvent): boolean =>
  !["tick", "advance", "expedite_ended", "call_ended", "outcome_stored"].includes(kind);

const RULES: Readonly<Record<string, (walked: Walked) => boolean>> = {
  "begins store work only when no other runs": ({ before, event, effect }) =>
    !STORE_WORK.includes(effect?.kind) || before.activity === "idle" || endsActivity(event),
  "begins nothing while the dispatcher closes": ({ fact, effect }) =>
    !fact.isClosing || effect === null || effect.kind === "release",
  "sends only what may be sent": ({ fact, after, effect }) => {
    if (effect?.kind !== "send") return true;
    const { first, limit, unwrittenMax } = fact;
    if (first === null || first.expiresAt <= NOW || first.leaseUntil - NOW < 15_000) return false;
    const isBounded =
      after.inFlight <= limit && after.inFlight + after.unwritten <= limit + unwrittenMax;
    const isOpen = fact.isEnabled === true && !fact.isOutdated && fact.holdMs === 0;
    return isOpen && fact.hasSlot && isBounded && after.movedAt === NOW;
  },
  "counts each call once": ({ before, event, after, effect }) => {
    const ended = event.kind === "call_ended" ? 1 : 0;
    const begun = effect?.kind === "send" ? 1 : 0;
    const stored = event.kind === "outcome_stored" ? 1 : 0;
    const isCounted = after.inFlight === before.inFlight - ended + begun;
    return isCounted && after.unwritten === before.unwritten + ended - stored;
  },
  "claims only what is due and wanted": ({ before, event, fact, after, effect }) => {
    if (effect?.kind !== "claim") return true;
    const isDue = event.kind === "expire_ended" || before.nextDueAt === NOW - 1;
    const isWanted = effect.count >= 1 && effect.count <= (fact.isProbing ? 1 : fact.limit);
    const isOpen = fact.isEnabled === true && !fact.isOutdated && fact.holdMs === 0;
    return isDue && isWanted && isOpen && fact.recorder === "ready" && after.nextDueAt === null;
  },
  "waits a moment after a failure": ({ before, event, after, effect }) => {
    const failed = event.kind === "work_failed";
    const isRead = event.kind === "read_failed" && before.nextDueAt !== null;
    return !(failed || isRead) || (after.nextDueAt === NOW + 1_000 && effect?.kind !== "claim");
  },
  "leaves nothing undone that is due and wanted": ({ before, event, fact, effect }) => {
    const isStopped = fact.isClosing || fact.recorder === "failing" || fact.holdMs > 0;
    const isIdle = before.activity === "idle" && before.inFlight === 0 && fact.ready === 0;
    const mustAct = event.kind === "tick" && !isStopped && isIdle && before.nextDueAt === NOW - 1;
    return !mustAct || effect !== null;
  },
};

/** One walk for all tests: the changes of activity, and the first step that breaks each rule. */
const walked = once(() => {
  const changes = new Set<string>();
  const broken = new Map<string, Walked>();
  for (const step of walk()) {
    const { before, event, after, effect } = step;
    for (const [rule, holds] of Object.entries(RULES))
      if (!broken.has(rule) && !holds(step)) broken.set(rule, step);
    if (before.activity === after.activity && !endsActivity(event)) continue;
    const shown = STORE_WORK.includes(effect?.kind) ? ` by ${effect?.kind ?? ""}` : "";
    const cause = endsActivity(event) ? event.kind : "other";
    changes.add(`${before.activity} -> ${cause} -> ${after.activity}${shown}`);
  }
  return { changes, broken: [...broken].map(([rule, step]) => ({ rule, step })) };
});

function once<T>(compute: () => T): () => T {
  let value: T | null = null;
  return () => (value ??= compute());
}

describe("every event in every state, with every combination of facts", () => {
  it("changes the activity only as in the table of the machine", () => {
    const { changes } = walked();
    const afterTick = (from: string): string[] =>
      [
        "idle",
        "reading by read",
        "expiring by expire",
        "draining by drain",
        "claiming by claim",
      ].map((to) => `${from} -> ${to}`);
    const afterAdvance = (from: string): string[] => [
      `${from} -> idle`,
      `${from} -> reading by read`,
    ];
    expect([...changes].toSorted()).toEqual(
      [
        ...afterTick("idle -> other").filter((row) => !row.endsWith("idle")),
        ...afterTick("reading -> read_ended"),
        "reading -> read_ended -> removing by remove",
        "reading -> read_failed -> idle",
        ...afterTick("draining -> drained"),
        "claiming -> claim_ended -> expiring by expire",
        ...afterAdvance("claiming -> claim_ended"),
        ...afterTick("expiring -> expire_ended").filter((row) => !row.endsWith("by expire")),
        ...afterAdvance("removing -> remove_ended"),
        ...["draining", "claiming", "expiring", "removing"].flatMap((from) =>
          afterAdvance(`${from} -> work_failed`),
        ),
      ].toSorted(),
    );
  });

  it.each(Object.keys(RULES))("%s", (rule) => {
    expect(walked().broken.filter((found) => found.rule === rule)).toEqual([]);
  });
});

it("a due time moves forward only, and what a search finds replaces it only while nothing runs", () => {
  const state = newQueueState(NOW);
  expect(withDue(withDue(state, 5), 7).nextDueAt).toBe(5);
  expect(withDue(withDue(state, 7), 5).nextDueAt).toBe(5);
  expect(withFound(withDue(state, 5), 9).nextDueAt).toBe(9);
  const claiming: QueueState = { ...withDue(state, 5), activity: "claiming" };
  expect(withFound(claiming, 9).nextDueAt).toBe(5);
});
