// What an operator's correction comes to: the whole entity instead of a name, the whole location instead of an address,
// and the name in the line by which later ones are known.
import { accountingOf, NOT_ENOUGH_INFORMATION } from "../../src/model/categories.ts";
import type { EntityDetails, EntityQuery } from "../../src/model/entity.ts";
import type { Categories, Counterparty, Facts, Location } from "../../src/model/facts.ts";
import type { CorrectedCategories, CorrectedParts } from "../../src/model/tenant-settings.ts";
import type { CorrectedLine, CorrectionProblem } from "../../src/model/report.ts";
import type { Examination } from "../recogniser/recogniser.ts";
import type { EntityFactory } from "../recogniser/entities.ts";
import { withMerchantName } from "../recogniser/place/location.ts";
import type { Query } from "../protocol.ts";
import { mapCategory } from "./categories/apply.ts";
import { cleanName } from "./clean-name.ts";
import { showFeatures } from "./features.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";

/** What the knowledge is asked. */
export interface CorrectionTools {
  examine(item: RecogniserInput): Examination;
  /** Null when no merchant has that name or website; exactly one of the two is set. */
  resolveEntity(query: EntityQuery): EntityDetails | null;
  readonly unknown: EntityFactory["unknown"];
}

type Asked = Extract<Query, { readonly kind: "correct" }>;

/** A part that is not corrected. */
const unchanged = Symbol("unchanged");

/** What an operator has corrected is certain. */
function confidenceAfter({ confidence }: Facts, isCorrected: boolean): Pick<Facts, "confidence"> {
  if (isCorrected) return { confidence: 1 };
  return confidence === undefined ? {} : { confidence };
}

export function correctLine(asked: Asked, tools: CorrectionTools): CorrectedLine {
  const { reading, facts: recognised } = tools.examine(asked.line);
  const before = asked.facts ?? shownFacts(recognised, asked);
  const counterparty = counterpartyOf(before.entities?.counterparty ?? null, asked, tools);
  if (typeof counterparty === "string") return { ok: false, problem: counterparty };
  const entities = correctedEntities(before.entities, counterparty);
  const name = entities?.counterparty?.name ?? null;
  const location = locationOf(asked, name, tools);
  const categories = categoriesOf(recognised.categories, asked);
  const parts: CorrectedParts = {
    ...(counterparty === unchanged ? {} : { counterparty }),
    ...(categories === unchanged ? {} : { categories: ofSet(categories, asked.wordOf) }),
    ...(location === unchanged ? {} : { location }),
  };
  const place = location === unchanged ? before.location : location;
  const facts: Facts = {
    entities,
    categories:
      categories === unchanged ? before.categories : shownCategories(before, categories, asked),
    location:
      place === null || entities === before.entities ? place : withMerchantName(place, name),
    ...confidenceAfter(before, categories !== unchanged),
  };
  const shown = showFeatures(facts, new Set(asked.features));
  return { ok: true, cleanName: cleanName(reading), parts, facts: shown };
}

function correctedEntities(
  shown: Facts["entities"],
  counterparty: Counterparty | null | typeof unchanged,
): Facts["entities"] {
  if (counterparty === unchanged) return shown;
  return { counterparty, intermediaries: shown?.intermediaries ?? [] };
}

/** The facts of a line that was enriched just now, as the client gets them. */
function shownFacts(recognised: Facts, { line, features, mapping }: Asked): Facts {
  const facts = showFeatures(recognised, new Set(features));
  const { categories } = facts;
  if (categories === null || mapping === null) return facts;
  return { ...facts, categories: mapCategory(categories, mapping, line.entryType) };
}

/** The new counterparty, why there cannot be one, or that nothing of it is corrected. */
function counterpartyOf(
  before: Counterparty | null,
  asked: Asked,
  tools: CorrectionTools,
): Counterparty | null | CorrectionProblem | typeof unchanged {
  const { merchant, website, type } = asked.corrected;
  if (merchant === null) return null;
  const isSame = merchant === undefined && website === undefined;
  if (isSame && (type === undefined || before?.type === type)) return unchanged;
  const name = merchant ?? before?.name ?? null;
  return madeAnew(type ?? before?.type ?? "organization", name, asked, tools);
}

function madeAnew(
  type: Counterparty["type"],
  name: string | null,
  asked: Asked,
  tools: CorrectionTools,
): Counterparty | CorrectionProblem {
  const { merchant, website = null } = asked.corrected;
  if (type === "organization") {
    const found = known(name, asked, tools);
    if (found !== null) return organizationOf(found, website === null ? null : merchant);
    // The current name belongs to another merchant.
    if (website !== null && merchant === undefined) return "unknown_website";
  }
  return name === null ? "no_counterparty" : tools.unknown(type, name, website);
}

/** The merchant with the website; or else, unless the website is removed, with the name. */
function known(
  name: string | null,
  { line: { country: location }, corrected: { website } }: Asked,
  { resolveEntity }: CorrectionTools,
): EntityDetails | null {
  if (typeof website === "string") return resolveEntity({ name: null, website, location });
  if (website === null || name === null) return null;
  return resolveEntity({ name, website: null, location });
}

/** @param name in place of the one that is known of the website */
function organizationOf(found: EntityDetails, name: string | null | undefined): Counterparty {
  const { id, website, phone_number, tax_number, naics2017, logo, mccs, parent } = found;
  const codes = { phone_number, tax_number, naics2017, logo, mccs, parent };
  return { type: "organization", id, name: name ?? found.name, website, ...codes };
}

function locationOf(
  { line, corrected: { location } }: Asked,
  merchantName: string | null,
  { examine }: CorrectionTools,
): Location | null | typeof unchanged {
  if (location === undefined) return unchanged;
  if (location === null) return null;
  // An address that a customer sends along is taken apart in the same way.
  const found = examine({ ...line, rawAddress: location }).facts.location;
  const place = found ?? { raw_address: location, structured: null };
  return withMerchantName(place, merchantName);
}

/** In our own words where they were given in ours. */
function categoriesOf(
  recognised: Categories | null,
  { line, corrected: { category, accounting } }: Asked,
): Categories | typeof unchanged {
  if (category === undefined && accounting === undefined) return unchanged;
  const general = category === undefined ? (recognised?.general ?? null) : category;
  if (line.accountType !== "business") return { general, accounting: null };
  const implied = general === null ? null : accountingOf[general];
  const known = implied === undefined ? (recognised?.accounting ?? null) : implied;
  const derived = known === NOT_ENOUGH_INFORMATION ? null : known;
  return { general, accounting: accounting === undefined ? derived : accounting };
}

const ofSet = (categories: Categories, set: string | null): CorrectedCategories =>
  set === null ? categories : { ...categories, set };

/** The categories that the client gets: those of the holder's set, and uncorrected ones unchanged. */
function shownCategories(
  shown: Facts,
  categories: Categories,
  { line, corrected: { category }, mapping }: Asked,
): Categories {
  const { accounting } = categories;
  if (category === undefined) return { general: shown.categories?.general ?? null, accounting };
  const isOurs = mapping !== null && category !== null;
  const general = isOurs ? mapCategory(categories, mapping, line.entryType).general : category;
  return { general, accounting };
}
