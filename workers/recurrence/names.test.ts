import { describe, expect, it } from "vitest";
import { isAbbreviated, isTruncated, lineWords, nameWords } from "./names.ts";

describe("the words of a name", () => {
  it.each([
    ["Netflix Inc.", "netflix"],
    ["NETFLIX.COM", "netflix"],
    ["Harbour Street Yoga Ltd London", "harbour street yoga"],
    ["Café Müller GmbH", "cafe muller"],
    ["Sainsbury's", "sainsburys"],
    ["ebay.co.uk", "ebay"],
    ["Co Operative Bank", "co operative bank"],
    ["Max", "max"],
  ])("%s: %s", (name, words) => {
    expect(nameWords(name).join(" ")).toBe(words);
  });

  it("of a bank line are those that are neither references nor about the payment", () => {
    expect(lineWords("SEPA-LASTSCHRIFT Stadtwerke Ulm MREF AB12 EREF 4711")).toEqual([
      "stadtwerke",
      "ulm",
    ]);
    expect(lineWords("CHECKCARD 0122 OAK HILL GYM 4482")).toEqual(["oak", "hill", "gym"]);
  });
});

describe("spellings of one name", () => {
  it.each([
    ["monthlymaint", "monthlymaintenancefee", true],
    ["harbou", "harbourgym", true],
    ["harbou", "harbourstreetyogaclub", false],
    ["max", "maxfit", false],
    ["netflix", "spotify", false],
  ])("%s is cut off from %s: %s", (short, long, is) => {
    expect(isTruncated(short, long)).toBe(is);
  });

  it.each([
    ["harbour st yoga", "harbour street yoga", true],
    ["harbour st yoga", "harbour street gym", false],
    ["first bank", "first bank trust", false],
    ["a b", "c d", false],
    ["yoga", "yoga", false],
  ])("%s and %s have the same words, some abbreviated: %s", (a, b, is) => {
    expect(isAbbreviated(a.split(" "), b.split(" "))).toBe(is);
  });
});
