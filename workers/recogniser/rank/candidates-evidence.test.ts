// What speaks for and against candidates.
import { expect, test } from "vitest";
import { sampleKnowledge } from "../../../test/support/knowledge-sample.ts";
import {
  CERTAIN,
  measured,
  merchantOf,
  names,
  parsedAs,
  US_PLACE,
} from "../../../test/support/parsed-line.ts";
import { packArea } from "../../knowledge/sections.ts";
import { type Label } from "../parse/labels.ts";
import { tokenise } from "../text/tokenise.ts";
import { candidatesOf } from "./candidates.ts";

const knowledge = await sampleKnowledge();

test("a merchant that only trades in other countries has that as evidence", () => {
  const wendys = merchantOf(
    parsedAs("WENDYS", names(1), { currency: "GBP", country: "GB" }),
    "wendys.com",
  );
  expect(measured(wendys, "abroad")).toBe(1);
  expect(measured(wendys, "atHome")).toBe(0);
});

test("an amount that is unusual for the merchant is evidence", () => {
  const unusual = (amount: number): number | undefined =>
    measured(merchantOf(parsedAs("SHELL", names(1), { amount }), "shell.us"), "unusual");
  expect(unusual(40)).toBe(0);
  expect(unusual(60_000)).toBe(1);
});

test("what the bank's words say is evidence for no counterparty", () => {
  const parsed = parsedAs("OVERDRAFT FEE", ["purpose", "purpose"]);
  const evidenceOf = (internal: boolean): number | undefined =>
    measured(candidatesOf({ ...parsed, internal }, knowledge).at(-1), "internal");
  expect([evidenceOf(true), evidenceOf(false)]).toEqual([1, 0]);
});

test("a name is as personal as its tokens are likely a person's", () => {
  const personalOf = (...labels: readonly Label[]): readonly (number | undefined)[] =>
    candidatesOf(parsedAs("JANE QUIMPER", labels), knowledge)
      .filter(({ class: sort }) => sort === "person" || sort === "name")
      .map((one) => measured(one, "personal"));
  const likely = personalOf("person", "person");
  const unlikely = personalOf("name", "name");
  expect(Math.min(...likely.map(Number))).toBeGreaterThan(0.9);
  expect(Math.max(...unlikely.map(Number))).toBeLessThan(0.1);
});

test("money that arrives is evidence for every candidate", () => {
  const incomingOf = (entryType: "incoming" | "outgoing"): readonly (number | undefined)[] =>
    candidatesOf(parsedAs("SHELL", names(1), { entryType }), knowledge).map((one) =>
      measured(one, "incoming"),
    );
  expect(incomingOf("incoming")).toEqual([1, 1, 1]);
  expect(incomingOf("outgoing")).toEqual([0, 0, 0]);
});

test("a merchant that trades in other states of the country has that as evidence", () => {
  const known = merchantOf(parsedAs("WENDYS", names(1)), "wendys.com")?.merchant ?? -1;
  const areas = knowledge.merchants.areas.slice();
  areas[knowledge.merchants.areaFirst[known] ?? -1] = packArea("US-CA");
  const local = { ...knowledge, merchants: { ...knowledge.merchants, areas } };
  const otherState = (text: string): number | undefined =>
    measured(
      candidatesOf(parsedAs(text, ["name", ...US_PLACE]), local).find(
        ({ merchant }) => merchant === known,
      ),
      "otherState",
    );
  expect(otherState("WENDYS AUSTIN TX")).toBe(1);
  expect(otherState("WENDYS FRESNO CA")).toBe(0);
});

test("words of another trade behind a merchant are evidence, those of its own are not", () => {
  const tradeOf = (text: string, website: string): number | undefined =>
    measured(merchantOf(parsedAs(text, names(2)), website), "otherTrade");
  expect(tradeOf("TESCO PIZZA", "tesco.com")).toBe(1);
  expect(tradeOf("TESCO DELI", "tesco.com")).toBe(0);
  expect(tradeOf("TESCO KRANTZ", "tesco.com")).toBe(0);
});

test("words of a trade in front of a merchant are evidence", () => {
  const tradeOf = (text: string): number | undefined =>
    measured(merchantOf(parsedAs(text, names(2)), "tesco.com"), "tradeBefore");
  expect(tradeOf("PIZZA TESCO")).toBe(1);
  expect(tradeOf("KRANTZ TESCO")).toBe(0);
});

test("only ordinary words behind a merchant explain the rest of the name", () => {
  const explained = (text: string): number | undefined =>
    measured(merchantOf(parsedAs(text, names(tokenise(text).length)), "tesco.com"), "explained");
  expect(explained("TESCO MARKET 12")).toBe(1);
  expect(explained("TESCO KRANTZ")).toBe(0);
  expect(explained("TESCO")).toBe(0);
});

test("a merchant in the place of a mark has the probability of the mark as evidence", () => {
  const doordash = merchantOf(parsedAs("DOORDASH*WENDYS", ["prefix", "name"]), "doordash.com");
  expect(measured(doordash, "marked")).toBeCloseTo(CERTAIN, 5);
  const named = merchantOf(parsedAs("DOORDASH", names(1)), "doordash.com");
  expect(measured(named, "marked")).toBeLessThan(0.1);
});

test("letters behind a name count separately where it is one word or an ambiguous one", () => {
  const shell = merchantOf(parsedAs("SHELL GARAGE", names(2)), "shell.us");
  expect(measured(shell, "ambiguous")).toBe(1);
  expect(measured(shell, "ambiguousBehind")).toBe(measured(shell, "behind"));
  const sundial = merchantOf(parsedAs("SUNDIAL GARAGE", names(2)), "sundialcatalog.com");
  expect(measured(sundial, "single")).toBe(1);
  expect(measured(sundial, "singleBehind")).toBe(measured(sundial, "behind"));
  expect(measured(sundial, "behind")).toBeGreaterThan(1);
  const stores = merchantOf(parsedAs("TESCO STORES GARAGE", names(3)), "tesco.com");
  expect(measured(stores, "ambiguousBehind")).toBe(0);
});

test("letters of another name in the line are evidence", () => {
  const elsewhere = (text: string, ...labels: readonly Label[]): number =>
    measured(merchantOf(parsedAs(text, labels), "tesco.com"), "elsewhere") ?? NaN;
  expect(elsewhere("TESCO 1234 KRANTZ", "name", "reference", "name")).toBeGreaterThan(1);
  expect(elsewhere("TESCO 1234 KRANTZ", "name", "reference", "reference")).toBeLessThan(1);
});
