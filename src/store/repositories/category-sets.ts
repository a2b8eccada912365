import type { AuditEntry } from "../../model/audit.ts";
import { CATEGORY_SETS_MAX, type SeenCategorySet } from "../../model/category-set.ts";
import { createAuditRepository } from "./audit.ts";
import type { Store, Write } from "../collection.ts";
import { createOrganizationRepository } from "./organizations.ts";
import { type CategorySetRow, categorySetSpec } from "../specs/settings-specs.ts";

/** Every change of an organization makes a new version of the settings and leaves its entry, in the same write. */
export interface CategorySetRepository {
  /** Null for a set that the organization has not stored; a default one is not stored until its words are replaced. */
  get(org: string, id: string): Promise<SeenCategorySet | null>;
  /** All sets of an organization. */
  ofOrganization(org: string): Promise<readonly SeenCategorySet[]>;
  /** Stores another mapping of the same words, unless the set was changed since it was read. */
  keepMapping(seen: SeenCategorySet): Promise<void>;
  /**
   * Stores a set in place of the one that was seen, or as a new one. `overtaken`: another writer has changed it, or
   * taken the last place, meanwhile. `full`: the organization has CATEGORY_SETS_MAX others.
   */
  put(
    seen: SeenCategorySet | null,
    next: Omit<SeenCategorySet, "revision">,
    settingsVersion: string,
    entry: AuditEntry,
  ): Promise<"stored" | "overtaken" | "full">;
  /** False when it was changed or removed meanwhile. */
  remove(seen: SeenCategorySet, settingsVersion: string, entry: AuditEntry): Promise<boolean>;
  /** The entry of this id that a change has left. */
  changeOf(org: string, entryId: string): Promise<AuditEntry | null>;
}

export function createCategorySetRepository(store: Store): CategorySetRepository {
  const sets = store.collection<CategorySetRow>(categorySetSpec);
  const organizations = createOrganizationRepository(store);
  const audit = createAuditRepository(store);

  /** Null: all are taken. A concurrent writer of the same one is refused by the unique index. */
  async function freeSlot(org: string): Promise<number | null> {
    const order = { fields: ["slot"], direction: "desc" } as const;
    const [last] = await sets.find({ where: { org }, order, limit: 1 });
    const next = last === undefined ? 0 : last.slot + 1;
    if (next < CATEGORY_SETS_MAX) return next;
    // Only where there were that many before are there slots to be found again.
    const rows = await sets.find({ where: { org }, limit: CATEGORY_SETS_MAX });
    const taken = new Set(rows.map((row) => row.slot));
    const all = Array.from({ length: CATEGORY_SETS_MAX }, (_, slot) => slot);
    return all.find((slot) => !taken.has(slot)) ?? null;
  }

  const changed = (step: Write, org: string, version: string, entry: AuditEntry): Write[] => [
    step,
    ...organizations.settingsChangedSteps(org, version),
    audit.step(entry),
  ];

  return {
    get: async (org, id) => {
      const row = await sets.get({ org, id });
      return row === null ? null : toSet(row);
    },
    ofOrganization: async (org) =>
      (await sets.find({ where: { org }, limit: CATEGORY_SETS_MAX })).map(toSet),
    keepMapping: async ({ org, id, revision, ...body }) => {
      const set = { body: bodyText(body), revision: revision + 1 };
      await store.write([sets.update({ org, id, revision }, set, "ignore")]);
    },
    put: async (seen, next, version, entry) => {
      const { org, id } = next;
      const body = bodyText(next);
      if (seen !== null) {
        const { revision } = seen;
        const set = { body, revision: revision + 1 };
        const step = sets.update({ org, id, revision }, set, "fail");
        return (await store.write(changed(step, org, version, entry))).ok ? "stored" : "overtaken";
      }
      const slot = await freeSlot(org);
      if (slot === null) return "full";
      const step = sets.insert({ org, id, slot, revision: 1, body }, "fail");
      return (await store.write(changed(step, org, version, entry))).ok ? "stored" : "overtaken";
    },
    remove: async ({ org, id, revision }, version, entry) => {
      const there = sets.require({ org, id, revision }, 1);
      const gone = changed(sets.delete({ org, id }), org, version, entry);
      return (await store.write([there, ...gone])).ok;
    },
    changeOf: audit.get,
  };
}

type Body = Omit<SeenCategorySet, "org" | "id" | "revision">;

/** The set alone, whatever else the object carries. */
function bodyText({ incoming, outgoing, mapping, corrected, model = null }: Body): string {
  const bound = model === null ? {} : { model };
  const body: Body = { incoming, outgoing, mapping, corrected, ...bound };
  return JSON.stringify(body);
}

function toSet({ org, id, revision, body }: CategorySetRow): SeenCategorySet {
  return { org, id, revision, ...(JSON.parse(body) as Body) };
}
