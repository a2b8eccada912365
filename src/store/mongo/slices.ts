// Bulk writes are cut into parts that the server does in a fraction of a second.
const OPERATIONS_MAX = 1_000;
const BYTES_MAX = 8 * 1024 * 1024;

/** `rows` in their order, in parts of at most 1 000 rows and roughly 8 MiB. */
export function inSlices<Row extends object>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const slices: Row[][] = [];
  let slice: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = roughBytes(row);
    if (slice.length > 0 && (slice.length >= OPERATIONS_MAX || bytes + size > BYTES_MAX)) {
      slices.push(slice);
      slice = [];
      bytes = 0;
    }
    slice.push(row);
    bytes += size;
  }
  if (slice.length > 0) slices.push(slice);
  return slices;
}

const PROPERTY_BYTES = 24;

/** Encoding a row to know its size would cost as much as writing it. Only long texts and bytes can make it large. */
function roughBytes(row: object): number {
  const fields = row as Readonly<Record<string, unknown>>;
  let bytes = 0;
  // Not over a list of the values, which would have to be made of every row.
  for (const name in fields) {
    const value = fields[name];
    bytes += PROPERTY_BYTES;
    if (typeof value === "string" || value instanceof Uint8Array) bytes += value.length;
  }
  return bytes;
}
