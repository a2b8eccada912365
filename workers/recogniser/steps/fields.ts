// Step: fields inside a line that say who the other side is: `ORIG CO NAME:…`, `BNF:…`, `Merchant name: …`, and the
// dashed fields of Indian payments, `UPI-NAME-ADDRESS@BANK-…`.
import { isReference, type Line, type Span, startsWith } from "../line.ts";
import { isIn, wordSet } from "../text/word-map.ts";

interface FieldLabel {
  readonly words: readonly string[];
  /** Only for money leaving (1), arriving (0), or both (2). */
  readonly direction: number;
}

/** Labels in front of a name, best first. */
const nameLabels: readonly FieldLabel[] = [
  { words: ["merchant", "name"], direction: 2 },
  { words: ["orig", "co", "name"], direction: 2 },
  { words: ["bnf"], direction: 1 },
  { words: ["ben"], direction: 1 },
  { words: ["b", "o"], direction: 0 },
  { words: ["orig"], direction: 0 },
  { words: ["org"], direction: 0 },
];

/** Most lines have none of them. */
const labelStarts = wordSet(nameLabels.map(({ words: [first = ""] }) => first));

const labelEnds = new Set([
  "orig",
  "desc",
  "co",
  "sec",
  "trace",
  "eed",
  "ind",
  "trn",
  "id",
  "snd",
  "rfb",
  "ref",
  "bnf",
  "srf",
  "obi",
  "bnk",
  "pmt",
  "date",
  "time",
  "info",
]);

export const isLabel = (line: Line, after: number): boolean => {
  const before = line.tokens[after]?.before;
  return before === ":" || before === "=";
};

/** The field that names the other side, null when the line has none. */
export function labelledSpan(line: Line, direction: number): Span | null {
  const end = line.tokens.length;
  if (!line.tokens.some((token) => isIn(labelStarts, token))) return null;
  for (const label of nameLabels) {
    if (label.direction !== 2 && label.direction !== direction) continue;
    for (let at = 0; at + label.words.length < end; at++) {
      const from = at + label.words.length;
      if (
        !startsWith(line, at, end, label.words) ||
        !(isLabel(line, from) || label.words.length === 2)
      )
        continue;
      let to = from + 1;
      while (to < end && !(labelEnds.has(line.tokens[to]?.text ?? "") && endsField(line, to, end)))
        to++;
      return { from, to };
    }
  }
  return null;
}

/** A word such as ID or CO ends a field only when a colon follows it or the word after it. */
const endsField = (line: Line, at: number, end: number): boolean => {
  for (let next = at + 1; next <= at + 2 && next < end; next++)
    if (isLabel(line, next)) return true;
  return false;
};

/** Width of the name of a company in an ACH payment; a space and what the payment is for follow it. */
const COMPANY_FIELD_LENGTH = 16;

/** How a company may collect or pay; banks write it behind the payment, in front of the company's number. */
const entryClasses: ReadonlySet<string> = new Set([
  "ppd",
  "web",
  "ccd",
  "tel",
  "arc",
  "ctx",
  "pos",
]);

/** What the field behind the company's name begins with where no entry class is written. */
const entryWords: ReadonlySet<string> = new Set([
  "payroll",
  "dirdep",
  "direct",
  "dir",
  "edi",
  "wages",
  "salary",
  "web",
]);

function hasEntryClass(line: Line, from: number): boolean {
  for (let at = from; at + 1 < line.tokens.length; at++) {
    const isClass = entryClasses.has(line.tokens[at]?.text ?? "");
    if (isClass && line.tokens[at + 1]?.text === "id" && isLabel(line, at + 2)) return true;
  }
  return false;
}

/** `FLATHEAD ELECTRI ELEC BILL PPD ID: 881…`: the fixed field with which lines of ACH payments begin, null elsewhere. */
export function companyField(line: Line): Span | null {
  const at = line.tokens.findIndex(({ end }) => end > COMPANY_FIELD_LENGTH);
  const [last, next] = [line.tokens[at - 1], line.tokens[at]];
  if (last === undefined || next?.start !== COMPANY_FIELD_LENGTH + 1 || next.before !== " ")
    return null;
  const isFull = last.end === COMPANY_FIELD_LENGTH && last.kind === "word";
  if (!isFull && next.gap < 2) return null;
  const isNamed = hasEntryClass(line, at) || (isFull && entryWords.has(next.text));
  return isNamed ? { from: 0, to: at } : null;
}

/** Payments whose fields are joined by dashes or slashes. */
const dashedRails = wordSet(["upi", "neft", "imps", "rtgs"]);

const fieldJoints: ReadonlySet<string> = new Set(["-", "/"]);

/** Directions, networks and payment methods that stand where a name could. */
const fieldWords: ReadonlySet<string> = new Set([
  "cr",
  "dr",
  "in",
  "out",
  "upi",
  "neft",
  "imps",
  "rtgs",
  "p2a",
  "p2m",
  "mob",
  "net",
]);

const startsField = (line: Line, at: number): boolean => {
  const token = line.tokens[at];
  return token === undefined || fieldJoints.has(token.before);
};

/**
 * Labels of European transfers in front of whom the money goes to or comes from, a person as often as a company, the
 * likelier first.
 */
const partyLabels: readonly (readonly string[])[] = [
  ["naam"],
  ["naam", "begunstigde"],
  ["naam", "tegenpartij"],
  ["nazwa", "odbiorcy"],
  ["nazwa", "nadawcy"],
  ["odbiorca"],
  ["nadawca"],
  ["beguenstigter"],
  ["begunstigter"],
  ["auftraggeber"],
  ["empfaenger"],
  ["empfanger"],
  ["zahlungsempfaenger"],
  ["zahlungsempfanger"],
  ["beneficiaire"],
  ["beneficiario"],
  ["ordenante"],
  ["ordinante"],
  ["destinatario"],
  ["maksunsaaja"],
  ["saaja"],
  ["mottagare"],
  ["modtager"],
  ["mottaker"],
];

const partyStarts = wordSet(new Set(partyLabels.map(([first = ""]) => first)));

/** What such a field is followed by, colon or not. */
const partyEnds: ReadonlySet<string> = new Set([
  "omschrijving",
  "machtiging",
  "kenmerk",
  "mededeling",
  "iban",
  "bic",
  "rekening",
  "tytulem",
  "tytul",
  "rachunek",
  "adres",
  "kwota",
  "verwendungszweck",
  "svwz",
  "eref",
  "mref",
  "motif",
  "communication",
  "causale",
  "concepto",
  "viesti",
  "viite",
  "melding",
  "meddelelse",
  "meddelande",
  "ref",
]);

const endsParty = (line: Line, at: number): boolean =>
  isReference(line, at) || isLabel(line, at + 1) || partyEnds.has(line.tokens[at]?.text ?? "");

/** Most lines have no label at all. */
function hasLabel(line: Line): boolean {
  for (let at = 1; at < line.tokens.length; at++) if (isLabel(line, at)) return true;
  return false;
}

/** `Naam: J DE VRIES Omschrijving: …`, `ODBIORCA: … TYTUŁEM: …`. */
function partyField(line: Line): Span | null {
  const end = line.tokens.length;
  if (!hasLabel(line) || !line.tokens.some((token) => isIn(partyStarts, token))) return null;
  for (const label of partyLabels) {
    for (let at = 0; at + label.length < end; at++) {
      const from = at + label.length;
      if (!startsWith(line, at, end, label) || !isLabel(line, from)) continue;
      let to = from;
      while (to < end && !endsParty(line, to)) to++;
      if (to > from) return { from, to };
    }
  }
  return null;
}

/** `/NAME/J DE VRIES/REMI/…`, `RECU /DE KETTLE SARL /MOTIF …`: a label and its value between slashes. */
function slashField(line: Line): Span | null {
  const { tokens } = line;
  for (let at = 1; at + 1 < tokens.length; at++) {
    const token = tokens[at];
    if (token?.before !== "/") continue;
    const isName = token.text === "name" && tokens[at + 1]?.before === "/";
    const isFrom = token.text === "de" && tokens[at - 1]?.text === "recu";
    if (!isName && !isFrom) continue;
    let to = at + 2;
    while (to < tokens.length && tokens[to]?.before !== "/") to++;
    return { from: at + 1, to };
  }
  return null;
}

/** Where the name of a rail stands: first, or behind `TO TRANSFER-`, `BY TRANSFER-`. */
function railAt(line: Line): number {
  const first = line.tokens[0]?.text;
  const isMoved =
    (first === "to" || first === "by") &&
    line.tokens[1]?.text === "transfer" &&
    line.tokens[2]?.before === "-";
  const at = isMoved ? 2 : 0;
  return isIn(dashedRails, line.tokens[at]) ? at : -1;
}

/**
 * The field of a payment between accounts that names the other side: `UPI-NAME-…`, `Naam: NAME`, `/NAME/NAME/REMI/…`.
 */
export const dashedField = (line: Line): Span | null =>
  railField(line) ?? partyField(line) ?? slashField(line);

/** Name in `UPI-NAME-NAME@BANK-…`, `UPI/402912345678/NAME/…`, `NEFT CR-SBIN0001234-NAME-…`: the first field of words. */
function railField(line: Line): Span | null {
  const { tokens } = line;
  const rail = railAt(line);
  if (rail < 0) return null;
  let from = rail + 1;
  while (from < tokens.length) {
    const text = tokens[from]?.text ?? "";
    if (!isReference(line, from) && !fieldWords.has(text) && startsField(line, from)) break;
    from++;
  }
  let to = from + 1;
  while (to < tokens.length && !startsField(line, to)) to++;
  return from >= tokens.length || tokens[to - 1]?.kind !== "word" ? null : { from, to };
}

/** The words in `ID:NAME`, where a wallet writes whom it paid; null when the field holds a value. */
export function idField(line: Line): Span | null {
  const { tokens } = line;
  const at = tokens.findIndex(
    (token, i) => token.text === "id" && tokens[i - 1]?.text !== "co" && isLabel(line, i + 1),
  );
  if (at < 0 || tokens[at + 1]?.kind !== "word") return null;
  let to = at + 2;
  while (to < tokens.length && tokens[to]?.kind === "word" && !isLabel(line, to + 1)) to++;
  return { from: at + 1, to };
}
