// Parses a line: tokens, labels, what the bank's words say.
import type { RecogniserInput } from "../../src/model/transaction.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import { firstPattern } from "../knowledge/patterns.ts";
import { type Hints, hintsOf } from "./hints.ts";
import { splitFields } from "./parse/split.ts";
import { createTagger } from "./parse/tagger.ts";
import type { ParsedLine } from "./rank/line-view.ts";
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

/** @param hints of the item, where they are known */
export type Parser = (item: RecogniserInput, hints?: Hints) => ParsedLine;

/** One for each thread: it keeps words. The function returned is deterministic. */
export function createParser(knowledge: Knowledge): Parser {
  const tag = createTagger(knowledge);
  const tokenised = createTokeniser();
  return (item, hints = hintsOf(item, knowledge)) => {
    const text = normaliseText(item.description);
    const line = splitFields({ text, tokens: tokenised(text) }, hints, knowledge);
    const tagging = tag(text, line.tokens);
    const wording = firstPattern(knowledge.wordings, line.tokens, hints.direction);
    const category = knowledge.lexicon.categories[wording?.row.category ?? -1] ?? "";
    return { line, hints, tagging, wording, internal: bankInternal.has(category) };
  };
}
