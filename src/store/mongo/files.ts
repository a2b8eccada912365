// Files over MongoDB: GridFS (https://github.com/mongodb/specifications/blob/master/source/gridfs/gridfs-spec.md). Its chunks
// come before the document that makes the file known, so that a file is whole or is not there. The id of that document is made
// of the key, so that the chunks that a crash left are found and erased with it.
import { createHash } from "node:crypto";
import { type Db, GridFSBucket, type GridFSBucketWriteStream, ObjectId } from "mongodb";
import type { FileKey, FileStore, StoredFile } from "../file-store.ts";
import { asStoreUnavailable, unavailable } from "./errors.ts";

const BUCKET = "statementFiles";
const OBJECT_ID_BYTES = 12;
const SEPARATOR = "/";

export function createGridFiles(db: Db): FileStore {
  const bucket = new GridFSBucket(db, { bucketName: BUCKET });
  return {
    put: async (key, bytes) => {
      const upload = bucket.openUploadStreamWithId(gridIdOf(key), nameOf(key));
      // A failure reaches the write or the end that waits; without a listener it would end the process.
      upload.on("error", () => undefined);
      try {
        for await (const part of bytes) await partWritten(upload, part);
        await uploadEnded(upload);
      } catch (error) {
        await upload.abort().catch(() => undefined);
        throw error;
      }
    },
    read: (key) => guarded(() => readGridFile(bucket, db, key)),
    delete: (key) =>
      guarded(async () => {
        // In this order: a file whose chunks are going is not known any more.
        await db.collection(`${BUCKET}.files`).deleteOne({ _id: gridIdOf(key) });
        await db.collection(`${BUCKET}.chunks`).deleteMany({ files_id: gridIdOf(key) });
      }),
    list: () => listFiles(bucket),
  };
}

const nameOf = ({ org, id }: FileKey): string => org + SEPARATOR + id;

const gridIdOf = (key: FileKey): ObjectId =>
  new ObjectId(createHash("sha256").update(nameOf(key)).digest().subarray(0, OBJECT_ID_BYTES));

const partWritten = (upload: GridFSBucketWriteStream, part: Uint8Array): Promise<void> =>
  guarded(
    () =>
      new Promise((resolve, reject) => {
        upload.write(part, (error) => {
          if (error === null || error === undefined) resolve();
          else reject(error);
        });
      }),
  );

const uploadEnded = (upload: GridFSBucketWriteStream): Promise<void> =>
  guarded(
    () =>
      new Promise((resolve, reject) => {
        upload.once("error", reject);
        upload.end(() => {
          resolve();
        });
      }),
  );

async function readGridFile(
  bucket: GridFSBucket,
  db: Db,
  key: FileKey,
): Promise<Uint8Array | null> {
  const known = await db.collection(`${BUCKET}.files`).findOne({ _id: gridIdOf(key) });
  if (known === null) return null;
  const parts: Uint8Array[] = [];
  for await (const part of bucket.openDownloadStream(gridIdOf(key))) parts.push(part as Uint8Array);
  return Buffer.concat(parts);
}

async function* listFiles(bucket: GridFSBucket): AsyncIterable<StoredFile> {
  const files = bucket.find();
  try {
    for (;;) {
      const file = await guarded(() => files.next());
      if (file === null) return;
      const [org = "", id = ""] = file.filename.split(SEPARATOR);
      yield { org, id, storedAt: file.uploadDate.getTime() };
    }
  } finally {
    await files.close();
  }
}

/** What the driver throws about a server, as `unavailable`. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const known = asStoreUnavailable(error);
    throw known === error ? unavailable("a file cannot be stored or read", error) : known;
  }
}
