// The rules of an organization as it sets them: one ordered list, in which a rule is known by its place.
import { Buffer } from "node:buffer";
import type { Actor, AuditAction, AuditEntry } from "../model/audit.ts";
import { type Rule, RULESET_BYTES_MAX } from "../model/rules.ts";
import { createKeyedMutex } from "../shared/concurrency/keyed-mutex.ts";

/** The rules as they were read; the revision says which ones. */
interface Ruleset {
  readonly revision: number;
  readonly rules: readonly Rule[];
}

/** What the rules need of the store. */
export interface RulesPorts {
  getRuleset(org: string): Promise<Ruleset>;
  /** False when somebody else has changed the rules since they were read. */
  replaceRuleset(
    seen: Ruleset,
    rules: readonly Rule[],
    settingsVersion: string,
    entry: AuditEntry,
  ): Promise<boolean>;
  /** The entry of this id, which a change of the rules has left. */
  changeOf(org: string, entryId: string): Promise<AuditEntry | null>;
  nowMs(): number;
  newId(): string;
}

/**
 * `too_large`: all rules together would have more than RULESET_BYTES_MAX. `unknown_id`: there is no rule at this place.
 * `busy`: too many change the rules at the same time. Nothing was changed then.
 */
export type RuleRefusal = "too_large" | "unknown_id" | "busy";

/** `id`: the place of the rule that was changed, 0 where it was all of them. */
export type RuleChange =
  | { readonly ok: true; readonly id: number }
  | { readonly ok: false; readonly reason: RuleRefusal };

/** `changeId`: repeating a change under the same one changes nothing and says what it said, whatever came in between. */
export interface Rules {
  list(org: string): Promise<readonly Rule[]>;
  append(org: string, rule: Rule, by: Actor, changeId: string): Promise<RuleChange>;
  replace(org: string, rules: readonly Rule[], by: Actor, changeId: string): Promise<RuleChange>;
  /** Puts another rule into the place of one. */
  change(org: string, id: number, rule: Rule, by: Actor): Promise<RuleChange>;
  /** Those behind it move up by one place. */
  remove(org: string, id: number, by: Actor): Promise<RuleChange>;
}

/**
 * Changes of one organization that wait for those before them on this process. A change takes a few milliseconds, and
 * each that waits holds at most one request's rules.
 */
const WAITING_CHANGES_MAX = 256;
/** Other processes may have changed the rules between reading and writing; one of them gets ahead each time. */
const CHANGE_TRIES_MAX = 100;

/** What a change makes of the rules; `id` is the place it is about, null for all of them. */
interface Edited {
  readonly rules: readonly Rule[];
  readonly id: number | null;
}

interface Change {
  readonly org: string;
  readonly by: Actor;
  readonly action: AuditAction;
  readonly changeId: string;
  readonly sent: readonly Rule[];
  /** Null: there is no such place. */
  edit(rules: readonly Rule[]): Edited | null;
}

export function createRules(ports: RulesPorts): Rules {
  const turns = createKeyedMutex(WAITING_CHANGES_MAX);
  const make = async (change: Change): Promise<RuleChange> => {
    // Before anything waits with it.
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

/** Null: others were quicker every time. */
async function changeRules(ports: RulesPorts, change: Change): Promise<RuleChange | null> {
  const { org, by, action, changeId } = change;
  for (let tries = 0; tries < CHANGE_TRIES_MAX; tries += 1) {
    const seen = await ports.getRuleset(org);
    // After the rules: a repetition that is done elsewhere is found here by now, or else changes what was read.
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
