// Composes bank lines out of noise: which fields a line has, in which order, what is cut, repeated, dropped or glued. No list of
// layouts: every choice is drawn for itself, so that shapes come out which no list has.
import type { Label } from "../../workers/recogniser/parse/labels.ts";
import { type Noise, type Piece, piece } from "./noise.ts";
import { createPayments } from "./payments.ts";

const CARD_WORDS = (
  "POS PURCHASE,DEBIT CARD PURCHASE,CHECKCARD,CHECK CARD,VISA PURCHASE,PURCHASE,CARD PURCHASE,POS DEBIT," +
  "RECURRING PAYMENT AUTHORIZED ON,PURCHASE AUTHORIZED ON,DBT PURCH,POS,VISA DDA PUR,DEBIT PURCHASE VISA,CARD PAYMENT TO," +
  "CONTACTLESS,CD,VIS,EFTPOS,POINT OF SALE WITHDRAWAL,POINT OF SALE DEBIT,SIG PURCHASE,PIN PURCHASE,WITHDRAWAL,DEBIT,CARD," +
  "REFUND,PURCHASE RETURN,POS REFUND,WITHDRAWAL DEBIT CARD,DDA PURCHASE,DEBIT CARD DEBIT,INTERNATIONAL PURCHASE," +
  "NON-CHASE POS,BILL PAYMENT,AUTH"
).split(",");
const TAIL_WORDS = (
  "DEBIT CARD,POS TRANSACTION,VISA DEBIT,RECURRING,DEBIT CARD PURCHASE,CONTACTLESS,CARD XXXX,VISA,MASTERCARD,ECOM,POS," +
  "INTERNATIONAL TRANSACTION FEE,GBP"
).split(",");
const ENTRY_WORDS = (
  "PAYROLL,DIRECT DEP,DIR DEP,PAYMENT,ONLINE PMT,EPAY,BILL PAY,WEB PMT,INS PREM,AUTOPAY,DEBIT,CREDIT,PAYABLES,TRANSFER,XFER," +
  "ACH PMT,E-PAYMENT,LOAN PMT,MTG PMT,PURCHASE,CHECKPYMT,SALARY,TAXREFUND,BILLPAY,UTIL BILL,PREM,DONATION,DUES,MEMBERSHIP," +
  "RENT,VENDOR PMT,EDI PYMNTS,PAYOUT,FEE,BILLING,RETRY PYMT,INST XFER,CASHOUT,TUITION,SUBSCRIPT,ONLINE PAYMENT,LEVY,REFUND," +
  "COMMISSION,TRANSFERS,TREAS"
).split(",");
const ACCOUNT_WORDS = (
  "ACH DEBIT,ACH CREDIT,ACH DEPOSIT,ACH WITHDRAWAL,ELECTRONIC WITHDRAWAL,ELECTRONIC DEPOSIT,PREAUTHORIZED DEBIT,DIRECT DEBIT," +
  "EXTERNAL WITHDRAWAL,EXTERNAL DEPOSIT,PREAUTHORIZED CREDIT,ACH,CCD DEBIT,PPD,ACH PMT,ELECTRONIC PMT-WEB,WITHDRAWAL,DEPOSIT," +
  "ONLINE PAYMENT,DIRECT DEPOSIT,DD,BILL PAYMENT TO,ONLINE BANKING PAYMENT TO,ACH TRAN,POS PREAUTHORIZED DEBIT,SO,BGC,FPI,FPO," +
  "STO,DDR,STANDING ORDER"
).split(",");
const ENTRY_CLASSES = "PPD,CCD,WEB,TEL,CTX,POP,ARC".split(",");
const TRANSFER_WORDS = (
  "ZELLE PAYMENT TO,ZELLE TO,ZELLE FROM,ZELLE PAYMENT FROM,VENMO PAYMENT,VENMO,CASH APP*,CASH APP,INTERAC E-TRANSFER,PAYMENT TO," +
  "TRANSFER TO,TRANSFER FROM,FASTER PAYMENT TO,FASTER PAYMENTS RECEIPT FROM,SEPA CREDIT TRANSFER,UBERWEISUNG,VIREMENT DE," +
  "VIR INST,BIZUM A,BIZUM DE,TRF TO,PAYID,PIX TRANSF,UPI,IMPS,NEFT,MOBILE TRANSFER TO,ONLINE TRANSFER TO," +
  "BILL PAYMENT VIA FASTER PAYMENT TO,STANDING ORDER,PAYPAL INST XFER,QUICKPAY WITH ZELLE PAYMENT TO,POPMONEY,E-TRANSFER," +
  "TRANSFERENCIA A,BONIFICO A,OVERBOEKING,ZELLE MONEY RECEIVED FROM,ZELLE MONEY SENT TO,MONEY RECEIVED FROM,MONEY SENT TO,ZELLE SENT," +
  "ZELLE RECEIVED,ZELLE INSTANT PMT FROM,ZELLE INSTANT PMT TO,ZELLE TRANSFER,FASTER PAYMENT RECEIVED FROM,STANDING ORDER TO," +
  "INTERAC E-TRANSFER FROM,E-TRANSFER SENT,E-TRANSFER RECEIVED,PIX ENVIADO,PIX RECEBIDO,VIR RECU DE,VIREMENT EMIS VERS,BIZUM A FAVOR DE," +
  "TRANSFERENCIA DE,BONIFICO DA,SEPA UEBERWEISUNG,VENMO CASHOUT,VENMO *"
).split(",");
const CASH_WORDS = (
  "ATM WITHDRAWAL,ATM CASH DEPOSIT,CASH WITHDRAWAL,ATM,ATM WITHDRAWAL AUTHORIZED ON,NON-NETWORK ATM WITHDRAWAL," +
  "LOCAL ATM WITHDRAWAL,CASH,CASHPOINT,GELDAUTOMAT,RETRAIT DAB,CAJERO,BANCOMAT,ATM W/D,ATM DEPOSIT,CARDLESS ATM WITHDRAWAL," +
  "FOREIGN ATM WITHDRAWAL"
).split(",");
const EUROPEAN_WORDS = (
  "SEPA LASTSCHRIFT,LASTSCHRIFT,KARTENZAHLUNG,PRLV SEPA,PAIEMENT CB,CB,CARTE,COMPRA,COMPRA TARJ,PAGO EN,RECIBO,ADDEBITO SDD," +
  "PAGAMENTO POS,BETAALAUTOMAAT,INCASSO,IDEAL,BEA,SEPA INCASSO ALGEMEEN DOORLOPEND,ADEUDO RECIBO,POS,ELV,GIROCARD,MB," +
  "COMPRAS C.DEB,DEBITO DIRECTO,VIR,ACHAT CB,PAGAMENTO CARTA,DOMICILIACION"
).split(",");
const EUROPEAN_FIELDS =
  "MANDAT,MANDATSREF,EREF+,IBAN,NR,CARTE,REF,END-TO-END-REF.,KARTE,CARD,TARJETA,DU".split(",");
const MEMOS = "rent,dinner,thanks,birthday,invoice,groceries,gift,lunch,electric,loan,xmas".split(
  ",",
);
const SHOP_FIELDS =
  "INSIDE,OUTSIDE,EDC,POS,FUEL,ONLINE,KIOSK,SELF CHECKOUT,DRIVE THRU,PAYMENT,WEB,MOBILE,ECOMM,RETAIL,INTERNET,DIRECT".split(
    ",",
  );
const NAME_WIDTHS = [10, 12, 13, 14, 15, 16, 16, 18, 19, 20, 22, 22, 22, 23, 25, 25];
const CITY_WIDTHS = [7, 8, 9, 10, 11, 12, 13, 13, 13];
const SHORT_WORDS: Readonly<Record<string, string>> = {
  Saint: "ST",
  Fort: "FT",
  Mount: "MT",
  North: "N",
  South: "S",
  East: "E",
  West: "W",
};

interface NameOptions {
  /** No mark of an intermediary, no web address. */
  readonly plain?: boolean;
  /** How often it is cut off. */
  readonly cut?: number;
}

/** A city as a card line prints it, and what is known of it. */
interface CityField {
  readonly pieces: Piece[];
  readonly isUs: boolean;
  readonly region: string;
  readonly country: string;
}

export function createLines(noise: Noise): () => readonly Piece[] {
  const { random, material, digits, code, letter, blanked, date, time, reference, phone } = noise;
  const { person, web, company, cut, street, usCity, gbCity, otherCity } = noise;
  const { partyName, transfer: payment, wages, joined } = createPayments(noise);
  const { pick, chance, integer } = random;

  const dateOrReference = (): Piece =>
    chance(0.5) ? piece(date(), "date") : piece(reference(), "reference");
  const wrapper = (text: string): Piece => piece(text, "wrapper");
  const field = (text: string, gap = " "): Piece => piece(text, "field", gap);

  /** Punctuation is lost, or becomes spaces; sometimes vowels are left out. */
  function worn(name: string): string {
    const drawn = random.next();
    let text = name;
    if (drawn < 0.2) text = text.replace(/[^\w\s]/gu, pick(["", " "]));
    else if (drawn < 0.3)
      text = text.replace(/[^\w\s]/gu, "").replace(/\s+/gu, chance(0.3) ? "" : " ");
    return chance(0.03) ? text.replace(/[aeiou]/gu, (vowel) => (chance(0.4) ? "" : vowel)) : text;
  }

  function marked(name: string): Piece[] {
    const mark = chance(0.75)
      ? pick(material.marks)
      : `${letter()}${letter()}${chance(0.5) ? "" : code(1)}*`;
    if (chance(0.12)) {
      // The name behind the mark is lost: the mark is the only name, or a reference follows.
      const alone = mark.replace("*", "").trim();
      return chance(0.5)
        ? [piece(alone, "prefix"), piece(reference(), "reference", chance(0.5) ? "" : " ")]
        : [piece(alone, "name")];
    }
    if (!mark.includes("*"))
      return [piece(mark, "prefix"), piece(name, "name", chance(0.2) ? "-" : " ")];
    const star = pick(["", " "]) + (chance(0.8) ? "*" : "  ");
    return [
      piece(mark.replace(/\s*\*$/u, "") + star, "prefix"),
      piece(name, "name", pick(["", "", " "])),
    ];
  }

  function storeNumber(): string {
    const forms: readonly (() => string)[] = [
      () => `#${digits(integer(2, 5))}`,
      () => `# ${digits(integer(2, 5))}`,
      () => digits(integer(2, 6)),
      () => digits(integer(3, 5)),
      () =>
        `${pick(["STORE", "NO", "NO.", "STORE #", "UNIT", "SHOP", "LOC", "BR"])} ${digits(integer(1, 5))}`,
      () => `F${digits(4)}`,
      () => `S${digits(4)}`,
      () => digits(integer(3, 9)) + letter(),
      () => `Q${digits(2)}`,
      () => `-${digits(3)}`,
      () => code(3) + digits(3),
    ];
    return pick(forms)().replace(/\d+/gu, blanked);
  }

  function nameField({ plain = false, cut: share = 0.35 }: NameOptions = {}): Piece[] {
    let name = company();
    if (!plain && chance(0.05)) name = web(name).replace(/^https/u, "");
    if (chance(share)) name = cut(name, NAME_WIDTHS);
    name = worn(name);
    const pieces = !plain && chance(0.2) ? marked(name) : [piece(name, "name")];
    if (chance(0.22)) pieces.push(piece(storeNumber(), "store", chance(0.9) ? " " : ""));
    if (chance(0.03)) pieces.push(field(pick(SHOP_FIELDS)));
    return pieces;
  }

  function cityPieces(): CityField {
    const isUs = chance(0.6);
    const isGb = !isUs && chance(0.6);
    const city = isUs ? usCity() : isGb ? gbCity() : otherCity();
    const region = isUs
      ? city.region
      : chance(0.5)
        ? city.country
        : pick(["GBR", "GB", "UK", "DEU", "USA", city.country]);
    let name = city.name;
    if (isUs && chance(0.03))
      name = pick(["NORTH ", "SOUTH ", "N ", "W ", "ST ", "FT ", "MT "]) + name;
    if (chance(0.1))
      name = name.replace(
        /^(?:Saint|Fort|Mount|North|South|East|West)\b/u,
        (word) => SHORT_WORDS[word] ?? word,
      );
    if (chance(0.3)) name = cut(name, CITY_WIDTHS);
    const pieces = chance(0.06) ? [piece(street(), "street")] : [];
    pieces.push(piece(name, "city"));
    return { pieces, isUs, region, country: isUs ? "US" : isGb ? "GB" : "" };
  }

  /** A city with what stands behind it. */
  function wholePlace({ pieces, isUs, region, country }: CityField): Piece[] {
    const label: Label = isUs ? "state" : "country";
    if (chance(isUs ? 0.9 : 0.5)) {
      pieces.push(piece(region, label, chance(0.07) ? "" : " "));
      if (isUs && chance(0.08)) pieces.push(piece(blanked(digits(5)), "postcode"));
      if (isUs && chance(0.12)) pieces.push(piece(pick(["US", "USA", "US"]), "country"));
    } else if (country === "GB" && chance(0.06)) pieces.push(piece(britishPostcode(), "postcode"));
    return pieces;
  }

  const britishPostcode = (): string =>
    `${letter()}${letter()}${String(integer(1, 20))} ${String(integer(1, 9))}${letter()}${letter()}`;

  /** What stands in the place of a city: `drawn` decides. */
  function insteadOfCity(drawn: number, country: string): Piece | null {
    if (drawn < 0.64) return piece(phone(country), "phone");
    return drawn < 0.72 ? piece(web(pick(material.online)), "web") : null;
  }

  function placeField(): Piece[] {
    const place = cityPieces();
    const { isUs, region, country } = place;
    const drawn = random.next();
    if (drawn < 0.5) return wholePlace(place);
    const area = piece(region, isUs ? "state" : "country");
    const instead = insteadOfCity(drawn, country);
    if (instead !== null) return chance(0.7) ? [instead, area] : [instead];
    if (drawn < 0.75)
      return [
        field(pick(["INTERNET", "ONLINE", "E-COMMERCE", "WWW", "WEB", "EMAIL", "MOBILE APP"])),
      ];
    return drawn < 0.79 ? [area] : [];
  }

  function references(share: number): Piece[] {
    const pieces: Piece[] = [];
    while (chance(share) && pieces.length < 4) {
      const drawn = random.next();
      if (drawn < 0.25) pieces.push(piece(date(), "date"));
      else if (drawn < 0.33) pieces.push(piece(time(), "date"));
      else pieces.push(piece(reference(), "reference"));
    }
    return pieces;
  }

  /** The line once cut, and again whole: fields of two systems. */
  function repeated(core: readonly Piece[]): Piece[] {
    const width = integer(10, 30);
    let length = 0;
    const first: Piece[] = [];
    for (const one of core) {
      if (length >= width) break;
      first.push({ ...one, text: one.text.slice(0, width - length) });
      length += one.text.length + 1;
    }
    return [...first, ...core.map((one, at) => (at === 0 ? { ...one, gap: " " } : one))];
  }

  /** What the bank prints in front of a card line. */
  function frontOfCard(): Piece[] {
    const drawn = random.next();
    if (drawn >= 0.5) return [];
    if (drawn >= 0.4) return [dateOrReference()];
    const isCard = drawn < 0.25;
    const front = [wrapper(pick(isCard ? CARD_WORDS : material.before))];
    if (chance(isCard ? 0.5 : 0.4)) front.push(dateOrReference());
    if (isCard && chance(0.1)) front.push(piece(date(), "date"));
    return front;
  }

  /** `- SAN JOSE CA`, `- SAN`, `- SAN SAN JOSE CA`: a branch that is called by its city, which the field of the name may cut off. */
  function branch(place: readonly Piece[]): readonly Piece[] {
    const [first, ...others] = place;
    const isCity = first?.label === "city";
    if (isCity && chance(0.4)) return [{ ...first, gap: " - " }, ...others];
    const city = isCity ? first.text : usCity().name;
    const shown = chance(0.7) ? city.slice(0, integer(1, city.length)).trimEnd() : city;
    const called = piece(shown, "city", " - ");
    return isCity && chance(0.6) ? [called, { ...first, gap: " " }, ...others] : [called];
  }

  function card(): Piece[] {
    const place = chance(0.82) ? placeField() : [];
    if (chance(0.05) && place[0] !== undefined) place[0] = { ...place[0], gap: "" };
    let pieces = [...nameField(), ...(chance(0.06) ? branch(place) : place)];
    if (chance(0.07))
      pieces = pieces.map((one) =>
        one.label === "city" || one.label === "phone"
          ? { ...one, gap: " ".repeat(integer(2, 12)) }
          : one,
      );
    if (chance(0.1)) pieces = repeated(pieces);
    pieces.push(...references(0.3));
    pieces = [...frontOfCard(), ...pieces];
    if (chance(0.12)) {
      const more = [
        `CARD ${digits(4)}`,
        `APPLE PAY ENDING IN ${digits(4)}`,
        `ON ${date()}`,
        `USD ${digits(2)}.${digits(2)}`,
      ];
      pieces.push(wrapper(chance(0.3) ? pick(more) : pick(TAIL_WORDS)));
    } else if (chance(0.12)) {
      pieces.push(wrapper(pick(chance(0.6) ? material.after : material.end)));
      if (chance(0.6)) pieces.push(piece(reference(), "reference"));
    }
    return pieces;
  }

  const holder = (): string =>
    chance(0.6) ? person().toUpperCase() : pick(["XXXXX", "XXX,XXX", "XXXXXXXX XXXXX", "X"]);

  function accountEntry(name: readonly Piece[], purpose: string): Piece[] {
    const drawn = random.next();
    const value = (text: string, gap = ""): Piece => piece(text, "reference", gap);
    if (drawn < 0.3)
      return [
        ...name,
        piece(purpose, "purpose"),
        ...(chance(0.7) ? [piece(reference(), "reference")] : []),
        ...(chance(0.35) ? [field(holder())] : []),
      ];
    if (drawn < 0.5)
      return [
        ...name,
        field("DES:"),
        piece(purpose, "purpose", chance(0.9) ? "" : " "),
        field("ID:"),
        value(reference(), chance(0.8) ? "" : " "),
        field(`INDN:${holder()}`),
        field("CO ID:"),
        value(blanked(digits(10)), chance(0.8) ? "" : " "),
        field(pick(ENTRY_CLASSES)),
      ];
    if (drawn < 0.62)
      return [
        ...name,
        piece(purpose, "purpose"),
        field(`${pick(ENTRY_CLASSES)} ID:`),
        value(blanked(digits(10)), " "),
      ];
    if (drawn < 0.72)
      return [
        field("ORIG CO NAME:"),
        ...name.map((one, at) => (at === 0 ? { ...one, gap: chance(0.6) ? "" : " " } : one)),
        field("ORIG ID:"),
        value(digits(10)),
        field("DESC DATE:"),
        piece(date(), "date", ""),
        field("CO ENTRY DESCR:"),
        piece(purpose, "purpose", ""),
        field(`SEC:${pick(ENTRY_CLASSES)}`),
        field("TRACE#:"),
        value(digits(15)),
        field("EED:"),
        value(digits(6)),
        field("IND ID:"),
        value(code(8)),
        field(`IND NAME:${holder()}`),
      ].slice(0, integer(5, 16));
    if (drawn < 0.8)
      return [
        ...name,
        field("TYPE:"),
        piece(purpose, "purpose"),
        field("ID:"),
        value(digits(10), " "),
        ...(chance(0.6)
          ? [field("CO:"), ...name, field("ENTRY CLASS CODE:"), field(pick(ENTRY_CLASSES))]
          : []),
      ];
    if (drawn < 0.9)
      return [
        piece(purpose, "purpose"),
        ...name,
        ...(chance(0.5) ? [piece(reference(), "reference")] : []),
      ];
    return [...name, ...(chance(0.5) ? [field("-")] : []), piece(purpose, "purpose")];
  }

  function account(): Piece[] {
    const named = nameField({ plain: chance(0.8), cut: 0.45 });
    const name = named.filter(({ label }) => label === "name" || label === "prefix");
    const purpose = chance(0.75) ? pick(ENTRY_WORDS) : pick(material.purposes);
    let pieces = accountEntry(name, purpose);
    if (chance(0.4)) pieces = [wrapper(pick(ACCOUNT_WORDS)), ...pieces];
    else if (chance(0.2)) pieces = [wrapper(pick(material.before)), ...pieces];
    if (chance(0.15)) pieces.push(wrapper(pick(ACCOUNT_WORDS.slice(0, 8))));
    return pieces;
  }

  function transfer(): Piece[] {
    const mark = (): Piece =>
      field(pick(["REF", "FOR", "MEMO", "REFERENCE", "CONF#", "JPM", "BAC"]));
    // `ZELLE TRANSFER CONF# A1B2C3; SMITH, JOHN`
    if (chance(0.08)) {
      const party = partyName(0.8, pick([" ", "; "]));
      return [wrapper(pick(TRANSFER_WORDS)), mark(), piece(reference(), "reference"), party];
    }
    const party = partyName(0.8);
    if (chance(0.1))
      return [party, wrapper(pick(["TRANSFER", "PAYMENT", "FPI", "ZELLE", "BGC", "GIFT"]))];
    const pieces = [wrapper(pick(TRANSFER_WORDS)), party];
    if (chance(0.45))
      pieces.push(chance(0.5) ? piece(`ON ${date()}`, "date") : piece(reference(), "reference"));
    if (chance(0.25))
      pieces.push(mark(), piece(chance(0.5) ? reference() : pick(MEMOS), "reference"));
    return chance(0.15) ? pieces.slice(1) : pieces;
  }

  /** What the bank itself does: no counterparty. */
  function ownBusiness(): Piece[] {
    let pieces = [piece(pick(material.purposes), "purpose")];
    if (chance(0.3)) pieces.push(piece(pick(material.purposes), "purpose"));
    if (chance(0.4)) {
      const accounts = "SAVINGS,CHECKING,CHK,SAV,SHARE,ACCOUNT,ACCT,CREDIT CARD,LOAN,MMA".split(
        ",",
      );
      pieces.push(
        field(pick(["TO", "FROM"])),
        piece(pick(accounts), "purpose"),
        piece(reference(), "reference"),
      );
    }
    pieces.push(...references(0.4));
    if (chance(0.2)) pieces = [piece(date(), "date"), ...pieces];
    if (chance(0.2)) pieces.push(...placeField());
    if (chance(0.15)) pieces = [wrapper(pick(material.before)), ...pieces];
    if (chance(0.15)) pieces.push(piece(`ON ${date()}`, "date"));
    return pieces;
  }

  function cash(): Piece[] {
    const pieces = [piece(pick(CASH_WORDS), "purpose")];
    if (chance(0.4)) pieces.push(dateOrReference());
    if (chance(0.35)) pieces.push(piece(company(), "name"));
    if (chance(0.5)) pieces.push(piece(street(), "street"));
    if (chance(0.7)) {
      const { name, region } = usCity();
      pieces.push(piece(name, "city"), piece(region, "state"));
    }
    if (chance(0.3)) pieces.push(piece(reference(), "reference"));
    return pieces;
  }

  function wire(): Piece[] {
    const isIn = chance(0.5);
    const party = partyName(0.3, chance(0.7) ? "" : " ");
    const value = (text: string): Piece => piece(text, "reference", "");
    const drawn = random.next();
    if (drawn < 0.4)
      return [
        field(`WIRE TYPE:WIRE ${isIn ? "IN" : "OUT"} DATE:`),
        piece(digits(6), "date", ""),
        field("TIME:"),
        piece(`${digits(4)} ET`, "date", ""),
        field("TRN:"),
        value(digits(16)),
        field(isIn ? "SEQ:" : "SERVICE REF:"),
        value(digits(6)),
        field(isIn ? "ORIG:" : "BNF:"),
        party,
        field("ID:"),
        value(digits(8)),
        field(isIn ? "SND BK:" : "BNF BK:"),
        field(company(), ""),
        field("ID:"),
        value(digits(9)),
        field("PMT DET:"),
        value(code(10)),
      ].slice(0, integer(11, 18));
    if (drawn < 0.7)
      return [
        wrapper(
          pick(
            "FEDWIRE CREDIT VIA:,CHIPS CREDIT VIA:,BOOK TRANSFER CREDIT,WIRE TRANSFER,INCOMING WIRE,OUTGOING WIRE".split(
              ",",
            ),
          ),
        ),
        ...(chance(0.6) ? [field(company()), value(`/${digits(9)}`)] : []),
        field(
          pick(["B/O:", "BNF:", "SENDER:", "ORG=", "BNF=", "BENEFICIARY:", "RMT:", "REMITTER:"]),
        ),
        party,
        field(pick(["REF:", "OBI=", "RFB=", "IMAD:", "TRN:"])),
        piece(code(12), "reference"),
      ];
    const kinds =
      "BANK GIRO CREDIT,INWARD PAYMENT,CHAPS,SWIFT,SEPA,VIREMENT RECU,GUTSCHRIFT,INTL WIRE".split(
        ",",
      );
    return [
      wrapper(pick([...kinds, `WT FED#${digits(5)}`, `WT SEQ${digits(6)}`])),
      field(pick(["/ORG=", "FROM", "TO", "BY", "DE", "VON", "/BNF=", "FTR/BNF="])),
      party,
      ...(chance(0.7)
        ? [
            field(pick(["REF", "SRF#", "EREF+", "KREF+", "MREF+", "IBAN", "BIC", "SVWZ+"])),
            piece(code(integer(8, 16)), "reference"),
          ]
        : []),
    ];
  }

  function european(): Piece[] {
    const pieces = [wrapper(pick(EUROPEAN_WORDS))];
    if (chance(0.4)) pieces.push(dateOrReference());
    pieces.push(partyName(0.25));
    if (chance(0.35)) {
      const { name, country } = otherCity();
      pieces.push(piece(name, "city", chance(0.4) ? "//" : " "));
      if (chance(0.4)) pieces.push(piece(country, "country", chance(0.5) ? "/" : " "));
    }
    if (chance(0.4)) pieces.push(field(pick(EUROPEAN_FIELDS)), dateOrReference());
    return pieces;
  }

  function memo(): Piece[] {
    const name = nameField({ plain: true });
    const words = "INVOICE,INV,ORDER,PAYMENT,SUBSCRIPTION,MONTHLY,MEMBERSHIP,TICKET,BILL".split(
      ",",
    );
    if (chance(0.5)) return [...name, piece(pick(words), "purpose"), ...references(0.5)];
    return [
      ...name,
      ...(chance(0.5) ? [piece(reference(), "reference")] : []),
      field("MERCHANT NAME:", pick([". ", " ", "; "])),
      ...name,
    ];
  }

  const KINDS: readonly (readonly [upTo: number, make: () => Piece[]])[] = [
    [0.5, card],
    [0.64, account],
    [0.69, transfer],
    [0.76, payment],
    [0.785, wages],
    [0.805, joined],
    [0.865, ownBusiness],
    [0.89, cash],
    [0.915, wire],
    [0.965, european],
    [1, memo],
  ];

  return () => {
    const drawn = random.next();
    const make = KINDS.find(([upTo]) => drawn < upTo)?.[1] ?? card;
    const pieces = make();
    if (pieces.length > 2 && chance(0.03)) pieces.splice(integer(0, pieces.length - 1), 1);
    return pieces;
  };
}
