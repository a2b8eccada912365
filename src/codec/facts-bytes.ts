// Facts as Avro: the fields `entities`, `categories` and `location` of schemas/EnrichedTransaction.avsc, which follow each
// other there. Made where the facts are made, so that their JSON text is not parsed only to encode it.
import type { AvroBytes } from "./avro-bytes.ts";
import type {
  Categories,
  Counterparty,
  Entities,
  EntityParent,
  Facts,
  Intermediary,
  LocationStructured,
} from "../model/facts.ts";

/** Appends facts to `to`. */
export function writeFacts(to: AvroBytes, { entities, categories, location }: Facts): void {
  if (entities === null) to.none();
  else writeEntities(to, entities);
  if (categories === null) to.none();
  else writeCategories(to, categories);
  if (location === null) to.none();
  else {
    to.some();
    to.textOrNone(location.raw_address);
    if (location.structured === null) to.none();
    else writeStructured(to, location.structured);
  }
}

/** Appends what stands in the place of facts where there are none. */
export function writeNoFacts(to: AvroBytes): void {
  writeFacts(to, { entities: null, categories: null, location: null });
}

function writeEntities(to: AvroBytes, { counterparty, intermediaries }: Entities): void {
  to.some();
  if (counterparty === null) to.none();
  else writeCounterparty(to, counterparty);
  to.array(intermediaries, (one) => {
    writeEntity(to, one);
  });
}

function writeCounterparty(to: AvroBytes, counterparty: Counterparty): void {
  to.some();
  writeEntity(to, counterparty);
  // The place among the symbols of the enum.
  to.integer(counterparty.type === "person" ? 0 : 1);
}

function writeEntity(to: AvroBytes, entity: Intermediary): void {
  writeNames(to, entity);
  to.textOrNone(entity.logo);
  to.array(entity.mccs, (code) => {
    to.integer(code);
  });
  if (entity.parent === null) to.none();
  else {
    to.some();
    writeNames(to, entity.parent);
  }
}

function writeNames(to: AvroBytes, entity: EntityParent): void {
  to.textOrNone(entity.id);
  to.textOrNone(entity.name);
  to.textOrNone(entity.website);
  to.textOrNone(entity.phone_number);
  to.textOrNone(entity.tax_number);
  to.textOrNone(entity.naics2017);
}

function writeCategories(to: AvroBytes, { general, accounting }: Categories): void {
  to.some();
  to.textOrNone(general);
  to.textOrNone(accounting);
}

function writeStructured(to: AvroBytes, structured: LocationStructured): void {
  to.some();
  to.textOrNone(structured.street);
  to.textOrNone(structured.city);
  to.textOrNone(structured.state);
  to.textOrNone(structured.postcode);
  to.textOrNone(structured.country_code);
  to.textOrNone(structured.country);
  to.textOrNone(structured.house_number);
  writeDegrees(to, structured.latitude);
  writeDegrees(to, structured.longitude);
  to.textOrNone(structured.google_maps_url);
  to.textOrNone(structured.apple_maps_url);
  to.textOrNone(structured.store_number);
}

function writeDegrees(to: AvroBytes, degrees: number | null): void {
  if (degrees === null) to.none();
  else {
    to.some();
    to.double(degrees);
  }
}
