// What the recogniser finds out about one transaction. The field names are those of the v3 API on purpose: the
// facts leave a worker thread as JSON text and reach the answer without being parsed again.

export interface EntityParent {
  readonly id: string | null;
  readonly name: string | null;
  readonly website: string | null;
  readonly phone_number: string | null;
  readonly tax_number: string | null;
  readonly naics2017: string | null;
}

export interface Intermediary {
  /** UUIDv3 of the website in the DNS namespace, else UUIDv5 of the normalised name (see `workers/recogniser`). */
  readonly id: string | null;
  readonly name: string | null;
  /** Registrable domain, e.g. `netflix.com`. */
  readonly website: string | null;
  readonly phone_number: string | null;
  readonly tax_number: string | null;
  readonly naics2017: string | null;
  readonly logo: string | null;
  /** ISO 18245 codes. */
  readonly mccs: readonly number[];
  readonly parent: EntityParent | null;
}

export interface Counterparty extends Intermediary {
  readonly type: "person" | "organization";
}

export interface Entities {
  readonly counterparty: Counterparty | null;
  readonly intermediaries: readonly Intermediary[];
}

export type AccountingCategory =
  | "operational expenses"
  | "cost of goods sold"
  | "revenue"
  | "financing"
  | "taxes"
  | "investing"
  | "not enough information";

export interface Categories {
  /** A name of the holder's category set, in lower case. */
  readonly general: string | null;
  /** Only for business accounts; null when nothing is known. */
  readonly accounting: AccountingCategory | null;
}

export interface LocationStructured {
  readonly street: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly postcode: string | null;
  /** ISO 3166 code. */
  readonly country_code: string | null;
  readonly country: string | null;
  readonly house_number: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly google_maps_url: string | null;
  readonly apple_maps_url: string | null;
  readonly store_number: string | null;
}

export interface Location {
  readonly raw_address: string | null;
  readonly structured: LocationStructured | null;
}

/** The result of the recogniser for one transaction. `categories` is null without an account type. */
export interface Facts {
  readonly entities: Entities | null;
  readonly categories: Categories | null;
  readonly location: Location | null;
  /** How likely the category is right, 0 to 1; null or left out: no category is decided. */
  readonly confidence?: number | null;
}
