// An entity that is looked up by itself: not in a transaction, so it has no type.
import type { Intermediary, Location } from "./facts.ts";
import type { Feature } from "./tenant-settings.ts";

/** All fields are null, and `mccs` is empty, where nothing is known. */
export interface EntityDetails extends Intermediary {
  /** The place that was asked about, as it was understood. */
  readonly location: Location | null;
}

/** Exactly one of `name` and `website` is set. */
export interface EntityQuery {
  /** The name of a company, or its text in a bank statement. */
  readonly name: string | null;
  /** As a user would paste it. */
  readonly website: string | null;
  /** A country, state, city or address. */
  readonly location: string | null;
}

type Featured = Pick<Intermediary, Feature>;

const shownOf = <Entity extends Featured>(entity: Entity, shown: ReadonlySet<Feature>): Entity => ({
  ...entity,
  phone_number: shown.has("phone_number") ? entity.phone_number : null,
  tax_number: shown.has("tax_number") ? entity.tax_number : null,
  naics2017: shown.has("naics2017") ? entity.naics2017 : null,
});

/** The entity, and its parent, without the fields that are not switched on. */
export function showEntity<Entity extends Intermediary>(
  entity: Entity,
  shown: ReadonlySet<Feature>,
): Entity {
  const { parent } = entity;
  const visible = shownOf(entity, shown);
  return parent === null ? visible : { ...visible, parent: shownOf(parent, shown) };
}
