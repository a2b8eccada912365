// Parses a line: tokens, labels, what the bank's words say.
import type { RecogniserInput } from "../../src/model/transaction.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import { firstPattern } from "../knowledge/patterns.ts";
import { type Hints, hintsOf } from "./hints.ts";
import { splitFields } from "./parse/split.ts";
import { createTagger } from "./parse/tagger.ts";
import type { ParsedLine } from "./rank/line-view.ts";
import { hashSeed, hashText } from "./text/hash.ts";
import { normaliseText } from "./text/normalise.ts";
import { createTokeniser } from "./text/tokenise.ts";

/** Categories of the bank's own business: such lines have no merchant unless one is named at the front. */
const bankInternal: ReadonlySet<string> = new Set([
  "bank fee",
  "non-sufficient funds / overdraft fee",
  "interest",
  "atm/bank withdrawal",
  "atm/bank deposit",
  "credit card fee",
  "intra account transfer",
  "inter account transfer",
  "interest and dividends",
  "cash back and rewards",
  "prenote",
  "reversal / adjustment",
]);

export type Parser = (item: RecogniserInput) => ParsedLine;

/** What of a parsed line depends on its text, the country and the direction alone. */
type ParsedText = Omit<ParsedLine, "hints">;

interface KeptText {
  readonly description: string;
  readonly home: string | null;
  readonly direction: Hints["direction"];
  readonly parsed: ParsedText;
}

/** Parsed texts that are kept by each thread; a power of two. Some 1.5 kB each: those of usual length. */
const TEXTS_KEPT = 1024;
const KEPT_TEXT_LENGTH_MAX = 128;

type ParseText = (description: string, hints: Hints) => ParsedText;

function createTextParser(knowledge: Knowledge): ParseText {
  const tag = createTagger(knowledge);
  const tokenised = createTokeniser();
  return (description, hints) => {
    const text = normaliseText(description);
    const line = splitFields({ text, tokens: tokenised(text) }, hints, knowledge);
    const tagging = tag(text, line.tokens);
    const wording = firstPattern(knowledge.wordings, line.tokens, hints.direction);
    const category = knowledge.lexicon.categories[wording?.row.category ?? -1] ?? "";
    return { line, tagging, wording, internal: bankInternal.has(category) };
  };
}

/** The same, with what was parsed kept: what a merchant or a bank writes comes again word for word. */
function keepTexts(parse: ParseText): ParseText {
  const kept = new Array<KeptText | null>(TEXTS_KEPT).fill(null);
  return (description, hints) => {
    if (description.length > KEPT_TEXT_LENGTH_MAX) return parse(description, hints);
    const { home, direction } = hints;
    const hash = hashText(hashSeed, description);
    const slot = (hash ^ (hash >>> 16)) & (TEXTS_KEPT - 1);
    const known = kept[slot];
    if (
      known != null &&
      known.description === description &&
      known.home === home &&
      known.direction === direction
    )
      return known.parsed;
    const parsed = parse(description, hints);
    kept[slot] = { description, home, direction, parsed };
    return parsed;
  };
}

/** One for each thread: it keeps texts. The function returned is deterministic. */
export function createParser(knowledge: Knowledge): Parser {
  const parseText = keepTexts(createTextParser(knowledge));
  return (item) => {
    const hints = hintsOf(item, knowledge);
    const { line, tagging, wording, internal } = parseText(item.description, hints);
    return { line, hints, tagging, wording, internal };
  };
}
