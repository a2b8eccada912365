// Statement lines as banks print them, made up from templates and a seed. `#` in a template is a digit; {city}, {state},
// {first}, {last}, {brand}, {ref}, {date} and {amount} are filled in.
import { createRandom, type Random } from "./random.ts";

/** A transaction as the v3 API takes it. */
export interface WireTransaction {
  readonly id: string;
  readonly description: string;
  readonly date: string;
  readonly amount: number;
  readonly entry_type: "incoming" | "outgoing";
  readonly currency: string;
  readonly account_holder_id?: string | null;
  readonly location?: { readonly raw_address?: string | null; readonly country?: string | null };
}

export type Line = Omit<WireTransaction, "id" | "account_holder_id">;

const CARD = [
  "STARBUCKS STORE ##### {city} {state}",
  "MCDONALD'S F#### {city} {state}",
  "SQ *{brand} COFFEE {city} {state}",
  "SQ *THE {brand} BAKERY {city}",
  "TST* {brand} TAVERN - {city}",
  "WALMART SUPERCENTER #### {city} {state}",
  "WM SUPERCENTER #### {city} {state}US",
  "TARGET        000#### {city}    {state}",
  "WHOLEFDS {city} ##### {city} {state}",
  "TRADER JOE'S #### QPS {city} {state}",
  "COSTCO WHSE #0### {city} {state}",
  "SAFEWAY #### {city} {state}",
  "KROGER #### {city} {state}",
  "CVS/PHARMACY #0#### {city} {state}",
  "WALGREENS #### {city} {state}",
  "SHELL OIL ########### {city} {state}",
  "EXXONMOBIL ######## {city} {state}",
  "CHEVRON 0###### {city} {state}",
  "7-ELEVEN ##### {city} {state}",
  "THE HOME DEPOT #### {city} {state}",
  "LOWES #0#### {city} {state}",
  "BEST BUY      0000#### {city} {state}",
  "IKEA {city} {city} {state}",
  "CHIPOTLE #### {city} {state}",
  "DOMINO'S #### ###-###-#### {state}",
  "SUBWAY 000##### {city} {state}",
  "CHICK-FIL-A #0#### {city} {state}",
  "DUNKIN #3##### Q## {city} {state}",
  "PANERA BREAD #20#### {city} {state}",
  "DD *DOORDASH {brand} ###-###-#### CA",
  "UBER   *TRIP HELP.UBER.COM CA",
  "UBER *EATS PENDING SAN FRANCISCO CA",
  "LYFT   *RIDE {date}",
  "GRUBHUB*{brand} NEW YORK NY",
  "AMZN MKTP US*{ref} AMZN.COM/BILL WA",
  "AMAZON.COM*{ref} SEATTLE WA",
  "AMAZON PRIME*{ref} AMZN.COM/BILL WA",
  "PAYPAL *{brand} 402-935-7733 CA",
  "PP*{brand} ###-###-#### CA",
  "APPLE.COM/BILL 866-712-7753 CA",
  "GOOGLE *YouTubePremium g.co/helppay# CA",
  "GOOGLE *CLOUD {ref} cc@google.com CA",
  "NETFLIX.COM NETFLIX.COM CA",
  "SPOTIFY USA ##-####### NY",
  "HULU ########## HULU.COM/BILL CA",
  "OPENAI *CHATGPT SUBSCR SAN FRANCISCO CA",
  "GITHUB, INC. SAN FRANCISCO CA",
  "MSFT * E#######X MSBILL.INFO WA",
  "STEAMGAMES.COM ######### BELLEVUE WA",
  "DELTA AIR 006########## {city} {state}",
  "UNITED 016########## HOUSTON TX",
  "SOUTHWES 526########## DALLAS TX",
  "AIRBNB * {ref} SAN FRANCISCO CA",
  "MARRIOTT {city} {city} {state}",
  "HILTON GARDEN INN {city} {state}",
  "HERTZ RENT-A-CAR {city} {state}",
  "MTA*NYCT PAYGO NEW YORK NY",
  "PLANET FITNESS CLUB #### {city} {state}",
  "AMC #### {city} {city} {state}",
  "{brand} HARDWARE {city} {state}",
  "{brand} DENTAL GROUP {city} {state}",
  "{brand} AUTO REPAIR LLC {city}",
  "LA {brand} TAQUERIA {city} {state}",
  "PARKMOBILE ###-###-#### {city}",
  "CKE*{brand} GRILL ### {city} {state}",
  "TESCO STORES #### {city} GB",
  "SAINSBURYS S/MKTS {city}",
  "PRET A MANGER {city} GB",
  "REWE SAGT DANKE. ##### {city} DE",
  "CARREFOUR {city} FR",
] as const;
const BANK = [
  "ONLINE TRANSFER TO SAVINGS XXXXXX####",
  "ONLINE TRANSFER REF #IB0{ref} TO CHECKING",
  "ZELLE TO {first} {last} ON {date} REF # {ref}",
  "VENMO PAYMENT ############ {first} {last}",
  "CASH APP*{first} {last} 8774174551 CA",
  "WIRE TRANSFER OUT BENEFICIARY {first} {last} REF {ref}",
  "ACH DEBIT {brand} PROPERTY MGMT WEB PMTS {ref}",
  "ACH HOLD COMCAST {city} CABLE ON {date}",
  "VERIZON WIRELESS PAYMENTS {date}",
  "AT&T PAYMENT ###-###-#### TX",
  "T-MOBILE PCS SVC ###-###-#### WA",
  "PG&E WEB ONLINE {date} ###########",
  "CON ED OF NY INTELL CK ##########",
  "STATE FARM INSURANCE ###-###-#### IL",
  "GEICO *AUTO ###-###-#### DC",
  "PROG ADVANCED INS PREM {date}",
  "CHASE CREDIT CRD AUTOPAY PPD ID: ##########",
  "CAPITAL ONE MOBILE PMT {ref}",
  "AMEX EPAYMENT ACH PMT {ref}",
  "WELLS FARGO HOME MTG AUTO PAY ##########",
  "QUICKEN LOANS MTG PYMTS {ref}",
  "NELNET STUDENT LN PYMT {date}",
  "IRS USATAXPYMT ############",
  "CHECK # ####",
  "ATM WITHDRAWAL 00#### {date} {city} {state}",
  "NON-CHASE ATM WITHDRAW ###### {city} {state}",
  "MONTHLY SERVICE FEE",
  "OVERDRAFT FEE FOR A TRANSACTION POSTED ON {date} ${amount} CHECK CRD",
  "FOREIGN TRANSACTION FEE",
  "SEPA LASTSCHRIFT {brand} GMBH MANDAT {ref}",
  "DIRECT DEBIT {brand} ENERGY LTD REF {ref}",
  "STANDING ORDER {first} {last} RENT",
] as const;
const INCOMING = [
  "{brand} INC PAYROLL PPD ID: ##########",
  "GUSTO PAY ###### {first} {last}",
  "ADP TOTALSOURCE DIRECT DEP {ref}",
  "DIRECT DEPOSIT {brand} LLC",
  "ZELLE FROM {first} {last} ON {date} REF # {ref}",
  "VENMO CASHOUT {ref}",
  "STRIPE TRANSFER ST-{ref}",
  "SHOPIFY TRANSFER ST-{ref}",
  "SQUARE INC {date} L############",
  "INTEREST PAYMENT",
  "REFUND AMZN MKTP US AMZN.COM/BILL WA",
  "MOBILE DEPOSIT : REF NUMBER : ###########",
  "SSA TREAS 310 XXSOC SEC",
  "IRS TREAS 310 TAX REF PPD ID: ##########",
  "CASHBACK REWARD REDEMPTION",
  "WIRE TYPE:WIRE IN DATE: {date} ORIG:{brand} HOLDINGS LTD",
] as const;

/** How many different templates there are. */
export const TEMPLATE_COUNT = CARD.length + BANK.length + INCOMING.length;

const CITIES = [
  ["SEATTLE", "WA"],
  ["PORTLAND", "OR"],
  ["SAN FRANCISCO", "CA"],
  ["LOS ANGELES", "CA"],
  ["AUSTIN", "TX"],
  ["DALLAS", "TX"],
  ["CHICAGO", "IL"],
  ["NEW YORK", "NY"],
  ["BROOKLYN", "NY"],
  ["BOSTON", "MA"],
  ["DENVER", "CO"],
  ["MIAMI", "FL"],
  ["ATLANTA", "GA"],
  ["NASHVILLE", "TN"],
  ["PHOENIX", "AZ"],
  ["MINNEAPOLIS", "MN"],
] as const;
const FIRST = ["MARIA", "JAMES", "WEI", "AISHA", "JOHN", "SOFIA", "OLEG", "PRIYA", "LUIS", "EMMA"];
const LAST = ["GARCIA", "SMITH", "CHEN", "KHAN", "JOHNSON", "ROSSI", "PETROV", "PATEL", "LOPEZ"];
const BRANDS = ["BLUE HERON", "OAKWOOD", "NORTHSIDE", "GOLDEN GATE", "CASCADE", "RIVERBEND"];
const REFERENCE_LETTERS = Array.from("ABCDEFGHJKLMNPQRSTUVWXYZ0123456789");

/** Endless lines; the same seed gives the same ones. */
export function createLines(seed: number): () => Line {
  const random = createRandom(seed);
  return () => {
    const kind = random.next();
    if (kind < 0.6) return line(random, random.pick(CARD), "outgoing", 1, 180);
    if (kind < 0.85) return line(random, random.pick(BANK), "outgoing", 5, 2_500);
    return line(random, random.pick(INCOMING), "incoming", 1, 6_000);
  };
}

function line(
  random: Random,
  template: string,
  entryType: Line["entry_type"],
  min: number,
  max: number,
): Line {
  const month = String(random.integer(1, 12)).padStart(2, "0");
  const day = String(random.integer(1, 28)).padStart(2, "0");
  const amount = random.integer(min * 100, max * 100) / 100;
  const [city, state] = random.pick(CITIES);
  const values: Readonly<Record<string, () => string>> = {
    city: () => city,
    state: () => state,
    first: () => random.pick(FIRST),
    last: () => random.pick(LAST),
    brand: () => random.pick(BRANDS),
    ref: () => Array.from({ length: 9 }, () => random.pick(REFERENCE_LETTERS)).join(""),
    date: () => `${month}/${day}`,
    amount: () => amount.toFixed(2),
  };
  const description = template
    .replaceAll(/#/g, () => String(random.integer(0, 9)))
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]?.() ?? "");
  return {
    description,
    date: `2026-${month}-${day}`,
    amount,
    entry_type: entryType,
    currency: "USD",
  };
}
