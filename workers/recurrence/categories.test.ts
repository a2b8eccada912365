import { describe, expect, it } from "vitest";
import { consumerCategories, businessCategories } from "../../src/model/categories.ts";
import { INCOME_TYPES } from "../../src/model/recurrence.ts";
import { categoriesOfIncome, incomeTypeOf } from "./income.ts";
import { categoriesOfKinds } from "./kinds.ts";

const incoming = [...new Set([...consumerCategories.incoming, ...businessCategories.incoming])];
const all = new Set([...incoming, ...consumerCategories.outgoing, ...businessCategories.outgoing]);

describe("the categories that recurrence decides by", () => {
  it("are categories of the product", () => {
    const unknown = [...categoriesOfKinds, ...categoriesOfIncome].filter((name) => !all.has(name));
    expect(unknown).toEqual([]);
  });

  it("say of every incoming category whether it is income", () => {
    const undecided = incoming.filter(
      (name) => name !== "not enough information" && !categoriesOfIncome.has(name),
    );
    expect(undecided).toEqual([]);
  });
});

describe("income", () => {
  const typeOf = (category: string | null, text: string, rhythm: "fixed" | "varying" | null) =>
    incomeTypeOf({ category, text, isPerson: false, rhythm });

  it.each([
    ["paycheck", "ACME PAYROLL", "salary"],
    ["freelance", "BRIGHT MEDIA", "freelance"],
    ["rideshare and delivery income", "DOORDASH", "rideshare and delivery"],
    ["government benefits", "DWP", "government benefits"],
    ["social security", "SSA", "social security"],
    ["unemployment insurance", "EDD", "unemployment insurance"],
    ["child support", "STATE DISB UNIT", "child support"],
    ["not enough information", "GOFUNDME TRANSFER", "donations"],
    ["marketplace payout", "ETSY", "ecommerce"],
    ["dividends", "VANGUARD", "interest and dividends"],
    ["investment", "FUNDRISE DISTRIBUTION", "investment"],
    ["rental income", "TENANT", "long term rent"],
    ["property rental", "AIRBNB PAYMENTS", "short term rent"],
    ["retirement funds", "PENSION", "retirement funds"],
    ["not enough information", "NORTHWIND", "possible income - please verify"],
  ] as const)("%s of %s is %s", (category, text, type) => {
    expect(typeOf(category, text, "varying")).toBe(type);
  });

  it("has every type of the v2 API", () => {
    expect(INCOME_TYPES).toHaveLength(15);
  });

  it.each(["loan proceeds", "owner contribution", "equity investment", "chargeback reversal"])(
    "a regular %s of a company is not income",
    (category) => {
      expect(typeOf(category, "ACME PAYROLL", "fixed")).toBeNull();
    },
  );

  it("of an investment that is sold is to be verified", () => {
    expect(typeOf("investment", "FUNDRISE", null)).toBe("possible income - please verify");
  });
});
