// Composes lines of payments between accounts: transfers of persons, wages, and the fields that Indian banks join with a stroke or a
// dash. Phrases are composed of the words that banks put together: what is paid, how, in which direction.
import { type Noise, type Piece, piece } from "./noise.ts";

const listOf = (text: string): readonly string[] => text.split(",");

/** Words of a transfer, and the words between them and the party. */
interface TransferWords {
  readonly kinds: readonly string[];
  /** What may follow. */
  readonly ways: readonly string[];
  /** Empty: the party follows at once. */
  readonly joints: readonly string[];
}

const ENGLISH: TransferWords = {
  kinds: listOf(
    "TRANSFER,TRANSFER,ONLINE TRANSFER,ONLINE BANKING TRANSFER,MOBILE TRANSFER,BANK TRANSFER,INTERNET TRANSFER,FUNDS TRANSFER," +
      "INTERNET BANKING TRANSFER,PAYMENT,MOBILE PAYMENT,BILL PAYMENT,ONLINE PAYMENT,INSTANT PAYMENT,REAL TIME PAYMENT,RTP," +
      "FASTER PAYMENT,FASTER PAYMENTS,STANDING ORDER,STANDING ORDER,SO,STO,FPI,FPO,TFR,TRF,XFER,MONEY,P2P,EFT," +
      "RECURRING TRANSFER,SCHEDULED TRANSFER,WIRE TRANSFER,E-TRANSFER,INTERAC E-TRANSFER,INTERAC E-TRF,ETRANSFER,SEND E-TFR," +
      "SEPA CREDIT TRANSFER,SEPA INSTANT,OSKO PAYMENT,PAYID PAYMENT,FAST TRANSFER,DIRECT CREDIT,CREDIT,PAYSHAP PAYMENT," +
      "IMMEDIATE PAYMENT,ZELLE,ZELLE PAYMENT,ZELLE TRANSFER,ZELLE CREDIT,ZELLE DEBIT,VENMO,VENMO PAYMENT,CASH APP," +
      "CASH APP PAYMENT,PAYPAL,PAYPAL INST XFER,POPMONEY,*MOBI,*INET,MOBILE BANKING PAYMENT",
  ),
  ways: listOf(",,,,,,,SENT,RECEIVED,RECEIPT,RECURRING PAYMENT,IN,OUT,DEPOSIT,VIA FASTER PAYMENT"),
  joints: listOf("TO,FROM,TO,FROM,,FOR,BY"),
};

const TRANSFERS: readonly TransferWords[] = [
  ENGLISH,
  ENGLISH,
  {
    kinds: listOf(
      "UEBERWEISUNG,ÜBERWEISUNG,SEPA-UEBERWEISUNG,SEPA UEBERWEISUNG,ECHTZEIT-UEBERWEISUNG,ONLINE-UEBERWEISUNG,DAUERAUFTRAG," +
        "GUTSCHRIFT,SEPA-GUTSCHRIFT,GUTSCHR. UEBERW.,UEBERWEISUNGSGUTSCHRIFT",
    ),
    ways: listOf(",,,EINGANG"),
    joints: listOf(",,,AN,VON"),
  },
  {
    kinds: listOf(
      "VIREMENT,VIR,VIR SEPA,VIR INST,VIREMENT SEPA,VIREMENT PERMANENT,VIR PERM,VIREMENT INSTANTANE,VIRT",
    ),
    ways: listOf(",,RECU,EMIS,EN VOTRE FAVEUR"),
    joints: listOf("DE,VERS,POUR,A,,DE LA PART DE"),
  },
  {
    kinds: listOf(
      "TRANSFERENCIA,TRANSF,TRANSFERENCIA INMEDIATA,TRASPASO,BIZUM,TRANSF INMEDIATA,ORDEN PERMANENTE",
    ),
    ways: listOf(",,RECIBIDA,EMITIDA,ENVIADO,RECIBIDO"),
    joints: listOf("DE,A,A FAVOR DE,PARA,"),
  },
  {
    kinds: listOf("BONIFICO,BONIFICO SEPA,BONIFICO ISTANTANEO,BONIF,GIROCONTO"),
    ways: listOf(",,RICEVUTO,DISPOSTO"),
    joints: listOf("A,DA,A FAVORE DI,PER,"),
  },
  {
    kinds: listOf(
      "OVERBOEKING,SEPA OVERBOEKING,PERIODIEKE OVERBOEKING,OVERSCHRIJVING,TIKKIE,BETAALVERZOEK,SPOEDBETALING",
    ),
    ways: listOf(",,,ONTVANGEN"),
    joints: listOf("NAAR,VAN,AAN,,"),
  },
  {
    kinds: listOf("TRANSFERENCIA,TRF,PIX,PIX TRANSF,TED,TRANSF IMEDIATA,MB WAY"),
    ways: listOf(",,ENVIADO,RECEBIDO,ENVIADA"),
    joints: listOf("DE,PARA,P/,A,"),
  },
];

/** What persons write. */
const MEMOS = listOf(
  "RENT,RENT,DINNER,THANKS,BIRTHDAY,GROCERIES,GIFT,LUNCH,ELECTRIC,LOAN,XMAS,HOLIDAY,HOUSE,FOOD,TICKETS,BILLS,SHARE,DEPOSIT," +
    "MIETE,GESCHENK,DANKE,STROM,AUSLAGEN,URLAUB,LOYER,CADEAU,MERCI,REMBOURSEMENT,COURSES,ALQUILER,REGALO,GASTOS,COMIDA,GRACIAS," +
    "HUUR,CADEAUTJE,BOODSCHAPPEN,BEDANKT,AFFITTO,REGALO,SPESE,GRAZIE,ALUGUEL,PRESENTE,RENDA,ALMOCO,MAINTENANCE,FEES,SPLIT BILL",
);

const WAGES: readonly (readonly string[])[] = [
  listOf(
    "SALARY,SALARY,WAGES,PAYROLL,PAY,NET PAY,MONTHLY SALARY,WEEKLY WAGES,PAYROLL DEPOSIT,DIRECT DEP PAYROLL,SAL,SALARY PAYMENT,PAYSLIP",
  ),
  listOf("GEHALT,LOHN,LOHN/GEHALT,LOHN GEHALT,BEZUEGE,VERGUETUNG"),
  listOf("SALAIRE,SALAIRES,PAIE,PAYE,VIREMENT SALAIRE,VIR SALAIRE"),
  listOf("NOMINA,ABONO NOMINA,SALARIO,PAGO NOMINA,NOMINA MES"),
  listOf("STIPENDIO,EMOLUMENTI,ACCREDITO STIPENDIO"),
  listOf("SALARIS,LOON,SALARISBETALING,SALARIS/LOON"),
  listOf("SALARIO,ORDENADO,VENCIMENTO"),
];
/** Of each list of words of wages. */
const MONTHS: readonly (readonly string[])[] = [
  listOf(
    "JAN,FEB,MAR,APR,MAY,JUN,JUL,AUG,SEP,OCT,NOV,DEC,JANUARY,FEBRUARY,MARCH,APRIL,JUNE,JULY,AUGUST,SEPTEMBER,OCTOBER," +
      "NOVEMBER,DECEMBER",
  ),
  listOf("JANUAR,FEBRUAR,MAERZ,APRIL,MAI,JUNI,JULI,AUGUST,SEPTEMBER,OKTOBER,NOVEMBER,DEZEMBER"),
  listOf("JANVIER,FEVRIER,MARS,AVRIL,MAI,JUIN,JUILLET,AOUT,SEPTEMBRE,OCTOBRE,NOVEMBRE,DECEMBRE"),
  listOf(
    "ENERO,FEBRERO,MARZO,ABRIL,MAYO,JUNIO,JULIO,AGOSTO,SEPTIEMBRE,OCTUBRE,NOVIEMBRE,DICIEMBRE",
  ),
  listOf(
    "GENNAIO,FEBBRAIO,MARZO,APRILE,MAGGIO,GIUGNO,LUGLIO,AGOSTO,SETTEMBRE,OTTOBRE,NOVEMBRE,DICEMBRE",
  ),
  listOf("JANUARI,FEBRUARI,MAART,APRIL,MEI,JUNI,JULI,AUGUSTUS,SEPTEMBER,OKTOBER,NOVEMBER,DECEMBER"),
  listOf(
    "JANEIRO,FEVEREIRO,MARCO,ABRIL,MAIO,JUNHO,JULHO,AGOSTO,SETEMBRO,OUTUBRO,NOVEMBRO,DEZEMBRO",
  ),
];
const WAGE_FRONTS = listOf(
  "BGC,BACS,BACS CREDIT,BANK GIRO CREDIT,DIRECT CREDIT,DEPOSIT,CREDIT,GUTSCHRIFT,VIR SEPA RECU,VIREMENT,TRANSFERENCIA," +
    "BONIFICO,OVERBOEKING,NEFT CR,SEPA,DIRECT DEPOSIT,ACH CREDIT",
);
const WAGE_JOINTS = listOf("FROM,FOR,BY,VON,DE,VAN,DA");
const LOCAL_FORMS = listOf(
  "LTD,LIMITED,LLC,INC,GMBH,GMBH & CO KG,AG,SARL,SAS,SA,SL,SLU,BV,NV,SRL,SPA,LDA,LTDA,PTY LTD,PVT LTD,PLC",
);
const INDIAN_BANKS = listOf("HDFC,ICIC,SBIN,UTIB,KKBK,YESB,PUNB,BARB,CNRB,IDFB,INDB,AXIS,FDRL");
const HANDLES = listOf("okaxis,okhdfcbank,oksbi,okicici,ybl,paytm,upi,axl,ibl,apl");

/** The share of parties that are persons. */
const PERSONS = 0.85;

export function createPayments(noise: Noise) {
  const { random, digits, code, date, reference, person, company } = noise;
  const { pick, chance, integer } = random;
  const wrapper = (text: string): Piece => piece(text, "wrapper");
  const field = (text: string, gap = " "): Piece => piece(text, "field", gap);

  const partyName = (persons: number, gap = " "): Piece =>
    chance(persons) ? piece(person(), "person", gap) : piece(company(), "name", gap);

  /** What the payer wrote. */
  function memo(): Piece[] {
    const written = piece(pick(MEMOS), "purpose");
    if (chance(0.5)) return [written];
    if (chance(0.2)) return [piece(`${pick(MEMOS)} ${pick(MONTHS[0] ?? [])}`, "purpose")];
    const mark = pick([
      "REF",
      "FOR",
      "MEMO",
      "REFERENCE",
      "CONCEPTO",
      "MOTIF",
      "VWZ",
      "OMSCHRIJVING:",
    ]);
    return [field(mark), written];
  }

  /** `ONLINE TRANSFER TO MARIA LOPEZ RENT`, `VIR SEPA RECU DE …`. */
  function transfer(): Piece[] {
    const { kinds, ways, joints } = pick(TRANSFERS);
    const phrase = [pick(kinds), pick(ways), pick(joints)].filter((word) => word !== "");
    const front = [wrapper(phrase.join(" "))];
    if (chance(0.06)) front.push(piece(reference(), "reference"));
    const party = partyName(PERSONS);
    const behind: Piece[] = [];
    if (chance(0.3)) behind.push(...memo());
    if (chance(0.25))
      behind.push(chance(0.5) ? piece(`ON ${date()}`, "date") : piece(reference(), "reference"));
    if (chance(0.1)) return [party, wrapper(pick(kinds)), ...behind];
    return [...front, party, ...behind];
  }

  const employer = (): Piece => {
    const name = company();
    return piece(chance(0.4) ? `${name} ${pick(LOCAL_FORMS)}` : name, "name");
  };

  /** `NOMINA OCTUBRE TALLERES RUIZ SL`, `BGC … SALARY`. */
  function wages(): Piece[] {
    const language = chance(0.4) ? 0 : integer(0, WAGES.length - 1);
    const word = piece(pick(WAGES[language] ?? []), "purpose");
    const month: Piece[] = [];
    if (chance(0.5)) {
      month.push(piece(pick(MONTHS[language] ?? []), "date"));
      if (chance(0.25)) month.push(piece(`20${digits(2)}`, "date"));
    }
    const front = chance(0.25) ? [wrapper(pick(WAGE_FRONTS))] : [];
    const end = chance(0.2) ? [piece(reference(), "reference")] : [];
    if (chance(0.35)) return [...front, employer(), word, ...month, ...end];
    const joint = chance(0.2) ? [field(pick(WAGE_JOINTS))] : [];
    return [...front, word, ...month, ...joint, employer(), ...end];
  }

  /** `UPI/DR/412…/RAHUL SHARMA/HDFC/rahul@okhdfc/UPI`, `NEFT CR-ICIC0000012-… -SALARY`. */
  function joined(): Piece[] {
    const gap = pick(["/", "-", "/", "-", " / ", "- "]);
    const value = (text: string): Piece => piece(text, "reference", gap);
    const bank = (): Piece => field(pick(INDIAN_BANKS), gap);
    const branch = (): Piece => value(`${pick(INDIAN_BANKS)}0${code(6)}`);
    const handle = (): Piece =>
      value(
        `${pick(noise.material.firstNames).toLowerCase()}${chance(0.5) ? digits(2) : ""}@${pick(HANDLES)}`,
      );
    const party = (): Piece => partyName(0.7, gap);
    const purpose = (): Piece[] =>
      chance(0.5) ? [piece(pick([...MEMOS, "UPI", "PAYMENT", "SALARY"]), "purpose", gap)] : [];
    const sides = (): Piece[] =>
      chance(0.6) ? [field(pick(["DR", "CR", "P2A", "P2M"]), gap)] : [];
    const forms: readonly (() => Piece[])[] = [
      () => [
        wrapper("UPI"),
        ...sides(),
        value(digits(12)),
        party(),
        bank(),
        handle(),
        ...purpose(),
      ],
      () => [wrapper("UPI"), party(), handle(), branch(), value(digits(12)), ...purpose()],
      () => [wrapper("UPI"), party(), handle(), value(digits(integer(10, 12)))],
      () => [
        wrapper(pick(["NEFT CR", "NEFT DR", "NEFT", "RTGS"])),
        branch(),
        party(),
        ...purpose(),
      ],
      () => [wrapper(pick(["NEFT", "RTGS"])), value(`N${digits(9)}`), party(), branch()],
      () => [
        wrapper(pick(["IMPS", "MMT/IMPS"])),
        ...sides(),
        value(digits(12)),
        party(),
        bank(),
        ...purpose(),
      ],
      () => [
        wrapper(pick(["BY TRANSFER", "TO TRANSFER"])),
        field("UPI", gap),
        ...sides(),
        value(digits(12)),
        party(),
        bank(),
      ],
      () => [
        wrapper(pick(["ACH D", "ACH C", "ECS", "NACH"])),
        piece(company(), "name", gap),
        value(digits(8)),
      ],
    ];
    return pick(forms)();
  }

  return { partyName, transfer, wages, joined };
}
