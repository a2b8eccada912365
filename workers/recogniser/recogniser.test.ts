import fc from "fast-check";
import { v3 as uuidV3 } from "uuid";
import { describe, expect, test } from "vitest";
import type { Facts } from "../../src/model/facts.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";
import { readKnowledge } from "../../test/eval/knowledge.ts";
import { sampleKnowledge } from "../../test/support/knowledge-sample.ts";
import { paidLine } from "../../test/support/recogniser-input.ts";
import { idOf } from "./entities.ts";
import { createRecogniser } from "./recogniser.ts";

// The models were trained with the tables: what they answer is only seen with all of them.
const knowledge = readKnowledge();
const recognise = createRecogniser(knowledge);

const read = (description: string, over: Partial<RecogniserInput> = {}): Facts =>
  recognise(paidLine(description, over));

const INCOMING = { entryType: "incoming" } as const;
const BRITISH = { currency: "GBP" } as const;

const counterpartyOf = (text: string, over: Partial<RecogniserInput> = {}) =>
  read(text, over).entities?.counterparty ?? null;

const categoryOf = (text: string, over: Partial<RecogniserInput> = {}) =>
  read(text, over).categories?.general;

const throughOf = (text: string) =>
  read(text).entities?.intermediaries.map(({ name }) => name) ?? [];

test("a known merchant inside a card wrapping, with its store number and place", () => {
  const facts = read(
    "PURCHASE AUTHORIZED ON 01/23 7-ELEVEN 33421 AUSTIN TX S123456789012345 CARD 1082",
  );
  expect(facts.entities?.counterparty).toMatchObject({ name: "7-Eleven", website: "7-eleven.com" });
  expect(facts.categories?.general).toBe("convenience stores");
  expect(facts.location).toMatchObject({
    raw_address: "Austin, TX",
    structured: { city: "Austin", state: "TX", country_code: "US", store_number: "33421" },
  });
});

describe("known merchants", () => {
  test.each([
    ["STARBUCKS STORE 12345 PORTLAND OR", {}, "Starbucks", "starbucks.com"],
    ["WHOLEFDS PDX 10123 PORTLAND OR", {}, "Whole Foods Market", "wholefoodsmarket.com"],
    ["NETFLIX.COM LOS GATOS CA", {}, "Netflix", "netflix.com"],
    ["SHELL OIL 57444123 AUSTIN TX", {}, "Shell", "shell.us"],
    ["SHELL KINGSTON LONDON", BRITISH, "Shell", "shell.co.uk"],
    ["Amazon Mktplace GB*2K3AB1", BRITISH, "Amazon", "amazon.co.uk"],
    ["HOMEWOOD SUITES BY HILT  FREDERICKSBURVA", {}, "Homewood Suites", "hilton.com"],
    ["IL DEPT OF REVENUE EDI PYMNTS", {}, "Illinois Department of Revenue", "illinois.gov"],
  ] as const)("%s is recognised", (text, over, name, website) => {
    expect(counterpartyOf(text, over)).toMatchObject({ type: "organization", name, website });
  });
});

describe("unknown names", () => {
  test.each([
    ["BIRCHWOOD DENTAL GROUP PORTLAND OR", "Birchwood Dental Group", "medical bill"],
    ["MAMA ROSAS PIZZERIA PORTLAND OR", "Mama Rosas Pizzeria", "food and drink"],
    ["SUNSHINE BAKERY LLC AUSTIN TX", "Sunshine Bakery", "food and drink"],
    ["HILLSBOROUGH VETERINARY CLINIC AUSTIN TX", "Hillsborough Veterinary Clinic", "pets"],
  ])("%s is named, and its words name a category", (text, name, category) => {
    expect(counterpartyOf(text)).toMatchObject({ type: "organization", name });
    expect(categoryOf(text)).toBe(category);
  });

  test("its codes are those of a likely category, for money that leaves", () => {
    const text = "MAMA ROSAS PIZZERIA PORTLAND OR";
    expect(counterpartyOf(text)?.mccs).toEqual([5812]);
    expect(counterpartyOf(text, INCOMING)?.mccs).toEqual([]);
  });

  test("an address in the line names a merchant, also where the field cut it off", () => {
    expect(counterpartyOf("WWW.BLUE-KETTLE.CO.U 0208 2188868", BRITISH)).toMatchObject({
      name: "Blue Kettle",
      website: "blue-kettle.co.uk",
    });
  });
});

test("ids follow the website, or the name where there is none", () => {
  expect(counterpartyOf("NETFLIX.COM LOS GATOS CA")?.id).toBe(uuidV3("netflix.com", uuidV3.DNS));
  const unknown = counterpartyOf("BIRCHWOOD DENTAL GROUP PORTLAND OR");
  expect(unknown?.website).toBeNull();
  expect(unknown?.id).toBe(idOf("BIRCHWOOD  dental group", null));
});

describe("the bank's own business", () => {
  test.each([
    ["OVERDRAFT FEE", {}, "non-sufficient funds / overdraft fee"],
    ["MONTHLY SERVICE FEE", {}, "bank fee"],
    ["ATM WITHDRAWAL 001234 MAIN ST AUSTIN TX", {}, "atm/bank withdrawal"],
    ["INTEREST PAYMENT", INCOMING, "interest and dividends"],
    ["Online Transfer to SAVINGS 1234", {}, "intra account transfer"],
  ] as const)("%s has a category and no counterparty", (text, over, category) => {
    expect(counterpartyOf(text, over)).toBeNull();
    expect(categoryOf(text, over)).toBe(category);
  });

  test("a fee for a purchase is a fee", () => {
    expect(categoryOf("OVERDRAFT FEE FOR A TRANSACTION ON 01/02 NETFLIX.COM")).toBe(
      "non-sufficient funds / overdraft fee",
    );
  });

  test("a number of a cheque is not a counterparty", () => {
    expect(counterpartyOf("CHECK 1042")).toBeNull();
    expect(counterpartyOf("CHECK #1042", INCOMING)).toBeNull();
  });
});

describe("intermediaries", () => {
  test.each([
    ["TST* HILLSIDE GRILL AUSTIN TX", "Hillside Grill", "Toast"],
    ["PAYPAL *UBER TRIP", "Uber", "PayPal"],
    ["PAYPAL *NETFLIX.COM", "Netflix", "PayPal"],
    ["VENMO PAYMENT JOHN SMITH", "John Smith", "Venmo"],
  ])("the counterparty of %s is behind the mark", (text, name, intermediary) => {
    expect(counterpartyOf(text)?.name).toBe(name);
    expect(throughOf(text)).toEqual([intermediary]);
  });

  test("a delivery service is the counterparty, whatever restaurant follows", () => {
    const text = "DOORDASH*WENDYS 855-973-1040 CA";
    expect(counterpartyOf(text)).toMatchObject({ name: "DoorDash", phone_number: "+18559731040" });
    expect(throughOf(text)).toEqual([]);
  });
});

describe("persons", () => {
  test.each([
    ["ZELLE TO JOHN SMITH ON 01/23 REF # ABC1234", "John Smith"],
    ["ZELLE TRANSFER CONF# A1B2C3; SMITH, JOHN", "John Smith"],
    ["ZELLE PAYMENT TO MEI-QUIN CHOU", "Mei-Quin Chou"],
  ])("%s is paid to a person", (text, name) => {
    expect(counterpartyOf(text)).toMatchObject({ type: "person", name, website: null });
    expect(throughOf(text)).toEqual(["Zelle"]);
    expect(categoryOf(text)).toBe("peer to peer transfer");
  });

  test.each([
    ["FASTER PAYMENT TO SOPHIE CLARKE", "Sophie Clarke"],
    ["STANDING ORDER JOHN DOE", "John Doe"],
    ["TRANSFER TO JANE DOE", "Jane Doe"],
  ])("%s: words of banks and trades hold no name of persons", (text, name) => {
    expect(counterpartyOf(text)).toMatchObject({ type: "person", name });
  });

  test("who has a form of address is a person", () => {
    expect(counterpartyOf("MOBILE PAYMENT TO MR R DHILLON")).toMatchObject({
      ...{ type: "person", name: "Mr R Dhillon" },
    });
  });
});

test("payroll names the employer", () => {
  const text = "EXCELSIOR WELDING DES:PAYROLL ID:12345 INDN:DOE,JANE CO ID:1234567890 PPD";
  expect(counterpartyOf(text, INCOMING)?.name).toBe("Excelsior Welding");
  expect(categoryOf(text, INCOMING)).toBe("paycheck");
});

test("money from a platform is income, unless a card terminal wrote the line; from a shop a refund", () => {
  expect(categoryOf("UBER USA 6787 EDI PAYMNT 8801", INCOMING)).toBe(
    "rideshare and delivery income",
  );
  expect(categoryOf("DOORDASH PAYOUT 4488120", INCOMING)).toBe("rideshare and delivery income");
  expect(categoryOf("UBER   *TRIP HELP.UBER.COM CA", INCOMING)).toBe("refund");
  expect(categoryOf("TARGET 00012345 AUSTIN TX", INCOMING)).toBe("refund");
});

test("the account decides the set of categories", () => {
  const text = "MICROSOFT*AZURE MSBILL.INFO WA";
  expect(read(text, { accountType: null }).categories).toBeNull();
  expect(read(text).categories).toEqual({ general: "saas tools", accounting: null });
  const { general, accounting } = read(text, { accountType: "business" }).categories ?? {};
  expect(general).toBe("cloud infrastructure");
  expect(accounting).not.toBeNull();
});

test("an address that was sent along is taken apart", () => {
  const facts = read("STARBUCKS 6440", { rawAddress: "12 Main St, Austin, TX 73301" });
  expect(facts.location).toMatchObject({
    raw_address: "12 Main St, Austin, TX 73301",
    structured: {
      house_number: "12",
      street: "Main St",
      city: "Austin",
      state: "TX",
      postcode: "73301",
    },
  });
});

const sample = await sampleKnowledge();

test("never throws and is deterministic, whatever comes in", () => {
  const one = createRecogniser(sample);
  // A second thread, so to say: nothing one has seen may change what it answers.
  const other = createRecogniser(sample);
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 1024 }),
      fc.constantFrom("incoming", "outgoing"),
      (description, entryType) => {
        const item = paidLine(description, { entryType, rawAddress: description });
        expect(JSON.stringify(other(item))).toBe(JSON.stringify(one(item)));
      },
    ),
    { numRuns: 300 },
  );
});

test("hostile lines are answered", () => {
  const lines = [
    "",
    " ",
    "\u0000",
    "\ud800",
    "*",
    "SQ *",
    "😀".repeat(512),
    "X".repeat(1024),
    "a.".repeat(512),
    "1/".repeat(512),
    "SQ *".repeat(256),
    "DES:".repeat(256),
    "TRANSFER TO ".repeat(85),
    "TESCO ".repeat(170),
    "-".repeat(1024),
  ];
  for (const line of lines) expect(read(line).entities?.intermediaries).toBeInstanceOf(Array);
});

test("the website of an unknown name is that of the country, whichever was asked first", () => {
  const websitesIn = (countries: readonly string[]) => {
    const answer = createRecogniser(knowledge);
    return countries.map((country) => {
      const facts = answer(paidLine("PET PLANET", { country }));
      return facts.entities?.counterparty?.website;
    });
  };
  const british = "petplanet.co.uk";
  expect(websitesIn(["US", "GB", "US"])).toEqual([null, british, null]);
  expect(websitesIn(["GB", "US", "GB"])).toEqual([british, null, british]);
});
