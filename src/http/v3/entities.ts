import type { EntityDetails, EntityQuery } from "../../model/entity.ts";
import { errorAnswer, jsonAnswer } from "../server/answer.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { entityDetails, entityQuery } from "./entity-schemas.ts";
import { idPath } from "./schemas.ts";
import { type Slots, TOO_MANY_CALLS, withSlot } from "../server/slots.ts";

export interface EntitiesPort {
  /** Null when there is no such entity. */
  get(org: string, id: string): Promise<EntityDetails | null>;
  /** Every field is null, and `mccs` empty, when no merchant matches that name or website. */
  resolve(org: string, query: EntityQuery): Promise<EntityDetails>;
}

interface EntityServices {
  readonly entities: EntitiesPort;
  readonly syncSlots: Slots;
}

const tag = "Entities";
const NOT_FOUND = "Entity not found";
const NO_UUID = "The id of an entity is a UUID";
const NOT_ONE = "Exactly one of name and website must be given";
/** Whatever its version; ids are compared in small letters. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const entityRoutes: readonly Route<EntityServices>[] = [
  defineRoute({
    method: "POST",
    path: "/v3/entities/resolve",
    operationId: "resolve_entity",
    summary: "Find the entity of a name or a website; every field is null when no entity matches",
    tag,
    isSafe: true,
    request: { path: nothing, query: nothing, body: entityQuery },
    success: entityDetails,
    errors: { 400: NOT_ONE, 429: TOO_MANY_CALLS },
    async handle({ entities, syncSlots }: EntityServices, { principal, body }) {
      if ((body.name === null) === (body.website === null))
        return errorAnswer("invalid_entity_query", NOT_ONE);
      return withSlot(syncSlots, principal.keyId, async () =>
        jsonAnswer(200, await entities.resolve(principal.org, body)),
      );
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v3/entities/{id}",
    operationId: "get_entity",
    summary: "Get a merchant, parent or intermediary that is known by itself",
    tag,
    request: { path: idPath, query: nothing, body: null },
    success: entityDetails,
    errors: { 400: NO_UUID, 404: NOT_FOUND, 429: TOO_MANY_CALLS },
    async handle({ entities, syncSlots }: EntityServices, { principal, path }) {
      if (!UUID.test(path.id)) return errorAnswer("invalid_entity_id", NO_UUID);
      return withSlot(syncSlots, principal.keyId, async () => {
        const found = await entities.get(principal.org, path.id);
        return found === null ? errorAnswer("entity_not_found", NOT_FOUND) : jsonAnswer(200, found);
      });
    },
  }),
];
