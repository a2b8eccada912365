// What statements of seven countries print: names of banks and holders, words of headings, forms of numbers and dates. Written
// from what banks of these countries print, not from the words that the reader has.
import {
  type DateForm,
  DAY_NAME,
  DAY_NAME_ONLY,
  inGroups,
  LAKHS,
  numeric,
  POINT,
  short,
  THOUSANDS,
  two,
} from "./forms.ts";
import { DUTCH, ENGLISH, FRENCH, GERMAN, ITALIAN, type Labels, SPANISH } from "./labels.ts";

export const COUNTRIES = ["US", "UK", "EU", "CA", "AU", "IN", "ZA"] as const;
export type GeneratedLocale = (typeof COUNTRIES)[number];

export interface GeneratedHolder {
  readonly name: string;
  readonly address: readonly string[];
  readonly type: "consumer" | "business";
}

export interface Country {
  readonly locale: GeneratedLocale;
  readonly currency: string;
  /** In front of an amount or behind it, where a statement prints one. */
  readonly symbols: readonly string[];
  readonly banks: readonly string[];
  readonly holders: readonly GeneratedHolder[];
  readonly labels: readonly Labels[];
  /** Of minor units that are not below zero. */
  readonly numbers: readonly ((units: number) => string)[];
  readonly dates: readonly DateForm[];
  readonly datesWithoutYear: readonly DateForm[];
  /** # is a digit. */
  readonly accountNumbers: readonly string[];
  readonly incoming: readonly string[];
  readonly outgoing: readonly string[];
}

const UNITED_STATES: Country = {
  locale: "US",
  currency: "USD",
  symbols: ["", "$"],
  banks: [
    "Prairie National Bank",
    "Hudson Valley Federal Credit Union",
    "First Lakeside Bank, N.A.",
  ],
  holders: [
    {
      name: "DANIEL R WHITFIELD",
      address: ["418 OAK RIDGE DR", "COLUMBUS OH 43215-2204"],
      type: "consumer",
    },
    {
      name: "BRIGHTWATER DESIGN LLC",
      address: ["2200 MARKET ST STE 310", "DENVER CO 80205"],
      type: "business",
    },
  ],
  labels: [ENGLISH.us],
  numbers: [POINT],
  dates: [
    (year, month, day) => `${two(month)}/${two(day)}/${String(year)}`,
    (year, month, day) => `${String(month)}/${String(day)}/${two(year % 100)}`,
    (year, month, day) => `${short(month)} ${two(day)}, ${String(year)}`,
  ],
  datesWithoutYear: [
    (_, month, day) => `${two(month)}/${two(day)}`,
    (_, month, day) => `${short(month)} ${two(day)}`,
  ],
  accountNumbers: ["#### #### ####", "##########", "00000########"],
  incoming: [
    "ACME MFG PAYROLL PPD ID 9111111103",
    "MOBILE DEPOSIT",
    "ZELLE FROM R CASTILLO",
    "IRS TREAS 310 TAX REF",
    "INTEREST PAID",
  ],
  outgoing: [
    "POS PURCHASE KROGER #418 COLUMBUS OH",
    "AMAZON MKTPL*2K4LM AMZN.COM/BILL WA",
    "SHELL OIL 57442 DALLAS TX",
    "DUKE ENERGY BILL PAY",
    "NETFLIX.COM 866-579-7172 CA",
    "ATM WITHDRAWAL 0114 MAIN ST",
    "CHIPOTLE 1143",
    "TRANSFER TO SAVINGS XXXX8891",
    "7-ELEVEN 33124 ORLANDO FL",
    "STATE FARM INSURANCE",
  ],
};

const UNITED_KINGDOM: Country = {
  locale: "UK",
  currency: "GBP",
  symbols: ["", "£"],
  banks: ["Northmoor Bank plc", "Pennine Building Society", "Thamesgate Bank UK PLC"],
  holders: [
    {
      name: "Mr Oliver J Hartley",
      address: ["27 Beech Avenue", "Sheffield", "S10 2TN"],
      type: "consumer",
    },
    {
      name: "HARTLEY & SONS JOINERY LTD",
      address: ["Unit 4, Canal Wharf", "Leeds", "LS11 5PS"],
      type: "business",
    },
  ],
  labels: [ENGLISH.uk],
  numbers: [POINT],
  dates: [...DAY_NAME],
  datesWithoutYear: [...DAY_NAME_ONLY],
  accountNumbers: ["########"],
  incoming: [
    "BGC ACME ENGINEERING LTD SALARY",
    "FPI J HARTLEY",
    "HMRC CHILD BENEFIT",
    "BANK GIRO CREDIT 100214",
    "INTEREST (GROSS)",
  ],
  outgoing: [
    "TESCO STORES 2233 SHEFFIELD",
    "DD SHEFFIELD CITY COUNCIL",
    "CPT SAINSBURYS BANK ATM",
    "DD BRITISH GAS",
    "TFL TRAVEL CH TFL.GOV.UK/CP",
    "SO R MAHMOOD RENT",
    "BP PENNINE SF CONN",
    "GREGGS PLC 1241",
    "DD TV LICENCE MBP",
    "AMAZON.CO.UK*7H22K",
  ],
};

const EURO_AREA: Country = {
  locale: "EU",
  currency: "EUR",
  symbols: ["", "", "€", "EUR"],
  banks: [
    "Rheintal Volksbank eG",
    "Banque du Littoral",
    "Banco de la Ribera, S.A.",
    "Banca Valdarno S.p.A.",
    "Deltabank N.V.",
  ],
  holders: [
    { name: "Katrin Vogel", address: ["Lindenstraße 14", "53113 Bonn"], type: "consumer" },
    { name: "TALLERES MERINO S.L.", address: ["Calle Mayor 21", "28013 Madrid"], type: "business" },
  ],
  labels: [GERMAN, FRENCH, SPANISH, ITALIAN, DUTCH],
  numbers: [
    inGroups(",", ".", THOUSANDS),
    inGroups(",", " ", THOUSANDS),
    inGroups(",", ".", THOUSANDS),
  ],
  dates: [
    numeric("."),
    numeric("/"),
    numeric("-"),
    (year, month, day) => `${two(day)}.${two(month)}.${two(year % 100)}`,
  ],
  datesWithoutYear: [
    (_, month, day) => `${two(day)}.${two(month)}.`,
    (_, month, day) => `${two(day)}/${two(month)}`,
  ],
  accountNumbers: [
    "DE## 3705 0198 #### #### ##",
    "ES## 2100 0418 #### #### ####",
    "NL## DELT 0### #### ##",
  ],
  incoming: [
    "SEPA CREDIT ACME GMBH LOHN/GEHALT",
    "VIREMENT RECU ACME SARL",
    "TRANSFERENCIA RECIBIDA",
    "ABRECHNUNG 31.12.",
    "BONIFICO SEPA",
  ],
  outgoing: [
    "REWE SAGT DANKE 44120 BONN",
    "CARTE 0412 CARREFOUR LYON",
    "COMPRA TARJETA 4021 MERCADONA",
    "STADTWERKE BONN ABSCHLAG",
    "SPOTIFY AB STOCKHOLM",
    "PAGAMENTO POS ESSELUNGA",
    "ALBERT HEIJN 1522 UTRECHT",
    "DB VERTRIEB GMBH FAHRKARTE",
    "ASSICURAZIONI POLIZZA 77120",
    "PRLV EDF CLIENTS PARTICULIERS",
  ],
};

const CANADA: Country = {
  locale: "CA",
  currency: "CAD",
  symbols: ["", "$"],
  banks: ["Great Lakes Bank of Canada", "Coastal Credit Union", "Maple Trust Company"],
  holders: [
    {
      name: "MS CHLOE TREMBLAY",
      address: ["1402-88 HARBOUR ST", "TORONTO ON M5J 1B7"],
      type: "consumer",
    },
    {
      name: "FRASER RIVER CATERING INC.",
      address: ["311 COLUMBIA STREET", "NEW WESTMINSTER BC V3L 1A7"],
      type: "business",
    },
  ],
  labels: [ENGLISH.ca],
  numbers: [POINT],
  dates: [
    (year, month, day) => `${String(year)}-${two(month)}-${two(day)}`,
    (year, month, day) => `${short(month)} ${two(day)}, ${String(year)}`,
    (year, month, day) => `${two(day)} ${short(month)} ${String(year)}`,
  ],
  datesWithoutYear: [
    (_, month, day) => `${short(month)} ${two(day)}`,
    (_, month, day) => `${two(day)} ${short(month)}`,
    (_, month, day) => `${short(month).toUpperCase()}${two(day)}`,
  ],
  accountNumbers: ["#####-###-####-###", "#### ###-####"],
  incoming: [
    "PAYROLL DEPOSIT ACME INC",
    "INTERAC E-TRANSFER FROM J ROY",
    "GST CANADA",
    "MOBILE CHEQUE DEPOSIT",
    "CANADA CHILD BENEFIT",
  ],
  outgoing: [
    "INTERAC PURCHASE LOBLAWS 1029",
    "TIM HORTONS #0441",
    "HYDRO ONE BILL PAYMENT",
    "PETRO-CANADA 88120",
    "SEND E-TRANSFER ***k4T",
    "ROGERS WIRELESS PAD",
    "SHOPPERS DRUG MART #812",
    "PRESTO APPL/TR4KX",
    "MORTGAGE PAYMENT",
    "LCBO/RAO #0217",
  ],
};

const AUSTRALIA: Country = {
  locale: "AU",
  currency: "AUD",
  symbols: ["", "$"],
  banks: ["Southern Cross Bank Limited", "Coral Coast Mutual", "Bank of the Murray"],
  holders: [
    {
      name: "MS GRACE NGUYEN",
      address: ["12/45 PARRAMATTA ROAD", "GLEBE NSW 2037"],
      type: "consumer",
    },
    {
      name: "BLUEGUM PLUMBING PTY LTD",
      address: ["8 DEPOT STREET", "GEELONG VIC 3220"],
      type: "business",
    },
  ],
  labels: [ENGLISH.au],
  numbers: [POINT],
  dates: [...DAY_NAME],
  datesWithoutYear: [...DAY_NAME_ONLY],
  accountNumbers: ["06#### ########", "73####-######"],
  incoming: [
    "Direct Credit 141000 ACME PTY LTD",
    "Fast Transfer From G Nguyen",
    "CTRLINK FAMILY TAX",
    "Cash Deposit Branch Glebe",
    "Credit Interest",
  ],
  outgoing: [
    "WOOLWORTHS 1624 GLEBE NSW AUS Card xx4411",
    "COLES 0743 SYDNEY",
    "Direct Debit 000517 AGL SALES",
    "BUNNINGS 330000 ALEXANDRIA",
    "Transfer to xx8811 CommBank app",
    "TRANSPORTFORNSW OPAL",
    "7-ELEVEN 2044 ULTIMO",
    "TELSTRA BILL BPAY",
    "Wdl ATM GLEBE POINT RD",
    "JB HI FI BROADWAY",
  ],
};

const INDIA: Country = {
  locale: "IN",
  currency: "INR",
  symbols: ["", "", "Rs."],
  banks: ["Deccan Bank Ltd.", "Ganga Co-operative Bank", "Coromandel Bank Limited"],
  holders: [
    {
      name: "MRS PRIYA RAMANATHAN",
      address: ["FLAT 3B SAI KRUPA APTS", "ANNA NAGAR", "CHENNAI 600040"],
      type: "consumer",
    },
    { name: "SHREE GANESH TRADERS", address: ["14 MG ROAD", "PUNE 411001"], type: "business" },
  ],
  labels: [ENGLISH.in],
  numbers: [inGroups(".", ",", LAKHS)],
  dates: [
    numeric("/"),
    numeric("-"),
    (year, month, day) => `${two(day)}-${short(month)}-${String(year)}`,
    (year, month, day) => `${two(day)}/${two(month)}/${two(year % 100)}`,
  ],
  datesWithoutYear: [...DAY_NAME_ONLY],
  accountNumbers: ["5010########", "0########00"],
  incoming: [
    "NEFT CR-HDFC0000240-ACME INFOTECH-SALARY",
    "IMPS-401288812-RAVI K",
    "UPI/CR/402133411/SUNITA/SBIN",
    "CASH DEP ANNA NAGAR",
    "INT.PD",
  ],
  outgoing: [
    "UPI-SWIGGY-SWIGGY@YBL-402188",
    "POS 416021XXXXXX1182 BIG BAZAAR",
    "ATW-416021-S1ANCN01-CHENNAI",
    "BIL/ONL/TANGEDCO",
    "ACH D- LIC OF INDIA-77120",
    "UPI/DR/402199/IRCTC/HDFC",
    "IB FUNDS TRANSFER DR-50100",
    "EMI 411200 CHQ S4112",
    "SMS CHRG APR-JUN 25",
    "NEFT DR-ICIC0000104-S KUMAR",
  ],
};

const SOUTH_AFRICA: Country = {
  locale: "ZA",
  currency: "ZAR",
  symbols: ["", "", "R"],
  banks: ["Highveld Bank Limited", "Table Bay Bank", "Drakens Mutual Bank"],
  holders: [
    {
      name: "MR THABO MOKOENA",
      address: ["17 PROTEA STREET", "RANDBURG", "2194"],
      type: "consumer",
    },
    {
      name: "KAROO LOGISTICS (PTY) LTD",
      address: ["PO BOX 1120", "BLOEMFONTEIN", "9300"],
      type: "business",
    },
  ],
  labels: [ENGLISH.za],
  numbers: [POINT, inGroups(".", " ", THOUSANDS)],
  dates: [...DAY_NAME, (year, month, day) => `${String(year)}/${two(month)}/${two(day)}`],
  datesWithoutYear: [...DAY_NAME_ONLY],
  accountNumbers: ["62#########", "## ### ### #"],
  incoming: [
    "MAGTAPE CREDIT ACME MINING SALARY",
    "FNB APP PAYMENT FROM T MOKOENA",
    "ADT CASH DEPOSIT 00412",
    "CAPITEC J DLAMINI",
    "CREDIT INTEREST",
  ],
  outgoing: [
    "POS PURCHASE CHECKERS SEA POINT",
    "DEBIT ORDER DISCOVERY HEALTH",
    "PREPAID AIRTIME 0821112222",
    "SHOPRITE 44120 RANDBURG",
    "INTERNET PMT TO CITY POWER",
    "ENGEN N1 CITY",
    "MONTHLY ACCOUNT FEE",
    "ATM CASH 00218 SANDTON",
    "TAKEALOT.COM CAPE TOWN",
    "IB TRANSFER TO SAVINGS POCKET",
  ],
};

export const COUNTRY_LIST: readonly Country[] = [
  UNITED_STATES,
  UNITED_KINGDOM,
  EURO_AREA,
  CANADA,
  AUSTRALIA,
  INDIA,
  SOUTH_AFRICA,
];
