// What is stored of the transactions of a request before they are replaced: what was decided about them goes along.
import type { ReplaceableTransaction, StoredPlace } from "../model/ledger-transaction.ts";
import type { EnrichmentRequest } from "../model/records.ts";
import type { Override } from "../model/tenant-settings.ts";

/** The corrected fields of transactions by id. */
export type Overrides = ReadonlyMap<string, Override>;

/** Not looked up where nothing is, as in almost all requests: V8 hashes and keeps each id that is looked up. */
export const overrideOf = (
  overrides: Overrides,
  { id }: { readonly id: string },
): Override | null => (overrides.size === 0 ? null : (overrides.get(id) ?? null));

export interface SeenOfRequest {
  readonly overrides: Overrides;
  /** The stored transactions that must not have been corrected when the results are stored. */
  readonly seen: readonly StoredPlace[];
  /** The ids of which the stored transaction was read; null: none, without settings. */
  readonly read: ReadonlySet<string> | null;
}

const NOTHING_SEEN: SeenOfRequest = { overrides: new Map(), seen: [], read: null };

/**
 * The corrected fields that hold for the transactions of a request: all those of the stored transaction that it changes, which
 * is not stored if its order differs by then; of one that is submitted again those that its customer has decided itself, and
 * what is stored must still be what was seen.
 * @param hasSettings no customer has decided anything in an organization without settings
 */
export async function readSeen(
  ports: {
    seenOf(org: string, ids: readonly string[]): Promise<readonly ReplaceableTransaction[]>;
  },
  request: EnrichmentRequest,
  hasSettings: boolean,
): Promise<SeenOfRequest> {
  const based = basedOn(request);
  if (based === null && !hasSettings) return NOTHING_SEEN;
  const ids = based === null ? request.transactions.map(({ id }) => id) : [based.id];
  const found = await ports.seenOf(request.org, [...new Set(ids)]);
  const read = new Set(found.map(({ id }) => id));
  if (based !== null) return { overrides: overridesAmong(found), seen: [], read };
  const holderOf = new Map(request.transactions.map((one) => [one.id, one.accountHolderId]));
  // A correction ends with the account holder, and only transactions of one can be corrected by the customer.
  const kept = found.filter(
    ({ id, accountHolderId }) => accountHolderId !== null && accountHolderId === holderOf.get(id),
  );
  const decided = kept.filter(({ override }) => override?.review !== undefined);
  const seen = kept.map(({ id, order }) => ({ id, order }));
  return { overrides: overridesAmong(decided), seen, read };
}

function overridesAmong(found: readonly ReplaceableTransaction[]): Overrides {
  const overrides = new Map<string, Override>();
  for (const { id, override } of found) if (override !== null) overrides.set(id, override);
  return overrides;
}

/** The stored transaction that a request changes; null: it submits transactions. */
export function basedOn({ basedOn: order, transactions }: EnrichmentRequest): StoredPlace | null {
  const first = transactions[0];
  return order === null || first === undefined ? null : { id: first.id, order };
}
