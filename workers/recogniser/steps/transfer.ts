// Step: the phrases of transfers between accounts, and whom they name.
import { isReference, isWord, type Line, type Span } from "../line.ts";
import { isIn, lookUp, wordMap, wordSet } from "../text/word-map.ts";
import { nameAfter } from "./person.ts";

/** Phrases of transfers that name the other side, where no transfer service is named. */
const transferPhrases: readonly (readonly string[])[] = [
  ["transfer", "to"],
  ["transfer", "from"],
  ["payment", "to"],
  ["payment", "from"],
  ["faster", "payment", "to"],
  ["faster", "payments", "receipt"],
  ["bill", "payment", "to"],
  ["e", "transfer", "to"],
  ["e", "transfer", "from"],
  ["etransfer", "to"],
  ["etransfer", "from"],
  ["xfer", "to"],
  ["xfer", "from"],
  ["money", "sent", "to"],
  ["money", "received", "from"],
  ["payment", "received", "from"],
  ["revolut", "user"],
  ["capital", "contribution"],
  ["uberweisung", "an"],
  ["ueberweisung", "an"],
  ["gutschrift", "von"],
  ["virement", "a"],
  ["virement", "de"],
  ["bonifico", "a"],
  ["bonifico", "istantaneo", "a"],
  ["transferencia", "a"],
  ["transferencia", "de"],
  ["na", "telefon", "odbiorca"],
  ["na", "telefon"],
  ["tfr", "to"],
  ["tfr", "from"],
  ["trf", "to"],
  ["b", "p", "to"],
  ["swish", "till"],
  ["e", "transfer"],
];

/** First word → phrases, in the order above. */
const transfersByWord = wordMap(Map.groupBy(transferPhrases, ([first = ""]) => first));

/** `FASTER PAYMENTS RECEIPT REF RENT FROM J PATEL`: what the payer wrote stands before who it was. */
function afterFrom(line: Line, from: number): number {
  if (line.tokens[from]?.text !== "ref") return from;
  const at = line.tokens.findLastIndex((token) => token.text === "from");
  return at > from ? at + 1 : from;
}

/** Where the phrase that begins at `at` ends, -1 when it does not: references may stand in it (`PAYMENT 418827 TO`). */
function endOfPhrase(line: Line, at: number, phrase: readonly string[]): number {
  let next = at;
  for (const word of phrase) {
    while (next > at && next < line.tokens.length && isReference(line, next)) next++;
    if (line.tokens[next]?.text !== word) return -1;
    next++;
  }
  return next;
}

/** What the bank calls an account of the holder's own. */
const accountWords: ReadonlySet<string> = new Set(["savings", "checking", "way2save"]);

/** So many words behind a name may stand before the account's: `REED T WAY2SAVE SAVINGS`, `SMITH J REF #IB0XX SAVINGS`. */
const ACCOUNT_WITHIN_MAX = 4;

/** `TO REED T WAY2SAVE SAVINGS REF #OP0XX8Q1LT`: the name is the holder's own, in front of his other account. */
function isOwnAccount(line: Line, { from, to }: Span): boolean {
  const end = Math.min(line.tokens.length, to + ACCOUNT_WITHIN_MAX);
  for (let at = from; at < end; at++) {
    const text = line.tokens[at]?.text ?? "";
    // `TO JANE ROE FROM CHECKING 1184`: the account that was paid from.
    if (at > from && (text === "from" || text === "to")) return false;
    if (accountWords.has(text)) return true;
  }
  return false;
}

/** The name in a transfer phrase, null when the line has none, or when it is before an account of the holder's own. */
export function transferName(line: Line): Span | null {
  const end = line.tokens.length;
  for (let at = 0; at < end; at++) {
    for (const phrase of lookUp(transfersByWord, line.tokens[at]) ?? []) {
      const after = endOfPhrase(line, at, phrase);
      if (after < 0) continue;
      const span = nameAfter(line, afterFrom(line, after));
      if (span.to <= span.from || !isWord(line, span.from, 1)) continue;
      return isOwnAccount(line, span) ? null : span;
    }
  }
  return null;
}

/** Words of payments between accounts, in front of a name. */
const railWords = wordSet([
  "transfer",
  "xfer",
  "tfr",
  "osko",
  "payid",
  "fpo",
  "fpi",
  "so",
  "standing",
  "uberweisung",
  "ueberweisung",
  "dauerauftrag",
  "bonifico",
  "przelew",
  "virement",
  "transferencia",
  "overboeking",
  "overschrijving",
  "bizum",
  "swish",
  "mobi",
  "payshap",
]);

/** Whether what was peeled off in front of `to` is a transfer and not a card payment. */
export function isSentByTransfer(line: Line, to: number): boolean {
  for (let at = 0; at < to; at++) if (isIn(railWords, line.tokens[at])) return true;
  return false;
}
