import { expect, test } from "vitest";
import type { Counterparty } from "../../src/model/facts.ts";
import { createRecogniser } from "./recogniser.ts";
import { sampleKnowledge } from "../../test/support/knowledge-sample.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";

const PUBLIC_URL = "https://ledgerline.example";
const recognise = createRecogniser(await sampleKnowledge(), PUBLIC_URL);

const item = (description: string, over: Partial<RecogniserInput> = {}): RecogniserInput => ({
  description,
  amount: 12.5,
  entryType: "outgoing",
  currency: "USD",
  accountType: null,
  rawAddress: null,
  country: null,
  ...over,
});

const read = (description: string, over: Partial<RecogniserInput> = {}): Counterparty | null =>
  recognise(item(description, over)).entities?.counterparty ?? null;

test("every organization has a logo at the service itself, known or not", () => {
  for (const text of ["NETFLIX.COM LOS GATOS CA", "LUIGI'S PIZZA AUSTIN TX"]) {
    const entity = read(text);
    expect(entity?.logo).toBe(
      `${PUBLIC_URL}/logos/${entity?.id ?? ""}.svg?name=${entity?.name?.charAt(0) ?? ""}`,
    );
  }
  const { entities } = recognise(item("SQ *JOE'S CORNER BAKERY Portland OR"));
  expect(entities?.intermediaries[0]?.logo).toMatch(/\/logos\/[0-9a-f-]{36}\.svg\?name=S$/u);
});

test("a person has neither logo nor telephone number", () => {
  expect(read("TRANSFER TO MRS MARIA LOPEZ 866-579-7172")).toMatchObject({
    type: "person",
    logo: null,
    phone_number: null,
  });
});

test("without a public URL there are no logos", async () => {
  const facts = createRecogniser(await sampleKnowledge())(item("NETFLIX.COM LOS GATOS CA"));
  expect(facts.entities?.counterparty).toMatchObject({ name: "Netflix", logo: null });
});

test("the number behind a name is the counterparty's, unless it may be that of who stands between", () => {
  expect(read("NETFLIX.COM 866-579-7172 CA")?.phone_number).toBe("+18665797172");
  expect(read("NETFLIX.COM LOS GATOS CA")?.phone_number).toBeNull();
  expect(read("PAYPAL *NETFLIX 402-935-7733 CA")).toMatchObject({
    name: "Netflix",
    phone_number: null,
  });
});

test("the trade follows the merchant's code, else its category", () => {
  expect(read("TESCO STORES 6440", { currency: "GBP" })?.naics2017).toBe("445110");
  expect(read("WENDYS 123 AUSTIN TX")?.naics2017).toBe("722513");
  // No code of the sample: the sector follows from the category `media`.
  expect(read("NETFLIX.COM LOS GATOS CA")?.naics2017).toBe("51");
  expect(read("SHELL OIL 57444")?.naics2017).toBeNull();
});

test("an unknown merchant has the codes of its category, where a card was used and its words say it", () => {
  expect(read("LUIGI'S PIZZA AUSTIN TX")).toMatchObject({ mccs: [5812], naics2017: "722511" });
  expect(read("SQ *GRANITE ROASTERS AUSTIN TX")).toMatchObject({
    mccs: [5814],
    naics2017: "722515",
  });
  expect(read("LUIGI'S PIZZA AUSTIN TX", { entryType: "incoming" })?.mccs).toEqual([]);
});

test("codes do not depend on the kind of the account", () => {
  const codes = ([null, "consumer", "business"] as const).map(
    (accountType) => read("LUIGI'S PIZZA AUSTIN TX", { accountType })?.mccs,
  );
  expect(codes).toEqual([[5812], [5812], [5812]]);
});
