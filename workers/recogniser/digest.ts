// MD5 (RFC 1321) and SHA-1 (RFC 3174) of short texts, only to make ids of names, never to protect anything. The library of
// the platform is left for each call: coming back, the processor has to fetch its code and ours anew, which costs several times as much as
// the digest of one block does here.

/** Words of a block. */
const BLOCK_WORDS = 16;
/** The byte behind the text. */
const END_MARK = 0x80;
/** Bytes of the length, which stands last. */
const LENGTH_BYTES = 8;

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

/** Bytes as a text with a code unit for each. */
function byteText(name: string): string {
  for (let at = 0; at < name.length; at++)
    if (name.charCodeAt(at) > 0x7f) return Buffer.from(name, "utf8").toString("latin1");
  return name;
}

/** The bytes with what both digests append, as words of 32 bits; `turn` 3: the first byte of a word is its highest, 0: its lowest. */
function paddedWords(namespace: Uint8Array, name: string, turn: 0 | 3): number[] {
  const bytes = byteText(name);
  const ahead = namespace.length;
  const length = ahead + bytes.length;
  const count = (((length + LENGTH_BYTES) >>> 6) + 1) * BLOCK_WORDS;
  const words: number[] = [];
  for (let at = 0; at < count; at++) words.push(0);
  for (let at = 0; at <= length; at++) {
    const byte =
      at < ahead ? (namespace[at] ?? 0) : at < length ? bytes.charCodeAt(at - ahead) : END_MARK;
    words[at >>> 2] = (words[at >>> 2] ?? 0) | (byte << (((at & 3) ^ turn) * 8));
  }
  words[count - (turn === 0 ? 2 : 1)] = length * 8;
  return words;
}

/** The function of the bits, and its constant, of each quarter of the steps. */
function mixed(quarter: number, b: number, c: number, d: number): number {
  if (quarter === 0) return ((b & c) | (~b & d)) + 0x5a827999;
  if (quarter === 2) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + (quarter === 1 ? 0x6ed9eba1 : 0xca62c1d6);
}

const SHA1_STEPS = 80;
const SHA1_QUARTER = 20;

/** @returns the five words, the first byte of each its highest */
export function sha1Words(namespace: Uint8Array, name: string): readonly number[] {
  const words = paddedWords(namespace, name, 3);
  let [h0, h1, h2, h3, h4] = [
    0x67452301,
    0xefcdab89 | 0,
    0x98badcfe | 0,
    0x10325476,
    0xc3d2e1f0 | 0,
  ];
  for (let block = 0; block < words.length; block += BLOCK_WORDS) {
    let a = h0;
    let b = h1;
    let c = h2;
    let d = h3;
    let e = h4;
    for (let step = 0; step < SHA1_STEPS; step++) {
      const at = block + (step & 15);
      if (step >= BLOCK_WORDS)
        words[at] = rotate(
          (words[block + ((step + 13) & 15)] ?? 0) ^
            (words[block + ((step + 8) & 15)] ?? 0) ^
            (words[block + ((step + 2) & 15)] ?? 0) ^
            (words[at] ?? 0),
          1,
        );
      const quarter = (step / SHA1_QUARTER) | 0;
      const next = (rotate(a, 5) + mixed(quarter, b, c, d) + e + (words[at] ?? 0)) | 0;
      e = d;
      d = c;
      c = rotate(b, 30);
      b = a;
      a = next;
    }
    h0 = (h0 + a) | 0;
    h1 = (h1 + b) | 0;
    h2 = (h2 + c) | 0;
    h3 = (h3 + d) | 0;
    h4 = (h4 + e) | 0;
  }
  return [h0, h1, h2, h3, h4];
}

/** The whole part of 2³² times the sine of each step. */
const SINES = Int32Array.from({ length: 64 }, (_, i) =>
  Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32),
);
/** Rotations of the four steps that come again, for each quarter. */
const ROTATIONS = Uint8Array.of(7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21);

/** The function of the bits of a step of MD5. */
function md5Mixed(quarter: number, b: number, c: number, d: number): number {
  if (quarter === 0) return (b & c) | (~b & d);
  if (quarter === 1) return (d & b) | (~d & c);
  return quarter === 2 ? b ^ c ^ d : c ^ (b | ~d);
}

/** Which word of the block a step of MD5 takes. */
function md5Place(quarter: number, step: number): number {
  if (quarter === 0) return step;
  if (quarter === 1) return (5 * step + 1) & 15;
  return (quarter === 2 ? 3 * step + 5 : 7 * step) & 15;
}

/** @returns the four words, the first byte of each its highest */
export function md5Words(namespace: Uint8Array, name: string): readonly number[] {
  const words = paddedWords(namespace, name, 0);
  let [h0, h1, h2, h3] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
  for (let block = 0; block < words.length; block += BLOCK_WORDS) {
    let a = h0;
    let b = h1;
    let c = h2;
    let d = h3;
    for (let step = 0; step < SINES.length; step++) {
      const quarter = step >> 4;
      const word = words[block + md5Place(quarter, step)] ?? 0;
      const sum = (a + md5Mixed(quarter, b, c, d) + word + (SINES[step] ?? 0)) | 0;
      a = d;
      d = c;
      c = b;
      b = (b + rotate(sum, ROTATIONS[quarter * 4 + (step & 3)] ?? 0)) | 0;
    }
    h0 = (h0 + a) | 0;
    h1 = (h1 + b) | 0;
    h2 = (h2 + c) | 0;
    h3 = (h3 + d) | 0;
  }
  return [turned(h0), turned(h1), turned(h2), turned(h3)];
}

/** The bytes of the word in the other order. */
const turned = (word: number): number =>
  (rotate(word, 8) & 0x00ff00ff) | (rotate(word, 24) & 0xff00ff00);
