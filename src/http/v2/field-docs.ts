// Descriptions of the schemas, fields and parameters of the v2 API, like those of the v3 API.

export const SCHEMA_DOCS: Readonly<Record<string, string>> = {
  EntitySearchOut: "A merchant, parent or intermediary.",
  LocationStructuredPublic: "An address in parts.",
};

/** By field, or by `Schema.field` where it means something else there. */
export const FIELD_DOCS: Readonly<Record<string, string>> = {
  id: "The id.",
  name: "The name.",
  website: "The registrable domain.",
  logo: "The address of a picture.",
  location: "The address as text.",
  location_structured: "The address in parts.",
  address: "Street and house number.",
  city: "The city.",
  state: "The state, province or region.",
  postcode: "The postal code.",
  country: "The ISO 3166 code.",
  country_name: "The name of the country.",
  latitude: "Degrees north.",
  longitude: "Degrees east.",
  google_maps_url: "The place in Google Maps.",
  apple_maps_url: "The place in Apple Maps.",
  store_number: "The number of the shop, where the description has it.",
  house_number: "The number of the house.",
  confidence: "0 to 1.",
};

export const PARAMETER_DOCS: Readonly<Record<string, string>> = {
  id: "The id.",
  name: "The name of a company, or its text in a bank statement.",
  website: "A website in any spelling.",
  location: "A country, state, city or address.",
};
