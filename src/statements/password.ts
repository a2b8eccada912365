// Passwords of locked PDFs are encrypted while their documents wait.
import type { StatementKey, StoredStatement } from "../model/statement-document.ts";
import { LedgerlineError } from "../shared/errors.ts";

/** Encrypts and decrypts; `context`: what a secret belongs to, for which alone it can be decrypted. */
export interface PasswordVault {
  encrypt(text: string, context: string): string;
  /** @throws LedgerlineError `bad_secret` when it cannot be decrypted */
  open(encrypted: string, context: string): string;
  /** Whether it is encrypted with the current key. */
  isCurrent(encrypted: string): boolean;
}

const passwordContext = ({ org, id }: StatementKey): string => `statement/${org}/${id}`;

export const encryptPassword = (
  vault: PasswordVault,
  key: StatementKey,
  password: string | null,
): string | null => (password === null ? null : vault.encrypt(password, passwordContext(key)));

/** Null: there is none; undefined: it cannot be decrypted, because its key is lost. */
export function readPassword(
  vault: PasswordVault,
  document: StatementKey & Pick<StoredStatement, "password">,
): string | null | undefined {
  if (document.password === null) return null;
  try {
    return vault.open(document.password, passwordContext(document));
  } catch (error) {
    if (error instanceof LedgerlineError && error.code === "bad_secret") return undefined;
    throw error;
  }
}

export interface PasswordPorts {
  passwords(): AsyncIterable<StatementKey & { readonly password: string }>;
  replacePassword(key: StatementKey, seen: string, next: string): Promise<void>;
}

/** Encrypts the passwords of an older key again; those whose key is lost stay as they are. */
export async function reencryptPasswords(
  ports: PasswordPorts,
  vault: PasswordVault,
): Promise<void> {
  for await (const document of ports.passwords()) {
    if (vault.isCurrent(document.password)) continue;
    const password = readPassword(vault, document);
    if (password === undefined || password === null) continue;
    const next = vault.encrypt(password, passwordContext(document));
    await ports.replacePassword(document, document.password, next);
  }
}
