// Between the facts about a transaction and what the rules of an organization read and write of them. The names of the
// language are those of the v2 API; here is what each of them stands for.
import { logoUrl } from "../../src/model/logo.ts";
import type { Counterparty, Facts } from "../../src/model/facts.ts";
import { labelsIn } from "../../src/model/labels.ts";
import { idOf } from "../recogniser/entities.ts";
import type { RuleSubject } from "./rules/subject.ts";
import type { EnrichItem } from "../../src/model/enrich-item.ts";

type PartyFields = Pick<
  RuleSubject,
  "logo" | "website" | "merchant" | "merchantId" | "person" | "mccs"
>;

/** What rules see of a transaction. */
export function toSubject(item: EnrichItem, facts: Facts): RuleSubject {
  const accountType = item.accountType ?? "unknown";
  return {
    description: item.description,
    amount: item.amount,
    entryType: item.entryType,
    accountHolderType: accountType,
    accountHolderId: item.holder?.id ?? "",
    accountHolderName: item.holder?.name ?? "",
    country: item.country ?? facts.location?.structured?.country_code ?? "",
    ...partyFields(facts.entities?.counterparty ?? null),
    location: facts.location?.raw_address ?? "",
    transactionType: accountType,
    labels: labelsOf(facts),
  };
}

function labelsOf({ categories }: Facts): readonly string[] {
  const general = categories?.general ?? null;
  return general === null ? [] : labelsIn(general);
}

function partyFields(party: Counterparty | null): PartyFields {
  const name = party?.name ?? "";
  const isPerson = party?.type === "person";
  return {
    logo: party?.logo ?? "",
    website: party?.website ?? "",
    merchant: isPerson ? "" : name,
    merchantId: party?.id ?? "",
    person: isPerson ? name : "",
    mccs: party?.mccs ?? [],
  };
}

/**
 * The facts as the rules left them. A list of labels becomes the category: the one that was added last. Without a
 * category there is none to change: no account type is known then.
 */
export function fromSubject(
  facts: Facts,
  before: RuleSubject,
  after: RuleSubject,
  publicUrl: string | null,
): Facts {
  const { entities, categories, location } = facts;
  const hasParty = PARTY_FIELDS.some((field) => before[field] !== after[field]);
  return {
    entities: hasParty
      ? {
          counterparty: changedParty(entities?.counterparty ?? null, before, after, publicUrl),
          intermediaries: entities?.intermediaries ?? [],
        }
      : entities,
    categories:
      categories === null || before.labels === after.labels
        ? categories
        : { ...categories, general: after.labels.at(-1) ?? null },
    location:
      before.location === after.location
        ? location
        : after.location === ""
          ? null
          : { raw_address: after.location, structured: null },
  };
}

const PARTY_FIELDS = ["logo", "website", "merchant", "merchantId", "person", "mccs"] as const;

const orNull = (text: string): string | null => (text === "" ? null : text);

/** Another name or website is another entity: what the rules do not say of it is made anew or left out. */
function changedParty(
  party: Counterparty | null,
  before: PartyFields,
  after: PartyFields,
  publicUrl: string | null,
): Counterparty | null {
  const isOther = (["website", "merchant", "person"] as const).some(
    (field) => before[field] !== after[field],
  );
  const isPerson = isOther ? personWins(before, after) : party?.type === "person";
  const name = isPerson ? after.person : after.merchant;
  const wasOrganization = party?.type === "organization";
  const { website, mccs } = isPerson && wasOrganization ? fieldsOfPerson(before, after) : after;
  if (name === "" && website === "") return null;
  // The same website means the same merchant, under any name.
  const isSame = wasOrganization && !isPerson && website !== "";
  const made =
    party !== null && (!isOther || (isSame && website === before.website))
      ? { ...party, name: orNull(name) }
      : madeAnew(name, website, isPerson, publicUrl);
  return { ...made, mccs, ...setAsTheyAre(before, after) };
}

const setAsTheyAre = (
  before: PartyFields,
  after: PartyFields,
): Partial<Pick<Counterparty, "id" | "logo">> => ({
  ...(before.merchantId === after.merchantId ? {} : { id: orNull(after.merchantId) }),
  ...(before.logo === after.logo ? {} : { logo: orNull(after.logo) }),
});

/** The party that a rule named; a person takes precedence over a merchant. */
const personWins = (before: PartyFields, after: PartyFields): boolean =>
  after.person !== "" && (before.person !== after.person || before.merchant === after.merchant);

/**
 * Under another name an organization keeps its website and codes, which may well be right; a person takes over nothing of
 * the organization that was there.
 */
const fieldsOfPerson = (
  before: PartyFields,
  after: PartyFields,
): Pick<PartyFields, "website" | "mccs"> => ({
  website: before.website === after.website ? "" : after.website,
  mccs: before.mccs === after.mccs ? [] : after.mccs,
});

function madeAnew(
  name: string,
  website: string,
  isPerson: boolean,
  publicUrl: string | null,
): Counterparty {
  const id = idOf(name, orNull(website));
  // A private person has no logo.
  const hasLogo = !isPerson && publicUrl !== null;
  return {
    type: isPerson ? "person" : "organization",
    id,
    name: orNull(name),
    website: orNull(website),
    phone_number: null,
    tax_number: null,
    naics2017: null,
    logo: hasLogo ? logoUrl(publicUrl, id, name === "" ? website : name) : null,
    mccs: [],
    parent: null,
  };
}
