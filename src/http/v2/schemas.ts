import { extendZodWithOpenApi } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { HOLDER_TYPES } from "../../model/transaction.ts";
import { text } from "../server/fields.ts";

// What several operations of the v2 API take and answer. Field names are the contract's.

extendZodWithOpenApi(z);

export const anyText = z.string().nullish();
export const double = z.number().openapi({ format: "double" });
export const instant = z.string().openapi({ format: "date-time" });

const ID_LENGTH_MAX = 256;
export const id = text(1, ID_LENGTH_MAX);

/** An ISO 3166-2 code: a country, or a part of one. */
export const countryCode = () => pattern(/^[A-Z]{2}(?:-[A-Z0-9]{1,3})?$/);

/** The name of a custom model: part of paths. */
export const modelName = pattern(/^[^/\\]{1,256}$/);

/** A whole number within bounds. */
export const wholeNumber = (min: number, max: number) =>
  z
    .number()
    .min(min)
    .max(max)
    .refine(Number.isInteger, { params: WHOLE })
    .openapi({ type: "integer" });

/** `true` and `false` in any letter case, and `1` and `0`, as clients of many languages write them. */
export const flag = z
  .enum(["true", "True", "TRUE", "1", "false", "False", "FALSE", "0"])
  .transform((value) => ["true", "1"].includes(value.toLowerCase()))
  .openapi({ type: "boolean" });

const WHOLE = {
  type: "int_from_float",
  msg: "Input should be a valid integer, got a number with a fractional part",
};

function pattern(expression: RegExp) {
  const { source } = expression;
  const params = {
    type: "string_pattern_mismatch",
    msg: `String should match pattern '${source}'`,
    ctx: { pattern: source },
  };
  return z
    .string()
    .refine((value) => expression.test(value), { params })
    .openapi({ pattern: source });
}

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
