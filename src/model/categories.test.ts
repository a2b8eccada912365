import { expect, test } from "vitest";
import {
  accountingOf,
  businessCategories,
  consumerCategories,
  NOT_ENOUGH_INFORMATION,
} from "./categories.ts";

const lists = [
  consumerCategories.incoming,
  consumerCategories.outgoing,
  businessCategories.incoming,
  businessCategories.outgoing,
];

test("every list is in lower case, has no duplicates and contains `not enough information`", () => {
  for (const names of lists) {
    expect(names).toContain(NOT_ENOUGH_INFORMATION);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toBe(name.trim().toLowerCase());
  }
});

test("exactly the business categories have an accounting category", () => {
  const business = new Set([...businessCategories.incoming, ...businessCategories.outgoing]);
  expect(new Set(Object.keys(accountingOf))).toEqual(business);
});

test("only an investment is `investing`, which clients of the public API do not expect elsewhere", () => {
  const investing = Object.keys(accountingOf).filter((name) => accountingOf[name] === "investing");
  expect(investing).toEqual(["investment"]);
});

test("the business set holds the names other parts of the product rely on", () => {
  const promised =
    "advertising;bank fee;cloud infrastructure;contractors;goods;insurance;inventory;legal and accounting;" +
    "loan repayment;marketing;office supplies;payroll;payment processing fee;professional services;rent;saas tools;" +
    "sales revenue;shipping;subscriptions;taxes;telecom;travel;utilities;vehicle;investment;owner draw;refund;interest";
  const business = [...businessCategories.incoming, ...businessCategories.outgoing];
  expect(promised.split(";").filter((name) => !business.includes(name))).toEqual([]);
});

test("each consumer list has the size of the published set", () => {
  expect(consumerCategories.outgoing).toHaveLength(73);
  expect(consumerCategories.incoming).toHaveLength(26);
});
