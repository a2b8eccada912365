// Which partition of `requests` a batch goes to. A partition is read in its order, and a consumer looks ahead in it by its
// buffer alone; so what floods must not stand in front of others in every partition. A batch goes to the partition with the
// smallest lag: any of them for an organization that has little waiting, one of the home partitions of the organization,
// which are some of all by its name, for one that has much. Low batches use the first of these, so that the others hold none.
import { createHash } from "node:crypto";
import type { BatchPriority } from "../../shared/concurrency/priority.ts";

/** Records that an organization may have waiting before its batches stay in its home partitions: the largest batch. */
export const ANYWHERE_RECORDS_MAX = 100;
/** One in so many partitions is a home partition of an organization. */
const HOME_ONE_IN = 3;

export interface Placement {
  /** Records that wait in each partition, as this process last saw them. */
  readonly lags: readonly number[];
  readonly org: string;
  readonly priority: BatchPriority;
  /** Records of the organization that wait, with those to be placed. */
  readonly waitingRecords: number;
  /** A number that grows with each placement: of equal partitions they are taken in turn. */
  readonly count: number;
}

export function choosePartition(placement: Placement): number {
  const { lags, count } = placement;
  const allowed = allowedPartitions(placement);
  const shifted = allowed.map((_, index) => allowed[(index + count) % allowed.length] ?? 0);
  return shifted.reduce((best, one) => ((lags[one] ?? 0) < (lags[best] ?? 0) ? one : best));
}

function allowedPartitions({ lags, org, priority, waitingRecords }: Placement): readonly number[] {
  if (priority === "low") return homePartitions(org, lags.length).slice(0, 1);
  return waitingRecords <= ANYWHERE_RECORDS_MAX
    ? [...lags.keys()]
    : homePartitions(org, lags.length);
}

/** The partitions that an organization is kept to while much of it waits. */
export function homePartitions(org: string, partitions: number): readonly number[] {
  const first = createHash("sha256").update(org).digest().readUInt32BE(0);
  const count = Math.ceil(partitions / HOME_ONE_IN);
  return Array.from({ length: count }, (_, index) => (first + index) % partitions);
}
