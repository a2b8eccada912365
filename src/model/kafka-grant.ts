// What an organization was granted on Kafka: topics of its own, and secrets that sign the records of its producers.
import type { CreditLimits } from "./api-key.ts";

/** Organizations that may have a grant: each has four topics of three partitions. */
export const GRANTS_MAX = 250;
/** Secrets of one organization that are valid at a time: the newest, and the one that it replaces. */
export const GRANT_SECRETS_MAX = 2;
/** Kafka users of one organization. */
export const GRANT_PRINCIPALS_MAX = 20;

/**
 * Credits of a new grant, and of one that was made before grants had any: what waits for credits is pending for the batches of all
 * others, which an operator has to choose.
 */
export const UNLIMITED_CREDITS: CreditLimits = { max: 0, perSecond: 0 };

/** A secret that signs records, encrypted for its organization and key id. */
export interface GrantSecret {
  /** The key id: it names the secret in signatures. */
  readonly id: string;
  readonly encrypted: string;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  /** From this moment on its signatures are invalid; null: no end is set. */
  readonly endsAt: number | null;
}

/** `ending`: it is being revoked, and gives access to nothing any more. */
export interface KafkaGrant {
  readonly org: string;
  /** 0 to `GRANTS_MAX` - 1, of one grant each. */
  readonly place: number;
  /** Raised by every change, which names the one it saw. */
  readonly revision: number;
  readonly state: "active" | "ending";
  readonly createdAt: number;
  /** Kafka users with access lists, as `User:NAME`. */
  readonly principals: readonly string[];
  /** What its records may cost; null: as the settings say. */
  readonly credits: CreditLimits | null;
  /** Oldest first. */
  readonly secrets: readonly GrantSecret[];
}

/** A secret as signatures are verified with it. */
export interface RecordSecret {
  readonly org: string;
  readonly id: string;
  /** The key of the HMAC. */
  readonly secret: Buffer;
  readonly endsAt: number | null;
}

/** An organization with an active grant, and its secrets that can be decrypted. */
export interface GrantedOrganization {
  readonly org: string;
  /** What its records may cost; null: as the settings say. */
  readonly credits: CreditLimits | null;
  readonly secrets: readonly RecordSecret[];
}
