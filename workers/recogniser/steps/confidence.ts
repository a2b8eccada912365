// How a counterparty was found, and how often what is found that way is right.

/** How a merchant of the knowledge was found: by what of its name, and where in the line. */
export type MerchantEvidence =
  | "alias whole"
  | "alias first"
  | "alias inside"
  | "alias weak"
  | "alias abroad"
  | "brand whole"
  | "brand first"
  | "brand inside"
  | "cut off"
  | "misspelt"
  | "website";

/** How a counterparty was found. */
export type PartyEvidence =
  | MerchantEvidence
  | "unknown website"
  | "intermediary"
  | "person"
  | "name behind processor"
  | "labelled name"
  | "name on card"
  | "bare name"
  | "bare words";

/**
 * How often what was found in a way is right: counted on both halves of our own lines (`npm run eval` prints it beside
 * these). Ways that were met less than thirty times have a figure below the count: so few prove little.
 */
const CONFIDENCE: Readonly<Record<PartyEvidence, number>> = {
  "alias whole": 0.99,
  "alias first": 0.96,
  "alias inside": 0.92,
  "alias weak": 0.98,
  "alias abroad": 0.55,
  "brand whole": 0.95,
  "brand first": 0.88,
  "brand inside": 0.78,
  "cut off": 0.88,
  misspelt: 0.88,
  website: 0.98,
  "unknown website": 0.92,
  intermediary: 0.87,
  person: 0.93,
  "name behind processor": 0.84,
  "labelled name": 0.79,
  "name on card": 0.88,
  "bare name": 0.69,
  "bare words": 0.25,
};

/** Below this a counterparty is wrong too often: nobody is named. */
export const NAMED_CONFIDENCE_MIN = 0.5;

/** How sure a counterparty is that was found like this, 0..1. */
export const confidenceOf = (by: PartyEvidence): number => CONFIDENCE[by];
