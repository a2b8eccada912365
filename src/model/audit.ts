// Who changed what that an organization, or the installation, is governed by.

/** Every kind of change that leaves an entry. */
export const AUDIT_ACTIONS = [
  "key.created",
  "key.revoked",
  "kafka.granted",
  "kafka.secret_created",
  "kafka.secret_revoked",
  "kafka.revoked",
  "webhook.created",
  "webhook.changed",
  "webhook.disabled",
  "webhook.secret_unavailable",
  "webhook.deleted",
  "rules.appended",
  "rules.replaced",
  "rule.changed",
  "rule.deleted",
  "categories.replaced",
  "categories.mapped",
  "categories.reset",
  "model.trained",
  "model.deleted",
  "report.moved",
  "correction.dropped",
  "batch.deleted",
  "features.changed",
  "account_holder.deleted",
  "reapplication.created",
  "dead_letter.replayed",
  "dead_letter.dropped",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Who makes a change: a key and the call it came with, or null for the command line. */
export interface Actor {
  readonly keyId: string | null;
  /** The X-Request-ID of the call. */
  readonly requestId: string | null;
}

/** A user with access to the installation's command line, or the installation itself. */
export const COMMAND_LINE: Actor = { keyId: null, requestId: null };

export interface AuditEntry extends Actor {
  readonly org: string;
  readonly id: string;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  readonly action: AuditAction;
  /** Id of what was changed. */
  readonly subject: string;
  /** What a person needs to understand the change; no secret, and nothing of any transaction. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}
