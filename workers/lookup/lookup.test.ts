import { describe, expect, test } from "vitest";
import type { EntityDetails } from "../../src/model/entity.ts";
import { idOf } from "../recogniser/entities.ts";
import { createExaminer } from "../recogniser/recogniser.ts";
import { sampleKnowledge } from "../../test/support/knowledge-sample.ts";
import { createLookup } from "./lookup.ts";
import { processorMs } from "../../test/support/processor-time.ts";

const PUBLIC_URL = "https://ledgerline.example";
const knowledge = await sampleKnowledge();
const examine = createExaminer(knowledge, PUBLIC_URL);
const lookup = createLookup(knowledge, examine, PUBLIC_URL);

const byName = (name: string, location: string | null = null): EntityDetails | null =>
  lookup.resolveEntity({ name, website: null, location });
const byWebsite = (website: string, location: string | null = null): EntityDetails | null =>
  lookup.resolveEntity({ name: null, website, location });
/** Name and website on one line. */
const short = (entity: EntityDetails | null): string | null =>
  entity === null ? null : `${entity.name ?? ""} ${entity.website ?? ""}`;

describe("by id", () => {
  test("every merchant, parent and intermediary of the knowledge is found by its id, as transactions have it", () => {
    const { name, website } = knowledge.merchants;
    const ids = [...name.keys()].map((merchant) => {
      const site = knowledge.text(website[merchant] ?? 0);
      return idOf(knowledge.text(name[merchant] ?? 0), site === "" ? null : site);
    });
    expect(ids.length).toBeGreaterThan(15);
    for (const id of ids) {
      expect(lookup.findEntity(id)?.id).toBe(id);
      expect(lookup.findEntity(id.toUpperCase())?.id).toBe(id);
    }
    expect(short(lookup.findEntity(idOf("", "tescoplc.com")))).toBe("Tesco plc tescoplc.com");
    expect(short(lookup.findEntity(idOf("", "squareup.com")))).toBe("Square squareup.com");
  });

  test("the answer equals the entity of a transaction with the same merchant", () => {
    const line = {
      description: "TESCO STORES 6440",
      amount: 1,
      entryType: "outgoing",
      currency: "GBP",
      accountType: null,
      rawAddress: null,
      country: null,
    } as const;
    const { type, ...shown } = examine(line).facts.entities?.counterparty ?? { type: null };
    expect(type).toBe("organization");
    expect(lookup.findEntity(idOf("", "tesco.com"))).toEqual({ ...shown, location: null });
  });

  test.each(["", "x", "resolve", "00000000-0000-0000-0000-000000000000", idOf("Luigi's", null)])(
    "%j matches no merchant",
    (id) => {
      expect(lookup.findEntity(id)).toBeNull();
    },
  );
});

describe("by website", () => {
  test.each([
    ["netflix.com", "Netflix netflix.com"],
    ["https://WWW.Netflix.com:443/browse?x#y", "Netflix netflix.com"],
    ["help.netflix.com", "Netflix netflix.com"],
    ["go.nflx.com", "Netflix netflix.com"],
    ["netflix.co.uk", "Netflix netflix.com"],
    ["netflix.de", "Netflix netflix.com"],
    ["tesco.ie", "Tesco tesco.com"],
    ["shell.co.uk", "Shell shell.co.uk"],
    ["shell.us", "Shell shell.us"],
    ["shell.com", "Shell plc shell.com"],
    ["tescoplc.com", "Tesco plc tescoplc.com"],
    ["acmephotos.com", "Acme Photos acmephotos.com"],
  ])("%s is %s", (website, found) => {
    expect(short(byWebsite(website))).toBe(found);
  });

  test.each([
    "unknown.example",
    "netflix.io",
    "netflix.com.example.org",
    "netflix-shop.de",
    "netflix",
    "co.uk",
    "com",
    "not a website",
    "127.0.0.1",
    "",
  ])("%j matches no merchant", (website) => {
    expect(byWebsite(website)).toBeNull();
  });
});

describe("by name", () => {
  test.each([
    ["Netflix", "Netflix netflix.com"],
    ["NETFLIX", "Netflix netflix.com"],
    ["netflix inc.", "Netflix netflix.com"],
    ["Netflix International B.V.", "Netflix netflix.com"],
    ["Netflx", "Netflix netflix.com"],
    ["Tesco Ltd", "Tesco tesco.com"],
    ["Wendy's Germany GmbH", "Wendy's wendys.com"],
    ["TESCO PLC", "Tesco plc tescoplc.com"],
    ["Square", "Square squareup.com"],
    ["Seven", "Seven Eleven 7-eleven.com"],
    ["Acme Photos", "Acme Photos acmephotos.com"],
    ["TESCO STORES 6440", "Tesco tesco.com"],
    ["PAYPAL *NETFLIX", "Netflix netflix.com"],
    ["UBER *EATS", "Uber Eats ubereats.com"],
    ["SQ *SHELL 123 AUSTIN TX", "Shell shell.us"],
    // A longer name of another country, not its beginning, which is a merchant at home.
    ["SHELL RECHARGE 1043 AMSTERDAM", "Shell Recharge shellrecharge.nl"],
    ["www.shell.co.uk", "Shell shell.co.uk"],
    ["https://help.netflix.com/contact", "Netflix netflix.com"],
    ["Ｎｅｔｆｌｉｘ", "Netflix netflix.com"],
    ["Netflix® 🎬", "Netflix netflix.com"],
    ["🎬 Netflix™", "Netflix netflix.com"],
  ])("%s is %s", (name, found) => {
    expect(short(byName(name))).toBe(found);
  });

  test.each([
    "Alan",
    "John Smith",
    "direct dep",
    "Luigi's Pizza",
    "SQ *JOE'S CORNER BAKERY Portland OR",
    "market",
    "12345",
    "Inc.",
    "!!!",
    "🤷",
    "",
  ])("%j matches no merchant", (name) => {
    expect(byName(name)).toBeNull();
  });

  test("a word that the tables block is a merchant only where it trades", () => {
    expect(byName("Wendys")).toBeNull();
    expect(short(byName("Wendys", "Austin, TX"))).toBe("Wendy's wendys.com");
    expect(byName("Wendys", "London")).toBeNull();
    expect(short(byName("WENDYS 123 AUSTIN TX"))).toBe("Wendy's wendys.com");
  });
});

describe("whom an operator names", () => {
  const named = (name: string | null, website: string | null = null): string | null =>
    short(lookup.namedEntity({ name, website, location: null }));

  test("is who is called exactly so, or has the website", () => {
    expect(named("netflix inc.")).toBe("Netflix netflix.com");
    expect(named("Acme Photos")).toBe("Acme Photos acmephotos.com");
    expect(named(null, "www.netflix.com")).toBe("Netflix netflix.com");
  });

  test.each([
    "Netflix Books",
    "TESCO STORES 6440 Cafe",
    "Netflx",
    "Wendys 3",
    "netflix.com 1",
    "!!!",
  ])("%j is not another merchant that a statement would mean by it", (name) => {
    expect(named(name)).toBeNull();
  });
});

describe("the location", () => {
  test("decides between merchants of one name; without it the one at home is meant", () => {
    expect(short(byName("Shell", "London"))).toBe("Shell shell.co.uk");
    expect(short(byName("Shell", "Austin, TX"))).toBe("Shell shell.us");
    expect(short(byName("Shell UK"))).toBe("Shell shell.co.uk");
    expect(short(byName("Shell"))).toBe("Shell shell.us");
    expect(short(byName("Shell", "no place at all"))).toBe("Shell shell.us");
  });

  test("is returned as it was parsed", () => {
    expect(byName("Shell", "london, england")?.location).toMatchObject({
      raw_address: "london, england",
      structured: { city: "London", country_code: "GB", country: "United Kingdom", street: null },
    });
    expect(byName("Netflix", "Germany")?.location).toMatchObject({
      raw_address: "Germany",
      structured: { city: null, country_code: "DE" },
    });
    expect(byName("Netflix", "no place at all")?.location).toBeNull();
    expect(byName("Netflix")?.location).toBeNull();
  });
});

test("an entity has the logo, codes and parent that transactions tell, and nothing invented", () => {
  const id = idOf("", "tesco.com");
  expect(byName("tesco")).toEqual({
    id,
    name: "Tesco",
    website: "tesco.com",
    phone_number: null,
    tax_number: null,
    naics2017: "445110",
    logo: `${PUBLIC_URL}/logos/${id}.svg?name=T`,
    mccs: [5411],
    parent: {
      id: idOf("", "tescoplc.com"),
      name: "Tesco plc",
      website: "tescoplc.com",
      phone_number: null,
      tax_number: null,
      naics2017: null,
    },
    location: null,
  });
});

test("an answer takes bounded time, whatever is asked", () => {
  const texts = ["a", "ab ", "usa ", "netflix ", "a.", "*#1 ", "é", "🤷"].map((part) =>
    part.repeat(Math.ceil(2048 / part.length)),
  );
  for (const text of texts) {
    const before = processorMs();
    byName(text, text);
    byWebsite(text, text);
    lookup.findEntity(text);
    expect(processorMs() - before).toBeLessThan(200);
  }
});
