import type { AccountType, HolderType } from "./transaction.ts";

/** The accounts of freelancers are categorised like those of businesses, those of unknown type like those of consumers. */
export const categorisedAs = (type: HolderType): AccountType =>
  type === "business" || type === "freelance" ? "business" : "consumer";

/** The types of a holder of this type in the v2 API. */
export function holderTypes(stated: HolderType): Pick<AccountHolder, "type" | "statedType"> {
  const type = categorisedAs(stated);
  return stated === type ? { type } : { type, statedType: stated };
}

/** The consumer or business whose transactions form a ledger. `id` is the customer's own and unique per organization. */
export interface AccountHolder {
  readonly org: string;
  readonly id: string;
  /** By which its transactions are categorised. */
  readonly type: AccountType;
  /** The type as the v2 API was given it, when the v3 API does not have it. */
  readonly statedType?: HolderType;
  readonly name: string | null;
  /** Name of the category set used for this holder; null means the default set of its type. */
  readonly categoryId: string | null;
  /** What only the v2 API takes; left out: nothing of it. */
  readonly details?: HolderDetails;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
}

export const LOAN_STATES = ["tbd", "ongoing", "done"] as const;

/** What the v2 API takes of a holder in addition, and returns as it was sent. */
export interface HolderDetails {
  readonly industry: string | null;
  readonly website: string | null;
  readonly company: {
    readonly loanState: (typeof LOAN_STATES)[number];
    readonly logo: string | null;
  } | null;
}

export type NewAccountHolder = Omit<AccountHolder, "org" | "createdAt">;
/** What takes the place of a holder's own fields. Its id, its ledger and its category set stay. */
export type HolderReplacement = Pick<AccountHolder, "type" | "statedType" | "name" | "details">;

/** A page of account holders by number, out of all that match. */
export interface HolderQuery {
  /** A part of the id or the name, in any letter case; null matches all. */
  readonly search: string | null;
  /** Only those with a name. */
  readonly isNamed: boolean;
  readonly sortBy: "createdAt" | "id" | "name" | "statedType";
  readonly direction: "asc" | "desc";
  readonly offset: number;
  readonly limit: number;
}

/**
 * The removal of an account holder that has begun. `since` distinguishes the holder from a later one with its id, which may be
 * created as soon as it is gone, while another process still removes the first.
 */
export interface HolderRemoval {
  readonly org: string;
  readonly id: string;
  readonly since: string;
}

/** Removals that have begun; `more`: these are not all. */
export interface BegunRemovals {
  readonly removals: readonly HolderRemoval[];
  readonly more: boolean;
}

/** An account holder and the order of acceptance after which submissions for it count. */
export interface HolderSince {
  readonly holder: AccountHolder;
  readonly since: string;
}

export type HolderKey = Pick<AccountHolder, "org" | "id">;

/** The type of the holder in the words of the v2 API. */
export const statedTypeOf = ({
  type,
  statedType,
}: Pick<AccountHolder, "type" | "statedType">): HolderType => statedType ?? type;
