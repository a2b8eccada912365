import { z } from "zod";
import type { EntityDetails } from "../../model/entity.ts";
import { errorAnswer, jsonAnswer } from "../server/answer.ts";
import { text } from "../server/fields.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { type Slots, TOO_MANY_CALLS, withSlot } from "../server/slots.ts";
import type { EntitiesPort } from "../v3/entities.ts";
import { anyText, double, locationStructured } from "./schemas.ts";
import { shownLocation } from "./location.ts";

interface V2EntityServices {
  readonly entities: EntitiesPort;
  readonly syncSlots: Slots;
}

const tag = "Entities";
const NOT_FOUND = "Entity not found";
const NO_UUID = "The id of an entity is a UUID";
const NOT_ONE = "Exactly one of name and website must be given";
const TEXT_LENGTH_MAX = 1024;
/** The URLs that browsers and proxies are sure to take. */
const WEBSITE_LENGTH_MAX = 2048;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const entityPath = z.object({ id: text(1, 256) });
const entityQuery = z.object({
  name: text(0, TEXT_LENGTH_MAX).nullish(),
  website: text(0, WEBSITE_LENGTH_MAX).nullish(),
  location: text(0, TEXT_LENGTH_MAX).nullish(),
});
const entity = z
  .object({
    id: anyText,
    name: anyText,
    website: anyText,
    logo: anyText,
    location: anyText,
    location_structured: locationStructured.nullish(),
    confidence: double.nullish(),
  })
  .openapi("EntitySearchOut");

export const v2EntityRoutes: readonly Route<V2EntityServices>[] = [
  defineRoute({
    method: "GET",
    path: "/v2/entities",
    operationId: "find_entity",
    summary: "Find the entity of a name or a website; every field is null when no entity matches",
    tag,
    request: { path: nothing, query: entityQuery, body: null },
    success: entity,
    errors: { 400: NOT_ONE, 429: TOO_MANY_CALLS, 431: "The path is too long" },
    async handle({ entities, syncSlots }: V2EntityServices, { principal, query }) {
      const [name, website, location] = [query.name, query.website, query.location].map(
        givenOrNull,
      );
      if ((name == null) === (website == null)) return errorAnswer("invalid_entity_query", NOT_ONE);
      const asked = { name: name ?? null, website: website ?? null, location: location ?? null };
      return withSlot(syncSlots, principal.keyId, async () =>
        jsonAnswer(200, entityResource(await entities.resolve(principal.org, asked))),
      );
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v2/entities/{id}",
    operationId: "get_entity",
    summary: "Get a merchant, parent or intermediary that is known by itself",
    tag,
    request: { path: entityPath, query: nothing, body: null },
    success: entity,
    errors: { 400: NO_UUID, 404: NOT_FOUND, 429: TOO_MANY_CALLS },
    async handle({ entities, syncSlots }: V2EntityServices, { principal, path }) {
      if (!UUID.test(path.id)) return errorAnswer("invalid_entity_id", NO_UUID);
      return withSlot(syncSlots, principal.keyId, async () => {
        const found = await entities.get(principal.org, path.id);
        return found === null
          ? errorAnswer("entity_not_found", NOT_FOUND)
          : jsonAnswer(200, entityResource(found));
      });
    },
  }),
];

/** Null and blank text count as left out. */
function givenOrNull(value: string | null | undefined): string | null {
  const trimmed = value?.trim() ?? "";
  return trimmed === "" ? null : trimmed;
}

function entityResource({ id, name, website, logo, location }: EntityDetails): object {
  return { id, name, website, logo, ...shownLocation(location), confidence: null };
}
