// The names of evidence as a person reads them. A new name has no place in the table until somebody says what it is.
import type { PartyEvidence } from "../steps/confidence.ts";

const REASONS: Readonly<Record<PartyEvidence, string>> = {
  "alias whole": "its checked name is the whole name",
  "alias first": "its checked name stands first",
  "alias inside": "its checked name stands inside, and is no ordinary word",
  "alias weak": "its name is also an ordinary word, but stands where only a name does",
  "alias abroad": "its checked name stands first, though it trades elsewhere",
  "brand whole": "a brand of this name is known, and it is the whole name",
  "brand first": "a brand of this name is known here, and stands first",
  "brand inside": "a brand of this name is known here",
  "cut off": "the only name that begins like this, cut off by the field",
  misspelt: "the only name that differs so little from what is written",
  website: "its website stands in the line",
  "unknown website": "nobody knows the name, but its website stands in the line",
  intermediary: "the mark in front is its own, and nobody behind it is recognised",
  person: "a first and a last name, where people are paid",
  "name behind processor": "nobody knows the name, but a payment processor wrote it",
  "labelled name": "nobody knows the name, but a field of the bank says that it is one",
  "name on card": "nobody knows the name, but a card terminal wrote it",
  "bare name": "nobody knows the name, but it looks like a company's",
  "bare words": "nobody knows the words, and nothing shows that they are a name",
};

/** Why a counterparty was believed that was found like this. */
export const reasonOf = (by: PartyEvidence): string => REASONS[by];
