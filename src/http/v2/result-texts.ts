// Results of the v2 API, written while they are sent: each with what repeats in the ledger of its account holder.
import { setImmediate as nextTurn } from "node:timers/promises";
import { type ChunkResults, parsedResults } from "../../model/batch.ts";
import type { Facts } from "../../model/facts.ts";
import type { EnrichmentResult } from "../../model/records.ts";
import type { HolderReview, Review } from "../../model/tenant-settings.ts";
import type { HolderType, TransactionError, TransactionInput } from "../../model/transaction.ts";
import { JSON_TYPE, type StreamAnswer } from "../server/answer.ts";
import { errorResource, reviewedFields } from "./enriched.ts";
import {
  NO_RECURRENCE,
  type RecurrenceText,
  recurrenceTexts,
  type V2RecurrenceServices,
} from "./recurrence.ts";

/** A JSON text of which the chunks are written while it is sent. */
export const streamed = (
  opening: string,
  chunks: AsyncIterable<string>,
  closing: string,
): StreamAnswer => ({
  kind: "stream",
  status: 200,
  headers: { "Content-Type": JSON_TYPE },
  opening,
  chunks,
  closing,
});

/** Finds what recurs in the ledger of an account holder; nothing is looked for without one. */
type RecurrenceReader = (accountHolderId: string | null) => Promise<RecurrenceText>;

/** Each ledger is looked at once for one answer, when the first of its transactions is written. */
export function recurrenceReader(
  { recurrence }: V2RecurrenceServices,
  org: string,
  isWanted: boolean,
): RecurrenceReader {
  const texts = new Map<string, Promise<RecurrenceText>>();
  return (accountHolderId) => {
    if (accountHolderId === null || !isWanted) return Promise.resolve(NO_RECURRENCE);
    const known = texts.get(accountHolderId);
    if (known !== undefined) return known;
    const found = recurrence.groups(org, accountHolderId).then(recurrenceTexts);
    texts.set(accountHolderId, found);
    return found;
  };
}

/** Results written at a time: a few milliseconds, after which other requests continue. */
const TEXTS_AT_ONCE = 200;

export interface ReviewsPort {
  /**
   * What the customer has decided about those of these transactions that are in the ledger, by their ids. It is not among the
   * facts of a result, and holds for each later submission.
   */
  reviews(org: string, ids: readonly string[]): Promise<ReadonlyMap<string, HolderReview>>;
}

/** The reviews of the transactions with these ids. */
type ReviewReader = (ids: readonly string[]) => ReturnType<ReviewsPort["reviews"]>;

export const reviewReader =
  ({ reviews }: ReviewsPort, org: string): ReviewReader =>
  (ids) =>
    reviews(org, ids);

/** A result without what repeats: its JSON object but for the closing brace, or all of it where there is no result. */
interface ResultOpening {
  readonly id: string;
  readonly accountHolderId: string | null;
  readonly text: string;
  readonly isError: boolean;
}

export async function* openingsOfCall(
  inputs: readonly TransactionInput[],
  results: readonly EnrichmentResult[],
  types: ReadonlyMap<string, HolderType>,
  readReviews: ReviewReader,
): AsyncIterable<readonly ResultOpening[]> {
  for (let from = 0; from < inputs.length; from += TEXTS_AT_ONCE) {
    const part = inputs.slice(from, from + TEXTS_AT_ONCE);
    const reviews = await readReviews(part.map(({ id }) => id));
    yield part.map((input, place) => {
      const { id, accountHolderId, details } = input;
      const { facts, error } = results[from + place] ?? NO_RESULT;
      const type =
        accountHolderId === null
          ? (details?.accountHolderType ?? null)
          : (types.get(accountHolderId) ?? null);
      const found = facts === null ? null : (JSON.parse(facts) as Facts);
      const review = reviewOf(reviews, input);
      const mcc = details?.mcc ?? null;
      return { id, accountHolderId, ...openingOf(id, found, error, { type, mcc, review }) };
    });
    await nextTurn();
  }
}

const NO_RESULT: EnrichmentResult = { facts: null, error: null };

/** A stored result, as the v3 API shows it. */
interface StoredResult extends Facts {
  readonly id: string;
  readonly error: TransactionError | null;
}

export async function* openingsOfBatch(
  chunks: AsyncIterable<ChunkResults>,
  readReviews: ReviewReader,
): AsyncIterable<readonly ResultOpening[]> {
  for await (const chunk of chunks) {
    const { accountTypes, accountHolderIds, sentMccs } = chunk;
    const stored = parsedResults(chunk) as readonly StoredResult[];
    const reviews = await readReviews(stored.map(({ id }) => id));
    yield stored.map(({ id, error, ...facts }, place) => {
      const accountHolderId = accountHolderIds[place] ?? null;
      const review = reviewOf(reviews, { id, accountHolderId });
      const [type, mcc] = [accountTypes[place] ?? null, sentMccs?.[place] ?? null];
      const opening = openingOf(id, facts, error, { type, mcc, review });
      return { id, accountHolderId, ...opening };
    });
    await nextTurn();
  }
}

/** A review of the same transaction of another account holder has ended. Not looked up where there is none: almost everywhere. */
function reviewOf(
  reviews: ReadonlyMap<string, HolderReview>,
  { id, accountHolderId }: Pick<TransactionInput, "id" | "accountHolderId">,
): Review | null {
  const found = reviews.size === 0 ? undefined : reviews.get(id);
  return found?.accountHolderId === accountHolderId ? found.review : null;
}

/** What is known of a transaction in addition to what was found out. */
interface KnownOfResult {
  readonly type: HolderType | null;
  readonly mcc: number | null;
  readonly review: Review | null;
}

function openingOf(
  id: string,
  facts: Facts | null,
  error: TransactionError | null,
  { type, mcc, review }: KnownOfResult,
): Pick<ResultOpening, "text" | "isError"> {
  if (error !== null) return { text: JSON.stringify(errorResource(id, error)), isError: true };
  const text = JSON.stringify({ transaction_id: id, ...reviewedFields(facts, type, mcc, review) });
  return { text: text.slice(0, -1), isError: false };
}

/**
 * Results that are prepared while a thread looks for what repeats, of all answers together: those of four of the longest
 * batches, some 70 MB. Beyond, an answer prepares one part at a time.
 */
const AHEAD_MAX = 100_000;

/** How many results are prepared ahead. */
export interface AheadCount {
  add(results: number): void;
  remove(results: number): void;
  /** Whether there are more than there may be. */
  isOver(): boolean;
}

/** @param max results; one more, and answers prepare one part at a time */
export function createAheadCount(max = AHEAD_MAX): AheadCount {
  let count = 0;
  return {
    add: (results) => {
      count += results;
    },
    remove: (results) => {
      count -= results;
    },
    isOver: () => count > max,
  };
}

/** A thread waits until the ledger is read, in steps on this thread too: it gets most turns of the event loop meanwhile. */
const TURNS_OF_READER = 16;

/** The results with what repeats, which is looked for while they are written. */
export async function* resultTexts(
  parts: AsyncIterable<readonly ResultOpening[]>,
  recurrence: RecurrenceReader,
  aheadOfAll: AheadCount,
): AsyncIterable<string> {
  const ahead: ResultPart[] = [];
  let own = 0;
  const next = async (): Promise<string> => {
    const part = ahead.shift();
    const text = (await part?.text()) ?? "";
    own -= part?.length ?? 0;
    aheadOfAll.remove(part?.length ?? 0);
    return text;
  };
  try {
    for await (const openings of parts) {
      ahead.push(resultPart(openings, recurrence));
      own += openings.length;
      aheadOfAll.add(openings.length);
      while (ahead.length > 0 && (aheadOfAll.isOver() || ahead[0]?.isKnown() === true))
        yield await next();
      for (let turn = 0; turn < TURNS_OF_READER && ahead[0]?.isKnown() === false; turn += 1)
        await nextTurn();
    }
    while (ahead.length > 0) {
      yield await next();
      await nextTurn();
    }
  } finally {
    aheadOfAll.remove(own);
  }
}

interface ResultPart {
  /** Results in it. */
  readonly length: number;
  /** Whether what repeats in it is known, so that its text is there without waiting. */
  isKnown(): boolean;
  text(): Promise<string>;
}

function resultPart(openings: readonly ResultOpening[], recurrence: RecurrenceReader): ResultPart {
  const holders = [...new Set(openings.map(({ accountHolderId }) => accountHolderId))];
  let isKnown = false;
  const found = Promise.all(holders.map(recurrence)).then((texts) => {
    isKnown = true;
    return new Map(holders.map((id, place) => [id, texts[place] ?? NO_RECURRENCE]));
  });
  // Who reads the text sees the failure, which may happen long before.
  found.catch(() => undefined);
  return {
    length: openings.length,
    isKnown: () => isKnown,
    text: async () => {
      const repeats = await found;
      return openings
        .map(({ id, accountHolderId, text, isError }) =>
          isError ? text : `${text},${(repeats.get(accountHolderId) ?? NO_RECURRENCE)(id)}}`,
        )
        .join(",");
    },
  };
}
