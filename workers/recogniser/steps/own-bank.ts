// Step: lines about the account itself. The bank that keeps it is not who was paid, even where the line names it.
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { none, type Parties, type Party } from "./party-types.ts";

/** Cash over the counter or from a machine: whoever is named keeps the machine. */
const cash: ReadonlySet<string> = new Set(["atm/bank withdrawal", "atm/bank deposit"]);

const fees: ReadonlySet<string> = new Set([
  "bank fee",
  "non-sufficient funds / overdraft fee",
  "credit card fee",
]);

/** Merchant category codes of banks. */
const BANK_MCC_MIN = 6010;
const BANK_MCC_MAX = 6012;

function isBank(merchant: number, { merchants }: Knowledge): boolean {
  const end = merchants.mccFirst[merchant + 1] ?? 0;
  for (let at = merchants.mccFirst[merchant] ?? 0; at < end; at++) {
    const mcc = merchants.mccs[at] ?? 0;
    if (mcc >= BANK_MCC_MIN && mcc <= BANK_MCC_MAX) return true;
  }
  return false;
}

function isOwnBank(party: Party, category: string, knowledge: Knowledge): boolean {
  if (party.kind === "none") return false;
  if (cash.has(category)) return true;
  // `INTERAC E-TRANSFER FEE`: what was paid for is the transfer, and who is paid is the bank.
  if (fees.has(category)) return party.by === "intermediary";
  const isTransfer = category === "intra account transfer";
  return isTransfer && party.kind === "merchant" && isBank(party.merchant, knowledge);
}

/** The parties without the bank whose account this is. `category`: what the wording says the line is. */
export function withoutOwnBank(parties: Parties, category: string, knowledge: Knowledge): Parties {
  if (!isOwnBank(parties.party, category, knowledge)) return parties;
  return { ...parties, party: none, confidence: 0 };
}
