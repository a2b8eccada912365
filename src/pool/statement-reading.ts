// The order in which one document is read: text layers, then pictures of pages, then what is understood of the words; and
// once more, more thoroughly, where recognised pages do not add up.
import pLimit from "p-limit";
import type {
  FaultyStatement,
  ReadPage,
  RecogniseTask,
  RereadTask,
  SentStatement,
  UnderstandTask,
} from "../../workers/protocol.ts";
import type {
  PrintedValue,
  StatementAccount,
  StatementHeaderResult,
  StatementResult,
} from "../model/bank-statement.ts";
import {
  amountsInNoSum,
  hasProvenEnds,
  isBetter,
  lostNumbers,
  numbersToReread,
  pagesToReadAgain,
  pagesToSearchForEnds,
} from "./statement-breaks.ts";
import { datesOutOfOrder, hasBetterDates, lostDates } from "./statement-dates.ts";
import type { StatementThreads } from "./statement-threads.ts";

export interface ReadingDeps {
  readonly threads: StatementThreads;
  /** Pages of one document that are recognised at the same time. */
  readonly pagesAtOnce: number;
  /** Milliseconds of any clock: of one that counts work, no limit depends on what else the machine does. */
  readonly now: () => number;
  /** Called when the recognition of a whole document begins, and after each page. */
  readonly onPages?: OnPages;
}

/** Pages that are recognised, of all that must be. */
export type OnPages = (done: number, total: number) => void;

/** Recognising 300 pages by two threads takes three minutes; a document that works this long will not end. */
const DOCUMENT_WORK_MAX_MS = 900_000;
/** What does not add up is read again only within the first part of that. */
const AGAIN_WITHIN_MS = 300_000;
/** Each round looks for the break behind the one that was repaired. */
const REREAD_ROUNDS_MAX = 4;

const FIRST_READING = { mode: "sparse", before: null } as const;

/** Reads a document. What its bytes are never throws: a document that cannot be read has a fault. */
export async function readStatement(
  file: SentStatement,
  deps: ReadingDeps,
): Promise<StatementResult> {
  const { threads, now } = deps;
  const started = now();
  const plan = await threads.plan({ ...file, scope: "all" });
  if ("fault" in plan) return plan;
  if (plan.kind === "read") return plan.result as StatementResult;
  const { pages, read, pagesToRecognise, facts } = plan;
  const tasks = pagesToRecognise.map((page) => ({ page, ...FIRST_READING, scope: "all" }) as const);
  deps.onPages?.(0, tasks.length);
  const recognised = await recogniseAll(file, tasks, started + DOCUMENT_WORK_MAX_MS, deps);
  if ("fault" in recognised) return recognised;
  const { submittedAt } = file;
  const all = { pages, read: [...read, ...recognised], facts, submittedAt };
  const first = await understandAll(all, deps);
  const until = started + AGAIN_WITHIN_MS;
  const again = await readInOtherMode(file, first, until, deps);
  const numbers = await rereadBreaks(file, again, until, deps);
  const ends = await withLostEnds(file, numbers, until, deps);
  const dates = await betterDates(file, ends, until, deps);
  return withSecondReadings(file, dates, until, deps);
}

/** Reads the header of a document from its first page. */
export async function verifyStatement(
  file: SentStatement,
  deps: ReadingDeps,
): Promise<StatementHeaderResult> {
  const { threads, now } = deps;
  const started = now();
  const plan = await threads.plan({ ...file, scope: "header" });
  if ("fault" in plan) return plan;
  if (plan.kind === "read") return plan.result as StatementHeaderResult;
  const task = { page: 1, ...FIRST_READING, scope: "header" } as const;
  const read = await recogniseAll(file, [task], started + DOCUMENT_WORK_MAX_MS, deps);
  if ("fault" in read) return read;
  const { pages, facts } = plan;
  return (await threads.understand({
    scope: "header",
    pages,
    read,
    facts,
    submittedAt: file.submittedAt,
  })) as StatementHeaderResult;
}

/** What is known of a document so far. */
interface ReadingSoFar extends Omit<UnderstandTask, "scope"> {
  readonly result: StatementResult;
}

const understandAll = async (
  words: Omit<UnderstandTask, "scope">,
  { threads }: ReadingDeps,
): Promise<ReadingSoFar> => {
  const result = await threads.understand({ scope: "all", ...words });
  return { ...words, result: result as StatementResult };
};

async function recogniseAll(
  file: SentStatement,
  tasks: readonly Omit<RecogniseTask, keyof SentStatement>[],
  until: number,
  { threads, pagesAtOnce, now, onPages }: ReadingDeps,
): Promise<ReadPage[] | FaultyStatement> {
  let done = 0;
  // A document of many pages must not keep the pages of others waiting.
  const limit = pLimit(pagesAtOnce);
  const faults: FaultyStatement[] = [];
  const read = await Promise.all(
    tasks.map((task) =>
      limit(async () => {
        if (now() > until) faults.push({ fault: "time_limit" });
        if (faults.length > 0) return [];
        const page = await threads.recognise({ ...file, ...task });
        onPages?.(++done, tasks.length);
        if (!("fault" in page)) return [page];
        faults.push(page);
        return [];
      }),
    ),
  );
  return faults[0] ?? read.flat();
}

/** Recognises the pages that do not add up in the mode that divides them by columns, and adds what it finds. */
async function readInOtherMode(
  file: SentStatement,
  reading: ReadingSoFar,
  until: number,
  deps: ReadingDeps,
): Promise<ReadingSoFar> {
  const again = pagesToReadAgain(reading.result, recognisedPages(reading));
  if (again.length === 0) return reading;
  const tasks = reading.read
    .filter(({ page }) => again.includes(page))
    .map((before) => ({ page: before.page, mode: "automatic", scope: "all", before }) as const);
  const read = await recogniseAll(file, tasks, until, deps);
  return "fault" in read ? reading : betterOf(reading, read, deps);
}

/** Recognises the numbers around breaks again, enlarged. */
async function rereadBreaks(
  file: SentStatement,
  reading: ReadingSoFar,
  until: number,
  deps: ReadingDeps,
): Promise<ReadingSoFar> {
  let best = reading;
  for (let round = 0; round < REREAD_ROUNDS_MAX && deps.now() < until; round += 1) {
    const numbers = [...numbersToReread(best.result), ...lostNumbers(best.result)];
    if (numbers.length === 0) return best;
    const pages = await rereadPlaces(file, best, { kind: "breaks", places: numbers }, deps);
    const next = await betterOf(best, pages, deps);
    if (next === best) return best;
    best = next;
  }
  return best;
}

/** Recognises balances of which the labels alone were read, where an account is not checkable; they are taken if they prove it. */
async function withLostEnds(
  file: SentStatement,
  reading: ReadingSoFar,
  until: number,
  deps: ReadingDeps,
): Promise<ReadingSoFar> {
  const numbers = pagesToSearchForEnds(reading.result, recognisedPages(reading));
  if (numbers.length === 0 || deps.now() > until) return reading;
  const pages: ReadPage[] = [];
  for (const before of reading.read.filter(({ page }) => numbers.includes(page))) {
    const page = await deps.threads.reread({ ...file, kind: "balances", before, boxes: [] });
    if (!("fault" in page) && page.words.length > before.words.length) pages.push(page);
  }
  return pages.length === 0 ? reading : betterOf(reading, pages, deps, hasProvenEnds);
}

/** Recognises dates again that were lost or break the order; each is taken only if the dates fit better with it. */
async function betterDates(
  file: SentStatement,
  reading: ReadingSoFar,
  until: number,
  deps: ReadingDeps,
): Promise<ReadingSoFar> {
  let best = reading;
  for (const find of [lostDates, datesOutOfOrder])
    for (const place of find(best.result)) {
      if (deps.now() > until) return best;
      const pages = await rereadPlaces(file, best, { kind: "dates", places: [place] }, deps);
      if (pages.length > 0) best = await betterOf(best, pages, deps, hasBetterDates);
    }
  return best;
}

/**
 * Recognises amounts again that no sum contains: an account where two readings of one differ, or where the second one fails or comes
 * too late, is not checkable, for nothing shows that the first is right.
 */
async function withSecondReadings(
  file: SentStatement,
  reading: ReadingSoFar,
  until: number,
  deps: ReadingDeps,
): Promise<StatementResult> {
  const { result } = reading;
  if ("fault" in result) return result;
  const accounts: StatementAccount[] = [];
  for (const account of result.accounts) {
    const places = amountsInNoSum(account);
    const isAlike = places.length === 0 || (await isReadAlike(file, reading, places, until, deps));
    accounts.push(isAlike ? account : { ...account, verdict: "not_checkable" });
  }
  return { ...result, accounts };
}

/** Whether a second reading of these places was made, and has the same digits. */
async function isReadAlike(
  file: SentStatement,
  reading: ReadingSoFar,
  places: PlacesToReread["places"],
  until: number,
  deps: ReadingDeps,
): Promise<boolean> {
  if (deps.now() > until) return false;
  const pages = await rereadPlaces(file, reading, { kind: "numbers", places }, deps);
  if (pages.length < new Set(places.map(({ page }) => page)).size) return false;
  return pages.every((page) => {
    const before = reading.read.find((one) => one.page === page.page);
    return before !== undefined && digitsOf(before) === digitsOf(page);
  });
}

/** All digits of a page, with those of other readings of a number: marks, signs and the words that they stand in do not count. */
const digitsOf = ({ words }: ReadPage): string =>
  words
    .map(({ text, others = [] }) =>
      [...new Set([text, ...others].map((one) => one.replaceAll(/\D/gu, "")))].join("|"),
    )
    .join("");

interface PlacesToReread {
  readonly kind: Exclude<RereadTask["kind"], "balances">;
  readonly places: readonly Pick<PrintedValue, "page" | "box">[];
}

/** The pages that have these places, read again there. */
async function rereadPlaces(
  file: SentStatement,
  { read }: ReadingSoFar,
  { kind, places }: PlacesToReread,
  { threads }: ReadingDeps,
): Promise<ReadPage[]> {
  const byPage = Map.groupBy(places, ({ page }) => page);
  const pages = await Promise.all(
    read.map(async (before) => {
      const boxes = byPage.get(before.page)?.map(({ box }) => box) ?? [];
      if (boxes.length === 0) return [];
      const page = await threads.reread({ ...file, kind, before, boxes });
      return "fault" in page ? [] : [page];
    }),
  );
  return pages.flat();
}

/** What is understood with these pages in the place of their first reading, if it is better: by default, if it adds up better. */
async function betterOf(
  reading: ReadingSoFar,
  pages: readonly ReadPage[],
  deps: ReadingDeps,
  isBetterThan: typeof isBetter = isBetter,
): Promise<ReadingSoFar> {
  const byPage = new Map(pages.map((page) => [page.page, page]));
  const read = reading.read.map((page) => byPage.get(page.page) ?? page);
  const { pages: count, facts, submittedAt } = reading;
  const next = await understandAll({ pages: count, facts, read, submittedAt }, deps);
  return isBetterThan(next.result, reading.result) ? next : reading;
}

const recognisedPages = ({ read }: ReadingSoFar): number[] =>
  read.flatMap(({ page, words }) => (words.some(({ source }) => source === "ocr") ? [page] : []));
