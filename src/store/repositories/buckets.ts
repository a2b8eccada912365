import type { Bucket } from "../../shared/concurrency/token-bucket.ts";
import type { Store } from "../collection.ts";
import { type BucketRow, bucketSpec } from "../specs/limit-specs.ts";
import type { BucketName } from "../../model/api-key.ts";

export interface BucketRepository {
  /** Null: it is full, or was never used. */
  read(name: BucketName): Promise<Bucket | null>;
  /** Puts a bucket into the place of the one that was seen; false when it is another one by now. */
  replace(
    name: BucketName,
    seen: Bucket | null,
    bucket: Bucket,
    fullAtMs: number,
  ): Promise<boolean>;
  /** Removes up to `limit` buckets that were full before `beforeMs`. Returns how many. */
  removeFull(beforeMs: number, limit: number): Promise<number>;
}

export function createBucketRepository(store: Store): BucketRepository {
  const buckets = store.collection<BucketRow>(bucketSpec);
  return {
    read: async ({ org, keyId, kind }) => {
      const row = await buckets.get({ org, keyId, kind });
      return row === null ? null : { level: row.level, at: row.at };
    },
    replace: async ({ org, keyId, kind }, seen, { level, at }, fullAt) => {
      const step =
        seen === null
          ? buckets.insert({ org, keyId, kind, level, at, fullAt }, "fail")
          : buckets.update(
              { org, keyId, kind, level: seen.level, at: seen.at },
              { level, at, fullAt },
              "fail",
            );
      return (await store.write([step])).ok;
    },
    removeFull: async (beforeMs, limit) => {
      const outcome = await store.write([buckets.delete({ fullAt: { lt: beforeMs } }, limit)]);
      return outcome.ok ? (outcome.changed[0] ?? 0) : 0;
    },
  };
}
