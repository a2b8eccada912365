// What operators do with dead letters leaves an audit entry.
import { type AuditAction, type AuditEntry, COMMAND_LINE } from "../model/audit.ts";
import { OPERATOR_WEBHOOK } from "../model/webhook.ts";

interface AuditedLetter {
  readonly topic: string;
  readonly reason: string;
  readonly key: string;
  readonly isReadable: boolean;
}

interface DeadLetterActions {
  get(id: string): Promise<AuditedLetter | null>;
  replay(id: string): Promise<"replayed" | "not_found" | "unreadable">;
  drop(id: string): Promise<boolean>;
}

export interface DeadLetterAuditPorts {
  insertEntry(entry: AuditEntry): Promise<void>;
  isKnownOrganization(org: string): Promise<boolean>;
  nowMs(): number;
  newId(): string;
}

/**
 * The same dead letters; an entry is written before each replay and removal. The log and the store are two systems: a crash
 * between them leaves an entry without its effect, never an effect without an entry.
 */
export function auditDeadLetters<Letters extends DeadLetterActions>(
  letters: Letters,
  ports: DeadLetterAuditPorts,
): Letters {
  async function record(action: AuditAction, id: string, letter: AuditedLetter): Promise<void> {
    const { topic, reason } = letter;
    const org = await organizationOf(letter, ports);
    const change = { action, subject: id, details: { topic, reason } };
    await ports.insertEntry({
      ...COMMAND_LINE,
      ...change,
      org,
      id: ports.newId(),
      createdAt: ports.nowMs(),
    });
  }
  return {
    ...letters,
    replay: async (id) => {
      const letter = await letters.get(id);
      if (letter?.isReadable === true) await record("dead_letter.replayed", id, letter);
      return letters.replay(id);
    },
    drop: async (id) => {
      const letter = await letters.get(id);
      if (letter !== null) await record("dead_letter.dropped", id, letter);
      return letters.drop(id);
    },
  };
}

/** The organization in the key of one of our records; for other records the operator's own, which no tenant can read. */
async function organizationOf(
  { key }: AuditedLetter,
  { isKnownOrganization }: DeadLetterAuditPorts,
): Promise<string> {
  const org = firstText(key);
  return org !== null && (await isKnownOrganization(org)) ? org : OPERATOR_WEBHOOK.org;
}

function firstText(key: string): string | null {
  try {
    const parts: unknown = JSON.parse(key);
    const first: unknown = Array.isArray(parts) ? parts[0] : null;
    return typeof first === "string" ? first : null;
  } catch {
    return null;
  }
}
