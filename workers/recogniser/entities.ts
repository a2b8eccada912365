// The entities of an answer. Ids are made from what identifies the entity, so that every installation gives the same
// company the same id: the website where there is one, else the folded name. Codes come from the merchant, else from
// what is known of its kind.
import { parse as parseUuid, v3 as uuidV3 } from "uuid";
import type { Counterparty, EntityParent, Intermediary } from "../../src/model/facts.ts";
import { logoUrl } from "../../src/model/logo.ts";
import { naicsOf } from "./codes.ts";
import type { Hints } from "./hints.ts";
import { keepByTexts } from "./kept-texts.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import { uuidOfName } from "./name-uuid.ts";
import { nameTokens } from "./text/keys.ts";

/** Namespace of ids made from names. Never change it: the ids are stored by customers. */
const NAME_NAMESPACE = "3c9a1f0e-6d27-5b84-9e13-b70c52f4a8d6";

/** Merchants kept ready per thread: more than a household meets, small enough not to count. */
const KEPT_MAX = 4096;

/** String ids are below it, and merchants times it are whole numbers still. */
const STRING_IDS_MAX = 2 ** 24;

const NAME_NAMESPACE_BYTES = parseUuid(NAME_NAMESPACE);
const DNS_NAMESPACE_BYTES = parseUuid(uuidV3.DNS);

export const idOf = (name: string, website: string | null): string =>
  website === null
    ? uuidOfName(5, NAME_NAMESPACE_BYTES, nameTokens(name).join(" "))
    : uuidOfName(3, DNS_NAMESPACE_BYTES, website);

export interface EntityFactory {
  /** The merchant as an intermediary; add a type to make it a counterparty. */
  readonly merchant: (merchant: number, hints: Hints) => Intermediary;
  /** A counterparty that is in no table. */
  readonly unknown: (
    type: "person" | "organization",
    name: string,
    website: string | null,
  ) => Counterparty;
}

/** Website of the country the transaction is from, else the general one: a string id. */
export function websiteFor(
  merchant: number,
  { countries }: Pick<Hints, "countries">,
  { merchants }: Knowledge,
): number {
  const end = merchants.siteFirst[merchant + 1] ?? 0;
  if (countries.length === 1) {
    for (let i = merchants.siteFirst[merchant] ?? 0; i + 1 < end; i += 2) {
      if (merchants.sites[i] === countries[0]) return merchants.sites[i + 1] ?? 0;
    }
  }
  return merchants.website[merchant] ?? 0;
}

function parentOf(merchant: number, knowledge: Knowledge): EntityParent | null {
  const parent = (knowledge.merchants.parent[merchant] ?? 0) - 1;
  if (parent < 0) return null;
  const name = knowledge.text(knowledge.merchants.name[parent] ?? 0);
  const website = knowledge.text(knowledge.merchants.website[parent] ?? 0) || null;
  return {
    id: idOf(name, website),
    name,
    website,
    phone_number: null,
    tax_number: null,
    naics2017: naicsOfMerchant(parent, knowledge),
  };
}

const naicsOfMerchant = (merchant: number, knowledge: Knowledge): string | null =>
  naicsOf(
    mccsOf(merchant, knowledge)[0] ?? 0,
    (knowledge.merchants.category[merchant] ?? 0) - 1,
    knowledge,
  );

export function mccsOf(merchant: number, knowledge: Knowledge): readonly number[] {
  const { mccs, mccFirst } = knowledge.merchants;
  const found: number[] = [];
  const end = mccFirst[merchant + 1] ?? 0;
  for (let i = mccFirst[merchant] ?? 0; i < end; i++) found.push(mccs[i] ?? 0);
  return found;
}

/** @param website the one that the entity is asked or met under; its id is made from it */
export function makeEntity(
  merchant: number,
  website: string | null,
  knowledge: Knowledge,
  publicUrl: string | null,
): Intermediary {
  const name = knowledge.text(knowledge.merchants.name[merchant] ?? 0);
  const id = idOf(name, website);
  return {
    id,
    name,
    website,
    phone_number: null,
    tax_number: null,
    naics2017: naicsOfMerchant(merchant, knowledge),
    logo: publicUrl === null ? null : logoUrl(publicUrl, id, name),
    mccs: mccsOf(merchant, knowledge),
    parent: parentOf(merchant, knowledge),
  };
}

/** @param publicUrl where the API is reached, without which there are no addresses of logos */
export function createEntityFactory(knowledge: Knowledge, publicUrl: string | null): EntityFactory {
  const kept = new Map<number, Intermediary>();
  // A digest costs as much as a look-up of all words of a line, and the same names come again and again.
  const idOfUnknown = keepByTexts(idOf, KEPT_MAX);
  return {
    merchant: (merchant, hints) => {
      const site = websiteFor(merchant, hints, knowledge);
      const key = merchant * STRING_IDS_MAX + site;
      const known = kept.get(key);
      if (known !== undefined) return known;
      if (kept.size >= KEPT_MAX) kept.clear();
      const website = site === 0 ? null : knowledge.text(site);
      const entity = makeEntity(merchant, website, knowledge, publicUrl);
      kept.set(key, entity);
      return entity;
    },
    unknown: (type, name, website) => {
      const id = idOfUnknown(name, website);
      // No picture of a private person is shown.
      const hasLogo = type === "organization" && publicUrl !== null;
      return {
        type,
        id,
        name,
        website,
        phone_number: null,
        tax_number: null,
        naics2017: null,
        logo: hasLogo ? logoUrl(publicUrl, id, name) : null,
        mccs: [],
        parent: null,
      };
    },
  };
}
