import {
  ACCOUNT_TYPE_CODES,
  type EnrichDone,
  type EnrichTask,
  NO_MCC,
  type SettingsRef,
  type SettingsUse,
} from "../../workers/protocol.ts";
import type { EnrichItem } from "../model/enrich-item.ts";

/** Lays out a chunk by column, the form in which it crosses to a thread. */
export function toTask(
  items: readonly EnrichItem[],
  settings: SettingsRef | null,
  isEncoded: boolean,
  stop: EnrichTask["stop"],
): EnrichTask {
  const { length } = items;
  const [amounts, outgoing] = [new Float64Array(length), new Uint8Array(length)];
  const accountTypes = new Uint8Array(length);
  // `from` would make an object of each item, and another of each amount.
  for (const [i, item] of items.entries()) {
    amounts[i] = item.amount;
    outgoing[i] = item.entryType === "outgoing" ? 1 : 0;
    accountTypes[i] = ACCOUNT_TYPE_CODES[item.accountType ?? "none"];
  }
  return {
    kind: "enrich",
    descriptions: items.map((item) => item.description),
    amounts,
    outgoing,
    currencies: items.map((item) => item.currency),
    accountTypes,
    rawAddresses: items.map((item) => item.rawAddress),
    countries: items.map((item) => item.country),
    mccs: sentMccs(items),
    settings: settings === null ? null : settingsUse(items, settings),
    overrides: overridesOf(items),
    isEncoded,
    stop,
  };
}

/** The result for one transaction. */
export interface EnrichedItem {
  /** JSON text of `Facts`; null: it cannot be enriched. */
  readonly facts: string | null;
  /** The same as Avro, see `src/codec/facts-bytes.ts`; null also when the caller did not request it. */
  readonly bytes: Uint8Array | null;
}

/** Splits the answer to a chunk into items; the answer to a stopped chunk contains only the transactions that were enriched. */
export function toEnriched({ facts, encoded }: EnrichDone): readonly EnrichedItem[] {
  if (encoded === null) return facts.map((text) => ({ facts: text, bytes: null }));
  const { bytes, ends } = encoded;
  return facts.map((text, i) => ({
    facts: text,
    bytes: text === null ? null : bytes.subarray(i === 0 ? 0 : ends[i - 1], ends[i]),
  }));
}

/** Null for chunks without any code, which are almost all. */
function sentMccs(items: readonly EnrichItem[]): EnrichTask["mccs"] {
  const isSent = items.some(({ mcc = null }) => mcc !== null);
  return isSent ? Uint16Array.from(items, ({ mcc }) => mcc ?? NO_MCC) : null;
}

/** Null for chunks without any correction, which are almost all. */
function overridesOf(items: readonly EnrichItem[]): EnrichTask["overrides"] {
  const isCorrected = items.some(({ override = null }) => override !== null);
  return isCorrected ? items.map(({ override = null }) => override) : null;
}

/** Null for chunks for which no model was asked, which are almost all. */
function modelNamesOf(items: readonly EnrichItem[]): SettingsUse["modelNames"] {
  const isAsked = items.some(({ model = null }) => model !== null);
  return isAsked ? items.map(({ model = null }) => model) : null;
}

const settingsUse = (items: readonly EnrichItem[], ref: SettingsRef): SettingsUse => ({
  ref,
  accountHolderIds: items.map((item) => item.holder?.id ?? null),
  accountHolderNames: items.map((item) => item.holder?.name ?? null),
  categorySetIds: items.map((item) => item.holder?.categorySetId ?? null),
  modelNames: modelNamesOf(items),
});
