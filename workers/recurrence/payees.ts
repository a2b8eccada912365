// The transactions of a ledger by payee, direction and currency. One payee may be written in several ways: as an entity, by its
// name in other spellings, or only in the text of the bank line.
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

/** Transactions with one payee in one direction and currency, by date. */
export interface Account {
  readonly payee: Payee;
  readonly isIncoming: boolean;
  readonly currency: string;
  /** Places in the columns. */
  readonly places: readonly number[];
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

/** In the order of their first payment. */
export function readAccounts(columns: LedgerColumns): readonly Account[] {
  const { days, amounts, counterparties, currencies, incoming, descriptions } = columns;
  const known = readNames(columns.counterpartyTable);
  const readLine = createPayeeReader(known);
  const order = Array.from(days.keys()).sort(
    (a, b) =>
      (days[a] ?? 0) - (days[b] ?? 0) ||
      (amounts[a] ?? 0) - (amounts[b] ?? 0) ||
      byText(descriptions[a] ?? "", descriptions[b] ?? "") ||
      a - b,
  );
  const accounts = new Map<string, { payee: Payee; place: number; places: number[] }>();
  for (const place of order) {
    const counterparty = counterparties[place] ?? -1;
    const isNamed = counterparty >= 0;
    const line = isNamed ? null : readLine(descriptions[place] ?? "");
    const key = line?.key ?? known.keys[counterparty] ?? "";
    const payee = line ?? known.payees.get(key) ?? { name: "", counterparty: null };
    const account = `${String(incoming[place])} ${String(currencies[place])} ${key}`;
    const places = accounts.get(account)?.places;
    if (places === undefined) accounts.set(account, { payee, place, places: [place] });
    else places.push(place);
  }
  return [...accounts.values()].map(({ payee, place, places }) => ({
    payee,
    isIncoming: incoming[place] === 1,
    currency: columns.currencyTable[currencies[place] ?? 0] ?? "",
    places,
  }));
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
