import type { Location } from "../../model/facts.ts";

/** A location as the v2 API shows it: the address as text, and in parts. */
export interface ShownLocation {
  readonly location: string | null;
  readonly location_structured: object | null;
}

/** The two location fields of the v2 API; both are null where nothing is known. */
export function shownLocation(location: Location | null): ShownLocation {
  const parts = location?.structured ?? null;
  return {
    location: location?.raw_address ?? null,
    location_structured:
      parts === null
        ? null
        : {
            address: parts.street,
            city: parts.city,
            state: parts.state,
            postcode: parts.postcode,
            country: parts.country_code,
            country_name: parts.country,
            latitude: parts.latitude,
            longitude: parts.longitude,
            google_maps_url: parts.google_maps_url,
            apple_maps_url: parts.apple_maps_url,
            store_number: parts.store_number,
            house_number: parts.house_number,
          },
  };
}
