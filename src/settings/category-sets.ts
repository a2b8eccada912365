// The category sets of an organization. The default sets always exist; they are stored only when an organization has replaced
// their names or their mapping.
import { Buffer } from "node:buffer";
import type { Actor, AuditAction, AuditEntry } from "../model/audit.ts";
import {
  businessCategories,
  consumerCategories,
  ownCategories,
  type CategorySet,
} from "../model/categories.ts";
import {
  CATEGORY_SET_BYTES_MAX,
  type CategoryMapping,
  type DEFAULT_SET_IDS,
  type MappingPatch,
  type MappingProblem,
  type NamedCategorySet,
  type CategorySetRefused,
  type SeenCategorySet,
} from "../model/category-set.ts";
import { patchedMapping, withYoungerCategories } from "./category-mappings.ts";
import { createKeyedMutex, type KeyedMutex } from "../shared/concurrency/keyed-mutex.ts";

type Next = Omit<SeenCategorySet, "revision">;

/** What the category sets need from the store and the threads. */
export interface CategorySetPorts {
  getSet(org: string, id: string): Promise<SeenCategorySet | null>;
  /** `overtaken`: the set was changed, or another one was created, meanwhile. */
  putSet(
    seen: SeenCategorySet | null,
    next: Next,
    settingsVersion: string,
    entry: AuditEntry,
  ): Promise<"stored" | "overtaken" | "full">;
  /** False when the set was changed meanwhile. */
  removeSet(seen: SeenCategorySet, settingsVersion: string, entry: AuditEntry): Promise<boolean>;
  /** The audit entry with this id, which a change has written. */
  changeOf(org: string, entryId: string): Promise<AuditEntry | null>;
  /** Maps each built-in category to an entry of the set. */
  mapCategories(set: CategorySet): Promise<CategoryMapping>;
  nowMs(): number;
  newId(): string;
}

/** `changeId`: repeating a change with the same one changes nothing, whatever other changes came in between. */
export interface CategorySets {
  /** Null: there is no such set. */
  get(org: string, id: string): Promise<NamedCategorySet | null>;
  /**
   * Stores a set. The mapping is computed again. An entry that the organization has set stays if its category still exists; one
   * that is set to "no category fits" stays if the names of that direction are the same.
   */
  replace(
    org: string,
    id: string,
    set: NamedCategorySet,
    by: Actor,
    changeId: string,
  ): Promise<{ readonly ok: true; readonly set: NamedCategorySet } | CategorySetRefused>;
  /** Restores the names of a default set and returns it; removes any other set. Does nothing if there is none. */
  reset(
    org: string,
    id: string,
    by: Actor,
    changeId: string,
  ): Promise<{ readonly ok: true; readonly set: CategorySet | null } | CategorySetRefused>;
  /** Null: there is no such set. */
  mapping(org: string, id: string): Promise<CategoryMapping | null>;
  /** Null: there is no such set. `invalid`: nothing was changed. */
  patchMapping(
    org: string,
    id: string,
    patch: MappingPatch,
    by: Actor,
  ): Promise<
    | { readonly ok: true; readonly mapping: CategoryMapping }
    | {
        readonly ok: false;
        readonly reason: "invalid";
        readonly problems: readonly MappingProblem[];
      }
    | CategorySetRefused
    | null
  >;
}

/** Changes of one organization that wait in this process for earlier ones; each holds at most one set. */
const WAITING_CHANGES_MAX = 256;
/** Other processes may change the same set, or take the same place; in each failed try, one of them succeeded. */
const CHANGE_TRIES_MAX = 100;
/** A patch that names more categories than there are contains unknown ones. */
const PROBLEMS_MAX = 100;

const BUSY: CategorySetRefused = { ok: false, reason: "busy" };
const TOO_LARGE: CategorySetRefused = { ok: false, reason: "too_large" };
const OVERTAKEN = "overtaken";

export function createCategorySets(ports: CategorySetPorts): CategorySets {
  const turns = createKeyedMutex(WAITING_CHANGES_MAX);
  return {
    get: async (org, id) => {
      const seen = await ports.getSet(org, id);
      return seen === null ? defaultSetOf(id) : wordsOf(seen);
    },
    replace: async (org, id, set, by, changeId) => {
      // Checked first, so that a set that is too large takes no thread time.
      if (bytesOf(set) > CATEGORY_SET_BYTES_MAX) return TOO_LARGE;
      // Before it waits for other changes: the threads may take long, and the result does not depend on stored data.
      const made = await ports.mapCategories(set);
      const entry = entryOf(ports, by, { org, id, changeId, action: "categories.replaced" });
      return changeSet(turns, org, async () => {
        const seen = await ports.getSet(org, id);
        if ((await ports.changeOf(org, changeId)) !== null) return { ok: true, set };
        const corrected = seen === null ? {} : keptCorrections(seen, set);
        const next = {
          org,
          id,
          ...wordsOf(set),
          mapping: patchedMapping(made, corrected),
          corrected,
        };
        const outcome = await putSet(ports, seen, next, {
          ...entry,
          details: { incoming: set.incoming.length, outgoing: set.outgoing.length },
        });
        return outcome === "stored" ? { ok: true, set } : outcome;
      });
    },
    reset: (org, id, by, changeId) => {
      const entry = entryOf(ports, by, { org, id, changeId, action: "categories.reset" });
      return changeSet(turns, org, async () => {
        const seen = await ports.getSet(org, id);
        const done = { ok: true, set: defaultSetOf(id) } as const;
        if (seen === null || (await ports.changeOf(org, changeId)) !== null) return done;
        return (await ports.removeSet(seen, ports.newId(), entry)) ? done : OVERTAKEN;
      });
    },
    mapping: async (org, id) => {
      const seen = await ports.getSet(org, id);
      if (seen !== null) return (await withYoungerCategories(seen, ports.mapCategories)).mapping;
      const set = defaultSetOf(id);
      return set === null ? null : identityOf(set);
    },
    patchMapping: (org, id, patch, by) => {
      const action = "categories.mapped";
      const entry = entryOf(ports, by, { org, id, changeId: ports.newId(), action });
      return changeSet(turns, org, () => patchMapping(ports, entry, patch));
    },
  };
}

/** Repeats the change as long as other changes come first. */
async function changeSet<Outcome>(
  turns: KeyedMutex,
  org: string,
  change: () => Promise<Outcome | typeof OVERTAKEN>,
): Promise<Outcome | CategorySetRefused> {
  const outcome = await turns(org, async () => {
    for (let tries = 0; tries < CHANGE_TRIES_MAX; tries += 1) {
      const tried = await change();
      if (tried !== OVERTAKEN) return { tried };
    }
    return null;
  });
  return outcome === null ? BUSY : outcome.tried;
}

async function putSet(
  ports: CategorySetPorts,
  seen: SeenCategorySet | null,
  next: Next,
  entry: AuditEntry,
): Promise<"stored" | typeof OVERTAKEN | CategorySetRefused> {
  const { incoming, outgoing, mapping } = next;
  if (bytesOf({ incoming, outgoing, mapping }) > CATEGORY_SET_BYTES_MAX) return TOO_LARGE;
  const outcome = await ports.putSet(seen, next, ports.newId(), entry);
  return outcome === "full" ? { ok: false, reason: "full" } : outcome;
}

async function patchMapping(
  ports: CategorySetPorts,
  entry: AuditEntry,
  sent: MappingPatch,
): Promise<Awaited<ReturnType<CategorySets["patchMapping"]>> | typeof OVERTAKEN> {
  const { org, subject: id } = entry;
  const seen = await ports.getSet(org, id);
  const stored = seen ?? (await storableDefault(ports, org, id));
  if (stored === null) return null;
  const current = await withYoungerCategories(stored, ports.mapCategories);
  const problems = problemsOf(sent, current);
  if (problems.length > 0) return { ok: false, reason: "invalid", problems };
  const patch = inOurSpelling(sent);
  const changes = entriesOf(patch.incoming).length + entriesOf(patch.outgoing).length;
  if (changes === 0) return { ok: true, mapping: current.mapping };
  const corrected: MappingPatch = {
    incoming: { ...current.corrected.incoming, ...patch.incoming },
    outgoing: { ...current.corrected.outgoing, ...patch.outgoing },
  };
  const mapping = patchedMapping(current.mapping, patch);
  const next = { org, id, ...wordsOf(current), mapping, corrected };
  const outcome = await putSet(ports, seen, next, { ...entry, details: { changes } });
  return outcome === "stored" ? { ok: true, mapping } : outcome;
}

/** A default set in the form that is stored when its mapping is changed: holders of the other type may name it too then. */
async function storableDefault(
  ports: CategorySetPorts,
  org: string,
  id: string,
): Promise<Next | null> {
  const set = defaultSetOf(id);
  if (set === null) return null;
  return { org, id, ...set, mapping: await ports.mapCategories(set), corrected: {} };
}

const defaults: Readonly<Record<(typeof DEFAULT_SET_IDS)[number], CategorySet>> = {
  consumer: consumerCategories,
  business: businessCategories,
};

/** Null for a set that is not a default one. */
function defaultSetOf(id: string): CategorySet | null {
  return id === "consumer" || id === "business" ? wordsOf(defaults[id]) : null;
}

const DIRECTIONS = ["incoming", "outgoing"] as const;

const wordsOf = ({ incoming, outgoing, model = null }: NamedCategorySet): NamedCategorySet =>
  model === null ? { incoming, outgoing } : { incoming, outgoing, model };

const identityOf = ({ incoming, outgoing }: CategorySet): CategoryMapping => ({
  incoming: Object.fromEntries(incoming.map((word) => [word, word])),
  outgoing: Object.fromEntries(outgoing.map((word) => [word, word])),
});

const entriesOf = (words: MappingPatch["incoming"]): [string, string | null][] =>
  Object.entries(words ?? {});

function keptCorrections(seen: SeenCategorySet, set: CategorySet): MappingPatch {
  const kept = DIRECTIONS.map((direction) => {
    const words = new Set(set[direction]);
    const before = seen[direction];
    const isSame = before.length === words.size && before.every((word) => words.has(word));
    const entries = entriesOf(seen.corrected[direction]).filter(([, entry]) =>
      entry === null ? isSame : words.has(entry),
    );
    return [direction, Object.fromEntries(entries)];
  });
  return Object.fromEntries(kept) as MappingPatch;
}

/** Built-in categories are lower case; a client may spell them differently. */
const ourSpelling = (category: string): string => category.trim().toLowerCase();

function problemsOf(patch: MappingPatch, set: CategorySet): MappingProblem[] {
  const problems: MappingProblem[] = [];
  for (const direction of DIRECTIONS) {
    const words = new Set(set[direction]);
    for (const [category, entry] of entriesOf(patch[direction])) {
      if (problems.length === PROBLEMS_MAX) return problems;
      const isOurs = ownCategories[direction].has(ourSpelling(category));
      if (!isOurs) problems.push({ direction, category, problem: "unknown_category" });
      else if (entry !== null && !words.has(entry))
        problems.push({ direction, category, problem: "not_in_set" });
    }
  }
  return problems;
}

function inOurSpelling(patch: MappingPatch): CategoryMapping {
  const spelled = (words: MappingPatch["incoming"]): Record<string, string | null> =>
    Object.fromEntries(entriesOf(words).map(([category, entry]) => [ourSpelling(category), entry]));
  return { incoming: spelled(patch.incoming), outgoing: spelled(patch.outgoing) };
}

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));

interface CategorySetChange {
  readonly org: string;
  readonly id: string;
  readonly changeId: string;
  readonly action: AuditAction;
}

const entryOf = (ports: CategorySetPorts, by: Actor, change: CategorySetChange): AuditEntry => ({
  ...by,
  org: change.org,
  id: change.changeId,
  createdAt: ports.nowMs(),
  action: change.action,
  subject: change.id,
  details: {},
});
