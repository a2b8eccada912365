// What is checked of an upload while it arrives: its first bytes decide its type, and its length is counted.
import { STATEMENT_BYTES_MAX } from "../model/bank-statement.ts";
import type { StatementRefusal } from "../model/statement-document.ts";

/** Readers of PDF accept bytes before the header; so many are looked at. */
const HEAD_BYTES = 1_024;
const PDF = Buffer.from("%PDF-");
/** https://www.w3.org/TR/png-3/#5PNG-file-signature; JPEG: start of image, then any marker. */
const PICTURES = [
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from([0xff, 0xd8, 0xff]),
];

/** An upload is not accepted. */
export class RefusedUpload extends Error {
  readonly reason: StatementRefusal;

  constructor(reason: StatementRefusal) {
    super(`The upload is refused: ${reason}`);
    this.name = "RefusedUpload";
    this.reason = reason;
  }
}

export interface CheckedUpload {
  /** To be read once, to its end. Throws RefusedUpload as soon as the upload is not accepted. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Once all bytes were read. */
  result(): { readonly size: number };
}

/**
 * Reads the first bytes of an upload.
 * @throws RefusedUpload `empty` or `unsupported_type`
 */
export async function checkUpload(source: AsyncIterable<Uint8Array>): Promise<CheckedUpload> {
  const iterator = source[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let length = 0;
  let isDone = false;
  while (length < HEAD_BYTES && !isDone) {
    const next = await iterator.next();
    isDone = next.done === true;
    if (next.done === true) break;
    head.push(next.value);
    length += next.value.byteLength;
  }
  if (length === 0) throw new RefusedUpload("empty");
  if (!isSupported(Buffer.concat(head))) {
    await iterator.return?.();
    throw new RefusedUpload("unsupported_type");
  }
  let size = 0;

  async function* counted(): AsyncIterable<Uint8Array> {
    const rest = isDone ? [] : { [Symbol.asyncIterator]: () => iterator };
    for (const parts of [head, rest]) {
      for await (const part of parts) {
        size += part.byteLength;
        if (size > STATEMENT_BYTES_MAX) {
          await iterator.return?.();
          throw new RefusedUpload("too_large");
        }
        yield part;
      }
    }
  }

  return { bytes: counted(), result: () => ({ size }) };
}

function isSupported(head: Buffer): boolean {
  if (head.subarray(0, HEAD_BYTES).includes(PDF)) return true;
  return PICTURES.some((magic) => head.subarray(0, magic.length).equals(magic));
}
