// The account holders of a request.
import type { HolderSince } from "../model/account-holder.ts";
import type { EnrichmentRequest } from "../model/records.ts";

export type GetHolders = (org: string, ids: readonly string[]) => Promise<readonly HolderSince[]>;

/** The account holders that the chunk names, once each. */
export function holderIdsOf({ transactions }: EnrichmentRequest): readonly string[] {
  const ids = new Set<string>();
  for (const { accountHolderId } of transactions)
    if (accountHolderId !== null) ids.add(accountHolderId);
  return [...ids];
}

/**
 * Those of the account holders that a chunk names, without those created after it was accepted: it meant an earlier holder with
 * the same id.
 */
export async function readHolders(
  getHolders: GetHolders,
  org: string,
  ids: readonly string[],
  order: string,
): Promise<ReadonlyMap<string, HolderSince>> {
  const found = await getHolders(org, ids);
  return new Map(found.filter(({ since }) => since < order).map((seen) => [seen.holder.id, seen]));
}
