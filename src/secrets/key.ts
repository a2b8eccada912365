// An encryption key as people write it: 32 bytes in base64, what `openssl rand -base64 32` prints.

export const KEY_BYTES = 32;

/** Null when the text is no key. A key has one spelling. */
export function parseKey(text: string): Uint8Array | null {
  const key = Buffer.from(text, "base64");
  return key.length === KEY_BYTES && formatKey(key) === text ? key : null;
}

export function formatKey(key: Uint8Array): string {
  return Buffer.from(key).toString("base64");
}
