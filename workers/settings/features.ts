import { showEntity } from "../../src/model/entity.ts";
import type { Facts } from "../../src/model/facts.ts";
import type { Feature } from "../../src/model/tenant-settings.ts";

type Shown = ReadonlySet<Feature>;

/** The facts without the fields of entities that the organization has not switched on. */
export function showFeatures(facts: Facts, shown: Shown): Facts {
  const { entities } = facts;
  if (entities === null) return facts;
  const { counterparty, intermediaries } = entities;
  return {
    ...facts,
    entities: {
      counterparty: counterparty === null ? null : showEntity(counterparty, shown),
      intermediaries: intermediaries.map((one) => showEntity(one, shown)),
    },
  };
}
