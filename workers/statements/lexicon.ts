// The words of bank statements, and how a phrase is found among the words of a line.
import { readWordTable, sectionOf } from "../../src/shared/word-table.ts";

const table = readWordTable(new URL("statement-words.txt", import.meta.url));
const MARKS = /[:;,*]+$|^[*(‘’'"“”]+(?=\p{L}+$)/gu;
/** Words that are not set apart by spaces. */
export const CJK = /\p{Script=Han}/u;

/** Lower case, without accents and without the marks around a word. */
export const plainWord = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(MARKS, "")
    .replaceAll("’", "'");

const phrases = (section: string): readonly string[] =>
  [...sectionOf(table, section)]
    .map((phrase) => phrase.split(" ").map(plainWord).join(" "))
    .sort((a, b) => b.length - a.length);

/** A phrase among words: from is the first word, to the one behind the last. */
export interface PhraseAt {
  readonly from: number;
  readonly to: number;
}

const PHRASE_WORDS_MAX = 7;

export interface Phrases {
  /** The first phrase at or behind a word; the longest of those that begin there. */
  find(words: readonly string[], from?: number): PhraseAt | null;
  has(phrase: string): boolean;
  /** Whether it is the first word of a phrase. */
  begins(word: string): boolean;
}

function createPhrases(section: string): Phrases {
  const all = phrases(section);
  const whole = new Set(all);
  const firstWords = new Set(all.map((phrase) => phrase.split(" ")[0] ?? ""));
  const han = all.filter((phrase) => CJK.test(phrase));
  const endAt = (words: readonly string[], from: number): number => {
    const first = words[from] ?? "";
    if (CJK.test(first) && han.some((phrase) => first.includes(phrase))) return from + 1;
    if (!firstWords.has(first)) return -1;
    for (let length = Math.min(PHRASE_WORDS_MAX, words.length - from); length > 0; length -= 1)
      if (whole.has(words.slice(from, from + length).join(" "))) return from + length;
    return -1;
  };
  return {
    find: (words, start = 0) => {
      for (let from = start; from < words.length; from += 1) {
        const to = endAt(words, from);
        if (to > 0) return { from, to };
      }
      return null;
    },
    has: (phrase) => whole.has(phrase),
    begins: (word) => firstWords.has(word),
  };
}

/** What a column of a table holds. */
export const COLUMN_ROLES = [
  "value date",
  "date",
  "debit",
  "credit",
  "balance",
  "amount",
  "type",
  "description",
  "reference",
  "fee",
] as const;
export type StatementColumn = (typeof COLUMN_ROLES)[number];

export const ROLE_PHRASES: readonly (readonly [StatementColumn, Phrases])[] = COLUMN_ROLES.map(
  (role) => [role, createPhrases(role)],
);

/** Lines that are facts about the account, and not transactions. */
export const FACTS = [
  "opening",
  "closing",
  "weak closing",
  "total credits",
  "total debits",
  "other fact",
] as const;
export type FactKind = (typeof FACTS)[number];
export const FACT_PHRASES: readonly (readonly [FactKind, Phrases])[] = FACTS.map((kind) => [
  kind,
  createPhrases(kind),
]);

/** "Balance on 31 March": opening or closing, as its date and place say. */
export const DATED_BALANCE = createPhrases("dated balance");
export const TOTAL_WORD = createPhrases("total word");
/** Also inside of words such as "Schlusssaldo". */
export const BALANCE_STEM = /balance|sald[oi]|solde|kontostand|bakiye|余额|餘額|结余|結餘|残高/u;
/** The same of "Umbuchung", "bonifico" and their like. */
export const TRANSFER_STEM = /transf|virement|uberweis|umbuchung|bonifico|转账|轉賬/u;
export const CREDIT_SECTION = createPhrases("credit section");
export const DEBIT_SECTION = createPhrases("debit section");
export const IGNORED_SECTION = createPhrases("ignored section");
export const PENDING_SECTION = createPhrases("pending section");
export const BOOKED_SECTION = createPhrases("booked section");
export const INVOICE_TITLE = createPhrases("invoice title");
export const INVOICE_DETAIL = createPhrases("invoice detail");
export const METERED_SUPPLY = createPhrases("metered supply");
export const PAYROLL_DETAIL = createPhrases("payroll detail");
export const OTHER_DOCUMENT_TITLE = createPhrases("other document title");
export const TRADE_TITLE = createPhrases("trade title");
export const TRADE_DETAIL = createPhrases("trade detail");
export const NO_ACTIVITY = createPhrases("no activity");
export const ACCOUNT_LABEL = createPhrases("account");
export const PERIOD_LABEL = createPhrases("period");
export const FROM_TO = createPhrases("from to");
export const CREDIT_WORD = createPhrases("credit word");
export const DEBIT_WORD = createPhrases("debit word");
export const CARD_WORDS = createPhrases("card");
/** In rows of a card: what was paid to it. */
export const CARD_PAYMENT = createPhrases("card payment");
/** In descriptions: what all banks mean by it, from the point of view of the holder. */
export const CREDIT_ROW = createPhrases("credit row");
export const DEBIT_ROW = createPhrases("debit row");
/** Of a column of loans: what payments repay. */
export const PRINCIPAL = createPhrases("principal");
export const HOLDER_LABEL = createPhrases("holder");
export const INSTITUTION_WORD = createPhrases("institution");
export const STATEMENT_TITLE = createPhrases("statement title");
export const ISSUER_LABEL = createPhrases("issuer");
export const COMPANY_FORM = createPhrases("company");
export const BUSINESS_PRODUCT = createPhrases("business product");
/** Of the menu of a web page. */
export const MENU_WORD = createPhrases("menu");
export const PRODUCT_WORD = createPhrases("product");
/** In the order in which they are looked for. */
export const ACCOUNT_TYPES = ["credit card", "savings", "checking", "loan"].map(
  (type) => [type, createPhrases(`type ${type}`)] as const,
);

const MONTHS = new Map(
  Array.from({ length: 12 }, (_, index) => index + 1).flatMap((month) =>
    phrases(`month ${String(month)}`).map((name) => [name, month] as const),
  ),
);

/** 1 to 12 for the name of a month or its usual short form; null: the word is something else. */
export const monthOfName = (word: string): number | null =>
  MONTHS.get(plainWord(word).replace(/\.$/u, "")) ?? null;
