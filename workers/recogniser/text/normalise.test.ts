import fc from "fast-check";
import { expect, test } from "vitest";
import { normaliseText, TEXT_LENGTH_MAX } from "./normalise.ts";

test("keeps plain text, gaps included, and trims the ends", () => {
  expect(normaliseText("  ACME MARKET     SPRINGFIELDIL ")).toBe("ACME MARKET     SPRINGFIELDIL");
});

test("replaces what terminals and word processors add", () => {
  expect(normaliseText("JOE\u2019S\u00a0DINER\u0000\u200bX \ud800Y")).toBe("JOE'S DINER X  Y");
});

test("never grows a text and is stable, whatever comes in", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 1500 }), (text) => {
      const clean = normaliseText(text);
      expect(clean.length).toBeLessThanOrEqual(Math.min(text.length, TEXT_LENGTH_MAX));
      expect(normaliseText(clean)).toBe(clean);
      expect(clean.isWellFormed()).toBe(true);
    }),
  );
});
