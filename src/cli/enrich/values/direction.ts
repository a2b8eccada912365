import type { EntryType } from "../../../model/transaction.ts";
import { plainWords } from "./plain-words.ts";

// Words of a debit/credit column. Only words that mean one direction whatever the account: "payment" is money leaving
// a current account and money arriving on a card, so it is not here.
const OUTGOING = new Set(
  (
    "debit|dr|d|s|dbit|dt|debet|debito|soll|af|cargo|dare|out|outgoing|outflow|money out|sent|paid out|withdrawal|" +
    "purchase|sale|fee|check|cheque|debit card|card purchase|atm|expense|ausgang|belastung|uscita|saida|adeudo|dslip out"
  ).split("|"),
);
const INCOMING = new Set(
  (
    "credit|cr|c|h|crdt|ct|kredit|credito|haben|bij|abono|avere|in|incoming|inflow|money in|received|paid in|deposit|" +
    "refund|return|income|dslip|eingang|gutschrift|entrata|entrada|direct deposit|interest"
  ).split("|"),
);

/** Which way a word of a debit/credit column points; null when it says nothing. */
export function directionOf(text: string): EntryType | null {
  const word = plainWords(text);
  if (OUTGOING.has(word)) return "outgoing";
  return INCOMING.has(word) ? "incoming" : null;
}
