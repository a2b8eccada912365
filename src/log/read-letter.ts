import { type RecordCodec, UndecodableRecord } from "./codec.ts";
import type { DeadLetter } from "./log.ts";
import type { DeadLetterRecord } from "./record-codecs.ts";

/**
 * A stored dead letter. One that cannot be decoded is returned with its own bytes as `original`, so that it can be looked
 * at and dropped and hides no other.
 * @throws LedgerlineError `unavailable` when its schema cannot be looked up now
 */
export async function readLetter(
  codec: Pick<RecordCodec<DeadLetterRecord>, "decode">,
  id: string,
  bytes: Uint8Array,
): Promise<DeadLetter> {
  try {
    return { ...(await codec.decode(bytes)), id, isReadable: true };
  } catch (error) {
    if (!(error instanceof UndecodableRecord)) throw error;
    return {
      id,
      isReadable: false,
      topic: "",
      partition: 0,
      offset: 0,
      reason: "undecodable",
      error: `the dead letter cannot be read: ${error.message}`,
      original: bytes,
      key: "",
      headers: {},
      order: "",
      failedAt: 0,
    };
  }
}
