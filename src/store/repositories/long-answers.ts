// Answers of idempotency keys that are too long for one row: in parts, with a note for each account holder that they are about.
import type { HolderKey } from "../../model/account-holder.ts";
import { LedgerlineError } from "../../shared/errors.ts";
import type { Store } from "../collection.ts";
import {
  type AnswerHolderRow,
  answerHolderSpec,
  type AnswerPartRow,
  answerPartSpec,
  type IdempotencyRow,
  idempotencySpec,
} from "../specs/idempotency-specs.ts";

/** The key under which an answer is kept. */
type AnswerKey = Pick<IdempotencyRow, "org" | "route" | "key">;

/** What a repetition gets when an account holder that the answer was about is deleted. */
export const ERASED_ANSWER = {
  status: 404,
  body: JSON.stringify({ detail: "Account holder not found", code: "account_holder_not_found" }),
  holderId: null,
  statementId: null,
} as const;

interface LongAnswerRepository {
  /** Stores the parts and notes, then returns the body that refers to them: what refers to nothing was never complete. */
  add(
    key: AnswerKey,
    answer: {
      readonly id: string;
      readonly keptAt: number;
      readonly parts: readonly Uint8Array[];
      readonly accountHolderIds: readonly string[];
    },
  ): Promise<string>;
  /**
   * The parts, each read when it is asked for: many callers may repeat one request at once. Null when the body is the answer itself;
   * `gone` when parts were removed since the body was read.
   */
  read(org: string, body: string): Promise<AsyncIterable<Uint8Array> | "gone" | null>;
  /** Replaces the answer of this body, unless the key has another one by now. */
  erase(key: AnswerKey, body: string): Promise<void>;
  /** Replaces every long answer about the holder. */
  eraseOfHolder(holder: HolderKey): Promise<void>;
  /** Removes all parts and notes that were kept before this time. */
  removeKeptBefore(timeMs: number): Promise<void>;
}

/** No JSON text begins with it. */
const REFERENCE = "@";
const ERASED_AT_ONCE = 100;
const NOTED_AT_ONCE = 1_000;
/** Of some 100 KB each, in one write: other requests are answered in between. */
const PARTS_AT_ONCE = 10;
const REMOVED_AT_ONCE = 100;

export function createLongAnswerRepository(store: Store): LongAnswerRepository {
  const requests = store.collection<IdempotencyRow>(idempotencySpec);
  const parts = store.collection<AnswerPartRow>(answerPartSpec);
  const notes = store.collection<AnswerHolderRow>(answerHolderSpec);

  /** The reference first: who still reads it finds parts missing, and looks again. */
  async function erase(key: AnswerKey, body: string): Promise<void> {
    const { org } = key;
    await store.apply([
      requests.update({ ...key, body }, ERASED_ANSWER, "ignore"),
      parts.delete({ org, answerId: referenceIn(body).id }),
    ]);
  }

  return {
    add: async ({ org, route, key }, { id, keptAt, parts: texts, accountHolderIds }) => {
      for (let from = 0; from < accountHolderIds.length; from += NOTED_AT_ONCE) {
        const some = accountHolderIds.slice(from, from + NOTED_AT_ONCE);
        const rows = some.map((holderId): AnswerHolderRow => {
          return { org, holderId, answerId: id, keptAt, route, key };
        });
        await store.apply([notes.upsertMany(rows, "keptAt")]);
      }
      for (let from = 0; from < texts.length; from += PARTS_AT_ONCE) {
        const some = texts.slice(from, from + PARTS_AT_ONCE);
        await store.apply(
          some.map((text, place) =>
            parts.insert({ org, answerId: id, part: from + place, keptAt, text }, "ignore"),
          ),
        );
      }
      return `${REFERENCE}${String(texts.length)} ${id}`;
    },
    read: async (org, body) => {
      if (!body.startsWith(REFERENCE)) return null;
      const { id: answerId, length } = referenceIn(body);
      const partAt = (part: number): Promise<AnswerPartRow | null> =>
        parts.get({ org, answerId, part });
      // All are removed together.
      return (await partAt(length - 1)) === null ? "gone" : readParts(partAt, length);
    },
    erase,
    eraseOfHolder: async ({ org, id: holderId }) => {
      for (;;) {
        const found = await notes.find({ where: { org, holderId }, limit: ERASED_AT_ONCE });
        if (found.length === 0) return;
        for (const { answerId, route, key } of found) {
          const request = await requests.get({ org, route, key });
          const body = request?.body ?? "";
          if (body.startsWith(REFERENCE) && referenceIn(body).id === answerId)
            await erase({ org, route, key }, body);
          await store.apply([
            parts.delete({ org, answerId }),
            notes.delete({ org, holderId, answerId }),
          ]);
        }
      }
    },
    removeKeptBefore: async (timeMs) => {
      const before = { keptAt: { lt: timeMs } };
      for (let changed = REMOVED_AT_ONCE; changed === REMOVED_AT_ONCE; ) {
        const outcome = await store.write([
          parts.delete(before, REMOVED_AT_ONCE),
          notes.delete(before, REMOVED_AT_ONCE),
        ]);
        changed = outcome.ok ? Math.max(...outcome.changed) : 0;
      }
    },
  };
}

/** @throws LedgerlineError `unavailable` at a part that is gone */
async function* readParts(
  partAt: (part: number) => Promise<AnswerPartRow | null>,
  length: number,
): AsyncIterable<Uint8Array> {
  for (let part = 0; part < length; part += 1) {
    const row = await partAt(part);
    if (row === null)
      throw new LedgerlineError(
        "unavailable",
        "The answer was erased, or expired, while it was read; repeat the request.",
      );
    yield row.text;
  }
}

function referenceIn(body: string): { readonly id: string; readonly length: number } {
  const end = body.indexOf(" ");
  return { id: body.slice(end + 1), length: Number(body.slice(REFERENCE.length, end)) };
}
