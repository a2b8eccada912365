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
  return {
    kind: "enrich",
    descriptions: items.map((item) => item.description),
    amounts: Float64Array.from(items, (item) => item.amount),
    outgoing: Uint8Array.from(items, (item) => (item.entryType === "outgoing" ? 1 : 0)),
    currencies: items.map((item) => item.currency),
    accountTypes: Uint8Array.from(items, (item) => ACCOUNT_TYPE_CODES[item.accountType ?? "none"]),
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
  const overrides = items.map(({ override = null }) => override);
  return overrides.some((override) => override !== null) ? overrides : null;
}

/** Null for chunks for which no model was asked, which are almost all. */
function modelNamesOf(items: readonly EnrichItem[]): SettingsUse["modelNames"] {
  const names = items.map(({ model = null }) => model);
  return names.some((name) => name !== null) ? names : null;
}

const settingsUse = (items: readonly EnrichItem[], ref: SettingsRef): SettingsUse => ({
  ref,
  accountHolderIds: items.map((item) => item.holder?.id ?? null),
  accountHolderNames: items.map((item) => item.holder?.name ?? null),
  categorySetIds: items.map((item) => item.holder?.categorySetId ?? null),
  modelNames: modelNamesOf(items),
});
