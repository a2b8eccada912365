// The words of the glossary's "not" column: private words for things that the field has a name for, and words that a
// reader who is tired and not a native speaker has to guess.

/** Matches in text whose identifiers are split into words; what to write in its place. */
export const PRIVATE_WORDS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:whoever|nobody|somebody|everybody|anybody)\b/i, "the caller, the worker, no merchant"],
  [/\b(?:he|his|him)\b/i, "it, its"],
  [/\btold\b/i, "reported, notified; of a result: incorrect"],
  [/\b(?:says|said|knows|knew|asked of)\b/i, "returns, reports, contains, is looked up"],
  [/\bwhat (?:came|comes?|becomes?|became|will become) of\b/i, "outcome, result"],
  [/\bhand(?:ed|s) over\b/i, "delivered, redelivered, passed to"],
  [/\b(?:in work|under way|on (?:its|their) way)\b/i, "in flight, pending, running"],
  [/\b(?:puts?|putting) off\b/i, "rescheduled"],
  [/\b(?:brought|brings?|bringing) forward\b/i, "expedited"],
  [/\bvouch/i, "CA bundle"],
  [/\b(?:bury|buried|buries)\b/i, "tombstone (deleted row), dead-letter (record)"],
  [/\b(?:janitor|sweeps?|forgets?|forgotten|forgot)\b/i, "retention job, scan, purge, drop"],
  [/\blanes?\b/i, "endpoint queue, partition queue"],
  [/\b(?:takes?|taking|took) turns\b/i, "fair scheduling, round robin"],
  [/\b(?:goes|go|went) before\b/i, "takes precedence over"],
  [/\bcounts? more than\b/i, "takes precedence over"],
  [/\b(?:gives?|gave|giving|given) up\b/i, "stops, fails, times out"],
  [/\bdoubtful\b/i, "warning, questionable"],
  [/\b(?:un)?seal(?:s|ed|ing)?\b/i, "encrypt, decrypt; of lines: holdout"],
  [/\bsigns? of life\b/i, "heartbeat"],
  [/\b(?:overlays?|taught)\b/i, "override, learned correction"],
  [/\b(?:slips? of the pen|misspelt)\b/i, "typo"],
  [/\b(?:gather(?:s|ed|ing)?|shared reads)\b/i, "batcher, collect, single flight"],
  [/(?<!there )\b(?:is|are|was|were) no\b(?! (?:longer|more)\b)/i, "is not a"],
  [/(?<!there )\b(?:is|are|was|were) none\b/, "is not one, does not exist"],
  [/\bbesides?\b/i, "next to; in addition to: and, as well as"],
  [/\b(?:whence|hence|thereby|thereof|therein|in vain)\b/i, "from where, so, without success"],
];

/** "takeTurns" and "take_turns" are two words each. */
export const splitIdentifiers = (text: string): string =>
  text.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll("_", " ");
