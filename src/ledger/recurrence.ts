// Recurring payments and income of an account holder: found when a caller wants them, in the whole stored ledger, and cached
// until the ledger changes.
//
//   read the version ── cached under it? ── walk the ledger ── a thread finds what recurs ── look up ids ── read the version again
//
// Of a transaction that was read, 27 bytes stay: its id is looked up again once it is known to be in a group.
//
// A result whose version did not change meanwhile is one of that version, and is cached; else it is found again. A version is
// read after the request has arrived, so no answer is older than its request, in any process.
import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { v5 as uuidv5 } from "uuid";
import { createLedgerColumns, dateOfDay } from "../codec/ledger-columns.ts";
import { idNumber } from "../codec/ledger-lines.ts";
import type { AccountHolder } from "../model/account-holder.ts";
import type { Facts } from "../model/facts.ts";
import { LEDGER_LENGTH_MAX, type LedgerGroups, type LedgerSeries } from "../model/ledger-group.ts";
import type { LedgerTransaction, WalkedTransaction } from "../model/ledger-transaction.ts";
import type {
  IncomeGroup,
  LedgerColumns,
  Recurrence,
  RecurringGroup,
} from "../model/recurrence.ts";
import type { RecurrenceDecision } from "../model/tenant-settings.ts";
import { createAdmissionQueue } from "../shared/concurrency/admission-queue.ts";
import { createEntryReader } from "./ledger-entries.ts";

/** What recurring groups need from the store and the threads. */
export interface RecurrencePorts {
  getHolder(org: string, id: string): Promise<AccountHolder | null>;
  /** Another text after each change of a transaction of the holder. */
  ledgerVersion(org: string, accountHolderId: string): Promise<string>;
  /** All transactions of a holder, up to `size` at a time. */
  walkLedger(
    org: string,
    accountHolderId: string,
    size: number,
  ): AsyncIterable<readonly WalkedTransaction[]>;
  /** The ids of all of them, up to `size` at a time. */
  walkIds(org: string, accountHolderId: string, size: number): AsyncIterable<readonly string[]>;
  /** In any order; those that are not in the ledger are left out. */
  getTransactions(org: string, ids: readonly string[]): Promise<readonly LedgerTransaction[]>;
  findRecurrence(org: string, columns: LedgerColumns): Promise<Recurrence>;
}

export interface HolderRecurrence {
  /** The recurring groups of a holder, as they are when the call is made. */
  groups(org: string, accountHolderId: string): Promise<LedgerGroups>;
  /** Drops what this process has cached of a holder that is removed; other processes answer 404 and drop it in time. */
  drop(org: string, accountHolderId: string): void;
}

export interface RecurrenceLimits {
  /** Memory for cached groups of all organizations; the most recently used ones stay. */
  readonly cacheBytesMax: number;
  /** Ledgers that are read at the same time; the others wait, organizations round robin. */
  readonly ledgersAtOnceMax: number;
  readonly ledgerLengthMax: number;
}

export const recurrenceLimits: RecurrenceLimits = {
  cacheBytesMax: 64 * 1024 * 1024,
  ledgersAtOnceMax: 2,
  ledgerLengthMax: LEDGER_LENGTH_MAX,
};

/** A page is read and parsed in a few milliseconds, during which other requests wait. */
const PAGE_LENGTH = 500;
/** Ids alone, which an index has. */
const IDS_LENGTH = 2_000;
/** A ledger keeps its thread until it is done: the other threads stay free for transactions. */
const COMPUTED_AT_ONCE_MAX = 1;
/** A ledger that changes while it is read is read again, in all so many times. */
const READ_TRIES_MAX = 3;
/** Approximate memory of a cached group, of which the counterparty takes most, and of the id of a transaction. */
const GROUP_BYTES = 2_000;
const ID_BYTES = 32;
/** Namespace of the ids of recurring groups (RFC 9562, UUIDv5); generated once, must never change. */
const GROUP_NAMESPACE = "07e63083-74b8-4a87-8f91-9b19efc77f81";

/** A result, and the version that the ledger had once it was found. */
interface FoundGroups {
  readonly groups: LedgerGroups;
  readonly version: string;
}

export function createRecurrence(
  ports: RecurrencePorts,
  limits: RecurrenceLimits = recurrenceLimits,
): HolderRecurrence {
  const cache = new LRUCache<string, FoundGroups>({
    maxSize: limits.cacheBytesMax,
    sizeCalculation: bytesOf,
  });
  const running = new Map<string, Promise<FoundGroups>>();
  const read = createFairLimiter(limits.ledgersAtOnceMax);
  const compute = createFairLimiter(COMPUTED_AT_ONCE_MAX);
  const limited: RecurrencePorts = {
    ...ports,
    findRecurrence: (org, columns) => compute(org, () => ports.findRecurrence(org, columns)),
  };

  const find = (org: string, accountHolderId: string): Promise<FoundGroups> =>
    read(org, async () => {
      const groups = await findGroups(limited, org, accountHolderId, limits.ledgerLengthMax);
      return { groups, version: await ports.ledgerVersion(org, accountHolderId) };
    });

  /** Callers that read the same version share one reading of the ledger. */
  function findOnce(org: string, accountHolderId: string, version: string): Promise<FoundGroups> {
    const key = JSON.stringify([org, accountHolderId, version]);
    const started = running.get(key);
    if (started !== undefined) return started;
    const finding = find(org, accountHolderId).finally(() => running.delete(key));
    running.set(key, finding);
    return finding;
  }

  const keyOf = (...key: readonly [org: string, accountHolderId: string]): string =>
    JSON.stringify(key);
  return {
    drop: (org, accountHolderId) => {
      cache.delete(keyOf(org, accountHolderId));
    },
    groups: async (org, accountHolderId) => {
      const key = keyOf(org, accountHolderId);
      if ((await ports.getHolder(org, accountHolderId)) === null) {
        cache.delete(key);
        return { ok: false, reason: "account_holder_not_found" };
      }
      let version = await ports.ledgerVersion(org, accountHolderId);
      for (let tries = 1; ; tries += 1) {
        const cached = cache.get(key);
        if (cached?.version === version) return cached.groups;
        const found = await findOnce(org, accountHolderId, version);
        if (found.version === version) cache.set(key, found);
        else if (tries < READ_TRIES_MAX) {
          version = found.version;
          continue;
        }
        return found.groups;
      }
    },
  };
}

type FairLimiter = <Result>(org: string, work: () => Promise<Result>) => Promise<Result>;

/** Does so many things at a time; the others wait, organizations round robin. */
function createFairLimiter(atOnceMax: number): FairLimiter {
  const enter = createAdmissionQueue(atOnceMax);
  return async (org, work) => {
    const { admitted, leave } = enter(org);
    try {
      await admitted;
      return await work();
    } finally {
      leave();
    }
  };
}

function bytesOf({ groups }: FoundGroups): number {
  if (!groups.ok) return GROUP_BYTES;
  let bytes = GROUP_BYTES;
  bytes += groups.corrected.size * ID_BYTES;
  for (const { transactionIds } of [...groups.groups, ...groups.income]) {
    bytes += GROUP_BYTES;
    for (const id of transactionIds) bytes += ID_BYTES + id.length;
  }
  return bytes;
}

async function findGroups(
  ports: RecurrencePorts,
  org: string,
  accountHolderId: string,
  lengthMax: number,
): Promise<LedgerGroups> {
  const ledger = await readLedger(ports, org, accountHolderId, lengthMax);
  if (ledger === null) return { ok: false, reason: "ledger_too_large" };
  const { columns, corrected } = ledger;
  const found = await ports.findRecurrence(org, columns);
  const all = [...found.groups, ...found.income];
  const idOf = await readIds(ports, org, accountHolderId, columns, all);
  // What has been deleted since it was read is not there any more.
  const there = <Group extends WithMembers>(groups: readonly Group[]): readonly Group[] =>
    groups
      .map((group) => ({ ...group, members: group.members.filter((at) => idOf(at) !== null) }))
      .filter(({ members }) => members.length > 0);
  const [groups, income] = [there(found.groups), there(found.income)];
  const latest = await readLatest(ports, org, idOf, [...groups, ...income]);
  const seriesOf = seriesMaker(org, accountHolderId, { columns, idOf, latest });
  return {
    ok: true,
    groups: groups.map(({ members, ...group }) => ({ ...group, ...seriesOf(members) })),
    income: income.map(({ members, ...group }) => ({ ...group, ...seriesOf(members) })),
    corrected,
  };
}

type WithMembers = Pick<RecurringGroup | IncomeGroup, "members">;

interface LedgerRead {
  readonly corrected: ReadonlyMap<string, RecurrenceDecision>;
  readonly columns: LedgerColumns;
}

/** Null: the ledger has more than `lengthMax` transactions. */
async function readLedger(
  ports: RecurrencePorts,
  org: string,
  accountHolderId: string,
  lengthMax: number,
): Promise<LedgerRead | null> {
  const builder = createLedgerColumns();
  const entryOf = createEntryReader();
  const corrected = new Map<string, RecurrenceDecision>();
  for await (const page of ports.walkLedger(org, accountHolderId, PAGE_LENGTH)) {
    if (builder.length() + page.length > lengthMax) return null;
    for (const transaction of page) builder.add(entryOf(transaction));
    const reviewed = page.flatMap(({ id, isCorrected }) => (isCorrected ? [id] : []));
    const found = reviewed.length === 0 ? [] : await ports.getTransactions(org, reviewed);
    for (const { input, override } of found) {
      const decided = override?.review?.recurrence;
      if (decided != null) corrected.set(input.id, decided);
    }
    // The embedded store answers without waiting for anything: other requests continue only here.
    await nextTurn();
  }
  return { corrected, columns: builder.columns() };
}

/** The id of the transaction at a place; null: it is not in the ledger any more. */
type IdOf = (place: number | undefined) => string | null;

/** The ids of the transactions of groups. */
async function readIds(
  ports: RecurrencePorts,
  org: string,
  accountHolderId: string,
  { ids: numbers }: LedgerColumns,
  groups: readonly WithMembers[],
): Promise<IdOf> {
  const ids = new Map<number, string | null>();
  for (const { members } of groups)
    for (const place of members) ids.set(numbers[place] ?? NaN, null);
  let missing = ids.size;
  const look = (id: string): void => {
    const number = idNumber(id);
    if (ids.get(number) !== null) return;
    ids.set(number, id);
    missing -= 1;
  };
  if (missing > 0)
    for await (const page of ports.walkIds(org, accountHolderId, IDS_LENGTH)) {
      page.forEach(look);
      if (missing === 0) break;
      await nextTurn();
    }
  return (place = -1) => ids.get(numbers[place] ?? NaN) ?? null;
}

const factsOf = (text: string | null): Facts | null =>
  text === null ? null : (JSON.parse(text) as Facts);

/** What is known of the latest transaction of a group. */
interface Latest {
  readonly facts: Facts | null;
  readonly description: string;
}

/** The latest transaction of each group, by its id. */
async function readLatest(
  ports: RecurrencePorts,
  org: string,
  idOf: IdOf,
  groups: readonly WithMembers[],
): Promise<ReadonlyMap<string, Latest>> {
  const ids = [...new Set(groups.flatMap(({ members }) => idOf(members.at(-1)) ?? []))];
  const latest = new Map<string, Latest>();
  for (let from = 0; from < ids.length; from += PAGE_LENGTH) {
    const page = ids.slice(from, from + PAGE_LENGTH);
    for (const { input, facts } of await ports.getTransactions(org, page))
      latest.set(input.id, { facts: factsOf(facts), description: input.description });
    await nextTurn();
  }
  return latest;
}

interface ReadGroups {
  readonly columns: LedgerColumns;
  readonly idOf: IdOf;
  readonly latest: ReadonlyMap<string, Latest>;
}

/** Returns what gives places their ids, dates and transactions. */
function seriesMaker(
  org: string,
  accountHolderId: string,
  { columns, idOf, latest }: ReadGroups,
): (members: readonly number[]) => LedgerSeries {
  const dateAt = (place: number): string => dateOfDay(columns.days[place] ?? NaN);
  const factsOfLatest = (id: string | null): Pick<LedgerSeries, "counterparty" | "categories"> => {
    const facts = latest.get(id ?? "")?.facts ?? null;
    return {
      counterparty: facts?.entities?.counterparty ?? null,
      categories: facts?.categories ?? null,
    };
  };
  return (members) => {
    const [first = -1] = members;
    const last = members.at(-1) ?? -1;
    const party = columns.partyTable[columns.parties[last] ?? -1];
    return {
      id: uuidv5(JSON.stringify([org, accountHolderId, idOf(first)]), GROUP_NAMESPACE),
      startDate: dateAt(first),
      endDate: dateAt(last),
      entryType: party?.entryType ?? "outgoing",
      ...factsOfLatest(idOf(last)),
      currency: party?.currency ?? "",
      latestAmount: columns.amounts[last] ?? 0,
      latestDescription: latest.get(idOf(last) ?? "")?.description ?? "",
      transactionIds: members.flatMap((place) => idOf(place) ?? []),
    };
  };
}
