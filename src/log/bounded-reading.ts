// Avro bodies of outside producers, read safely. avsc (5.7) reads past the end of the bytes and reports only then that
// they were too few: thirty bytes that announce a thousand million items would fill the memory first, or keep the process busy
// for minutes while it skips them. Here a block of items that the bytes left cannot hold ends the reading at once.
import avro from "avsc";

interface Tap {
  readonly buf: Buffer;
  pos: number;
  readLong(): number;
  skipLong(): void;
  readString(): string;
  skipString(): void;
}

interface ItemCodec {
  _read(tap: Tap): unknown;
  _skip(tap: Tap): void;
}

/** Number of items of the next block; 0 at the end. No item of the schemas here is shorter than a byte. */
function blockLength(tap: Tap): number {
  const announced = tap.readLong();
  if (announced < 0) tap.skipLong();
  const length = Math.abs(announced);
  if (length > tap.buf.length - tap.pos) throw new Error("a block announces more than there is");
  return length;
}

function readArray(this: { readonly itemsType: ItemCodec }, tap: Tap): unknown[] {
  const items: unknown[] = [];
  for (let left = blockLength(tap); left > 0; left = blockLength(tap)) {
    for (; left > 0; left -= 1) items.push(this.itemsType._read(tap));
  }
  return items;
}

function skipArray(this: { readonly itemsType: ItemCodec }, tap: Tap): void {
  for (let left = blockLength(tap); left > 0; left = blockLength(tap)) {
    for (; left > 0; left -= 1) this.itemsType._skip(tap);
  }
}

function readMap(this: { readonly valuesType: ItemCodec }, tap: Tap): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (let left = blockLength(tap); left > 0; left = blockLength(tap)) {
    for (; left > 0; left -= 1) entries.push([tap.readString(), this.valuesType._read(tap)]);
  }
  return Object.fromEntries(entries);
}

function skipMap(this: { readonly valuesType: ItemCodec }, tap: Tap): void {
  for (let left = blockLength(tap); left > 0; left = blockLength(tap)) {
    for (; left > 0; left -= 1) {
      tap.skipString();
      this.valuesType._skip(tap);
    }
  }
}

/** Changes the library's classes, which offer no other way; again is harmless. */
export function boundReading(): void {
  const { ArrayType, MapType } = avro.types as unknown as Record<string, { prototype: object }>;
  Object.assign(ArrayType?.prototype ?? {}, { _read: readArray, _skip: skipArray });
  Object.assign(MapType?.prototype ?? {}, { _read: readMap, _skip: skipMap });
}
