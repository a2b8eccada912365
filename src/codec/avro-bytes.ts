// Avro's binary encoding, written value by value into one growing piece of memory. For records of which there are tens
// of thousands a second: the writer contains their schema, and a test compares it with the .avsc file.
// (https://avro.apache.org/docs/1.12.0/specification/#binary-encoding)

const FIRST_BYTES = 1_024;
/** The longest form of a number: 64 bits in groups of seven. */
const NUMBER_BYTES_MAX = 10;
const DOUBLE_BYTES = 8;

const utf8 = new TextEncoder();

/** Bytes that grow at their end. */
export class AvroBytes {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;

  /** @param expectedBytes what it need not grow for */
  constructor(expectedBytes = FIRST_BYTES) {
    this.#bytes = new Uint8Array(expectedBytes);
    this.#view = new DataView(this.#bytes.buffer);
  }

  get length(): number {
    return this.#length;
  }

  /** What was written, in the memory that it was written to: what is written later may change it. */
  written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Takes back what was written after this length. */
  cutTo(length: number): void {
    this.#length = Math.min(length, this.#length);
  }

  /** @throws RangeError unless it is a whole number that a double counts exactly */
  integer(value: number): void {
    if (!Number.isSafeInteger(value)) throw new RangeError("Not a whole number of up to 53 bits");
    this.#reserve(NUMBER_BYTES_MAX);
    // Signs alternate, so that small negative numbers are short too. Doubling the whole would pass what a double counts.
    const half = value >= 0 ? value : -value - 1;
    let group = (half % 64) * 2 + (value >= 0 ? 0 : 1);
    for (let rest = Math.floor(half / 64); rest > 0; rest = Math.floor(rest / 128)) {
      this.#push(group | 0x80);
      group = rest % 128;
    }
    this.#push(group);
  }

  double(value: number): void {
    this.#reserve(DOUBLE_BYTES);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += DOUBLE_BYTES;
  }

  /** Half a surrogate pair becomes U+FFFD. */
  text(value: string): void {
    const begin = this.#length;
    this.integer(value.length);
    this.#reserve(value.length);
    const bytes = this.#bytes;
    let at = this.#length;
    // Calling into the encoder costs more than most texts here, which are short and ASCII.
    for (let index = 0; index < value.length; index += 1, at += 1) {
      const unit = value.charCodeAt(index);
      if (unit > 0x7f) {
        this.#length = begin;
        this.#encoded(value);
        return;
      }
      bytes[at] = unit;
    }
    this.#length = at;
  }

  /** A union of null and something else, of which nothing is to follow. */
  none(): void {
    this.integer(0);
  }

  /** A union of null and something else, which must follow. */
  some(): void {
    this.integer(1);
  }

  /** A union of null and text. */
  textOrNone(value: string | null | undefined): void {
    if (value === null || value === undefined) this.none();
    else {
      this.some();
      this.text(value);
    }
  }

  /** An array, as one block, the items of which `write` is called for. */
  array<Item>(items: readonly Item[], write: (item: Item) => void): void {
    if (items.length > 0) {
      this.integer(items.length);
      for (const item of items) write(item);
    }
    this.integer(0);
  }

  /** Bytes as they are. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #encoded(value: string): void {
    const encoded = utf8.encode(value);
    this.integer(encoded.length);
    this.raw(encoded);
  }

  #push(byte: number): void {
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
