import { expect, test } from "vitest";
import { sampleKnowledge, sampleSent } from "../../../test/support/knowledge-sample.ts";
import { tokenise } from "../text/tokenise.ts";
import { hintsOf } from "./hints.ts";
import { peelIntermediaries } from "./intermediary.ts";
import { aliasPartsOf } from "./alias-parts.ts";
import { findMerchant, merchantOfWebsite } from "./merchant.ts";
import { findCutMerchant } from "./cut-merchant.ts";
import { findMisspelt } from "./misspelt.ts";
import { displayName } from "./display-name.ts";
import { independentName } from "./name.ts";
import { findParties } from "./party.ts";
import { isPersonName, isUnknownPerson, nameAfter, personAtStart } from "./person.ts";
import { transferName } from "./transfer.ts";
import { findWebsite } from "./website.ts";

const knowledge = await sampleKnowledge();
const lineOf = (text: string) => ({ text, tokens: tokenise(text) });
const all = (text: string) => ({ from: 0, to: tokenise(text).length });
const contextOf = (currency: string) => ({
  hints: hintsOf({ ...sampleSent, currency, country: null }, knowledge),
  state: 0,
});

function merchantIn(text: string, currency = "USD"): string | null {
  const line = lineOf(text);
  const parts = aliasPartsOf(line, knowledge);
  const context = contextOf(currency);
  const found =
    findMerchant(line, parts, all(text), context, knowledge) ??
    findCutMerchant(line, parts, all(text), context, knowledge);
  return found === null ? null : knowledge.text(knowledge.merchants.name[found.merchant] ?? 0);
}

test("an alias is found however it is spaced and hyphenated", () => {
  expect(merchantIn("7ELEVEN 33421")).toBe("Seven Eleven");
  expect(merchantIn("HOME WOOD SUITES")).toBe("Homewood Suites");
  expect(merchantIn("HOMEWOOD SUITES BY HIL")).toBe("Homewood Suites");
});

test("the number of a shop that is glued to the last word of a known name is cut off", () => {
  expect(merchantIn("HOMEWOOD SUITES12")).toBe("Homewood Suites");
  expect(merchantIn("ACME CLOUD7")).toBe("Acme Cloud");
  expect(merchantIn("ACME BLOUD7")).toBeNull();
});

test("an alias that is also a word needs its country, its place in front, or to be all there is", () => {
  expect(merchantIn("SHELL OIL 57444")).toBe("Shell");
  expect(merchantIn("TACO SHELL")).toBeNull();
  expect(merchantIn("SHELL COTTAGE", "AUD")).toBeNull();
});

test("in the middle of a line words that many names hold are nobody's, behind a name or in front of another trade", () => {
  expect(merchantIn("MCW MARKET SHELL")).toBe("Market Shell Plaza");
  expect(merchantIn("BRUCES MARKET SHELL")).toBeNull();
  expect(merchantIn("MCW MARKET SHELL DENTAL")).toBeNull();
  expect(merchantIn("BROOK DENTAL HOMEWOOD SUITES")).toBeNull();
});

test("a number glued to a name is no part of it", () => {
  expect(merchantIn("TESCO3392", "GBP")).toBe("Tesco");
  expect(merchantIn("43035135TESCO", "GBP")).toBe("Tesco");
  expect(merchantIn("TES1CO23", "GBP")).toBeNull();
  expect(merchantIn("HOMEWOOD4471SUITES")).toBe("Homewood Suites");
  expect(merchantIn("HOMEWOOD44SUITES")).toBeNull();
});

test("a single word of another country's merchant is not believed", () => {
  expect(merchantIn("TESCO STORES 123", "GBP")).toBe("Tesco");
  expect(merchantIn("TESCO 123", "USD")).toBeNull();
});

test("prefixes need their star, or the gap it left", () => {
  const rows = (text: string): number =>
    peelIntermediaries(lineOf(text), all(text), knowledge).rows.length;
  expect(rows("SQ *CORNER BAKERY")).toBe(1);
  expect(rows("SQ  CORNER BAKERY")).toBe(1);
  expect(rows("SQ CORNER BAKERY")).toBe(0);
  expect(rows("PAYPAL CORNERSHOP")).toBe(1);
  expect(rows("PAYPAL *SQ *CORNER BAKERY")).toBe(2);
});

test("websites are read whole, cut off, and never out of plain words", () => {
  const domain = (text: string, home: string | null): string | null =>
    findWebsite(lineOf(text), all(text), home, knowledge)?.domain ?? null;
  expect(domain("WWW.BLUE-KETTLE.COM 800-555-0100", "US")).toBe("blue-kettle.com");
  expect(domain("WWW.KETTLES.ORG.U 020", "GB")).toBe("kettles.org.uk");
  expect(domain("WWW.KETTLES.CO 020", "GB")).toBe("kettles.co.uk");
  expect(domain("KETTLES.COM-LONDON", "GB")).toBe("kettles.com");
  expect(domain("WWWKETTLES.CO.UK", "GB")).toBe("kettles.co.uk");
  expect(domain("ST.JOHNS DINER", "US")).toBeNull();
});

test("names of unknown merchants get sensible capitals and lose what is no name", () => {
  const name = (text: string, afterWording = false): string | null => {
    const line = lineOf(text);
    const span = independentName(line, all(text), [], knowledge, afterWording);
    return span === null ? null : displayName(line, span);
  };
  expect(name("MILL CREEK ANIMAL HOSPIT")).toBe("Mill Creek Animal Hospit");
  expect(name("JOE'S & SONS PLUMBING LLC")).toBe("Joe's & Sons Plumbing");
  expect(name("the house of tea ltd 1234")).toBe("The House of Tea");
  expect(name("MacLeod Books")).toBe("MacLeod Books");
  expect(name("PAYROLL EXCELSIOR DIRECT DEP", true)).toBe("Excelsior");
  expect(name("PAYMENT 123456")).toBeNull();
  expect(name("12345")).toBeNull();
  expect(name("MOSQUITO PATROL - NY")).toBe("Mosquito Patrol");
  expect(name("BROOK KETTLES L")).toBe("Brook Kettles");
  expect(name("365 GAMES")).toBe("365 Games");
  expect(name("ADP TAX ADP TAX")).toBe("Adp Tax");
  expect(name("BACK TO BACK")).toBe("Back to Back");
  expect(name("PEARL NAILS & SPA")).toBe("Pearl Nails & Spa");
  expect(name("OVERDRAFT BROOK CITY COUNCIL", true)).toBe("Brook City Council");
});

test("people are told from companies behind a rail", () => {
  const person = (text: string): boolean => isPersonName(lineOf(text), all(text), knowledge);
  expect(person("JOHN SMITH")).toBe(true);
  expect(person("SMITH CONSULTING LLC")).toBe(false);
  expect(person("CORNER MARKET")).toBe(false);
  expect(nameAfter(lineOf("ZELLE TO JOHN SMITH ON 01/23"), 1)).toEqual({ from: 2, to: 4 });
  expect(transferName(lineOf("TRANSFER TO JOHN SMITH"))).toEqual({ from: 2, to: 4 });
  // The holder's own name, in front of his other account.
  expect(transferName(lineOf("TRANSFER TO SMITH J EVERYDAY CHECKING"))).toBeNull();
  expect(transferName(lineOf("TRANSFER FROM SMITH J REF #IB0XX WAY2SAVE SAVINGS"))).toBeNull();
  const fromAccount = lineOf("TRANSFER TO JOHN SMITH FROM CHECKING");
  expect(transferName(fromAccount)).toMatchObject({ from: 2 });
  const receipt = lineOf("FASTER PAYMENTS RECEIPT REF RENT FROM J QUILL");
  expect(transferName(receipt)).toEqual({ from: 6, to: 8 });
  expect(person("J QUILL")).toBe(true);
});

test("one word of a name that goes on is not its owner's", () => {
  expect(merchantIn("SHELL & SAND FABRICS")).toBeNull();
  expect(merchantIn("SHELL OF MARKET")).toBeNull();
  expect(merchantIn("SHELL OIL & GAS")).toBe("Shell");
  expect(merchantIn("TESCO OF QUILLFORD", "GBP")).toBe("Tesco");
});

test("where, for what and with what a name was paid is no part of it", () => {
  const name = (text: string): string | null => {
    const line = lineOf(text);
    const span = independentName(line, all(text), [], knowledge, false);
    return span === null ? null : displayName(line, span, null, knowledge.abbreviations);
  };
  expect(name("LOBSTER KETTLE RT 1 QUILLFORD")).toBe("Lobster Kettle");
  expect(name("KETTLE CRABS WWW.KETTLECPA")).toBe("Kettle Crabs");
  expect(name("COPPER KETTLE BAKESHOP Quillford")).toBe("Copper Kettle Bakeshop");
  expect(name("CITY OF QUILLFORD WATER SEWER")).toBe("City of Quillford");
  expect(name("QUILLFORD GENERAL CLINIC PATIENT PAY")).toBe("Quillford General Clinic");
  expect(name("FROSTY KETTLE DRIVE-IN")).toBe("Frosty Kettle Drive-In");
});

test("abbreviations that only the word beside them explains are written out", () => {
  const name = (text: string): string =>
    displayName(lineOf(text), all(text), null, knowledge.abbreviations);
  expect(name("QUILLFORD PEST CTRL")).toBe("Quillford Pest Control");
  expect(name("OUR KETTLE BAPTIST CH")).toBe("Our Kettle Baptist Church");
  expect(name("KETTLE COUNTY MUNICIPAL CT")).toBe("Kettle County Municipal Court");
  expect(name("FARMERS & MERCHANTS BK")).toBe("Farmers & Merchants Bank");
  expect(name("KETTLE CO DISTRICT CLERK")).toBe("Kettle County District Clerk");
  expect(name("QUILL FUNERAL HM")).toBe("Quill Funeral Home");
  expect(name("QUILL EMERG PHYS")).toBe("Quill Emergency Physicians");
  expect(name("QUILL ELEC COOP")).toBe("Quill Electric Coop");
  expect(name("JADE KETTLE REST")).toBe("Jade Kettle Restaurant");
  expect(name("QUILL REST HAVEN")).toBe("Quill Rest Haven");
  expect(name("QUILL BAY SD 9")).toBe("Quill Bay School District 9");
});

test("whoever stands behind TO or FROM of a transfer is a person, whatever the name", () => {
  const person = (text: string, from: number): boolean =>
    isUnknownPerson(lineOf(text), { from, to: tokenise(text).length }, knowledge);
  expect(person("PAYMENT TO THABI M", 2)).toBe(true);
  expect(person("PAYMENT THABI M", 1)).toBe(false);
  expect(person("TRANSFER TO MY SAVINGS", 2)).toBe(false);
  expect(person("TRANSFER TO CORNER MARKET", 2)).toBe(false);
  expect(person("TRANSFER TO XKZQ PLMN", 2)).toBe(false);
});

test("what a payer writes in small letters, or behind a dash, is no part of who it is", () => {
  const text = (line: string): string => {
    const { from, to } = nameAfter(lineOf(line), 2);
    return tokenise(line)
      .slice(from, to)
      .map((token) => token.text)
      .join(" ");
  };
  expect(text("PAYMENT TO JASMINE QUILL camping food")).toBe("jasmine quill");
  expect(text("TRANSFER TO QUILL JOHN - MEMBER SHARE")).toBe("quill john");
  expect(text("PAYMENT TO Chloe van Dijk")).toBe("chloe van dijk");
});

test("the bank's own business has no counterparty", () => {
  const text = "CORNER DENTAL";
  const input = {
    line: lineOf(text),
    span: all(text),
    tail: { from: 2, to: 2 },
    context: contextOf("USD"),
    afterWording: true,
    labelled: false,
    mute: false,
    paysWages: false,
    card: false,
    rail: false,
  };
  expect(findParties({ ...input, bankInternal: true }, knowledge).party.kind).toBe("none");
  expect(findParties({ ...input, bankInternal: false }, knowledge).party.kind).toBe("named");
});

test("a brand that nobody checked is not believed in front of other words behind a small shop's terminal", () => {
  const found = (text: string): string => {
    const input = {
      line: lineOf(text),
      span: all(text),
      tail: { from: all(text).to, to: all(text).to },
      context: contextOf("USD"),
      afterWording: false,
      labelled: false,
      mute: false,
      paysWages: false,
      card: true,
      rail: false,
      bankInternal: false,
    };
    return findParties(input, knowledge).party.kind;
  };
  expect(found("SUNDIAL WINDOW CLE")).toBe("merchant");
  expect(found("SQ *SUNDIAL")).toBe("merchant");
  expect(found("SQ *SUNDIAL WINDOW CLE")).toBe("named");
});

test("of several that share a website it is whose name it says", () => {
  const found = merchantOfWebsite("tesco.com", contextOf("GBP"), knowledge);
  expect(knowledge.text(knowledge.merchants.name[found] ?? 0)).toBe("Tesco");
});

test("words that nothing shows to be a name are nobody's, a trade or a place makes them one", () => {
  const named = (text: string, tail: number): string => {
    const line = lineOf(text);
    const to = line.tokens.length - tail;
    const input = {
      line,
      span: { from: 0, to },
      tail: { from: to, to: line.tokens.length },
      context: contextOf("USD"),
      afterWording: false,
      labelled: false,
      mute: false,
      paysWages: false,
      card: tail > 0,
      rail: false,
      bankInternal: false,
    };
    return findParties(input, knowledge).party.kind;
  };
  expect(named("QUARTZ LANTERN", 0)).toBe("none");
  expect(named("QUARTZ LANTERN DENTAL", 0)).toBe("named");
  expect(named("QUARTZ LANTERN FREDERICKSBURG VA", 2)).toBe("named");
});

test("a name that is one slip from a known one is found, when no word of it is another word", () => {
  const misspelt = (text: string): string | null => {
    const line = lineOf(text);
    const found = findMisspelt(
      line,
      aliasPartsOf(line, knowledge),
      all(text),
      contextOf("USD"),
      knowledge,
    );
    return found === null ? null : knowledge.text(knowledge.merchants.name[found.merchant] ?? 0);
  };
  expect(misspelt("HOMEWOD SUITES")).toBe("Homewood Suites");
  expect(misspelt("HOMEWODO SUITES 123")).toBe("Homewood Suites");
  expect(misspelt("HOMEWOD SUITES PIZZA")).toBeNull();
  expect(misspelt("HOMWOD SUITES")).toBeNull();
  // The slip is in no word: an S that was cut off.
  expect(misspelt("HOMEWOODX SUITE")).toBeNull();
});

test("a person is who a transfer begins with, up to the family name; a firm or a shop is none", () => {
  const person = (text: string, isTransfer = true): string | null => {
    const line = lineOf(text);
    const span = personAtStart(line, all(text), isTransfer, knowledge);
    return span === null ? null : displayName(line, span);
  };
  expect(person("MR T J OKAFOR FOOTBALL")).toBe("T J Okafor");
  expect(person("John Smith dental bill")).toBe("John Smith");
  expect(person("John Smith store", false)).toBeNull();
  expect(person("John Smith Lettings ref flat 3")).toBeNull();
  expect(person("SMITH & SONS")).toBeNull();
  expect(person("PIZZA HOUSE")).toBeNull();
});
