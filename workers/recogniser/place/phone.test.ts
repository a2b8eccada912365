import { expect, test } from "vitest";
import { sampleKnowledge, sampleSent } from "../../../test/support/knowledge-sample.ts";
import { tokenise } from "../text/tokenise.ts";
import { hintsOf } from "../hints.ts";
import { findPhone } from "./phone.ts";
import { cutPlace } from "./place.ts";

const knowledge = await sampleKnowledge();

/** The number behind the first word of a line. */
function phoneIn(text: string, currency = "USD"): string | null {
  const line = { text, tokens: tokenise(text) };
  const hints = hintsOf({ ...sampleSent, currency, country: null }, knowledge);
  const whole = { from: 0, to: line.tokens.length };
  const { place } = cutPlace(line, whole, hints, knowledge);
  return findPhone(line, { from: 1, to: whole.to }, hints, place);
}

test("a number behind a name is found however the network divides it", () => {
  for (const number of ["866-579-7172", "866-5797172", "(866) 579-7172", "866.579.7172"])
    expect([number, phoneIn(`STREAMCO ${number} CA`)]).toEqual([number, "+18665797172"]);
  expect(phoneIn("STREAMCO 1-866-579-7172 CA")).toBe("+18665797172");
  expect(phoneIn("STREAMCO 416-555-0142 ON", "CAD")).toBe("+14165550142");
});

test("ten digits in one are a number only where the city would stand", () => {
  expect(phoneIn("STREAMCO 8665797172 CA")).toBe("+18665797172");
  expect(phoneIn("USPS 5512340219 PORTLAND OR")).toBeNull();
  expect(phoneIn("STREAMCO 8665797172")).toBeNull();
});

test("what cannot be dialled is not a number", () => {
  expect(phoneIn("OAKWOOD 555-010-4477 CA")).toBeNull();
  expect(phoneIn("OAKWOOD 911-555-0142 CA")).toBeNull();
  expect(phoneIn("OAKWOOD 212-155-0142 CA")).toBeNull();
});

test("a part of a longer number, a date and a blanked number are not phone numbers", () => {
  for (const text of ["8665797172345", "12-866-579-7172", "866-579-7172-33", "XXX-XXX-7172"])
    expect([text, phoneIn(`STREAMCO ${text} CA`)]).toEqual([text, null]);
  expect(phoneIn("STREAMCO 2024-06-14 CA")).toBeNull();
  expect(phoneIn("STREAMCO 866 579 7172 CA")).toBeNull();
});

test("what looks American is a number only where the line is", () => {
  expect(phoneIn("STREAMCO 800-279-6620 LU", "EUR")).toBeNull();
  expect(phoneIn("STREAMCO 212-555-0142", "GBP")).toBeNull();
});

test("British and Australian numbers count on accounts of their countries, in their own shapes", () => {
  expect(phoneIn("TESCO 0345 300 3900", "GBP")).toBe("+443453003900");
  expect(phoneIn("TESCO 020 7946 0018", "GBP")).toBe("+442079460018");
  expect(phoneIn("TESCO 08001234567", "GBP")).toBe("+448001234567");
  expect(phoneIn("TESCO 0345 300 3900", "EUR")).toBeNull();
  expect(phoneIn("VIRGIN 0912345678 DDR", "GBP")).toBeNull();
  expect(phoneIn("TESCO 07123456789", "GBP")).toBeNull();
  expect(phoneIn("COLES 1300 123 456", "AUD")).toBe("+611300123456");
  expect(phoneIn("COLES 02 9374 4000", "AUD")).toBe("+61293744000");
});
