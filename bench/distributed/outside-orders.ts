// What the benchmark and its programs outside the service tell each other.

/** An organization, and what it needs to write signed records. */
export interface OutsideOrg {
  readonly org: string;
  readonly keyId: string;
  readonly secret: string;
  readonly topic: string;
}

export interface OutsideConnection {
  readonly brokers: readonly string[];
  readonly schemaRegistryUrl: string;
}

/** What a producer is started with. */
export interface ProducerSetup extends OutsideConnection {
  readonly kind: "setup";
  readonly org: OutsideOrg;
  readonly holders: readonly string[];
  readonly partitions: number;
  /** Transactions, and how many of them are in one record. */
  readonly count: number;
  readonly chunk: number;
  /** Makes the lines and ids of producers differ. */
  readonly seed: number;
}

export type ProducerOrder =
  | ProducerSetup
  /** Send until so many transactions are sent in all, as fast as Kafka takes them. */
  | { readonly kind: "upTo"; readonly transactions: number }
  /** Send new records of one transaction each, at this rate. */
  | { readonly kind: "pace"; readonly perSecond: number; readonly forMs: number };

export interface ProducerReport {
  /** Its records are made, or all that was to be sent at a rate is sent. */
  readonly kind: "ready" | "paced";
}

export interface ConsumerSetup extends OutsideConnection {
  readonly kind: "setup";
  readonly topics: readonly string[];
  readonly groupId: string;
}

export type ConsumerOrder =
  | ConsumerSetup
  /** From now on every record is decoded, and how long ago it was due is kept. */
  | { readonly kind: "time" }
  | { readonly kind: "times" };

export type ConsumerReport =
  | { readonly kind: "read"; readonly records: number }
  /** Milliseconds from when each record was due to when it was read. */
  | { readonly kind: "times"; readonly ms: readonly number[] };

/** Milliseconds since 1970 with their fractions, the same for all processes of a machine. */
export const sharedNowMs = (): number => performance.timeOrigin + performance.now();
