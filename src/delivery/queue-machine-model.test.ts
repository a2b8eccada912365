// The machine over a world in which everything takes time, fails and ends in any order.
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  newQueueState,
  type QueueEffect,
  type QueueEvent,
  type QueueFacts,
  transition,
  withDue,
  withFound,
} from "./queue-machine.ts";

const LEASE_MS = 30_000;
const LIMIT = 3;
const UNWRITTEN_MAX = 2;

/** A step of the world; `pick` selects one of the effects in flight. */
type Move =
  | { readonly kind: "end"; readonly pick: number; readonly isFailure: boolean }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "set"; readonly fact: "enabled" | "held" | "failing"; readonly to: boolean };

interface Delivery {
  readonly id: number;
  /** When it may be claimed; the end of its lease while it is claimed. */
  dueAt: number;
  /** End of the lease under which it was last sent; a call may last longer in this world. */
  sentUntil: number;
  isDone: boolean;
}

interface InFlight {
  readonly kind: QueueEffect["kind"] | "store";
  end(isFailure: boolean): void;
}

function createWorld(count: number) {
  const deliveries = Array.from(
    { length: count },
    (_, id): Delivery => ({ id, dueAt: 0, sentUntil: 0, isDone: false }),
  );
  const world = { nowMs: 0, isClosing: false, enabled: true, held: false, failing: false };
  const ready: { readonly delivery: Delivery; readonly leaseUntil: number }[] = [];
  let inFlight: InFlight[] = [];
  let state = newQueueState(0);
  let known: { readonly isEnabled: boolean; readonly at: number } | null = null;
  let sends = 0;

  function facts(): QueueFacts {
    const [first] = ready;
    return {
      nowMs: world.nowMs,
      isClosing: world.isClosing,
      isEnabled: known?.isEnabled ?? null,
      isOutdated: known === null || world.nowMs - known.at >= 2_000,
      ready: ready.length,
      first: first === undefined ? null : { leaseUntil: first.leaseUntil, expiresAt: Infinity },
      hasMoved: false,
      holdMs: world.held ? 30_000 : 0,
      isProbing: false,
      limit: LIMIT,
      unwrittenMax: UNWRITTEN_MAX,
      aheadMax: 2,
      hasSlot: true,
      isWaitingForSlot: false,
      recorder: world.failing ? "failing" : "ready",
    };
  }

  function offer(event: QueueEvent): void {
    let next = event;
    for (;;) {
      const moved = transition(state, next, facts());
      state = moved.state;
      if (moved.effect === null) return;
      perform(moved.effect);
      next = { kind: moved.then };
    }
  }

  const begin = (kind: InFlight["kind"], end: (isFailure: boolean) => void): void => {
    const effect: InFlight = {
      kind,
      end: (isFailure) => {
        inFlight = inFlight.filter((other) => other !== effect);
        end(isFailure);
      },
    };
    inFlight.push(effect);
  };

  const free = (): Delivery[] =>
    deliveries.filter(({ isDone, dueAt }) => !isDone && dueAt <= world.nowMs);

  const release = (): void => {
    for (const { delivery } of ready.splice(0)) {
      delivery.dueAt = world.nowMs;
      state = withDue(state, world.nowMs);
    }
  };

  const storeEffects: Partial<Record<QueueEffect["kind"], () => QueueEvent>> = {
    read: () => {
      known = { isEnabled: world.enabled, at: world.nowMs };
      return { kind: "read_ended", isDeleted: false };
    },
    expire: () => {
      release();
      return { kind: "expire_ended", hasMore: false };
    },
  };

  function perform(effect: QueueEffect): void {
    if (effect.kind === "release") release();
    else if (effect.kind === "send") send();
    else if (effect.kind === "claim") {
      // Claimed at once, known later: a failure leaves what was claimed until the lease ends.
      const taken = free().slice(0, effect.count);
      const leaseUntil = world.nowMs + LEASE_MS;
      for (const delivery of taken) delivery.dueAt = leaseUntil;
      begin("claim", (isFailure) => {
        if (isFailure) {
          offer({ kind: "work_failed" });
          return;
        }
        for (const delivery of taken) ready.push({ delivery, leaseUntil });
        const pending = deliveries.filter(({ isDone }) => !isDone).map(({ dueAt }) => dueAt);
        if (pending.length > 0) state = withDue(state, Math.min(...pending));
        offer({ kind: "claim_ended", isEmpty: false });
      });
    } else {
      const done = storeEffects[effect.kind];
      if (done === undefined) throw new Error(`The world has no ${effect.kind}`);
      const failed: QueueEvent["kind"] = effect.kind === "read" ? "read_failed" : "work_failed";
      begin(effect.kind, (isFailure) => {
        offer(isFailure ? { kind: failed } : done());
      });
    }
  }

  function send(): void {
    const [{ delivery, leaseUntil } = {}] = ready.splice(0, 1);
    if (delivery === undefined || leaseUntil === undefined) throw new Error("Nothing is claimed");
    expect(leaseUntil - world.nowMs).toBeGreaterThanOrEqual(LEASE_MS / 2);
    expect(world.isClosing || world.held).toBe(false);
    // It is never sent twice under one lease.
    expect(leaseUntil - LEASE_MS).toBeGreaterThanOrEqual(delivery.sentUntil);
    delivery.sentUntil = leaseUntil;
    sends += 1;
    begin("send", (isFailure) => {
      if (!isFailure)
        begin("store", () => {
          delivery.isDone = true;
          offer({ kind: "outcome_stored" });
        });
      offer({ kind: "call_ended", hasOutcome: !isFailure });
    });
  }

  return {
    world,
    deliveries,
    sends: () => sends,
    state: () => state,
    ready,
    inFlight: () => inFlight,
    tick: () => {
      offer({ kind: "tick" });
    },
    /** Finds what another process, or this one, left in the store. */
    search: () => {
      const dueAts = deliveries.filter(({ isDone }) => !isDone).map(({ dueAt }) => dueAt);
      if (dueAts.length > 0) state = withFound(state, Math.min(...dueAts));
    },
  };
}

type Scene = ReturnType<typeof createWorld>;

function play(scene: Scene, move: Move): void {
  const { world } = scene;
  if (move.kind === "set") world[move.fact] = move.to;
  else if (move.kind === "pass") {
    world.nowMs += move.ms;
    scene.search();
    scene.tick();
  } else {
    const effects = scene.inFlight();
    effects[move.pick % Math.max(1, effects.length)]?.end(move.isFailure);
  }
  check(scene);
}

function check(scene: Scene): void {
  const { activity, inFlight, unwritten } = scene.state();
  const kinds = scene.inFlight().map(({ kind }) => kind);
  const calls = kinds.filter((kind) => kind === "send").length;
  const writes = kinds.filter((kind) => kind === "store").length;
  expect([calls, writes]).toEqual([inFlight, unwritten]);
  expect(calls).toBeLessThanOrEqual(LIMIT);
  expect(calls + writes).toBeLessThanOrEqual(LIMIT + UNWRITTEN_MAX);
  expect(kinds.length - calls - writes).toBe(activity === "idle" ? 0 : 1);
}

const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("end" as const), pick: fc.nat(9), isFailure: fc.boolean() }),
    fc.record({ kind: fc.constant("pass" as const), ms: fc.constantFrom(0, 50, 1_000, 20_000) }),
    fc.record({
      kind: fc.constant("set" as const),
      fact: fc.constantFrom("enabled" as const, "held" as const, "failing" as const),
      to: fc.boolean(),
    }),
  ),
  { maxLength: 80 },
);

/** Lets everything end that is in flight, in order. */
function endAll(scene: Scene): void {
  for (let [next] = scene.inFlight(); next !== undefined; [next] = scene.inFlight()) {
    next.end(false);
    check(scene);
  }
}

it("whatever fails and in whichever order it ends, every delivery is sent once all works again", () => {
  fc.assert(
    fc.property(moves, fc.integer({ min: 1, max: 12 }), (played, count) => {
      const scene = createWorld(count);
      for (const move of played) play(scene, move);
      Object.assign(scene.world, { enabled: true, held: false, failing: false });
      for (let round = 0; round < 20; round += 1) {
        play(scene, { kind: "pass", ms: LEASE_MS / 4 });
        endAll(scene);
      }
      expect(scene.deliveries.filter(({ isDone }) => !isDone)).toEqual([]);
      expect(scene.state()).toMatchObject({ activity: "idle", inFlight: 0, unwritten: 0 });
    }),
  );
});

it("a dispatcher that closes sends and claims nothing more, and what runs ends", () => {
  fc.assert(
    fc.property(moves, moves, (before, after) => {
      const scene = createWorld(12);
      for (const move of before) play(scene, move);
      scene.world.isClosing = true;
      const sent = scene.sends();
      const begun = scene.inFlight().length;
      for (const move of after) play(scene, move);
      endAll(scene);
      expect(scene.sends()).toBe(sent);
      expect(begun).toBeGreaterThanOrEqual(scene.inFlight().length);
      expect(scene.state()).toMatchObject({ activity: "idle", inFlight: 0, unwritten: 0 });
    }),
  );
});
