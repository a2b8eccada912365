// The names of evidence as a person reads them. A new name has no place in the table until somebody says what it is.
import type { PartyEvidence } from "../steps/confidence.ts";

const REASONS: Readonly<Record<PartyEvidence, string>> = {
  "alias whole": "its checked name is the whole name",
  "alias first": "its checked name stands first",
  "alias inside": "its checked name stands inside, and is not an ordinary word",
  "alias weak": "its name is also an ordinary word, but stands where only a name does",
  "alias abroad": "its checked name stands first, though it trades elsewhere",
  "brand whole": "a brand of this name is known, and it is the whole name",
  "brand first": "a brand of this name is known here, and stands first",
  "brand inside": "a brand of this name is known here",
  "cut off": "the only name that begins like this, cut off by the field",
  misspelt: "the only name that differs so little from what is written",
  website: "its website stands in the line",
  "unknown website": "the name is not known, but its website stands in the line",
  intermediary: "the mark in front is its own, and no merchant behind it is recognised",
  person: "a first and a last name, where people are paid",
  "name behind processor": "the name is not known, but a payment processor wrote it",
  "labelled name": "the name is not known, but the bank labels the field as a name",
  "name on card": "the name is not known, but a card terminal wrote it",
  "bare name": "the name is not known, but it looks like a company's",
  "bare words": "the words are not known, and nothing shows that they are a name",
};

/** Why a counterparty was believed that was found like this. */
export const categoryReasonOf = (by: PartyEvidence): string => REASONS[by];
