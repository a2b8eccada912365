// Display strings, decoded only when an answer needs them. UTF-8 on disk; id 0 is the empty string.

/** Decoded strings kept per thread. A few thousand cover the merchants that most transactions name. */
const DECODED_MAX = 8192;

export type StringPool = (id: number) => string;

export function openStringPool(bytes: Uint8Array, starts: Uint32Array): StringPool {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoded = new Map<number, string>();
  return (id) => {
    if (id === 0) return "";
    const known = decoded.get(id);
    if (known !== undefined) return known;
    // Starting over is cheaper than keeping an order of use, and the result is the same either way.
    if (decoded.size >= DECODED_MAX) decoded.clear();
    const text = source.toString("utf8", starts[id] ?? 0, starts[id + 1] ?? 0);
    decoded.set(id, text);
    return text;
  };
}
