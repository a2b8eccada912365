import { z } from "zod";
import type { EntityQuery } from "../../model/entity.ts";
import { text } from "../server/fields.ts";
import { intermediaryShape, location } from "./schemas.ts";

// Entities by themselves, like `schemas.ts`.

const NAME_LENGTH_MAX = 1024;
/** The URLs that browsers and proxies are sure to take. */
const WEBSITE_LENGTH_MAX = 2048;
const LOCATION_LENGTH_MAX = 1024;

// ---- Requests

const textOrNull = (value: string | null | undefined): string | null => {
  const trimmed = value?.trim() ?? "";
  return trimmed === "" ? null : trimmed;
};

export const entityQuery = z
  .object({
    name: text(0, NAME_LENGTH_MAX)
      .nullish()
      .openapi({ description: "Name of a company or brand, also as a bank statement prints it." }),
    website: text(0, WEBSITE_LENGTH_MAX)
      .nullish()
      .openapi({ description: "A domain or an address in any spelling." }),
    location: text(0, LOCATION_LENGTH_MAX).nullish().openapi({
      description:
        "A country, state, city or address: decides between merchants of one name and websites of one merchant.",
    }),
  })
  .openapi("EntityQuery", {
    description: "Exactly one of `name` and `website`; null and blank text count as left out.",
  })
  .transform(
    (input): EntityQuery => ({
      name: textOrNull(input.name),
      website: textOrNull(input.website),
      location: textOrNull(input.location),
    }),
  );

// ---- Answers

export const entityDetails = z
  .object({ ...intermediaryShape, location: location.nullish() })
  .openapi("EntityResponse");
