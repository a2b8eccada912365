// An encryption key in text form: 32 bytes in base64, the output of `openssl rand -base64 32`.

export const KEY_BYTES = 32;

/** Null when the text is not a key. A key has exactly one spelling. */
export function parseKey(text: string): Uint8Array | null {
  const key = Buffer.from(text, "base64");
  return key.length === KEY_BYTES && formatKey(key) === text ? key : null;
}

export function formatKey(key: Uint8Array): string {
  return Buffer.from(key).toString("base64");
}
