// API keys: who calls, for which organization, with which roles.

/** read: see; write: submit, change and delete; admin: manage the organization; operator: run the installation. */
export const ROLES = ["read", "write", "admin", "operator"] as const;
export type Role = (typeof ROLES)[number];

/** Who a request comes from. */
export interface Principal {
  readonly org: string;
  readonly keyId: string;
  readonly roles: readonly Role[];
}

/** A stored key. The secret itself is never stored, only its SHA-256: it is 32 random characters, so no salt or stretching is needed. */
export interface ApiKey {
  readonly id: string;
  readonly org: string;
  readonly name: string | null;
  readonly roles: readonly Role[];
  readonly hash: string;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  readonly revokedAt: number | null;
}
