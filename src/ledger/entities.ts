import { type EntityDetails, type EntityQuery, showEntity } from "../model/entity.ts";
import type { Feature } from "../model/tenant-settings.ts";

/** What entity look-ups need from the threads and the store. */
export interface EntityPorts {
  /** JSON of an `EntityDetails`, null when no entity has this id. */
  findEntity(id: string): Promise<string | null>;
  /** JSON of an `EntityDetails`, null when no entity has that name or website. */
  resolveEntity(query: EntityQuery): Promise<string | null>;
  /** The organization's settings; null when it has none. */
  organization(org: string): Promise<{ readonly features: readonly Feature[] } | null>;
}

export interface EntityLookup {
  /** Null when the knowledge base has no entity with this id. */
  get(org: string, id: string): Promise<EntityDetails | null>;
  /** Every field is null, and `mccs` empty, when no entity has that name or website. */
  resolve(org: string, query: EntityQuery): Promise<EntityDetails>;
}

const UNKNOWN: EntityDetails = {
  id: null,
  name: null,
  website: null,
  phone_number: null,
  tax_number: null,
  naics2017: null,
  logo: null,
  mccs: [],
  parent: null,
  location: null,
};

/** Entities of the knowledge base, with the fields that are enabled for the organization. Queries are not stored. */
export function createEntityLookup(ports: EntityPorts): EntityLookup {
  async function shown(org: string, text: string | null): Promise<EntityDetails | null> {
    if (text === null) return null;
    const features = (await ports.organization(org))?.features ?? [];
    return showEntity(JSON.parse(text) as EntityDetails, new Set(features));
  }
  return {
    get: async (org, id) => shown(org, await ports.findEntity(id)),
    resolve: async (org, query) => (await shown(org, await ports.resolveEntity(query))) ?? UNKNOWN,
  };
}
