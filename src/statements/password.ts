// Passwords of locked PDFs are encrypted while their documents wait.
import type { StoredStatement } from "../model/statement-document.ts";
import { LedgerlineError } from "../shared/errors.ts";

/** Encrypts and decrypts; `context`: what a secret belongs to, for which alone it can be decrypted. */
export interface Vault {
  encrypt(text: string, context: string): string;
  /** @throws LedgerlineError `bad_secret` when it cannot be decrypted */
  open(encrypted: string, context: string): string;
  /** Whether it is encrypted with the current key. */
  isCurrent(encrypted: string): boolean;
}

type DocumentKey = Pick<StoredStatement, "org" | "id">;

const contextOf = ({ org, id }: DocumentKey): string => `statement/${org}/${id}`;

export const encryptPassword = (
  vault: Vault,
  key: DocumentKey,
  password: string | null,
): string | null => (password === null ? null : vault.encrypt(password, contextOf(key)));

/** Null: there is none; undefined: it cannot be decrypted, because its key is lost. */
export function readPassword(
  vault: Vault,
  document: DocumentKey & Pick<StoredStatement, "password">,
): string | null | undefined {
  if (document.password === null) return null;
  try {
    return vault.open(document.password, contextOf(document));
  } catch (error) {
    if (error instanceof LedgerlineError && error.code === "bad_secret") return undefined;
    throw error;
  }
}

export interface PasswordPorts {
  passwords(): AsyncIterable<DocumentKey & { readonly password: string }>;
  replacePassword(key: DocumentKey, seen: string, next: string): Promise<void>;
}

/** Encrypts the passwords of an older key again; those whose key is lost stay as they are. */
export async function reencryptPasswords(ports: PasswordPorts, vault: Vault): Promise<void> {
  for await (const document of ports.passwords()) {
    if (vault.isCurrent(document.password)) continue;
    const password = readPassword(vault, document);
    if (password === undefined || password === null) continue;
    const next = vault.encrypt(password, contextOf(document));
    await ports.replacePassword(document, document.password, next);
  }
}
