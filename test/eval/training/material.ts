// A small material for the generator: words that occur in one list only, so that a test sees where a token came from.
import type { City, Material } from "../../../bench/training/names.ts";

const cityOf = (name: string, region: string, country: string, population: number): City => ({
  ...{ name, region, country, population },
});

export const sampleMaterial: Material = {
  businesses: ["Zorbal Quimper", "Vextor Brindle"],
  independents: ["Joppel Krantz"],
  brands: ["Mivvex"],
  online: ["Yarrowly"],
  merchants: [["Quandle", "QUANDLE STORES"]],
  firstNames: ["Ottokar", "Brunhild"],
  lastNames: ["Wembleton"],
  before: ["POS PURCHASE"],
  after: ["DEBIT CARD"],
  end: ["VISA"],
  purposes: ["OVERDRAFT FEE", "PAYROLL"],
  marks: ["SQ *", "PAYPAL *"],
  usCities: [cityOf("Grubville", "TX", "US", 900_000), cityOf("Tinytown", "OR", "US", 9_000)],
  gbCities: [cityOf("Snodbury", "GB", "GB", 100_000)],
  otherCities: [cityOf("Kleinstadt", "DE", "DE", 200_000)],
};
