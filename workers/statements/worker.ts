// The entry of a thread that reads bank statements. Piscina loads this file and calls its functions by their names. What
// the bytes of a document are never makes one throw: a document that cannot be read has a fault.
import { flushCompileCache } from "node:module";
import { setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import type {
  StatementHeaderResult,
  StatementResult,
  StatementScope,
} from "../../src/model/bank-statement.ts";
import type {
  FaultyStatement,
  PlanTask,
  RecogniseTask,
  RereadTask,
  SentStatement,
  StatementPlan,
  StatementSetup,
  UnderstandTask,
} from "../protocol.ts";
import { fileTypeOf } from "./file-type.ts";
import { moveBox } from "./affine.ts";
import { placesOfLostAmounts } from "./rows-without-amount.ts";
import { isTrap } from "./trap.ts";
import { findLayerDifferences } from "./layer-differences.ts";
import { levelWords } from "./level-words.ts";
import { placesOfLostEnds } from "./lost-ends.ts";
import { type PagePicture, pictureSide } from "./page-picture.ts";
import type { ReadPage } from "./read-page.ts";
import { readStatementHeader } from "./header.ts";
import { readPdfText } from "./read-pdf.ts";
import { showOnPages } from "./seen.ts";
import type { TextRecogniser } from "./text-recognition.ts";
import { understandStatement } from "./understand.ts";

const { languages = [], niceness = 0 } = (workerData ?? {}) as Partial<StatementSetup>;
// Linux has priorities by thread, and 0 is the calling one; where they are by process, the threads of `verify` stand back too.
if (niceness > 0) setPriority(0, niceness);

// As soon as the code is there: a thread that a document takes with it keeps nothing.
flushCompileCache();

/** The first page has the header; what follows is not needed for it. */
const HEADER_PAGES = 1;

/** Decides what a document is, reads its text layers, and understands it when nothing must be recognised. */
export async function planDocument({
  bytes,
  password,
  scope,
  submittedAt,
}: PlanTask): Promise<StatementPlan> {
  const type = fileTypeOf(bytes);
  if (type === null) return { kind: "read", result: { fault: "unsupported_type" } };
  if (type !== "pdf")
    return { kind: "recognise", pages: 1, read: [], pagesToRecognise: [1], facts: null };
  const pagesMax = scope === "header" ? HEADER_PAGES : undefined;
  const text = await readPdfText(bytes, password, pagesMax);
  if ("fault" in text) return { kind: "read", result: text };
  const { pages, read, pagesWithoutText, facts } = text;
  return pagesWithoutText.length > 0
    ? { kind: "recognise", pages, read, pagesToRecognise: pagesWithoutText, facts }
    : { kind: "read", result: understandDocument({ scope, pages, read, facts, submittedAt }) };
}

/** Recognises the text of one page, or reads it again in another mode. A page that cannot be drawn has no words. */
export async function recognisePageTask(task: RecogniseTask): Promise<ReadPage | FaultyStatement> {
  const { before } = task;
  if (before !== null) {
    const { recogniseAgain } = await import("./recognise-page.ts");
    return onLevelPage(task, before, recogniseAgain);
  }
  const picture = await pictureOf(task, task.page, task.scope);
  if ("fault" in picture) return picture;
  const { recognisePage } = await import("./recognise-page.ts");
  return orNewRecogniser(async () => {
    const { read, level } = await recognisePage(picture, task, openRecogniser);
    // Nothing of a header is read again.
    if (level !== null && task.scope === "all") lastLevel = { ...placeOf(task, task.page), level };
    return read;
  });
}

/** Recognises single numbers or dates of a page again, or balances of which the labels alone were read. */
export async function rereadPageTask(task: RereadTask): Promise<ReadPage | FaultyStatement> {
  const { before, boxes, kind } = task;
  // Few pages have such a label, and the others need not be drawn for it.
  if (kind === "balances" && placesOfLostEnds(before.words).length === 0) return before;
  const { rereadBalances, rereadDates, rereadNumbers } = await import("./reread.ts");
  if (kind === "balances")
    return onLevelPage(task, before, (level, _, recogniser) =>
      rereadBalances(level, before, recogniser),
    );
  const reread = kind === "dates" ? rereadDates : rereadNumbers;
  const lost =
    kind === "breaks"
      ? placesOfLostAmounts(before.words).map((box) => moveBox(box, before.toSeen))
      : [];
  return onLevelPage(task, before, (level, _, recogniser) =>
    reread(level, before, [...boxes, ...lost], recogniser),
  );
}

/** Understands the words of all pages of a document. */
export function understandDocument({
  scope,
  pages,
  read,
  facts,
  submittedAt,
}: UnderstandTask): StatementResult | StatementHeaderResult {
  const inOrder = [...read].sort((a, b) => a.page - b.page);
  const words = inOrder.flatMap((page) => levelWords(page.words));
  if (words.length === 0) return { fault: "no_text" };
  if (scope === "header") return readStatementHeader(words, facts);
  const understood = understandStatement(words, facts, submittedAt);
  if (understood.accounts.length === 0) return { fault: "no_transactions" };
  const readNumbers = new Set(words.map(({ page }) => page));
  const all = Array.from({ length: pages }, (_, index) => index + 1);
  const recognised = new Set(words.flatMap(({ page, source }) => (source === "ocr" ? [page] : [])));
  const shown = showOnPages(
    {
      pages,
      pagesWithoutText: all.filter((page) => !readNumbers.has(page)),
      pagesRecognised: [...recognised],
      ...understood,
    },
    inOrder,
  );
  const differences = findLayerDifferences(shown.accounts, inOrder, facts?.hiddenLayers ?? []);
  return { ...shown, signals: [...shown.signals, ...differences] };
}

async function pictureOf(
  { bytes, password }: SentStatement,
  page: number,
  scope: StatementScope,
): Promise<PagePicture | FaultyStatement> {
  const side = pictureSide(scope);
  if (fileTypeOf(bytes) !== "pdf") {
    const { decodePicture } = await import("./picture.ts");
    return decodePicture(bytes, side);
  }
  const { renderPage } = await import("./render-pdf.ts");
  return renderPage(bytes, password, page, side);
}

interface PlaceOfPage {
  readonly document: number;
  readonly page: number;
}

/** The page that was drawn last, level: drawing one takes longer than reading a number of it. One alone has a bound of memory. */
let lastLevel: (PlaceOfPage & { readonly level: PagePicture }) | null = null;

const placeOf = ({ document }: SentStatement, page: number): PlaceOfPage => ({ document, page });

/** Does work with the picture of a page that has been read. An empty page stays as it is. */
async function onLevelPage(
  file: SentStatement,
  before: ReadPage,
  work: (level: PagePicture, before: ReadPage, recogniser: TextRecogniser) => Promise<ReadPage>,
): Promise<ReadPage | FaultyStatement> {
  const level = await levelAsBefore(file, before);
  if (level === null) return before;
  if ("fault" in level) return level;
  return orNewRecogniser(async () => work(level, before, await openRecogniser()));
}

async function levelAsBefore(
  file: SentStatement,
  before: ReadPage,
): Promise<PagePicture | FaultyStatement | null> {
  const place = placeOf(file, before.page);
  if (lastLevel?.document === place.document && lastLevel.page === place.page)
    return lastLevel.level;
  const picture = await pictureOf(file, before.page, "all");
  if ("fault" in picture) return picture;
  const { levelPicture } = await import("./reread.ts");
  const level = await levelPicture(picture, before);
  if (level !== null) lastLevel = { ...place, level };
  return level;
}

let recogniser: Promise<TextRecogniser> | null = null;

/** After a page that interrupted it, the next one gets a new recogniser. */
async function orNewRecogniser(work: () => Promise<ReadPage>): Promise<ReadPage | FaultyStatement> {
  try {
    return await work();
  } catch (error) {
    if (!isTrap(error)) throw error;
    recogniser = null;
    return { fault: "memory_limit" };
  }
}

/** Loading takes half a second and 100 MB, so a thread that meets text layers only never does it. */
function openRecogniser(): Promise<TextRecogniser> {
  recogniser ??= import("./text-recognition.ts").then(({ createTextRecogniser }) =>
    createTextRecogniser(languages),
  );
  return recogniser;
}
