import { plainWords } from "../values/plain-words.ts";
import type { Profile } from "./profile.ts";

// The bank resolved the name itself: "Transport for London" next to "TFL TRAVEL CH LONDON GBR". Joined, the two would be
// one long name. Where the second column is not the text of the card terminal, it names what was paid for and is joined.
const NAME_HEADER =
  /^(?:merchant(?: name)?|name|payee(?: name)?|vendor(?: name)?|counterparty(?: name)?)$/u;
const RAW_HEADER =
  /^(?:(?:original |transaction |bank |raw )?description|(?:statement )?descriptor|appears on your statement as|original text)$/u;
const CLEAN_SHARE_MIN = 0.8;
const CLEAN_CHARACTERS_MAX = 40;
/** With these names the other column names the counterparty. */
const PROCESSORS =
  /^(?:paypal|klarna|stripe|square|sumup|zettle|izettle|adyen|mollie|amazon pay|google pay|apple pay|venmo|zelle|wise|revolut)\b/u;

/** The column whose cells are clean names that replace the whole description; null: there is no such column. */
export function findCleanName(
  names: readonly string[],
  profiles: readonly Profile[],
  payee: number | null,
  description: readonly number[],
): number | null {
  if (payee === null || description.length < 2 || !description.includes(payee)) return null;
  const header = (index: number): string => plainWords(names[index] ?? "");
  const others = description.filter((index) => index !== payee);
  if (!NAME_HEADER.test(header(payee)) || !others.every((at) => RAW_HEADER.test(header(at))))
    return null;
  const cells = (profiles[payee]?.values ?? []).filter((value) => value !== "");
  const clean = cells.filter(isClean).length;
  return cells.length > 0 && clean >= cells.length * CLEAN_SHARE_MIN ? payee : null;
}

/** True when this cell alone tells who was paid. */
export function isNameEnough(name: string): boolean {
  return name !== "" && isClean(name) && !PROCESSORS.test(plainWords(name));
}

function isClean(cell: string): boolean {
  return cell.length <= CLEAN_CHARACTERS_MAX && /\p{L}{2}/u.test(cell) && !/\d{3}|[*#]/u.test(cell);
}
