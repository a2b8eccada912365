// The clean name of a bank against the name joined with the text of the terminal: "Transport for London" resolves only
// with "TFL TRAVEL CH", "McDonald's" only without "MCDONALDS".
import type { Facts } from "../../../model/facts.ts";
import { plainWords } from "../values/plain-words.ts";

/** How well facts answer to a clean name, from worst to best. */
const UNKNOWN = 0;
/** A known merchant, whose name lacks a word of the clean name: "Costa" for "Costa Coffee". */
const KNOWN = 1;
/** A known merchant of that name, or a person: nothing is gained by the text of the terminal. */
const SAME = 2;

/** True when the joined text may tell more than the clean name alone did. */
export function isWeakEvidence(facts: Facts | null, cleanName: string): boolean {
  return evidenceOf(facts, cleanName) < SAME;
}

/** True when the joined text resolves the merchant better. Of equals the clean name stands. */
export function isJoinedBetter(alone: Facts | null, joined: Facts | null, name: string): boolean {
  return joined !== null && evidenceOf(joined, name) > evidenceOf(alone, name);
}

function evidenceOf(facts: Facts | null, cleanName: string): number {
  const counterparty = facts?.entities?.counterparty ?? null;
  if (counterparty === null) return UNKNOWN;
  if (counterparty.type === "person") return SAME;
  if (counterparty.website === null) return UNKNOWN;
  const words = new Set(plainWords(counterparty.name ?? "").split(" "));
  const isSame = plainWords(cleanName)
    .split(" ")
    .every((word) => words.has(word));
  return isSame ? SAME : KNOWN;
}
