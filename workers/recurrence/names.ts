// When two names are of one payee: what legal forms, domains, spaces and truncation change of a name.

/** Legal forms and words after which nothing is left that names the payee (place, country, branch). */
const LEGAL_FORMS: ReadonlySet<string> = new Set(
  (
    "inc incorporated llc llp ltd limited plc corp corporation co company gmbh ag kg ug se sa sas sarl sl srl spa bv nv ab as " +
    "oy aps pty lda ltda intl international"
  ).split(" "),
);
const DOMAIN_ENDINGS: ReadonlySet<string> = new Set(
  "com net org io co uk de fr es it nl eu us".split(" "),
);
/** Words of bank lines that are of the payment, not of the payee. */
const LINE_WORDS: ReadonlySet<string> = new Set(
  (
    "checkcard card cards purchase authorized authorised on payment payments to from pos debit credit des id web ppd ach ccd " +
    "autopay bill pay conf confirmation online transfer recurring entry deposit orig name trn dir dep direct ref reference " +
    "bcc ddr sto bgc fpo fpi fps bp kartenzahlung lastschrift sepa mref eref dauerauftrag gutschrift ueberweisung virement prlv " +
    "carte zelle jan feb mar apr may jun jul aug sep oct nov dec visa mastercard the of and"
  ).split(" "),
);
/** Shorter beginnings are shared by chance; longer ones are enough, those in between if they are half of the name. */
const PREFIX_LENGTH_MIN = 6;
const PREFIX_LENGTH_ENOUGH = 8;
const PREFIX_SHARE_MIN = 0.5;
const LINE_NAME_LENGTH_MIN = 3;

/** Lower case words of letters and digits, without marks. */
export const textTokens = (text: string): readonly string[] =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/['’]/gu, "")
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** The words of a name up to its legal form or the ending of its domain; all of them when it begins with one. */
export function nameWords(name: string): readonly string[] {
  const words = textTokens(name);
  const lower = name.toLowerCase();
  const end = words.findIndex(
    (word, index) =>
      index > 0 &&
      (LEGAL_FORMS.has(word) || (DOMAIN_ENDINGS.has(word) && lower.includes(`.${word}`))),
  );
  return end === -1 ? words : words.slice(0, end);
}

/** The words of a bank line that may be of its payee: no references, no words of the payment. */
export const lineWords = (text: string): readonly string[] =>
  textTokens(text).filter((word) => !/\d/u.test(word) && !LINE_WORDS.has(word));

/** Whether a part of a bank line may be a name: not a single word of the payment, nor a few letters. */
export const mayBeName = (words: readonly string[], name: string): boolean =>
  name.length >= LINE_NAME_LENGTH_MIN && (words.length > 1 || !LINE_WORDS.has(name));

/** Whether one is the other cut off, as names are in fields of a fixed width. */
export function isTruncated(short: string, long: string): boolean {
  const { length } = short;
  if (length < PREFIX_LENGTH_MIN || !long.startsWith(short)) return false;
  return length >= PREFIX_LENGTH_ENOUGH || length >= PREFIX_SHARE_MIN * long.length;
}

/** Whether two names have the same words, of which some are abbreviated: `Harbour St Yoga`, `Harbour Street Yoga`. */
export function isAbbreviated(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length || a.length < 2) return false;
  let same = 0;
  for (const [index, word] of a.entries()) {
    const other = b[index] ?? "";
    if (word === other) same += 1;
    else if (!word.startsWith(other) && !other.startsWith(word)) return false;
  }
  return same > 0 && a[0] === b[0];
}
