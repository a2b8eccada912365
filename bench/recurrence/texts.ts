// The text that a bank prints for a payment, by region and rail, with references that differ from one payment to the next.
import type { EntryType } from "../../src/model/transaction.ts";
import type { Random } from "../../test/support/random.ts";
import type { BankRegion } from "../../workers/recurrence/calendar/bank-days.ts";
import type { Rail } from "./context.ts";
import { toCalendarDate } from "../../workers/recurrence/calendar/days.ts";

export interface TextInput {
  readonly region: BankRegion;
  readonly rail: Rail;
  readonly entryType: EntryType;
  /** As the payee is written on this line. */
  readonly name: string;
  readonly day: number;
  readonly note: string | null;
  readonly intermediary: string | null;
  /** False: the same text for every payment. */
  readonly hasReferences: boolean;
}

const MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");
const LETTERS = "A B C D E F G H J K L M N P Q R S T U V W X Y Z 0 1 2 3 4 5 6 7 8 9".split(" ");

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => String(random.integer(0, 9))).join("");

const code = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.pick(LETTERS)).join("");

const two = (value: number): string => String(value).padStart(2, "0");

/** Writes parts of the line that change with each payment; nothing where the text has no references. */
interface References {
  readonly digits: (count: number) => string;
  readonly code: (count: number) => string;
}

type Writer = (name: string, reference: References, day: number, isIncoming: boolean) => string;

const usDate = (day: number): string => {
  const { month, day: date } = toCalendarDate(day);
  return `${two(month)}/${two(date)}`;
};

const ukDate = (day: number): string => {
  const { month, day: date } = toCalendarDate(day);
  return `${two(date)} ${MONTHS[month - 1] ?? ""}`;
};

/** Layouts of real statement lines: see "Facts about descriptors" in the public samples that the recogniser is measured on. */
const LAYOUTS: Readonly<Record<BankRegion, Readonly<Record<Rail, readonly Writer[]>>>> = {
  us: {
    card: [
      (name, { digits }) => `${name} ${digits(10)}`,
      (name, { code }, day) => `CHECKCARD ${usDate(day).replace("/", "")} ${name} ${code(8)}`,
      (name, { digits }, day) => `PURCHASE AUTHORIZED ON ${usDate(day)} ${name} S${digits(12)}`,
    ],
    "direct debit": [
      (name, { digits }) => `${name} DES:PAYMENT ID:${digits(9)} WEB`,
      (name, { digits }) => `${name} AUTOPAY ${digits(6)} PPD`,
    ],
    "standing order": [(name, { code }) => `BILL PAY ${name} CONF ${code(9)}`],
    "bank credit": [
      (name, { digits }) => `${name} DES:DIR DEP ID:${digits(8)} PPD`,
      (name, { digits }) => `ORIG CO NAME:${name} ENTRY:DEPOSIT TRN:${digits(10)}`,
    ],
    transfer: [(name, { digits }) => `ONLINE TRANSFER ${name} CONFIRMATION# ${digits(10)}`],
    person: [
      (name, { code }, _, isIncoming) =>
        `ZELLE PAYMENT ${isIncoming ? "FROM" : "TO"} ${name} CONF# ${code(8)}`,
    ],
    fee: [(name) => name],
  },
  uk: {
    card: [
      (name, _, day) => `${name} ON ${ukDate(day)} BCC`,
      (name, { digits }) => `CARD PAYMENT TO ${name} ${digits(6)}`,
    ],
    "direct debit": [(name, { digits }) => `${name} ${digits(10)} DDR`],
    "standing order": [(name, { code }) => `${name} ${code(6)} STO`],
    "bank credit": [(name, { digits }) => `${name} REF ${digits(8)} BGC`],
    transfer: [(name, { digits }) => `TRANSFER ${name} ${digits(8)} FPO`],
    person: [(name, { code }) => `${name} ${code(5)} FPI`],
    fee: [(name) => name],
  },
  eu: {
    card: [
      (name, { digits }, day) => `KARTENZAHLUNG ${name} ${ukDate(day)} ${digits(8)}`,
      (name, _, day) => `CARTE ${usDate(day)} ${name}`,
    ],
    "direct debit": [
      (name, { code, digits }) => `SEPA-LASTSCHRIFT ${name} MREF ${code(10)} EREF ${digits(8)}`,
      (name, { digits }) => `PRLV SEPA ${name} ${digits(9)}`,
    ],
    "standing order": [(name, { digits }) => `DAUERAUFTRAG ${name} ${digits(6)}`],
    "bank credit": [(name, { digits }) => `GUTSCHRIFT ${name} EREF ${digits(10)}`],
    transfer: [(name, { digits }) => `UEBERWEISUNG ${name} ${digits(8)}`],
    person: [(name, { digits }) => `VIREMENT ${name} ${digits(5)}`],
    fee: [(name) => name],
  },
};

/** Which layout a bank uses for a payee: the same one for all of its payments. */
export const drawLayout = (random: Random): number => random.integer(0, 11);

/** @param layout of `drawLayout`; the layouts of a rail are counted round */
export function bankText(random: Random, input: TextInput, layout: number): string {
  const { region, rail, entryType, day, note, intermediary, hasReferences } = input;
  const writers = LAYOUTS[region][rail];
  const writer = writers[layout % writers.length] ?? ((name: string) => name);
  const reference: References = hasReferences
    ? { digits: (count) => digits(random, count), code: (count) => code(random, count) }
    : { digits: () => "", code: () => "" };
  const name = `${intermediary === null ? "" : `${intermediary.toUpperCase()} *`}${input.name.toUpperCase()}`;
  const text = writer(name, reference, day, entryType === "incoming")
    .replaceAll(/\s+/g, " ")
    .trim();
  return note === null ? text : `${text} ${note}`;
}

/** How another terminal or another statement writes the same name. */
export function otherSpelling(random: Random, name: string): string {
  const short = name.length > 9 ? name.slice(0, 9).trimEnd() : `${name} Intl`;
  return random.pick([
    `${name} Inc`,
    name.replaceAll(/[^\p{L}\p{N}]/gu, ""),
    `${name.replaceAll(/\s/g, "")}.com`,
    short,
    `${name} Ltd London`,
  ]);
}
