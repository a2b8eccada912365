// The rules of an organization: one ordered list; the id of a rule is its position.
import { Buffer } from "node:buffer";
import type { Actor, AuditAction, AuditEntry } from "../model/audit.ts";
import { type Rule, RULESET_BYTES_MAX, type RuleChange } from "../model/rules.ts";
import { createKeyedMutex } from "../shared/concurrency/keyed-mutex.ts";

/** The rules as they were read; the revision identifies them. */
interface Ruleset {
  readonly revision: number;
  readonly rules: readonly Rule[];
}

/** What the rules need from the store. */
export interface RulesPorts {
  getRuleset(org: string): Promise<Ruleset>;
  /** False when the rules were changed since they were read. */
  replaceRuleset(
    seen: Ruleset,
    rules: readonly Rule[],
    settingsVersion: string,
    entry: AuditEntry,
  ): Promise<boolean>;
  /** The audit entry with this id, which a change of the rules has written. */
  changeOf(org: string, entryId: string): Promise<AuditEntry | null>;
  nowMs(): number;
  newId(): string;
}

/**
 * `changeId`: repeating a change with the same one changes nothing and returns the same result, whatever other changes came in
 * between.
 */
export interface Rules {
  list(org: string): Promise<readonly Rule[]>;
  append(org: string, rule: Rule, by: Actor, changeId: string): Promise<RuleChange>;
  replace(org: string, rules: readonly Rule[], by: Actor, changeId: string): Promise<RuleChange>;
  /** Replaces one rule. */
  change(org: string, id: number, rule: Rule, by: Actor): Promise<RuleChange>;
  /** The rules after it move up by one position. */
  remove(org: string, id: number, by: Actor): Promise<RuleChange>;
}

/**
 * Changes of one organization that wait in this process for earlier ones. A change takes a few milliseconds, and each waiting
 * one holds at most the rules of one request.
 */
const WAITING_CHANGES_MAX = 256;
/** Other processes may change the rules between reading and writing; in each failed try, one of them succeeded. */
const CHANGE_TRIES_MAX = 100;

/** The result of a change of the rules; `id` is the position of the changed rule, null for all of them. */
interface Edited {
  readonly rules: readonly Rule[];
  readonly id: number | null;
}

interface RulesetChange {
  readonly org: string;
  readonly by: Actor;
  readonly action: AuditAction;
  readonly changeId: string;
  readonly sent: readonly Rule[];
  /** Null: there is no such position. */
  edit(rules: readonly Rule[]): Edited | null;
}

export function createRules(ports: RulesPorts): Rules {
  const turns = createKeyedMutex(WAITING_CHANGES_MAX);
  const make = async (change: RulesetChange): Promise<RuleChange> => {
    // Before the change waits and holds memory.
    if (isTooLarge(change.sent)) return { ok: false, reason: "too_large" };
    const outcome = await turns(change.org, () => changeRules(ports, change));
    return outcome ?? { ok: false, reason: "busy" };
  };
  return {
    list: async (org) => (await ports.getRuleset(org)).rules,
    append: (org, rule, by, changeId) =>
      make({
        org,
        by,
        action: "rules.appended",
        changeId,
        sent: [rule],
        edit: (rules) => ({ rules: [...rules, rule], id: rules.length }),
      }),
    replace: (org, rules, by, changeId) =>
      make({
        org,
        by,
        action: "rules.replaced",
        changeId,
        sent: rules,
        edit: () => ({ rules, id: null }),
      }),
    change: (org, id, rule, by) =>
      make({
        org,
        by,
        action: "rule.changed",
        changeId: ports.newId(),
        sent: [rule],
        edit: (rules) => (id < rules.length ? { rules: rules.with(id, rule), id } : null),
      }),
    remove: (org, id, by) =>
      make({
        org,
        by,
        action: "rule.deleted",
        changeId: ports.newId(),
        sent: [],
        edit: (rules) => (id < rules.length ? { rules: rules.toSpliced(id, 1), id } : null),
      }),
  };
}

/** Null: other changes came first in every try. */
async function changeRules(ports: RulesPorts, change: RulesetChange): Promise<RuleChange | null> {
  const { org, by, action, changeId } = change;
  for (let tries = 0; tries < CHANGE_TRIES_MAX; tries += 1) {
    const seen = await ports.getRuleset(org);
    // Read after the rules: if another process does the same change, it is either visible here by now, or it changes the rules
    // that were read.
    const done = await ports.changeOf(org, changeId);
    if (done !== null) return { ok: true, id: Number(done.details["id"] ?? 0) };
    const edited = change.edit(seen.rules);
    if (edited === null) return { ok: false, reason: "unknown_id" };
    const { rules, id } = edited;
    if (isTooLarge(rules)) return { ok: false, reason: "too_large" };
    const entry: AuditEntry = {
      ...by,
      org,
      id: changeId,
      createdAt: ports.nowMs(),
      action,
      subject: id === null ? "ruleset" : String(id),
      details: { ...(id === null ? {} : { id }), rules: rules.length },
    };
    if (await ports.replaceRuleset(seen, rules, ports.newId(), entry))
      return { ok: true, id: id ?? 0 };
  }
  return null;
}

const isTooLarge = (rules: readonly Rule[]): boolean =>
  Buffer.byteLength(JSON.stringify(rules)) > RULESET_BYTES_MAX;
