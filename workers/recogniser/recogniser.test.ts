import fc from "fast-check";
import { v3 as uuidV3 } from "uuid";
import { expect, test } from "vitest";
import type { Facts } from "../../src/model/facts.ts";
import { idOf } from "./entities.ts";
import { createRecogniser } from "./recogniser.ts";
import { sampleKnowledge } from "../../test/support/knowledge-sample.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";

const recognise = createRecogniser(await sampleKnowledge());

/** A second thread, so to say: nothing one has seen may change what it answers. */
const other = createRecogniser(await sampleKnowledge());

const read = (description: string, over: Partial<RecogniserInput> = {}): Facts =>
  recognise({
    description,
    amount: 12.5,
    entryType: "outgoing",
    currency: "USD",
    accountType: "consumer",
    rawAddress: null,
    country: null,
    ...over,
  });

const brief = (facts: Facts): readonly unknown[] => [
  facts.entities?.counterparty?.name ?? null,
  facts.entities?.counterparty?.website ?? null,
  facts.entities?.intermediaries.map((entity) => entity.name).join() ?? "",
  facts.categories?.general ?? null,
];

test("a known merchant inside a card wrapping, with its shop and place", () => {
  const facts = read(
    "PURCHASE AUTHORIZED ON 01/23 7-ELEVEN 33421 AUSTIN TX S123456789012345 CARD 1082",
  );
  expect(brief(facts)).toEqual(["Seven Eleven", "7-eleven.com", "", "convenience stores"]);
  expect(facts.location).toMatchObject({
    raw_address: "Austin, TX",
    structured: {
      city: "Austin",
      state: "TX",
      country_code: "US",
      country: "United States",
      store_number: "33421",
    },
  });
});

test("the bank that keeps the account is nobody that was paid", () => {
  expect(read("ZELLE").entities?.counterparty?.name).toBe("Zelle");
  expect(read("OVERDRAFT FEE ZELLE").entities?.counterparty ?? null).toBeNull();
  expect(read("ZELLE OVERDRAFT FEE").entities?.counterparty ?? null).toBeNull();
  expect(
    read("ATM WITHDRAWAL TESCO RYE", { currency: "GBP" }).entities?.counterparty ?? null,
  ).toBeNull();
});

test("a name stands behind a mark that nobody knows", () => {
  expect(brief(read("ZQ*CORNER KETTLE DELI PORTLAND OR"))).toEqual([
    "Corner Kettle Deli",
    null,
    "",
    "groceries",
  ]);
});

test("a website that was taken for the contact names who nothing else names", () => {
  expect(brief(read("RSX PA NETFLIX.COM 312-9155512")).slice(0, 2)).toEqual([
    "Netflix",
    "netflix.com",
  ]);
});

test("behind a transfer service a name may follow the bank's own words", () => {
  const named = (text: string) => read(text).entities?.counterparty;
  expect(named("ZELLE TRANSFER CONF# A1B2C3; SMITH, JOHN")).toMatchObject({
    type: "person",
    name: "John Smith",
  });
  expect(named("ZELLE PAYMENT TO MEI-QUIN CHOU")).toMatchObject({
    type: "person",
    name: "Mei-Quin Chou",
  });
  expect(named("ZELLE TO KETTLE MARKET")).toMatchObject({
    type: "organization",
    name: "Kettle Market",
  });
});

test("the category comes from what is written of a name before what it is completed to", () => {
  expect(brief(read("CORNER KETTLE DELI AND PIZZERPORTLAND     OR")).slice(3)).toEqual([
    "groceries",
  ]);
});

test("ids follow the website, or the name where there is none", () => {
  const counterparty = read("NETFLIX.COM LOS GATOS CA").entities?.counterparty;
  expect(counterparty?.id).toBe(uuidV3("netflix.com", uuidV3.DNS));
  const unknown = read("BIRCHWOOD DENTAL GROUP PORTLAND OR").entities?.counterparty;
  expect(unknown).toMatchObject({
    name: "Birchwood Dental Group",
    website: null,
    type: "organization",
  });
  expect(unknown?.id).toBe(idOf("BIRCHWOOD  dental group", null));
});

test("the amount decides between brands of one name that trade in the same place", () => {
  const who = (amount: number): unknown => brief(read("MERIDIAN", { country: "US", amount }))[0];
  expect([who(60), who(1500)]).toEqual(["Meridian Fuel", "Meridian Home"]);
});

test("the country decides between merchants of one name", () => {
  expect(read("SHELL OIL 57444").entities?.counterparty?.website).toBe("shell.us");
  expect(read("SHELL 1234", { currency: "GBP" }).entities?.counterparty).toMatchObject({
    website: "shell.co.uk",
    parent: { name: "Shell plc", website: "shell.com" },
    phone_number: null,
    tax_number: null,
    naics2017: null,
  });
});

test("an amount that hardly anybody pays there makes a name need more evidence, and changes nothing of a whole one", () => {
  const name = (text: string, amount: number, over: Partial<RecogniserInput> = {}): unknown =>
    brief(read(text, { amount, ...over }))[0];
  expect(name("SUNDIAL KAYAK", 60, { country: "US" })).toBe("Sundial Catalog");
  expect(name("SUNDIAL KAYAK", 60_000, { country: "US" })).not.toBe("Sundial Catalog");
  expect(name("SHELL OIL 57444", 60_000)).toBe("Shell");
  // A company pays any amount, and what a shop pays is not what is paid there.
  expect(name("SUNDIAL KAYAK", 60_000, { country: "US", accountType: "business" })).toBe(
    "Sundial Catalog",
  );
  expect(name("SUNDIAL KAYAK", 60_000, { country: "US", entryType: "incoming" })).toBe(
    "Sundial Catalog",
  );
});

test("who stands behind a processor is the counterparty; a delivery service is itself, whatever restaurant follows", () => {
  expect(brief(read("SQ *JOE'S CORNER BAKERY Portland OR"))).toEqual([
    "Joe's Corner Bakery",
    null,
    "Square",
    "not enough information",
  ]);
  expect(brief(read("DOORDASH*WENDYS 855-973-1040 CA"))).toEqual([
    "DoorDash",
    "doordash.com",
    "",
    "food and drink",
  ]);
  expect(brief(read("DOORDASH*THAI PLACE"))).toEqual([
    "DoorDash",
    "doordash.com",
    "",
    "food and drink",
  ]);
  expect(brief(read("UBER   *EATS             HELP.UBER.COMCA"))).toEqual([
    "Uber Eats",
    "ubereats.com",
    "",
    "food and drink",
  ]);
});

test("what stands behind two marks, or in a wallet's field, is the counterparty", () => {
  expect(brief(read("PAYPAL *UBER TRIP"))).toEqual([
    "Uber",
    "uber.com",
    "PayPal",
    "ridesharing and taxis",
  ]);
  const field = "PAYPAL DES:INST XFER ID:NETFLIX INDN:JANE DOE CO ID:PAYPALSI77 WEB";
  expect(brief(read(field))).toEqual(["Netflix", "netflix.com", "PayPal", "media"]);
  expect(brief(read("PAYPAL *NETFLIX.COM"))).toEqual(["Netflix", "netflix.com", "PayPal", "media"]);
});

test("a processor is not the answer where the name of the shop was cut off", () => {
  expect(brief(read("PAYPAL *WILLIAMFRANCIS")).slice(0, 3)).toEqual([null, null, "PayPal"]);
});

test("money from a platform is income, unless a card terminal wrote the line", () => {
  const incoming = (text: string): unknown => brief(read(text, { entryType: "incoming" }))[3];
  expect(incoming("UBER USA 6787 EDI PAYMNT 8801")).toBe("rideshare and delivery income");
  expect(incoming("DOORDASH PAYOUT 4488120")).toBe("rideshare and delivery income");
  expect(incoming("UBER   *TRIP HELP.UBER.COM CA")).toBe("refund");
});

test("the shorthand of banks and agencies names nobody", () => {
  for (const text of [
    "JCpBXKUXhfFJRX XX/XX #XXXXXXXXX PMNT RCVD",
    "RT FED REPUBLIC TRS",
    "Send Money transaction initiated on Gingham",
    "CHECK 1042",
    "CHECK #1042",
  ])
    expect(read(text, { entryType: "incoming" }).entities?.counterparty).toBeNull();
});

test("who is called by kinship is no family name in front of a first one", () => {
  expect(brief(read("ZELLE TO AUNT JOHN"))[0]).toBe("Aunt John");
  expect(brief(read("ZELLE TO SMITH JOHN"))[0]).toBe("John Smith");
});

test("a person is recognised behind a payment rail", () => {
  const facts = read("ZELLE TO JOHN SMITH ON 01/23 REF # ABC1234");
  expect(brief(facts)).toEqual(["John Smith", null, "Zelle", "peer to peer transfer"]);
  expect(facts.entities?.counterparty?.type).toBe("person");
  const indian = read("UPI-JOHN SMITH-JOHNS@OKBANK-ABCD0001234", { currency: "INR" });
  expect(brief(indian)).toEqual(["John Smith", null, "", "peer to peer transfer"]);
});

test("the bank's own business has a category and no counterparty", () => {
  expect(brief(read("OVERDRAFT FEE FOR A TRANSACTION ON 01/02 NETFLIX.COM"))).toEqual([
    null,
    null,
    "",
    "non-sufficient funds / overdraft fee",
  ]);
  expect(brief(read("Online Transfer to SAVINGS 1234"))).toEqual([
    null,
    null,
    "",
    "intra account transfer",
  ]);
});

test("payroll names the employer", () => {
  const facts = read("EXCELSIOR WELDING DES:PAYROLL ID:12345 INDN:DOE,JANE CO ID:1234567890 PPD", {
    entryType: "incoming",
  });
  expect(brief(facts)).toEqual(["Excelsior Welding", null, "", "paycheck"]);
});

test("money back from a shop is a refund", () => {
  expect(brief(read("TESCO STORES 6440", { entryType: "incoming", currency: "GBP" }))[3]).toBe(
    "refund",
  );
});

test("names cut off by the field are completed, cities too", () => {
  expect(read("HOMEWOOD SUITES BY HILT  FREDERICKSBURVA")).toMatchObject({
    entities: { counterparty: { name: "Homewood Suites" } },
    location: { structured: { city: "Fredericksburg", state: "VA", latitude: 38.3032 } },
  });
});

test("a website in the line names an unknown merchant", () => {
  expect(brief(read("WWW.BLUE-KETTLE.CO.U 0208 2188868", { currency: "GBP" }))).toEqual([
    "Blue Kettle",
    "blue-kettle.co.uk",
    "",
    "not enough information",
  ]);
});

test("a website behind an unknown name is its own only when it says the name", () => {
  expect(brief(read("KETTLECO             HELP.KETTLECO.COM CA"))).toEqual([
    "Kettleco",
    "kettleco.com",
    "",
    "not enough information",
  ]);
  expect(brief(read("CORNER CAFE          PAYMENTHUB.COM CA"))[1]).toBeNull();
});

test("abbreviations are understood in names of known and unknown merchants", () => {
  expect(brief(read("HOMEWOOD STES 123"))[0]).toBe("Homewood Suites");
  expect(brief(read("BIRCHWOOD DNTL PORTLAND OR"))).toEqual([
    "Birchwood Dental",
    null,
    "",
    "medical bill",
  ]);
});

test("what an office is paid for goes before what it is", () => {
  const category = (text: string): unknown => brief(read(text))[3];
  expect(category("AUSTIN COUNTY PERMITS")).toBe("government");
  expect(category("AUSTIN COUNTY WATER")).toBe("utilities");
  expect(category("AUSTIN COUNTY UTILITIE")).toBe("utilities");
  expect(category("AUSTIN COUNTY WATER PARK")).toBe("government");
  expect(category("AUSTIN COUNTY 12 WATER ST")).toBe("government");
  expect(brief(read("AUSTIN COUNTY WATER", { entryType: "incoming" }))[3]).toBe(
    "government benefits",
  );
  expect(
    category("PURCHASE AUTHORIZED ON 01/23 CITY OF RYE WATER DEPT S123456789012345 CARD 1082"),
  ).toBe("utilities");
  expect(
    category("PURCHASE AUTHORIZED ON 01/23 CITY OF WATER VALLEY S123456789012345 CARD 1082"),
  ).toBe("government");
  expect(category("PURCHASE AUTHORIZED ON 01/23 CITY OF RYE S123456789012345 CARD 1082")).toBe(
    "government",
  );
});

test("the account decides the set of categories", () => {
  expect(read("ACME CLOUD", { accountType: null }).categories).toBeNull();
  expect(read("ACME CLOUD").categories).toEqual({ general: "saas tools", accounting: null });
  expect(read("ACME CLOUD", { accountType: "business" }).categories).toEqual({
    general: "saas tools",
    accounting: "operational expenses",
  });
  expect(read("QWERTZ", { accountType: "business" }).categories).toEqual({
    general: "not enough information",
    accounting: null,
  });
});

test("an address that was sent along is taken apart", () => {
  const facts = read("TESCO STORES 6440", { rawAddress: "12 Main St, Austin, TX 73301" });
  expect(facts.location).toMatchObject({
    raw_address: "12 Main St, Austin, TX 73301",
    structured: {
      house_number: "12",
      street: "Main St",
      city: "Austin",
      state: "TX",
      postcode: "73301",
      latitude: 30.3264,
    },
  });
});

test("never throws and is deterministic, whatever comes in", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 1024 }),
      fc.constantFrom("incoming", "outgoing"),
      (description, entryType) => {
        const first = JSON.stringify(read(description, { entryType, rawAddress: description }));
        expect(
          JSON.stringify(
            other({
              description,
              amount: 12.5,
              entryType,
              currency: "USD",
              accountType: "consumer",
              rawAddress: description,
              country: null,
            }),
          ),
        ).toBe(first);
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

test("a service that is paid through may stand behind the name", () => {
  expect(brief(read("BIRCHWOOD DENTAL SQ *BIRCHW AUSTIN TX"))[0]).toBe("Birchwood Dental");
});
