// Account holders as the enrichment reads them: for every chunk, before it is enriched and once more after it is stored.
// They are cached until a holder of the organization is changed or removed; one small row with a version is read instead, and
// shows that.
//
//   change:  change the holder and the version in one write
//   remove:  hide the holder ── new version ── remove its transactions
//   look up: read the version ── use what is cached under it, and read the rest ── cache that under it
//
// A holder that is cached under a version was read after that version, so it was not hidden when the version was current.
// A process that reads the same version again can therefore rely on it: none of these holders was changed, and no removal of
// them has gone beyond hiding.
import type { HolderSince } from "../model/account-holder.ts";

/** What the look-up of holders needs. */
export interface KnownHolderPorts {
  /** Returns a different text after every change and removal of a holder; read within `waitMs` from now. */
  versionOf(org: string, waitMs: number): Promise<string>;
  getHolders(org: string, ids: readonly string[]): Promise<readonly HolderSince[]>;
}

export interface KnownHolders {
  /**
   * The holders among `ids` that exist, in no particular order.
   * @param waitMs how long the read may be delayed so that it can be combined with others
   */
  find(org: string, ids: readonly string[], waitMs?: number): Promise<readonly HolderSince[]>;
}

/** Cached holders of all organizations together: some 15 MB. */
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
  // Least recently used first.
  const books = new Map<string, Book>();
  let remembered = 0;

  /** The cache entry of this version; replaces one of another version. */
  function open(org: string, version: string): Book {
    const known = books.get(org);
    const book = known?.version === version ? known : { version, holders: new Map() };
    if (known !== undefined && known !== book) remembered -= known.holders.size;
    books.delete(org);
    books.set(org, book);
    return book;
  }

  function remember(org: string, book: Book, found: readonly HolderSince[]): void {
    // The version may have changed during this read.
    if (books.get(org) !== book) return;
    for (const one of found) {
      if (!book.holders.has(one.holder.id)) remembered += 1;
      book.holders.set(one.holder.id, one);
    }
    while (remembered > rememberedMax) evictOldest();
  }

  function evictOldest(): void {
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
