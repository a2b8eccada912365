// The transactions of a ledger by payee, direction and currency. One payee may be written in several ways: as an entity, by its
// name in other spellings, or only in the text of the bank line.
import { timeOrder } from "../../src/codec/ledger-columns.ts";
import type { LedgerColumns, LedgerCounterparty } from "../../src/model/recurrence.ts";
import {
  isAbbreviated,
  isTruncated,
  lineWords,
  mayBeName,
  nameWords,
  textTokens,
} from "./names.ts";

export interface Payee {
  /** Lower case, without spaces. */
  readonly name: string;
  /** Null: it is only known from bank lines. */
  readonly counterparty: LedgerCounterparty | null;
}

/** Transactions with one payee in one direction and currency. */
export interface Account {
  readonly payee: Payee;
  readonly isIncoming: boolean;
  readonly currency: string;
  /** Its transactions stand at `from` to `until - 1` of all that are sorted by account. */
  readonly from: number;
  readonly until: number;
}

/** A ledger by account. */
export interface LedgerAccounts {
  /** In the order of their first payment. */
  readonly accounts: readonly Account[];
  /** Places in the columns of the transactions of one, by date. */
  placesOf(account: Account): readonly number[];
}

/** Longest name, in words, that is looked for in a bank line. */
const WORDS_MAX = 6;

interface PayeeNames {
  /** Key of each counterparty of the table. */
  readonly keys: readonly string[];
  /** Key by name. */
  readonly keyOf: ReadonlyMap<string, string>;
  readonly payees: ReadonlyMap<string, Payee>;
  readonly spellings: Spellings;
}

const compact = (words: readonly string[]): string => words.join("");

/** Entities are distinguished by their id. Names without one join the entity or the longer name that they are a spelling of. */
function readNames(table: readonly LedgerCounterparty[]): PayeeNames {
  const keyOf = new Map<string, string>();
  const payees = new Map<string, Payee>();
  const names = table.map(({ name }) => nameWords(name));
  const add = (key: string, name: string, counterparty: LedgerCounterparty): string => {
    if (!keyOf.has(name)) keyOf.set(name, key);
    if (!payees.has(key)) payees.set(key, { name, counterparty });
    return key;
  };
  const keys = table.map(() => "");
  const entities = table
    .map((counterparty, index) => ({ counterparty, index, id: counterparty.id }))
    .filter(({ id }) => id !== null)
    .sort((a, b) => byText(a.id ?? "", b.id ?? ""));
  for (const { counterparty, index, id } of entities)
    keys[index] = add(`id ${String(id)}`, compact(names[index] ?? []), counterparty);
  const spellings = createSpellings(keyOf, names, keys);
  // The longest first, which the others are cut off from.
  const rest = table
    .map((counterparty, index) => ({ counterparty, index, words: names[index] ?? [] }))
    .filter(({ counterparty }) => counterparty.id === null)
    .sort(
      (a, b) =>
        compact(b.words).length - compact(a.words).length ||
        byText(a.counterparty.name, b.counterparty.name),
    );
  for (const { counterparty, index, words } of rest) {
    const name = compact(words);
    const key = keyOf.get(name) ?? spellings.find(words) ?? `name ${name}`;
    keys[index] = add(key, name, counterparty);
    spellings.add(words, key);
  }
  return { keys, keyOf, payees, spellings };
}

interface Spellings {
  find(words: readonly string[]): string | null;
  add(words: readonly string[], key: string): void;
}

const FIRST_LETTERS = 4;
/** Names with the same first letters that are compared: each further one costs as much again. */
const SPELLINGS_MAX = 64;

/** Names by their first letters, which spellings share. */
function createSpellings(
  known: ReadonlyMap<string, string>,
  names: readonly (readonly string[])[],
  keys: readonly string[],
): Spellings {
  const byStart = new Map<string, { name: string; words: readonly string[]; key: string }[]>();
  const add = (words: readonly string[], key: string): void => {
    const name = compact(words);
    const start = name.slice(0, FIRST_LETTERS);
    const others = byStart.get(start);
    if (others === undefined) byStart.set(start, [{ name, words, key }]);
    else if (others.length < SPELLINGS_MAX) others.push({ name, words, key });
  };
  for (const [index, key] of keys.entries()) {
    const words = names[index] ?? [];
    if (key !== "" && known.get(compact(words)) === key) add(words, key);
  }
  return {
    add,
    find(words) {
      const name = compact(words);
      const others = byStart.get(name.slice(0, FIRST_LETTERS)) ?? [];
      const found = others.filter(
        (other) =>
          isTruncated(name, other.name) ||
          isTruncated(other.name, name) ||
          isAbbreviated(words, other.words),
      );
      const [first] = found;
      // A beginning that several payees share belongs to none of them.
      return first !== undefined && found.every(({ key }) => key === first.key) ? first.key : null;
    },
  };
}

/** Finds the payee of a bank line: a name of the ledger that is in it, else its words. */
function createPayeeReader(known: PayeeNames): (text: string) => Payee & { readonly key: string } {
  const read = new Map<string, Payee & { readonly key: string }>();
  return (text) => {
    const line = compact(lineWords(text));
    let found = read.get(line);
    if (found === undefined) {
      const words = lineWords(text);
      const key = findName(textTokens(text), known.keyOf) ?? known.spellings.find(words);
      const payee = key === null ? undefined : known.payees.get(key);
      found =
        payee === undefined
          ? { key: key ?? `line ${line}`, name: line, counterparty: null }
          : { ...payee, key: key ?? "" };
      if (key === null) known.spellings.add(words, found.key);
      read.set(line, found);
    }
    return found;
  };
}

/** The first of the longest names. */
function findName(words: readonly string[], keyOf: ReadonlyMap<string, string>): string | null {
  for (let length = Math.min(WORDS_MAX, words.length); length > 0; length--)
    for (let from = 0; from + length <= words.length; from++) {
      const part = words.slice(from, from + length);
      const name = compact(part);
      const key = mayBeName(part, name) ? keyOf.get(name) : undefined;
      if (key !== undefined) return key;
    }
  return null;
}

interface PartyAccounts {
  /** Number of the account of each party. */
  readonly ofParty: Int32Array;
  readonly accounts: readonly Omit<Account, "from" | "until">[];
}

/** Parties whose payee, direction and currency are the same are of one account. */
function joinParties({ partyTable, counterpartyTable, ...columns }: LedgerColumns): PartyAccounts {
  const known = readNames(counterpartyTable);
  const readLine = createPayeeReader(known);
  const inTime = timeOrder(columns);
  // In the order of their first payment, in which the spellings of a line are learned.
  const lines = [...partyTable.keys()].filter((at) => partyTable[at]?.counterparty === -1);
  lines.sort((a, b) => inTime(partyTable[a]?.first ?? 0, partyTable[b]?.first ?? 0));
  const payees = new Map(lines.map((at) => [at, readLine(partyTable[at]?.firstLine ?? "")]));
  const numbers = new Map<string, number>();
  const accounts: Omit<Account, "from" | "until">[] = [];
  const ofParty = Int32Array.from(partyTable, ({ counterparty, entryType, currency }, at) => {
    const line = payees.get(at);
    const key = line?.key ?? known.keys[counterparty] ?? "";
    const account = JSON.stringify([entryType, currency, key]);
    const number = numbers.get(account);
    if (number !== undefined) return number;
    numbers.set(account, accounts.length);
    const payee = line ?? known.payees.get(key) ?? { name: "", counterparty: null };
    return accounts.push({ payee, isIncoming: entryType === "incoming", currency }) - 1;
  });
  return { ofParty, accounts };
}

/** What stands behind the places of a transaction that was replaced while it was read: the last place has it as it is now. */
function replacedPlaces({ ids }: LedgerColumns): ReadonlySet<number> {
  const sorted = ids.slice().sort();
  const repeated = new Set<number>();
  for (let at = 1; at < sorted.length; at++)
    if (sorted[at] === sorted[at - 1]) repeated.add(sorted[at] ?? 0);
  const replaced = new Set<number>();
  if (repeated.size === 0) return replaced;
  const latest = new Map<number, number>();
  for (const [place, id] of ids.entries()) {
    if (!repeated.has(id)) continue;
    const before = latest.get(id);
    if (before !== undefined) replaced.add(before);
    latest.set(id, place);
  }
  return replaced;
}

/** The ledger by account: four bytes for each transaction, which is looked at with those of its account alone. */
export function readAccounts(columns: LedgerColumns): LedgerAccounts {
  const { parties } = columns;
  const { ofParty, accounts } = joinParties(columns);
  const replaced = replacedPlaces(columns);
  const accountOf = (place: number): number => ofParty[parties[place] ?? 0] ?? 0;
  const counts = new Uint32Array(accounts.length);
  const each = (visit: (place: number, account: number) => void): void => {
    for (let place = 0; place < parties.length; place++)
      if (!replaced.has(place)) visit(place, accountOf(place));
  };
  each((_, account) => {
    counts[account] = (counts[account] ?? 0) + 1;
  });
  // Where the next transaction of each account comes to stand; in the end, where the account ends.
  const ends = new Uint32Array(accounts.length);
  for (let at = 1; at < ends.length; at++) ends[at] = (ends[at - 1] ?? 0) + (counts[at - 1] ?? 0);
  const sorted = new Uint32Array(parties.length);
  each((place, account) => {
    const end = ends[account] ?? 0;
    sorted[end] = place;
    ends[account] = end + 1;
  });
  const inTime = timeOrder(columns);
  const found = accounts.flatMap((account, at): readonly Account[] => {
    const until = ends[at] ?? 0;
    const from = until - (counts[at] ?? 0);
    if (until - from > 1) sorted.subarray(from, until).sort(inTime);
    return until === from ? [] : [{ ...account, from, until }];
  });
  return {
    accounts: found.sort((a, b) => inTime(sorted[a.from] ?? 0, sorted[b.from] ?? 0)),
    placesOf: ({ from, until }) => Array.from(sorted.subarray(from, until)),
  };
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
