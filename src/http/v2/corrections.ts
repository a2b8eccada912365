import { z } from "zod";
import { type AccountHolder, statedTypeOf } from "../../model/account-holder.ts";
import type { Intermediary, LocationStructured } from "../../model/facts.ts";
import { LABELS_OF_ITEM_MAX, labelText } from "../../model/labels.ts";
import type { LedgerTransaction } from "../../model/ledger-transaction.ts";
import { type CorrectionProblem, refusalWords } from "../../model/report.ts";
import { REVIEW_STATES, type Review } from "../../model/tenant-settings.ts";
import { errorAnswer, jsonTextAnswer, retryAfter, type TextAnswer } from "../server/answer.ts";
import { CORRECTIONS_BODY } from "../server/body-bounds.ts";
import { boundedList, domainName, text } from "../server/fields.ts";
import { defineRoute, type Route } from "../server/route.ts";
import { TOO_MANY_CALLS, withSlot } from "../server/slots.ts";
import { storedFields } from "./enriched.ts";
import { NO_RECURRENCE, type RecurrenceText, type V2RecurrenceServices } from "./recurrence.ts";
import { anyText, double, id } from "./schemas.ts";
import {
  enriched,
  namedEntity,
  recurrenceType,
  submissionQuery,
  transactionType,
} from "./transaction-schemas.ts";
import { recurrenceReader } from "./result-texts.ts";

/** What a customer decides about one transaction. A field that is left out is not corrected; null: there is none. */
export interface SentCorrection {
  readonly merchant?: string | null;
  readonly website?: string | null;
  readonly type?: "person" | "organization";
  readonly category?: string;
  readonly location?: string | null;
  readonly logo?: string | null;
  readonly structured?: LocationStructured;
  readonly intermediaries?: readonly Intermediary[];
  readonly review: Review;
}

export interface OwnCorrectionsPort {
  /** Corrects transactions of one account holder, all of them or none; the results are in the order of the corrections. */
  correct(
    org: string,
    accountHolderId: string,
    corrections: readonly { readonly id: string; readonly correction: SentCorrection }[],
  ): Promise<
    | {
        readonly ok: true;
        readonly holder: AccountHolder;
        readonly transactions: readonly LedgerTransaction[];
      }
    | {
        readonly ok: false;
        readonly reason: "account_holder_not_found" | "transaction_not_found" | "busy";
      }
    | {
        readonly ok: false;
        readonly reason: "not_correctable";
        readonly problem: CorrectionProblem;
      }
  >;
}

export interface OwnCorrectionServices extends V2RecurrenceServices {
  readonly ownCorrections: OwnCorrectionsPort;
}

const TEXT_LENGTH_MAX = 1024;
const NAME_LENGTH_MAX = 256;
const URL_LENGTH_MAX = 2048;
const INTERMEDIARIES_MAX = 20;
/** Transactions that one request corrects. */
const CORRECTED_AT_ONCE_MAX = 1_000;

// ---- Requests
// Null counts as left out, since clients send it for what they do not set; the empty text: there is none.

const structuredCorrection = z.object({
  address: anyText,
  city: anyText,
  state: anyText,
  postcode: anyText,
  country: anyText,
  country_name: anyText,
  latitude: double.nullish(),
  longitude: double.nullish(),
  google_maps_url: anyText,
  apple_maps_url: anyText,
  store_number: anyText,
  house_number: anyText,
});

const correctionObject = z
  .object({
    logo: text(0, URL_LENGTH_MAX).nullish(),
    website: z.union([z.literal(""), domainName(URL_LENGTH_MAX)]).nullish(),
    location: text(0, TEXT_LENGTH_MAX).nullish(),
    location_structured: structuredCorrection.nullish(),
    merchant: text(0, NAME_LENGTH_MAX).nullish(),
    labels: boundedList(
      text(1, NAME_LENGTH_MAX),
      { min: 1, max: LABELS_OF_ITEM_MAX },
      null,
    ).nullish(),
    recurrence: recurrenceType.nullish(),
    person: text(0, NAME_LENGTH_MAX).nullish(),
    transaction_type: transactionType.nullish(),
    intermediaries: boundedList(
      namedEntity,
      { min: 0, max: INTERMEDIARIES_MAX },
      "EntityOut",
    ).nullish(),
    review_state: z.enum(REVIEW_STATES).nullish(),
  })
  .openapi("EnrichedTransactionCorrection");

type CorrectionFields = z.output<typeof correctionObject>;

const transactionCorrection = correctionObject.transform(correctionOf);

function correctionOf(sent: CorrectionFields): SentCorrection {
  const { labels, location_structured: parts, intermediaries } = sent;
  return {
    ...correctedParty(sent),
    ...decided("website", sent.website),
    ...decided("location", sent.location),
    ...decided("logo", sent.logo),
    ...(labels == null ? {} : { category: labelText(labels) }),
    ...(parts == null ? {} : { structured: structuredOf(parts) }),
    ...(intermediaries == null ? {} : { intermediaries: intermediaries.map(toIntermediary) }),
    review: reviewOf(sent),
  };
}

function decided<Field extends string>(
  field: Field,
  value: string | null | undefined,
): Partial<Record<Field, string | null>> {
  if (value == null) return {};
  return { [field]: value === "" ? null : value } as Partial<Record<Field, string | null>>;
}

/** A person is a counterparty too: of both, the one with a name counts. */
function correctedParty({
  merchant = null,
  person = null,
}: CorrectionFields): Pick<SentCorrection, "merchant" | "type"> {
  if (person !== null && person !== "") return { merchant: person, type: "person" };
  if (merchant !== null && merchant !== "") return { merchant, type: "organization" };
  return merchant === null && person === null ? {} : { merchant: null };
}

function structuredOf(parts: z.output<typeof structuredCorrection>): LocationStructured {
  return {
    street: parts.address ?? null,
    city: parts.city ?? null,
    state: parts.state ?? null,
    postcode: parts.postcode ?? null,
    country_code: parts.country ?? null,
    country: parts.country_name ?? null,
    house_number: parts.house_number ?? null,
    latitude: parts.latitude ?? null,
    longitude: parts.longitude ?? null,
    google_maps_url: parts.google_maps_url ?? null,
    apple_maps_url: parts.apple_maps_url ?? null,
    store_number: parts.store_number ?? null,
  };
}

const toIntermediary = (sent: z.output<typeof namedEntity>): Intermediary => ({
  id: sent.id ?? null,
  name: sent.name ?? null,
  website: sent.website ?? null,
  logo: sent.logo ?? null,
  phone_number: null,
  tax_number: null,
  naics2017: null,
  mccs: [],
  parent: null,
});

const reviewOf = ({ review_state, recurrence, transaction_type }: CorrectionFields): Review => ({
  ...(review_state == null ? {} : { state: review_state }),
  ...(recurrence == null ? {} : { recurrence }),
  ...(transaction_type == null ? {} : { transactionType: transaction_type }),
});

const bulkCorrection = z
  .object({
    transaction_ids: boundedList(id, { min: 1, max: CORRECTED_AT_ONCE_MAX }, null),
    corrections: boundedList(
      transactionCorrection,
      { min: 1, max: CORRECTED_AT_ONCE_MAX },
      "EnrichedTransactionCorrection",
    ),
  })
  .openapi("EnrichedTransactionCorrectionList");

const correctionQuery = submissionQuery.pick({ with_recurrence: true });
const holderPath = z.object({ account_holder_id: id });
const transactionPath = z.object({ account_holder_id: id, transaction_id: id });

export const correctionComponents: readonly z.ZodType[] = [correctionObject, bulkCorrection];

// ---- Operations

const tag = "Corrections";
const HOLDER_NOT_FOUND = "Account holder not found";
const TRANSACTION_NOT_FOUND = "The account holder has no such transaction";
const NOT_CORRECTABLE = "A value is not possible for the transaction; `detail` has the reason";
const NOT_PAIRED = "corrections must have one entry for each of transaction_ids, or one for all";
const ERRORS = {
  400: NOT_CORRECTABLE,
  404: "Account holder or transaction not found",
  409: "Changed at the same time; see Retry-After",
  429: TOO_MANY_CALLS,
};

export const correctionRoutes: readonly Route<OwnCorrectionServices>[] = [
  defineRoute({
    method: "PUT",
    path: "/v2/account-holder/{account_holder_id}/transactions/{transaction_id}",
    operationId: "correct_transaction",
    summary: "Correct what was found out about a transaction, for good",
    tag,
    request: { path: transactionPath, query: correctionQuery, body: transactionCorrection },
    success: enriched,
    errors: ERRORS,
    handle: (services: OwnCorrectionServices, { principal, path, query, body }) =>
      corrected(
        services,
        { ...principal, accountHolderId: path.account_holder_id, ...query },
        [{ id: path.transaction_id, correction: body }],
        ([one = "null"]) => one,
      ),
  }),
  defineRoute({
    method: "PUT",
    path: "/v2/account-holder/{account_holder_id}/transactions",
    operationId: "correct_transactions",
    summary: "Correct up to 1000 transactions of an account holder, all of them or none",
    tag,
    request: {
      path: holderPath,
      query: correctionQuery,
      body: bulkCorrection,
      bounds: CORRECTIONS_BODY,
    },
    success: z.array(enriched),
    errors: ERRORS,
    handle(services: OwnCorrectionServices, { principal, path, query, body }) {
      const { transaction_ids: ids, corrections } = body;
      const [first] = corrections;
      if (corrections.length !== ids.length && corrections.length !== 1)
        return Promise.resolve(errorAnswer("invalid_correction", NOT_PAIRED));
      const pairs = ids.flatMap((one, place) => {
        const correction = corrections.length === 1 ? first : corrections[place];
        return correction === undefined ? [] : [{ id: one, correction }];
      });
      const asked = { ...principal, accountHolderId: path.account_holder_id, ...query };
      return corrected(services, asked, pairs, (all) => `[${all.join(",")}]`);
    },
  }),
];

interface AskedCorrection {
  readonly org: string;
  readonly keyId: string;
  readonly accountHolderId: string;
  readonly with_recurrence?: boolean | null | undefined;
}

/** @param join makes the body of the JSON texts of the transactions */
function corrected(
  services: OwnCorrectionServices,
  { org, keyId, accountHolderId, with_recurrence: isWanted }: AskedCorrection,
  corrections: Parameters<OwnCorrectionsPort["correct"]>[2],
  join: (texts: readonly string[]) => string,
) {
  const { ownCorrections, syncSlots } = services;
  return withSlot(syncSlots, keyId, async (): Promise<TextAnswer> => {
    const outcome = await ownCorrections.correct(org, accountHolderId, corrections);
    if (outcome.ok) {
      const { holder, transactions } = outcome;
      const repeats = await recurrenceReader(services, org, isWanted ?? true)(holder.id);
      const texts = transactions.map((one) => correctedText(one, holder, repeats));
      return jsonTextAnswer(200, join(texts));
    }
    switch (outcome.reason) {
      case "account_holder_not_found":
        return errorAnswer(outcome.reason, HOLDER_NOT_FOUND);
      case "transaction_not_found":
        return errorAnswer(outcome.reason, TRANSACTION_NOT_FOUND);
      case "busy":
        return errorAnswer(
          "concurrent_change",
          "A transaction was changed at the same time",
          retryAfter(1),
        );
      case "not_correctable":
        return errorAnswer("invalid_correction", refusalWords(outcome, "resolved"));
    }
  });
}

function correctedText(
  transaction: LedgerTransaction,
  holder: AccountHolder,
  repeats: RecurrenceText,
): string {
  const { id: transaction_id } = transaction.input;
  const fields = { transaction_id, ...storedFields(transaction, statedTypeOf(holder)) };
  if (repeats !== NO_RECURRENCE)
    return `${JSON.stringify(fields).slice(0, -1)},${repeats(transaction_id)}}`;
  // What was decided is known without looking for what repeats.
  const recurrence = transaction.override?.review?.recurrence ?? null;
  const nothing = { recurrence_group: null, recurrence_group_id: null };
  return JSON.stringify({ ...fields, recurrence, ...nothing });
}
