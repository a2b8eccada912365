// What stands around a name in a bank line: dates, references, telephone numbers, places … Random, and in every form that
// statements have; no layout of a whole line is in here.
import type { Random } from "../../test/support/random.ts";
import type { Label } from "../../workers/recogniser/parse/labels.ts";
import type { City, Material } from "./names.ts";

/** A part of a line. */
export interface Piece {
  readonly text: string;
  readonly label: Label;
  /** What stands between it and the piece in front of it. */
  readonly gap: string;
}

export const piece = (text: string, label: Label, gap = " "): Piece => ({ text, label, gap });

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** Digits twice: codes have more of them than letters. */
const CODE_CHARACTERS = `01234567890123456789${LETTERS}`;
const MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");
const LEGAL_FORMS = "LLC,INC,LTD,CO,CORP,GMBH,SA,PTY LTD,LIMITED,INC.,PLC,LLP,LP,BV,SRL,AG".split(
  ",",
);
const LEGAL_END = /,?\s+(?:llc|inc\.?|ltd\.?|limited|corp\.?|pty ltd)$/iu;
const TRADES =
  "Auto,Dental,Cafe,Pub,Salon,Barber Shop,Bakery,Plumbing,Motors,Grill,Diner,Nails,Market,Liquor,Vet Clinic,Law Office,Farm,Inn".split(
    ",",
  );
const ENDINGS = ".com,.com,.com,.com,.com,.co.uk,.co.uk,.net,.org,.io,.de,.co,.ca,.com.au".split(
  ",",
);
const TITLES = "Mr,Mrs,Ms,Miss,Dr,Mr,Mrs,Ms,Miss,Herr,Frau,Mme,Mlle,M,Sr,Sra,Dhr,Mevr".split(",");
const REFERENCE_WORDS =
  "REF,ID,TRN,SEQ,TID,CRD,CARD,NO,TRACE,AUTH,REF NO,AUTH CODE,CONF,INV,ACCT,TERMINAL".split(",");
const STREET_WORDS = "MAIN,HIGH,PARK,OAK,1ST,DODGE,MARKET,CENTRAL,CHURCH,72ND".split(",");
const STREET_ENDS = "ST,AVE,RD,BLVD,STREET,ROAD,DR,HWY,LN,PKWY,AV".split(",");

/** Large cities are met more often, but less so than they have people. */
const POPULATION_POWER = 0.55;

/** Draws a city, by a power of its population. */
function cityDrawer(cities: readonly City[], random: Random): () => City {
  let total = 0;
  const sums = Float64Array.from(
    cities,
    ({ population }) => (total += population ** POPULATION_POWER),
  );
  return () => {
    const wanted = random.next() * total;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    const city = cities[low];
    if (city === undefined) throw new Error("There are no cities to draw from.");
    return city;
  };
}

export type Noise = ReturnType<typeof createNoise>;

export function createNoise(random: Random, material: Material) {
  const { pick, chance, integer } = random;
  const usCity = cityDrawer(material.usCities, random);
  const gbCity = cityDrawer(material.gbCities, random);
  const otherCity = cityDrawer(material.otherCities, random);

  const many = (count: number, characters: string): string =>
    Array.from({ length: count }, () => characters.charAt(integer(0, characters.length - 1))).join(
      "",
    );
  const digits = (count: number): string => many(count, "0123456789");
  const code = (count: number): string => many(count, CODE_CHARACTERS);
  const letter = (): string => many(1, LETTERS);
  const two = (value: number): string => String(value).padStart(2, "0");

  /** Statements for others have their digits blanked. */
  function blanked(text: string): string {
    const drawn = random.next();
    if (drawn < 0.75) return text;
    if (drawn < 0.85) return text.replace(/\d/gu, "X");
    return text.replace(/\d/gu, drawn < 0.95 ? "0" : "*");
  }

  function date(): string {
    const [month, day, year] = [two(integer(1, 12)), two(integer(1, 28)), two(integer(13, 26))];
    const named = pick(MONTHS);
    return pick([
      `${month}/${day}`,
      `${month}/${day}`,
      `${month}/${day}/${year}`,
      `${month}-${day}`,
      `${month}-${day}-${year}`,
      `${month}${day}`,
      `20${year}-${month}-${day}`,
      `${day}${named}`,
      `${day}${named}${year}`,
      `${day} ${named}`,
      `${named} ${day}`,
      `${day}.${month}.${year}`,
      `${day}/${month}/20${year}`,
      `${month}${day}${year}`,
    ]);
  }

  function time(): string {
    const [hour, minute] = [two(integer(0, 23)), two(integer(0, 59))];
    return pick([
      `${hour}:${minute}`,
      `${String(integer(1, 12))}:${minute} ${pick(["AM", "PM"])}`,
      `${hour}${minute}`,
    ]);
  }

  function reference(): string {
    const forms: readonly (() => string)[] = [
      () => digits(integer(4, 16)),
      () => digits(integer(4, 16)),
      () => code(integer(6, 14)),
      () => code(integer(6, 22)),
      () => pick(REFERENCE_WORDS) + pick(["", ":", " ", "#", " # ", ". "]) + code(integer(4, 12)),
      () => "X".repeat(integer(3, 10)) + digits(4),
      () => `#${digits(integer(3, 7))}`,
      () => pick(["*", "**", "...", "x"]) + digits(4),
      () => letter() + digits(integer(3, 6)),
      () => `${digits(3)}-${digits(integer(3, 7))}`,
    ];
    return blanked(pick(forms)());
  }

  function phone(country: string): string {
    const [area, middle, last] = [
      chance(0.35) ? pick(["800", "888", "877", "866", "855"]) : digits(3),
      digits(3),
      digits(4),
    ];
    const british = [
      `0${digits(4)} ${digits(6)}`,
      `0${digits(3)} ${digits(7)}`,
      `0${digits(10)}`,
      `0${digits(4)}-${digits(6)}`,
    ];
    const american = [
      `${area}-${middle}-${last}`,
      `${area}-${middle}-${last}`,
      `${area}${middle}${last}`,
      `${area}-${middle}${last}`,
      `0${area}${middle}${last}`,
      `1-${area}-${middle}-${last}`,
      `(${area})${middle}-${last}`,
      `${area} ${middle} ${last}`,
      `${area}-${middle}-`,
    ];
    return blanked(pick(country === "GB" ? british : american));
  }

  /** A surname of no list: half of one and half of another. */
  function madeUpName(): string {
    const [front, back] = [pick(material.lastNames), pick(material.lastNames)];
    return front.slice(0, front.length >> 1) + back.slice(back.length >> 1);
  }

  /** Most surnames are in no table, and many are called like a town. */
  function surname(): string {
    const drawn = random.next();
    if (drawn < 0.3) return madeUpName();
    if (drawn < 0.38) return gbCity().name.split(/[\s-]/u)[0] ?? "";
    const name = pick(material.lastNames);
    if (drawn < 0.43) return `${pick(["O", "O'", "Mc", "De ", "Van ", "Van der ", "Di "])}${name}`;
    return drawn < 0.46 ? `${name}${pick([" ", "-"])}${pick(material.lastNames)}` : name;
  }

  function person(): string {
    const [first, last] = [pick(material.firstNames), surname()];
    return pick([
      `${first} ${last}`,
      `${first} ${last}`,
      `${first} ${last}`,
      `${first} ${letter()} ${last}`,
      `${first.charAt(0)} ${last}`,
      `${last} ${first}`,
      `${last}, ${first}`,
      `${last} ${first.charAt(0)}`,
      `${pick(TITLES)} ${chance(0.5) ? first : letter()} ${last}`,
    ]);
  }

  const glued = (name: string): string =>
    name
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .replaceAll("&", "and")
      .replace(/[^a-z0-9]/gu, "");

  /** A web address that a name may have, as terminals write and cut it. */
  function web(name: string): string {
    const label = glued(name).slice(0, integer(8, 22));
    const ending = (): string => pick(ENDINGS);
    return pick([
      label + ending(),
      label + ending(),
      `www.${label}${ending()}`,
      `${label}.com/bill`,
      `${pick(["receipts", "help", "support", "account", "bill", "pay"])}.${label}.com`,
      `${label}${ending()}/${pick(["bill", "help", "pay", "cc"])}`,
      `https${label}${ending()}`,
      `${label}.c`,
      `${label}.co`,
    ]);
  }

  function plainCompany(): string {
    const drawn = random.next();
    if (drawn < 0.36) return pick(material.businesses);
    if (drawn < 0.5) return pick(material.independents);
    if (drawn < 0.62) return pick(material.brands);
    if (drawn < 0.7) return pick(material.online);
    const names = pick(material.merchants);
    return chance(0.5) ? (names[0] ?? "") : pick(names);
  }

  function company(): string {
    if (chance(0.04)) {
      const owner = pick(["The ", ""]) + pick(material.lastNames) + pick(["'s", ""]);
      return `${owner} ${pick(TRADES)}`;
    }
    const name = plainCompany();
    if (chance(0.1)) return `${name.replace(LEGAL_END, "")} ${pick(LEGAL_FORMS)}`;
    return chance(0.5) ? name.replace(LEGAL_END, "") : name;
  }

  const cut = (text: string, widths: readonly number[]): string =>
    text.slice(0, pick(widths)).trimEnd();

  function street(): string {
    const name = chance(0.4) ? pick(material.lastNames) : pick(STREET_WORDS);
    return `${String(integer(1, 9999))} ${pick(["N ", "S ", "E ", "W ", "", ""])}${name} ${pick(STREET_ENDS)}`;
  }

  return {
    ...{ random, material, digits, code, letter, blanked, date, time, reference, phone, person },
    ...{ web, company, cut, street, usCity, gbCity, otherCity },
  };
}
