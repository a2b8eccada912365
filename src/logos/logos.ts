// The file of pictures that the builder of the knowledge writes: its index is kept, a picture is read when it is asked for.
import { type FileHandle, open } from "node:fs/promises";
import { LedgerlineError } from "../shared/errors.ts";
import { KNOWLEDGE_BYTES_MAX, validateKnowledge } from "../codec/knowledge-file.ts";
import { LOGO_SECTIONS } from "../model/logo.ts";
import { DRAWING_VERSION, drawPicture, drawTile } from "./drawing.ts";

/** Where `npm run knowledge` puts the file. */
const LOGOS_FILE = new URL("../../workers/recogniser/logos.bin", import.meta.url);

const ID_BYTES = 16;
const COLOUR_DIGITS = 6;

export interface Logos {
  /** What the pictures were made from, as 40 hex digits. */
  /** Of the pictures and of how they are drawn. */
  readonly contentVersion: string;
  /** An SVG: the entity's picture, else a tile with the text; null without either. */
  draw(id: string, tileText: string | null): Promise<string | null>;
  close(): Promise<void>;
}

/**
 * Checks the file whole and opens it. About 50 kB of it stay in memory.
 * @throws LedgerlineError `bad_knowledge` when it is missing, damaged or of another format
 */
export async function openLogos(file: URL = LOGOS_FILE): Promise<Logos> {
  let handle: FileHandle;
  try {
    handle = await open(file, "r");
  } catch (error) {
    throw bad("cannot be read", error);
  }
  try {
    const index = readIndex(await readWholeFile(handle));
    return {
      contentVersion: `${index.contentVersion}-${String(DRAWING_VERSION)}`,
      draw: async (id, tileText) => {
        const extent = index.find(id);
        if (extent === null) return tileText === null ? null : drawTile(id, tileText);
        const text = await readUtf8(handle, extent);
        return drawPicture(text.slice(0, COLOUR_DIGITS), text.slice(COLOUR_DIGITS));
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Bytes of a picture in the file. */
interface Extent {
  readonly offset: number;
  readonly length: number;
}

interface LogoIndex {
  readonly contentVersion: string;
  find(id: string): Extent | null;
}

async function readWholeFile(handle: FileHandle): Promise<Buffer> {
  const { size } = await handle.stat();
  if (size > KNOWLEDGE_BYTES_MAX) throw bad("is larger than the largest possible build", null);
  return handle.readFile();
}

function readIndex(bytes: Buffer): LogoIndex {
  const result = validateKnowledge(bytes);
  if (!result.ok) throw bad(result.problem, null);
  const { contentVersion, sections } = result.header;
  const section = (name: string): Extent => {
    const found = sections.find((one) => one.name === name);
    if (found === undefined) throw bad(`has no section ${name}`, null);
    return found;
  };
  // Copies: views would keep the whole file.
  const copy = ({ offset, length }: Extent): Buffer =>
    Buffer.from(bytes.subarray(offset, offset + length));
  const ids = copy(section(LOGO_SECTIONS.ids));
  const numbers = copy(section(LOGO_SECTIONS.numbers));
  const starts = copy(section(LOGO_SECTIONS.starts));
  const { offset } = section(LOGO_SECTIONS.pictures);
  return {
    contentVersion,
    find: (id) => {
      const at = indexOf(ids, Buffer.from(id.replaceAll("-", ""), "hex"));
      if (at < 0) return null;
      const picture = numbers.readUInt32LE(at * 4);
      const start = starts.readUInt32LE(picture * 4);
      const end = starts.readUInt32LE(picture * 4 + 4);
      return { offset: offset + start, length: end - start };
    },
  };
}

/** Place of an id among the sorted ones, -1 when it is not there. */
function indexOf(ids: Buffer, id: Buffer): number {
  if (id.length !== ID_BYTES) return -1;
  let low = 0;
  let high = ids.length / ID_BYTES;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = ids.compare(id, 0, ID_BYTES, middle * ID_BYTES, (middle + 1) * ID_BYTES);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}

async function readUtf8(handle: FileHandle, { offset, length }: Extent): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
  if (bytesRead < length) throw bad("is truncated", null);
  return buffer.toString("ascii");
}

function bad(problem: string, cause: unknown): LedgerlineError {
  return new LedgerlineError(
    "bad_knowledge",
    `The file of logos ${problem}; run "npm run knowledge" to build it.`,
    { cause },
  );
}
