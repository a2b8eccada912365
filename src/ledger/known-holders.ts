// Account holders as the enrichment looks them up: for every chunk, before it is enriched and once more after it is stored.
// What was read is remembered for as long as no holder of the organization is removed, which says one small row that is
// read in their place.
//
//   remove:  hide the holder ── new version ── remove its transactions
//   look:    read the version ── what is remembered under it, and read the rest ── remember that under it
//
// A holder that is remembered under a version was read after the version, so it was not hidden yet when the version was
// the current one. Whoever reads that version again later knows that the removal of none of them has gone beyond hiding.
import type { HolderSince } from "../model/account-holder.ts";

/** What it takes to look holders up. */
export interface KnownHolderPorts {
  /** Another text after every removal of a holder, read within `waitMs` from now. */
  versionOf(org: string, waitMs: number): Promise<string>;
  getHolders(org: string, ids: readonly string[]): Promise<readonly HolderSince[]>;
}

export interface KnownHolders {
  /**
   * The holders among `ids` that exist, in no particular order.
   * @param waitMs how long the look may take to begin, to be shared with others
   */
  find(org: string, ids: readonly string[], waitMs?: number): Promise<readonly HolderSince[]>;
}

/** Holders that are remembered, of all organizations together: some 15 MB. */
const REMEMBERED_MAX = 50_000;

interface Book {
  readonly version: string;
  /** In the order in which they were read. */
  readonly holders: Map<string, HolderSince>;
}

export function createKnownHolders(
  ports: KnownHolderPorts,
  rememberedMax = REMEMBERED_MAX,
): KnownHolders {
  // In the order in which they were used last.
  const books = new Map<string, Book>();
  let remembered = 0;

  /** The book of this version, which takes the place of another. */
  function open(org: string, version: string): Book {
    const known = books.get(org);
    const book = known?.version === version ? known : { version, holders: new Map() };
    if (known !== undefined && known !== book) remembered -= known.holders.size;
    books.delete(org);
    books.set(org, book);
    return book;
  }

  function remember(org: string, book: Book, found: readonly HolderSince[]): void {
    // Another version may have come while these were read.
    if (books.get(org) !== book) return;
    for (const one of found) {
      if (!book.holders.has(one.holder.id)) remembered += 1;
      book.holders.set(one.holder.id, one);
    }
    while (remembered > rememberedMax) forgetOldest();
  }

  function forgetOldest(): void {
    for (const [org, { holders }] of books) {
      const [oldest] = holders.keys();
      if (oldest === undefined) books.delete(org);
      else {
        holders.delete(oldest);
        remembered -= 1;
        return;
      }
    }
  }

  return {
    find: async (org, ids, waitMs = 0) => {
      if (ids.length === 0) return [];
      const book = open(org, await ports.versionOf(org, waitMs));
      const known: HolderSince[] = [];
      const unknown: string[] = [];
      for (const id of ids) {
        const holder = book.holders.get(id);
        if (holder === undefined) unknown.push(id);
        else known.push(holder);
      }
      if (unknown.length === 0) return known;
      const found = await ports.getHolders(org, unknown);
      remember(org, book, found);
      return [...known, ...found];
    },
  };
}
