import { describe, expect, it } from "vitest";
import { readBankCategories } from "./bank-categories.ts";

const read = (text: string, accountType: "consumer" | "business" = "consumer") => {
  const { incoming, outgoing } = readBankCategories([text], accountType);
  return { incoming: incoming[0]?.category, outgoing: outgoing[0]?.category };
};

describe("readBankCategories", () => {
  it.each([
    ["Eating out", "food and drink"],
    ["EATING_OUT", "food and drink"],
    ["Restaurants/Bars", "food and drink"],
    ["Gasoline", "fuel"],
    ["Automated Fuel Dispensers", "fuel"],
    ["Fees & Adjustments", "bank fee"],
    ["Merchandise & Supplies-Groceries", "groceries"],
    ["Airfare", "other transport"],
    ["Cash & ATM", "atm/bank withdrawal"],
    ["Lebensmittel", "groceries"],
  ])("reads %s as %s", (text, category) => {
    expect(read(text).outgoing).toBe(category);
  });

  it.each([
    "Shopping",
    "Gifts & Donations",
    "General",
    "Uncategorized",
    "Services",
    "Bills",
    "Xyzq",
  ])("reads %s, which fits several categories or none, as nothing", (text) => {
    expect(read(text)).toEqual({ incoming: null, outgoing: null });
  });

  it("reads a text by the direction of the money and by the set of the account", () => {
    expect(read("Salary")).toEqual({ incoming: "paycheck", outgoing: null });
    expect(read("Interest").incoming).toBe("interest and dividends");
    expect(read("Travel-Airline", "business").outgoing).toBe("travel");
    expect(read("Pets", "business").outgoing).not.toBe("pets");
  });

  it("lists the narrower categories that agree with a text, in the order of the texts", () => {
    const [gas, dining] = readBankCategories(["Gas", "Dining"], "consumer").outgoing;
    expect(dining?.agreeing).toContain("cafes and coffee shops");
    expect(gas).toEqual({ category: "fuel", agreeing: ["fuel"] });
  });
});
