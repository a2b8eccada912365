import { expect, test } from "vitest";
import { sampleKnowledge, sampleSent } from "../../../test/support/knowledge-sample.ts";
import { tokenise, written } from "../text/tokenise.ts";
import { hintsOf } from "../hints.ts";
import { cutPlace } from "./place.ts";
import { areaOfState } from "./states.ts";

const knowledge = await sampleKnowledge();

function cut(
  text: string,
  currency = "USD",
): { rest: string; city: string | null; area: string | null; postcode: string | null } {
  const line = { text, tokens: tokenise(text) };
  const hints = hintsOf({ ...sampleSent, currency, country: null }, knowledge);
  const { span, place } = cutPlace(line, { from: 0, to: line.tokens.length }, hints, knowledge);
  const known =
    place === null || place.index < 0
      ? null
      : knowledge.text(knowledge.places.name[place.index] ?? 0);
  return {
    rest: written(text, line.tokens, span.from, span.to),
    city: known ?? place?.cityText ?? null,
    area: place?.area ?? null,
    postcode: place?.postcode ?? null,
  };
}

test("city and state, apart and glued, whole and cut off", () => {
  const expected = {
    rest: "BAYSIDE MARKET",
    city: "Fredericksburg",
    area: "US-VA",
    postcode: null,
  };
  expect(cut("BAYSIDE MARKET FREDERICKSBURG VA")).toEqual(expected);
  expect(cut("BAYSIDE MARKET           FREDERICKSBURVA")).toEqual(expected);
  expect(cut("BAYSIDE MARKET           FREDERICKSBUR VA")).toEqual(expected);
  expect(cut("CORNER SPIRITS MISSOURI CITYTX")).toMatchObject({
    rest: "CORNER SPIRITS",
    city: "Missouri City",
    area: "US-TX",
  });
});

test("country, postcode and references behind the state go too", () => {
  expect(cut("BAYSIDE MARKET AUSTIN TX USA")).toMatchObject({
    rest: "BAYSIDE MARKET",
    city: "Austin",
  });
  expect(cut("BAYSIDE MARKET AUSTIN TX 73301")).toMatchObject({
    city: "Austin",
    postcode: "73301",
  });
  expect(cut("BAYSIDE MARKET AUSTIN TX S123456789")).toMatchObject({
    city: "Austin",
    postcode: null,
  });
});

test("phone numbers and addresses on the web stand for a city", () => {
  expect(cut("STREAMCO 800-555-0199 CA")).toMatchObject({
    rest: "STREAMCO",
    city: null,
    area: "US-CA",
  });
  expect(cut("STREAMCO HELP.STREAMCO.COM CA")).toMatchObject({ rest: "STREAMCO", area: "US-CA" });
});

test("an ambiguous state needs more than its two letters", () => {
  expect(cut("BIRCHWOOD DENTAL PORTLAND OR")).toMatchObject({
    rest: "BIRCHWOOD DENTAL",
    area: "US-OR",
  });
  expect(cut("DINE IN OR")).toMatchObject({ rest: "DINE IN OR", area: null });
});

test("in the UK a town of some size or a postcode ends the name", () => {
  expect(cut("TESCO STORES 6440 LONDON EN8", "GBP")).toEqual({
    rest: "TESCO STORES 6440",
    city: "London",
    area: "GB",
    postcode: "EN8",
  });
  expect(cut("THE OLD MILL RYE", "GBP")).toMatchObject({ rest: "THE OLD MILL RYE", city: null });
});

test("the name itself is never taken for a place", () => {
  expect(cut("AUSTIN TX").rest).toBe("AUSTIN");
  expect(cut("LONDON", "GBP").rest).toBe("LONDON");
});

test("states are those of the account's country and its neighbour", () => {
  expect(areaOfState("va", "US")).toBe("US-VA");
  expect(areaOfState("on", "CA")).toBe("CA-ON");
  expect(areaOfState("va", "GB")).toBeNull();
});

test("a city that is part of a name stays in it", () => {
  expect(cut("CITYWIDE STORAGE OF AUSTIN TX")).toMatchObject({
    rest: "CITYWIDE STORAGE OF AUSTIN",
    city: "Austin",
  });
});

test("where only the euro is known, a big city of its countries is found", () => {
  expect(cut("FARMACIA SAN MARCO BOLOGNA", "EUR")).toMatchObject({
    rest: "FARMACIA SAN MARCO",
    city: "Bologna",
    area: "IT",
  });
  expect(cut("CASA BOLOGNA", "EUR").rest).toBe("CASA BOLOGNA");
});

test("a shop that ends in US is not in the US", () => {
  expect(cut("BEARINGS R US", "GBP").rest).toBe("BEARINGS R US");
});

test.each([
  ["STARBUCKS john.doe@seattle.wa.us", "STARBUCKS", null, null],
  ["STARBUCKS JOHN_DOE+X@AUSTIN-TX.COM", "STARBUCKS", null, null],
  ["JOHN@SEATTLE.WA.US", "JOHN@SEATTLE.WA.US", null, null],
  ["CORNER MARKET JANE@DENVER.CO.US 1234567", "CORNER MARKET", null, null],
  ["CORNER MARKET AUSTIN TX JANE@MAIL.COM", "CORNER MARKET", "Austin", "US-TX"],
  ["CORNER MARKET JANE@MAIL.COM AUSTIN TX", "CORNER MARKET", "Austin", "US-TX"],
  // No dot behind the @, or spaces around it: a name and not an address.
  ["BAR@AIRPORT AUSTIN TX", "BAR@AIRPORT", "Austin", "US-TX"],
  ["BAR @ PIER AUSTIN TX", "BAR @ PIER", "Austin", "US-TX"],
])("no part of an e-mail address is read as a place: %s", (text, rest, city, area) => {
  expect(cut(text)).toMatchObject({ rest, city, area });
});

test.each([
  ["PAYPAL *JANE.SMITH@AUSTIN.TX.US", "USD"],
  ["PAYPAL INST XFER SHOP@DENVER.CO.US", "USD"],
  ["ZELLE PAYMENT TO JANE@AUSTIN.TX.US", "USD"],
  ["Zelle payment from JANE DOE jane.doe@seattle.wa.us", "USD"],
  ["INTERAC E-TRANSFER TO jane@toronto.on.ca", "CAD"],
  ["INTERAC e-Transfer toronto.on@mail.ca", "CAD"],
  ["UPI/412345678901/mumbai@okbank/PAYMENT", "INR"],
  ["UPI-RAVI KUMAR-delhi@okbank", "INR"],
])("a payment to an address or a handle has no place: %s", (text, currency) => {
  expect(cut(text, currency)).toMatchObject({ city: null, area: null });
});
