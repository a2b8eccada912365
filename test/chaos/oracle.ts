// What must be true in the end. Each client of the load works alone on ids of its own, one call after the other, so the
// order of acceptance is known; the outcome of a call whose connection broke is not. The oracle keeps the
// history of every id and, at the end, plays it through with every possible outcome of the unknown calls: the service
// must be in one of the states that can come out.
import type { WireTransaction } from "../support/lines.ts";

/** A transaction as the ledger shows it, as far as the oracle compares it. Null: it is not there. */
export type State = { readonly holder: string | null; readonly description: string } | null;

/** `sure`: the service confirmed it. If not, it may or may not have happened. */
interface Submitted {
  readonly kind: "submit";
  readonly transaction: WireTransaction;
  /** Null for a single call, and for a batch whose id is unknown. */
  readonly batchId: string | null;
  sure: boolean;
}
interface Assigned {
  readonly kind: "assign";
  readonly holder: string;
  readonly sure: boolean;
  /** How many steps before it may still come after it: from the first submission on that was in flight. */
  readonly overtakes: number;
}
interface Deleted {
  readonly kind: "delete";
  readonly sure: boolean;
}
interface HolderDeleted {
  readonly kind: "holder_deleted";
  readonly holder: string;
}
type Step = Submitted | Assigned | Deleted | HolderDeleted;

/** A batch that was sent. `id` is null when it is unknown whether it was accepted. */
export interface SentBatch {
  readonly id: string | null;
  readonly ids: readonly string[];
}

interface OpenBatch {
  readonly id: string;
  readonly steps: readonly Submitted[];
}

export interface Oracle {
  readonly batches: readonly SentBatch[];
  submitted(transactions: readonly WireTransaction[], sure: boolean, batchId: string | null): void;
  batchSent(batch: SentBatch): void;
  /** The batch was seen completed: nothing of it is in flight any more. */
  batchCompleted(id: string): void;
  assigned(id: string, holder: string, sure: boolean): void;
  deleted(id: string, sure: boolean): void;
  /** All of a holder's transactions go; what is still in flight for it may have come before or after. */
  holderDeleted(holder: string): void;
  /** Whether the id surely is in the ledger now, with nothing in flight for it. */
  surelyThere(id: string): boolean;
  /** Every id that was ever sent, with the states that it may be in once nothing is in flight. */
  possible(): ReadonlyMap<string, readonly State[]>;
  /** The steps of an id, for the message about a violation. */
  history(id: string): string;
}

export function createOracle(): Oracle {
  const histories = new Map<string, Step[]>();
  const batches: SentBatch[] = [];
  const open = new Map<string, OpenBatch>();

  function add(id: string, step: Step): void {
    const history = histories.get(id);
    if (history === undefined) histories.set(id, [step]);
    else history.push(step);
  }

  function inFlight(): Submitted[] {
    return [...open.values()].flatMap((batch) => batch.steps);
  }

  return {
    batches,
    submitted: (transactions, sure, batchId) => {
      const steps = transactions.map((transaction): Submitted => {
        const step: Submitted = { kind: "submit", transaction, batchId, sure };
        add(transaction.id, step);
        return step;
      });
      if (batchId !== null) open.set(batchId, { id: batchId, steps });
    },
    batchSent: (batch) => {
      batches.push(batch);
    },
    batchCompleted: (id) => {
      open.delete(id);
    },
    assigned: (id, holder, sure) => {
      // Made from what was stored then: a submission that was still in flight may replace the result.
      const history = histories.get(id) ?? [];
      const waiting = new Set<Step>(inFlight());
      const first = history.findIndex((step) => waiting.has(step));
      const overtakes = first === -1 ? 0 : history.length - first;
      add(id, { kind: "assign", holder, sure, overtakes });
    },
    deleted: (id, sure) => {
      add(id, { kind: "delete", sure });
    },
    holderDeleted: (holder) => {
      for (const step of inFlight())
        if (step.transaction.account_holder_id === holder) step.sure = false;
      for (const history of histories.values())
        if (history.some((step) => namesHolder(step, holder)))
          history.push({ kind: "holder_deleted", holder });
    },
    surelyThere: (id) => {
      if (inFlight().some((step) => step.transaction.id === id)) return false;
      const states = play(histories.get(id) ?? []);
      return states.length > 0 && states.every((state) => state !== null);
    },
    possible: () => new Map([...histories].map(([id, history]) => [id, play(history)])),
    history: (id) => (histories.get(id) ?? []).map(stepText).join(" > "),
  };
}

/** All states that a history can end in. */
function play(history: readonly Step[]): State[] {
  const before: State[][] = [[null]];
  for (const [index, step] of history.entries()) {
    const overtaken = step.kind === "assign" ? step.overtakes : 0;
    const ends: State[] = [];
    for (let from = index - overtaken; from <= index; from += 1) {
      const done = afterAll(before[from] ?? [], [step]);
      ends.push(...afterAll(done, history.slice(from, index)));
    }
    before.push(distinct(ends));
  }
  return before.at(-1) ?? [];
}

function afterAll(states: readonly State[], steps: readonly Step[]): State[] {
  let ends = [...states];
  for (const step of steps) ends = distinct(ends.flatMap((state) => after(state, step)));
  return ends;
}

function after(state: State, step: Step): State[] {
  switch (step.kind) {
    case "submit": {
      const { account_holder_id: holder, description } = step.transaction;
      const submitted = { holder: holder ?? null, description };
      return step.sure ? [submitted] : [state, submitted];
    }
    case "assign": {
      // A transaction that is not there cannot be assigned successfully.
      if (state === null) return step.sure ? [] : [null];
      const moved = { ...state, holder: step.holder };
      return step.sure ? [moved] : [state, moved];
    }
    case "delete":
      return step.sure ? [null] : [state, null];
    case "holder_deleted":
      return state?.holder === step.holder ? [null] : [state];
  }
}

function namesHolder(step: Step, holder: string): boolean {
  if (step.kind === "submit") return step.transaction.account_holder_id === holder;
  return step.kind === "assign" && step.holder === holder;
}

function stepText(step: Step): string {
  switch (step.kind) {
    case "submit": {
      const { account_holder_id: holder, description } = step.transaction;
      const sure = step.sure ? "" : "?";
      return `submit${sure} ${holder ?? "no holder"} "${description}" of ${step.batchId ?? "a call"}`;
    }
    case "assign":
      return `assign${step.sure ? "" : "?"} ${step.holder}`;
    case "delete":
      return `delete${step.sure ? "" : "?"}`;
    case "holder_deleted":
      return `holder deleted ${step.holder}`;
  }
}

function distinct(states: readonly State[]): State[] {
  return [...new Map(states.map((state) => [JSON.stringify(state), state])).values()];
}
