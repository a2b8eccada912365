import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleKnowledge } from "../../../test/support/knowledge-sample.ts";
import { hashSeed, hashText } from "../text/hash.ts";
import { normaliseText } from "../text/normalise.ts";
import { tokenise } from "../text/tokenise.ts";
import { type WebAddress, findAddress } from "./address.ts";

const sample = await sampleKnowledge();

/** The first address of a line, where these domains and no others are registered. */
function addressOf(
  text: string,
  registered: readonly string[] = [],
  home: string | null = "US",
): WebAddress | null {
  const hashes = new Set(registered.map((domain) => hashText(hashSeed, domain)));
  const core = { has: (hash: number): boolean => hashes.has(hash) };
  const domains = { core, older: { has: () => false } };
  return findAddress({ text, tokens: tokenise(text) }, home, { ...sample, domains });
}

test.each([
  ["WWW.KETTLECO.COM", "kettleco.com"],
  ["HELP.KETTLECO.COM CA", "kettleco.com"],
  ["KETTLECO.CO.UK LONDON", "kettleco.co.uk"],
  ["WWW.BLUE-KETTLE.COM", "blue-kettle.com"],
  ["WWW.DE-KETTLE.COM", "de-kettle.com"],
  ["KETTLECO.COM/BILL", "kettleco.com"],
  ["KETTLECO/COM", "kettleco.com"],
  ["KETTLECO.COM.LONDON", "kettleco.com"],
  ["KETTLECO.COM-LONDON", "kettleco.com"],
  ["WWWKETTLECO.COM", "kettleco.com"],
  ["POS 1234 KETTLECO.COM", "kettleco.com"],
])("the domain of %s is %s", (text, domain) => {
  expect(addressOf(text)?.domain).toBe(domain);
});

test.each([
  "GOV.UK",
  "WWW.COM",
  "WWW.CO.UK",
  "J.SMITH",
  "ST. LOUIS",
  "12.50",
  "A.B.C",
  "SHELL",
  "",
])("%s has no address of a company", (text) => {
  expect(addressOf(text)).toBeNull();
});

test("the span covers all tokens of the address, and only these", () => {
  expect(addressOf("POS HELP.KETTLECO.COM CA")?.span).toEqual({ from: 1, to: 4 });
});

test("a British address that a field cut off is completed where the domain is registered", () => {
  expect(addressOf("KETTLECO.CO", ["kettleco.co.uk"], "GB")?.domain).toBe("kettleco.co.uk");
  expect(addressOf("KETTLECO.CO", ["kettleco.com"], "US")?.domain).toBe("kettleco.com");
  expect(addressOf("KETTLECO.CO.U", ["kettleco.co.uk"], "GB")?.domain).toBe("kettleco.co.uk");
});

test("a British address is completed without a list where nothing else can follow", () => {
  const british = ["WWW.KETTLECO.CO.", "KETTLECO.ORG. 02075", "WWW.KETTLECO.GOV.", "KETTLECO.GOV"];
  expect(british.map((text) => addressOf(text, [], "GB")?.domain)).toEqual([
    "kettleco.co.uk",
    "kettleco.org.uk",
    "kettleco.gov.uk",
    "kettleco.gov.uk",
  ]);
  expect(addressOf("KETTLECO.GOV", [], "US")?.domain).toBe("kettleco.gov");
});

test("a British address cut to its first letters ends in co.uk unless its com is registered", () => {
  const cut = ["WWW.KETTLECO.CO", "KETTLECO.CO", "WWW.KETTLECO.C"];
  const domains = (registered: readonly string[]) =>
    cut.map((text) => addressOf(text, registered, "GB")?.domain);
  expect(domains([])).toEqual(["kettleco.co.uk", "kettleco.co.uk", "kettleco.co.uk"]);
  expect(domains(["kettleco.com"])).toEqual(["kettleco.com", "kettleco.com", "kettleco.com"]);
  expect(addressOf("WWW.KETTLECO.C", [], "US")).toMatchObject({ label: "kettleco", domain: null });
});

test("an address without dots behind WWW need not be registered", () => {
  expect(addressOf("WWW KETTLECO CO UK", [], "GB")?.domain).toBe("kettleco.co.uk");
  expect(addressOf("KETTLECO CO UK", [], "GB")).toBeNull();
});

test("an announced address that lost its ending has the registered one, unless it is short", () => {
  const registered = ["kettleco.co.uk", "kettle.co.uk"];
  expect(addressOf("WWW.KETTLECO.", registered, "GB")?.domain).toBe("kettleco.co.uk");
  expect(addressOf("WWW.KETTLE.", registered, "GB")?.domain).toBeNull();
  expect(addressOf("POS.KETTLECO.", registered, "GB")).toBeNull();
});

test("an announced address without an ending has a label and no domain", () => {
  expect(addressOf("WWW.KETTLECO")).toMatchObject({ label: "kettleco", domain: null });
});

test("an address without its dots is found where it is registered", () => {
  expect(addressOf("WWWKETTLECOCOM", ["kettleco.com"])?.domain).toBe("kettleco.com");
  expect(addressOf("KETTLECO CO UK", ["kettleco.co.uk"], "GB")?.domain).toBe("kettleco.co.uk");
  expect(addressOf("WWWKETTLECOCOM")).toBeNull();
});

const fragment = fc.constantFrom("WWW.", "KETTLE", ".CO", ".UK", "-", "/", ".COM", " ", "1", "é.");
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(fragment, { maxLength: 60 }).map((all) => all.join("")),
);

test("an address lies inside the line, whatever comes in", () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom("US", "GB", null), (raw, home) => {
      const text = normaliseText(raw);
      const address = addressOf(text, ["kettle.com", "kettle.co.uk"], home);
      if (address === null) return;
      expect(address.span.from).toBeGreaterThanOrEqual(0);
      expect(address.span.to).toBeGreaterThan(address.span.from);
      expect(address.span.to).toBeLessThanOrEqual(tokenise(text).length);
      expect(address.label).not.toBe("");
      if (address.domain !== null) expect(address.domain).toMatch(/^[^.]+\../u);
    }),
  );
});
