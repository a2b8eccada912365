import { expect, test } from "vitest";
import { sampleKnowledge, sampleSent } from "../../../test/support/knowledge-sample.ts";
import { tokenise } from "../text/tokenise.ts";
import { hintsOf } from "../hints.ts";
import { buildLocation, storeNumberAfter } from "./location.ts";

const knowledge = await sampleKnowledge();
const hints = hintsOf({ ...sampleSent, currency: "USD", country: null }, knowledge);

const shop = (text: string, from: number): string | null => {
  const tokens = tokenise(text);
  return storeNumberAfter({ text, tokens }, from, tokens.length);
};

test("numbers of shops are distinguished from phone numbers, dates and references", () => {
  expect(shop("LOWES #01234", 1)).toBe("01234");
  expect(shop("TESCO STORES 6440", 2)).toBe("6440");
  expect(shop("KFC F01234", 1)).toBe("F01234");
  expect(shop("KFC 800-555-0199", 1)).toBeNull();
  expect(shop("KFC 01/23", 1)).toBeNull();
  expect(shop("KFC 123456789", 1)).toBeNull();
});

test("an address is taken apart and found on maps", () => {
  const input = {
    place: null,
    storeNumber: null,
    rawAddress: "500 Elm St, Austin, TX",
    merchantName: "Corner Bakery",
  };
  expect(buildLocation(input, hints, knowledge)).toMatchObject({
    raw_address: "500 Elm St, Austin, TX",
    structured: {
      house_number: "500",
      street: "Elm St",
      city: "Austin",
      state: "TX",
      country: "United States",
      google_maps_url:
        "https://www.google.com/maps/search/?api=1&query=Corner%20Bakery%2C%20500%20Elm%20St%2C%20Austin%2C%20TX%2C%20US",
    },
  });
});

test("without anything known there is not a location", () => {
  const input = { place: null, storeNumber: null, rawAddress: null, merchantName: "Corner Bakery" };
  expect(buildLocation(input, hints, knowledge)).toBeNull();
});
