// Corrections of transactions by the customer itself, as the v2 API takes them. They are written to the transaction as an
// override, which takes precedence over whatever is found out about it later, also when it is submitted again.
import type { AccountHolder } from "../model/account-holder.ts";
import type { Counterparty, Facts, Intermediary, Location } from "../model/facts.ts";
import type { LedgerTransaction, ReplaceableTransaction } from "../model/ledger-transaction.ts";
import type { CorrectedFields, CorrectionProblem } from "../model/report.ts";
import type { HolderReview, Override, Review } from "../model/tenant-settings.ts";
import { correctTransaction, type CorrectingPorts } from "./corrections.ts";

/** What a customer decides about one transaction. A field that is left out is not corrected; null: there is none. */
export interface OwnCorrection extends CorrectedFields {
  readonly logo?: string | null;
  /** In place of what is read from `location`. */
  readonly structured?: Location["structured"];
  readonly intermediaries?: readonly Intermediary[];
  readonly review: Review;
}

export interface OwnCorrectionPorts
  extends Omit<CorrectingPorts, "getTransaction" | "getCorrection" | "correctionId" | "nowMs"> {
  /** In any order; those that are not in the ledger are left out. */
  getTransactions(org: string, ids: readonly string[]): Promise<readonly LedgerTransaction[]>;
  /** Whether the organization has ever set or corrected anything. */
  hasSettings(org: string): Promise<boolean>;
  /** Those of the transactions that their customer has corrected, in any order. */
  correctedOf(org: string, ids: readonly string[]): Promise<readonly ReplaceableTransaction[]>;
  /**
   * Writes all of them or none: false when one was changed since it was seen. From then on the enrichment looks for overrides
   * of this organization.
   */
  storeOverrides(
    org: string,
    changes: readonly { readonly seen: LedgerTransaction; readonly next: LedgerTransaction }[],
  ): Promise<boolean>;
}

export type OwnCorrectionOutcome =
  | {
      readonly ok: true;
      readonly holder: AccountHolder;
      readonly transactions: readonly LedgerTransaction[];
    }
  | {
      readonly ok: false;
      readonly reason: "account_holder_not_found" | "transaction_not_found" | "busy";
    }
  | { readonly ok: false; readonly reason: "not_correctable"; readonly problem: CorrectionProblem };

export interface OwnCorrections {
  /** What was decided about those of these transactions that are in the ledger, by their ids; the others are left out. */
  reviews(org: string, ids: readonly string[]): Promise<ReadonlyMap<string, HolderReview>>;
  /** Corrects transactions of one account holder, all of them or none; the results are in the order of the corrections. */
  correct(
    org: string,
    accountHolderId: string,
    corrections: readonly { readonly id: string; readonly correction: OwnCorrection }[],
  ): Promise<OwnCorrectionOutcome>;
}

/** In each failed try another caller changed one of the transactions. */
const TRIES_MAX = 10;

export function createOwnCorrections(ports: OwnCorrectionPorts): OwnCorrections {
  return {
    reviews: async (org, ids) => {
      const reviews = new Map<string, HolderReview>();
      // The first correction is the first setting of an organization: those of most are not looked for.
      if (!(await ports.hasSettings(org))) return reviews;
      const corrected = await ports.correctedOf(org, [...new Set(ids)]);
      for (const { id, accountHolderId, override } of corrected)
        if (override?.review !== undefined)
          reviews.set(id, { accountHolderId, review: override.review });
      return reviews;
    },
    correct: async (org, accountHolderId, corrections) => {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const holder = await ports.getHolder(org, accountHolderId);
        if (holder === null) return { ok: false, reason: "account_holder_not_found" };
        const outcome = await tryCorrect(ports, holder, corrections);
        if (outcome !== "again") return outcome;
      }
      return { ok: false, reason: "busy" };
    },
  };
}

async function tryCorrect(
  ports: OwnCorrectionPorts,
  holder: AccountHolder,
  corrections: readonly { readonly id: string; readonly correction: OwnCorrection }[],
): Promise<OwnCorrectionOutcome | "again"> {
  const ids = [...new Set(corrections.map(({ id }) => id))];
  const found = await ports.getTransactions(holder.org, ids);
  const mine = found.filter(({ input }) => input.accountHolderId === holder.id);
  if (mine.length < ids.length) return { ok: false, reason: "transaction_not_found" };
  const seenById = new Map(mine.map((one) => [one.input.id, one]));
  const nextById = new Map(seenById);
  for (const { id, correction } of corrections) {
    const before = nextById.get(id);
    if (before === undefined) throw new Error("A transaction was found and is missing");
    const corrected = await corrects(ports, before, correction);
    if (!corrected.ok) return { ...corrected, reason: "not_correctable" };
    nextById.set(id, corrected.next);
  }
  const changes = mine.map((seen) => ({ seen, next: nextById.get(seen.input.id) ?? seen }));
  if (!(await ports.storeOverrides(holder.org, changes))) return "again";
  const transactions = corrections.flatMap(({ id }) => nextById.get(id) ?? []);
  return { ok: true, holder, transactions };
}

async function corrects(
  ports: OwnCorrectionPorts,
  seen: LedgerTransaction,
  { review, logo, structured, intermediaries, ...fields }: OwnCorrection,
): Promise<
  | { readonly ok: true; readonly next: LedgerTransaction }
  | { readonly ok: false; readonly problem: CorrectionProblem }
> {
  const corrected = await correctTransaction(ports, seen, fields, "of the holder");
  if (!corrected.ok) return corrected;
  const { next } = corrected;
  const facts = next.facts === null ? NO_FACTS : (JSON.parse(next.facts) as Facts);
  const parts: Override = {
    ...next.override,
    ...(logo === undefined ? {} : { counterparty: withLogo(facts, logo) }),
    ...(structured === undefined ? {} : { location: withStructured(facts, structured) }),
    ...(intermediaries === undefined ? {} : { intermediaries }),
    review: { ...seen.override?.review, ...review },
  };
  return {
    ok: true,
    next: { ...next, facts: JSON.stringify(shown(facts, parts)), override: parts },
  };
}

const NO_FACTS: Facts = { entities: null, categories: null, location: null };

function withLogo({ entities }: Facts, logo: string | null): Counterparty | null {
  const counterparty = entities?.counterparty ?? null;
  return counterparty === null ? null : { ...counterparty, logo };
}

function withStructured({ location }: Facts, structured: Location["structured"]): Location {
  return { raw_address: location?.raw_address ?? null, structured };
}

/** The facts with what was decided here in addition to the fields. */
function shown(
  { entities, location, ...facts }: Facts,
  { counterparty, intermediaries, location: place }: Override,
): Facts {
  return {
    entities: {
      counterparty: counterparty === undefined ? (entities?.counterparty ?? null) : counterparty,
      intermediaries: intermediaries ?? entities?.intermediaries ?? [],
    },
    categories: facts.categories,
    location: place === undefined ? location : place,
    ...(facts.confidence === undefined ? {} : { confidence: facts.confidence }),
  };
}
