import { beforeAll, describe, expect, it } from "vitest";
import { businessCategories, consumerCategories } from "../../../src/model/categories.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { sampleKnowledge } from "../../../test/support/knowledge-sample.ts";
import { mapCategories } from "./map.ts";
import { processorMs } from "../../../test/support/processor-time.ts";

let knowledge: Knowledge;
beforeAll(async () => {
  knowledge = await sampleKnowledge();
});

/** The mapping of outgoing categories to a set of these entries. */
const shown = (...outgoing: string[]) =>
  mapCategories({ incoming: [], outgoing }, knowledge).outgoing;
const shownIncoming = (...incoming: string[]) =>
  mapCategories({ incoming, outgoing: [] }, knowledge).incoming;

describe("mapCategories", () => {
  it.each([
    ["consumer", consumerCategories],
    ["business", businessCategories],
  ])("tells our own %s words as themselves", (_, set) => {
    const mapping = mapCategories(set, knowledge);
    for (const direction of ["incoming", "outgoing"] as const) {
      expect(set[direction].map((word) => mapping[direction][word])).toEqual(set[direction]);
    }
  });

  it("has every category of either kind of account, and nothing for a direction without words", () => {
    const mapping = mapCategories({ incoming: [], outgoing: ["Groceries"] }, knowledge);
    for (const direction of ["incoming", "outgoing"] as const) {
      const all = [...consumerCategories[direction], ...businessCategories[direction]];
      expect(new Set(Object.keys(mapping[direction]))).toEqual(new Set(all));
    }
    expect(new Set(Object.values(mapping.incoming))).toEqual(new Set([null]));
  });

  it.each([
    "GROCERIES",
    "  grocery ",
    "Grocery",
    "6100 · Groceries",
    "6-1000 Groceries",
    "🛒 Groceries!",
    "grocery_shopping",
    "groceryShopping",
    "Shopping (groceries)",
    "Groceries - General",
    "Food: Groceries",
    "Monthly groceries",
    "Grocries",
    "Lebensmitteleinkäufe",
    "Lebensmitteleinkaeufe",
    "Supermarché",
    "Alimentación",
  ])("takes %j for groceries, however it is written", (entry) => {
    expect(shown("Rent", entry, "Pets")["groceries"]).toBe(entry);
  });

  it("maps Portuguese entries", () => {
    const words = [
      "Aluguel",
      "Combustível",
      "Roupas",
      "Viagens",
      "Lazer",
      "Saúde",
      "Despesas fixas",
    ];
    expect(shown(...words, "Animais de estimação", "Doações", "Saques")).toMatchObject({
      "rent and property management fee": "Aluguel",
      fuel: "Combustível",
      clothing: "Roupas",
      "hotels and lodging": "Viagens",
      "entertainment and recreation": "Lazer",
      "medical bill": "Saúde",
      utilities: "Despesas fixas",
      pets: "Animais de estimação",
      donation: "Doações",
      "atm/bank withdrawal": "Saques",
      education: null,
    });
  });

  it("reads and, & and the order of words alike", () => {
    for (const entry of ["Drink and Food", "food&drink", "FOOD + DRINKS", "Food/Drink"]) {
      expect(shown(entry)).toMatchObject({ "food and drink": entry, groceries: entry });
    }
  });

  it("tells the narrowest word that there is", () => {
    const wide = ["Lifestyle", "Food & Drink", "Eating out", "Cafes", "Coffee"];
    for (let count = wide.length; count > 0; count--) {
      const words = wide.slice(0, count);
      const narrowest = words.at(-1);
      const nearest = narrowest === "Coffee" ? "Cafes" : narrowest;
      expect(shown(...words)["cafes and coffee shops"]).toBe(nearest);
    }
    expect(shown("Food")["groceries"]).toBe("Food");
    expect(shown("Essentials", "Lifestyle", "Savings")).toMatchObject({
      groceries: "Essentials",
      "food and drink": "Lifestyle",
      "contribution to reserve fund": "Savings",
      "inter account transfer": null,
    });
  });

  it("prefers our own name to its synonyms", () => {
    expect(shown("Supermarket", "Groceries", "Grocery stores")["groceries"]).toBe("Groceries");
  });

  it("keeps the directions apart, also where a set has the same words for both", () => {
    const words = ["Income", "Interest", "Shopping", "Transfers"];
    const both = mapCategories({ incoming: words, outgoing: words }, knowledge);
    expect(both.incoming).toMatchObject({ paycheck: "Income", interest: "Interest", refund: null });
    expect(Object.values(both.outgoing)).not.toContain("Income");
    expect(Object.values(both.incoming)).not.toContain("Shopping");
    expect(both.outgoing["clothing"]).toBe("Shopping");
    expect(shownIncoming("Tax refund", "Refunds")).toMatchObject({
      "tax refund": "Tax refund",
      refund: "Refunds",
    });
  });

  it("means nothing of one direction by a word that is known of the other alone", () => {
    const words = [
      "Credit card",
      "Internet",
      "Emergency fund",
      "Job supplies",
      "Interest income",
      "Sales tax refund",
    ];
    const both = mapCategories({ incoming: words, outgoing: words }, knowledge);
    const used = (mapping: object) => new Set(Object.values(mapping));
    expect(used(both.incoming)).toEqual(new Set([null, "Interest income", "Sales tax refund"]));
    expect(used(both.outgoing)).toEqual(
      new Set([null, "Credit card", "Internet", "Emergency fund", "Job supplies"]),
    );
  });

  it("takes the part of a category for no word for all of it", () => {
    for (const part of ["Car insurance", "Home & contents insurance", "Car & Home Insurance"]) {
      const mapping = shown(part, "Electricity");
      expect([part, mapping["insurance"], mapping["vehicle maintenance"]]).toEqual([
        part,
        null,
        null,
      ]);
      expect(mapping["utilities"]).toBeNull();
    }
    expect(shown("Insurance: Car", "Insurance: Other")["insurance"]).toBe("Insurance: Other");
  });

  it("reads a path from its end", () => {
    const mapping = shown(
      "Travel - Airfare",
      "Travel - Lodging",
      "Travel: Meals",
      "Computer - Software",
    );
    expect(mapping).toMatchObject({
      travel: null,
      "hotels and lodging": "Travel - Lodging",
      "meals and entertainment": "Travel: Meals",
      "saas tools": "Computer - Software",
      electronics: null,
    });
  });

  it("maps other categories to the set's entry for unknown ones", () => {
    expect(shown("Uncategorized")["not enough information"]).toBe("Uncategorized");
    expect(shown("Uncategorized")["pets"]).toBeNull();
  });

  it("forgives slips, and takes no other word for one", () => {
    const mapping = shown("Entertainement", "Insurence", "Eductaion", "Painting", "Hearth");
    expect(mapping).toMatchObject({
      "entertainment and recreation": "Entertainement",
      insurance: "Insurence",
      education: "Eductaion",
      "office supplies": null,
      "medical bill": null,
    });
  });

  it("finds nothing in an entry without words, and is quick whatever the words are", () => {
    expect(new Set(Object.values(shown("!!!", "🤷", "1234", "the")))).toEqual(new Set([null]));
    const long = Array.from({ length: 100 }, (_, at) => `${"s&".repeat(127)}${String(at)}`);
    const deep = Array.from({ length: 100 }, (_, at) => `${"(a:".repeat(80)}${String(at)}`);
    const similar = Array.from({ length: 800 }, (_, at) => `groceri${String(at)}x restaurent`);
    const wordy = Array.from({ length: 800 }, (_, at) => `${"abcd ".repeat(14)}${String(at)}`);
    const startedAt = processorMs();
    shown(...long, ...deep, ...similar, ...wordy);
    // A tenth of that on an idle machine; a thread times out after two seconds.
    expect(processorMs() - startedAt).toBeLessThan(3_000);
  });
});
