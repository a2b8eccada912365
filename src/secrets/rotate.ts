export interface RotationPorts {
  /** Null: the keys are set in the environment, and only secrets are encrypted again. */
  readonly keyFile: {
    /** Adds a key while no service has the folder; throws when a stored secret needs a missing key. */
    addKey(): Promise<void>;
    dropOldKeys(): void;
  } | null;
  /**
   * Encrypts all secrets with the current key, then calls `done` while no service can start; returns how many webhooks had
   * secrets of an older key.
   */
  reencrypt(done: () => void): Promise<number>;
}

/**
 * Encrypts all secrets with the current key. In a data folder, a new key is made first and the old ones are removed
 * afterwards; a running service would not have the new key, so none may run.
 */
export async function rotateKeys({ keyFile, reencrypt }: RotationPorts): Promise<number> {
  await keyFile?.addKey();
  return reencrypt(() => keyFile?.dropOldKeys());
}
