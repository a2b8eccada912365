// Which merchants have an id. Ids are hashes, so the way back is a table, made when it is first asked for: a thread that
// only enriches never has it.
import { hash } from "node:crypto";
import { v3 as uuidV3 } from "uuid";
import { idOf } from "../recogniser/entities.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";

/** A merchant under one of its websites. */
export interface MerchantSite {
  readonly merchant: number;
  /** String id of the website, 0 for a merchant that has none. */
  readonly site: number;
}

/** All that have this id, in the order of the knowledge: hand-written first. The letters of the id are small. */
export type FindById = (id: string) => readonly MerchantSite[];

/** Slots for each entry, as in the tables of the knowledge. */
const SLOTS_PER_ENTRY = 1.7;
const DNS_NAMESPACE = Buffer.from(uuidV3.DNS.replaceAll("-", ""), "hex");

/** The first eight digits of an id, as a number. */
const beginningOfId = (id: string): number => Number.parseInt(id.slice(0, 8), 16);

/** The same of a website's id, without the time that making the whole id takes. */
const beginningOfSite = (website: string): number =>
  beginningOfId(hash("md5", Buffer.concat([DNS_NAMESPACE, Buffer.from(website)]), "hex"));

/** Each merchant once for each of its websites, else once by its name: calls `add` in the order of the knowledge. */
function forEachSite(
  { name, website, siteFirst, sites }: Knowledge["merchants"],
  add: (merchant: number, site: number) => void,
): void {
  for (let merchant = 0; merchant < name.length; merchant++) {
    add(merchant, website[merchant] ?? 0);
    const end = siteFirst[merchant + 1] ?? 0;
    for (let at = siteFirst[merchant] ?? 0; at + 1 < end; at += 2)
      add(merchant, sites[at + 1] ?? 0);
  }
}

/**
 * Twelve bytes for each website of each merchant, and seven for its slot: 0.7 MB for the 35 000 of the knowledge. The ids
 * themselves are not kept; one is made again where an entry begins like what is looked for.
 */
export function createIdIndex(knowledge: Knowledge): FindById {
  const { merchants, text } = knowledge;
  const count = merchants.name.length + merchants.sites.length / 2;
  const owners = new Uint32Array(count);
  const sites = new Uint32Array(count);
  const beginnings = new Uint32Array(count);
  /** Open addressing, linear probing; 0 = empty, else entry + 1. */
  const slots = new Uint32Array(Math.ceil(count * SLOTS_PER_ENTRY) + 1);
  const nextSlot = (slot: number): number => (slot + 1 === slots.length ? 0 : slot + 1);
  const nameOf = (merchant: number): string => text(merchants.name[merchant] ?? 0);

  let entries = 0;
  forEachSite(merchants, (merchant, site) => {
    const beginning =
      site === 0 ? beginningOfId(idOf(nameOf(merchant), null)) : beginningOfSite(text(site));
    owners[entries] = merchant;
    sites[entries] = site;
    beginnings[entries] = beginning;
    entries++;
    let slot = beginning % slots.length;
    while (slots[slot] !== 0) slot = nextSlot(slot);
    slots[slot] = entries;
  });

  return (id) => {
    const found: MerchantSite[] = [];
    const beginning = beginningOfId(id);
    for (let slot = beginning % slots.length; ; slot = nextSlot(slot)) {
      const entry = (slots[slot] ?? 0) - 1;
      if (entry < 0) return found;
      if (beginnings[entry] !== beginning) continue;
      const merchant = owners[entry] ?? 0;
      const site = sites[entry] ?? 0;
      const isKnown = found.some((other) => other.site === site && site !== 0);
      if (isKnown || idOf(nameOf(merchant), site === 0 ? null : text(site)) === id)
        found.push({ merchant, site });
    }
  };
}
