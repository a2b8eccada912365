import { v5 as uuidv5 } from "uuid";
import type { Page, PageRequest } from "../../shared/page.ts";
import type { CorrectedParts, Correction } from "../../model/tenant-settings.ts";
import {
  CORRECTIONS_MAX,
  type StoredCorrection,
  type CorrectionChange,
} from "../../model/report.ts";
import type { Store, Write } from "../collection.ts";
import { bounded, readPage } from "./pages.ts";
import { type CorrectionRow, correctionSpec } from "../specs/settings-specs.ts";

export interface CorrectionRepository {
  /** Those of an organization, the one that was changed last at the end. */
  ofOrganization(org: string): Promise<readonly Correction[]>;
  get(org: string, id: string): Promise<StoredCorrection | null>;
  /** Newest first; null: of all organizations. */
  list(org: string | null, page: PageRequest): Promise<Page<StoredCorrection>>;
  /** Of whatever organization it is. */
  find(id: string): Promise<StoredCorrection | null>;
  /**
   * Steps that end their write when another writer has changed the correction, or taken the same place, meanwhile. Null:
   * the organization has as many as it may have.
   */
  changeSteps(change: CorrectionChange): Promise<readonly Write[] | null>;
  /** Steps that end their write when there is none. */
  removeSteps(org: string, id: string): readonly Write[];
}

/** Namespace of the ids of corrections (RFC 9562, UUIDv5); made up once, never to be changed. */
const CORRECTION_NAMESPACE = "f2b8c0de-5a41-5c7e-8d36-1b7a94e05c62";

/** What is corrected twice is one correction. */
export function correctionId(
  org: string,
  { cleanName, entryType, accountType }: Omit<Correction, "parts">,
): string {
  return uuidv5(JSON.stringify([org, entryType, accountType, cleanName]), CORRECTION_NAMESPACE);
}

/** Rows read at a time: each has at most a few KB. */
const PART = 500;

export function createCorrectionRepository(
  store: Store,
  placesMax = CORRECTIONS_MAX,
): CorrectionRepository {
  const corrections = store.collection<CorrectionRow>(correctionSpec);

  async function rowsOf(org: string): Promise<CorrectionRow[]> {
    const rows: CorrectionRow[] = [];
    for (;;) {
      const last = rows.at(-1);
      const part = await corrections.find({
        where: { org },
        order: { fields: ["place"], direction: "asc" },
        ...(last === undefined ? {} : { after: [last.place] }),
        limit: PART,
      });
      rows.push(...part);
      if (part.length < PART) return rows;
    }
  }

  /** Null: all are taken. A concurrent writer of the same one is refused by the unique index. */
  async function freePlace(org: string): Promise<number | null> {
    const order = { fields: ["place"], direction: "desc" } as const;
    const [last] = await corrections.find({ where: { org }, order, limit: 1 });
    const next = last === undefined ? 0 : last.place + 1;
    if (next < placesMax) return next;
    // Only where there were that many before are there places to be found again.
    const taken = new Set((await rowsOf(org)).map((row) => row.place));
    const free = Array.from({ length: placesMax }, (_, place) => place);
    return free.find((place) => !taken.has(place)) ?? null;
  }

  return {
    ofOrganization: async (org) =>
      (await rowsOf(org))
        .toSorted((a, b) => a.updatedAt - b.updatedAt || (a.id < b.id ? -1 : 1))
        .map(({ cleanName, entryType, accountType, parts }) => ({
          cleanName,
          entryType,
          accountType,
          parts: JSON.parse(parts) as CorrectedParts,
        })),
    get: async (org, id) => {
      const row = await corrections.get({ org, id });
      return row === null ? null : toCorrection(row);
    },
    list: (org, page) =>
      org === null
        ? readPage(corrections, {}, bounded(page), "id", toCorrection)
        : readPage(corrections, { org }, page, "id", toCorrection),
    find: async (id) => {
      const [row] = await corrections.find({ where: { id }, limit: 1 });
      return row === undefined ? null : toCorrection(row);
    },
    changeSteps: async ({ seen, next }) => {
      const { org, id, updatedAt, revision, accountHolderId } = next;
      const parts = JSON.stringify(next.parts);
      if (seen !== null) {
        const where = { org, id, revision: seen.revision };
        const set = { updatedAt, revision, parts, accountHolderId };
        return [corrections.update(where, set, "fail")];
      }
      const place = await freePlace(org);
      return place === null ? null : [corrections.insert({ ...next, parts, place }, "fail")];
    },
    removeSteps: (org, id) => [
      corrections.require({ org, id }, 1),
      corrections.delete({ org, id }),
    ],
  };
}

function toCorrection(row: CorrectionRow): StoredCorrection {
  const { org, id, createdAt, updatedAt, revision, accountHolderId } = row;
  const { cleanName, entryType, accountType } = row;
  const parts = JSON.parse(row.parts) as CorrectedParts;
  const line = { cleanName, entryType, accountType, parts };
  return { org, id, createdAt, updatedAt, revision, accountHolderId, ...line };
}
