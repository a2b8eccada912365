import type { Bucket } from "../shared/concurrency/token-bucket.ts";
import type { BucketPorts } from "./rate-limiter.ts";
import type { BucketName } from "../model/api-key.ts";

/** Two for each key in use by a process. */
const BUCKETS_MAX = 20_000;

/**
 * Buckets of a process that is the only one. They start full: at the start of the process, and after they were evicted because
 * so many others were used since.
 */
export function createBucketsInMemory(bucketsMax = BUCKETS_MAX): Omit<BucketPorts, "nowMs"> {
  const buckets = new Map<string, Bucket>();
  const keyOf = ({ org, keyId, kind }: BucketName): string => `${kind}\n${org}\n${keyId}`;
  return {
    isShared: false,
    readBucket: (name) => Promise.resolve(buckets.get(keyOf(name)) ?? null),
    replaceBucket: (name, seen, bucket) => {
      const key = keyOf(name);
      if ((buckets.get(key) ?? null) !== seen) return Promise.resolve(false);
      buckets.delete(key);
      buckets.set(key, bucket);
      for (const oldest of buckets.keys()) {
        if (buckets.size <= bucketsMax) break;
        buckets.delete(oldest);
      }
      return Promise.resolve(true);
    },
  };
}
