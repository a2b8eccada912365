import { extendZodWithOpenApi } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { HOLDER_TYPES } from "../../model/account-holder.ts";
import { text } from "../server/fields.ts";

// What several operations of the v2 API take and answer. Field names are the contract's.

extendZodWithOpenApi(z);

export const anyText = z.string().nullish();
export const double = z.number().openapi({ format: "double" });
export const instant = z.string().openapi({ format: "date-time" });

const ID_LENGTH_MAX = 256;
export const id = text(1, ID_LENGTH_MAX);

export const accountHolderType = z.enum(HOLDER_TYPES).openapi("AccountHolderType");
export const entryType = z.enum(["incoming", "outgoing"]).openapi("EntryType");
export const sortOrder = z.enum(["asc", "desc"]).openapi("SortOrder");

export const locationStructured = z
  .object({
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
  })
  .openapi("LocationStructuredPublic");

/** The components that others refer to, innermost first, like those of the v3 API. */
export const components: readonly z.ZodType[] = [
  accountHolderType,
  entryType,
  sortOrder,
  locationStructured,
];
