// Lookup of entities by id, name or website. One per thread; indexes are built at the first query, and no query is stored.
import type { EntityDetails, EntityQuery } from "../../src/model/entity.ts";
import type { Location } from "../../src/model/facts.ts";
import type { Examination } from "../recogniser/recogniser.ts";
import { makeEntity } from "../recogniser/entities.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import { placedAt } from "../recogniser/place/location.ts";
import { type AskedPlace, createPlaceReader } from "./area.ts";
import { isAddress, plainText } from "./asked-text.ts";
import { findByName, findByWholeName } from "./by-name.ts";
import { findByWebsite } from "./by-website.ts";
import { createIdIndex, type FindById, type MerchantSite } from "./id-index.ts";
import { createNames } from "./names.ts";
import { mainOf } from "./owners.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";

export interface Lookup {
  /** Null when no merchant, parent or intermediary of the knowledge has this id. */
  readonly findEntity: (id: string) => EntityDetails | null;
  /** Null when no merchant of the knowledge base has that name or website. */
  readonly resolveEntity: (query: EntityQuery) => EntityDetails | null;
  /** The same for an exact name only: a client names the merchant, and no other one may be returned instead. */
  readonly namedEntity: (query: EntityQuery) => EntityDetails | null;
}

/** Groups of hexadecimal digits; the version and the variant are not looked at. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

/**
 * @param examine of the same thread: how names that are lines of a statement are read
 * @param publicUrl where the API is reached, which answers the logos; null: entities have none
 */
export function createLookup(
  knowledge: Knowledge,
  examine: (item: RecogniserInput) => Examination,
  publicUrl: string | null,
): Lookup {
  const places = createPlaceReader(knowledge);
  const names = createNames(knowledge);
  let index: FindById | null = null;
  const findById: FindById = (id) => {
    index ??= createIdIndex(knowledge);
    return index(id);
  };
  const detailsOf = (
    { merchant, site }: MerchantSite,
    locate: (merchantName: string | null) => Location | null,
  ): EntityDetails => {
    const website = site === 0 ? null : knowledge.text(site);
    const entity = makeEntity(merchant, website, knowledge, publicUrl);
    return { ...entity, location: locate(entity.name) };
  };
  const byWebsite = (website: string, place: AskedPlace | null): MerchantSite | null =>
    findByWebsite(website, place, findById, knowledge);
  const nameLookup = { knowledge, examine, names, places };

  /** @param byName how a name is looked up */
  function resolve(
    { name, website, location }: EntityQuery,
    byName: (text: string, place: AskedPlace | null) => MerchantSite | null,
  ): EntityDetails | null {
    const place = location === null ? null : places.read(location);
    const found =
      website === null ? byName(plainText(name ?? ""), place) : byWebsite(website, place);
    if (found === null) return null;
    return detailsOf(found, (merchantName) =>
      place === null ? null : placedAt({ place, rawAddress: location, merchantName }, knowledge),
    );
  }

  return {
    findEntity: (id) => {
      const text = id.toLowerCase();
      const main = UUID.test(text) ? mainOf(findById(text), knowledge) : null;
      return main === null ? null : detailsOf(main, () => null);
    },
    resolveEntity: (query) =>
      resolve(query, (text, place) => {
        const site = isAddress(text) ? byWebsite(text, place) : null;
        return site ?? findByName(text, place, nameLookup);
      }),
    namedEntity: (query) =>
      resolve(query, (text, place) => findByWholeName(text, place, nameLookup)),
  };
}
