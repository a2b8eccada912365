// Field 86 of MT940: free text, or structured as `?20…?32…` (Germany, Austria, Switzerland, Poland) or `/NAME/…/REMI/…`
// (Netherlands, Belgium).
import { joinedTexts } from "./statement.ts";

export interface Details {
  /** Name of the other side. */
  readonly name: string | null;
  /** What the payment is for. */
  readonly text: string;
  /** The bank's own word for the kind of entry. */
  readonly type: string | null;
  /** End-to-end reference; null when none was given. */
  readonly reference: string | null;
}

/** Subfields are cut at this length; a shorter one ends a word. */
const SUBFIELD_LENGTH = 27;
/** Of SEPA, inside the subfields 20 to 29. */
const SEPA_MARK =
  /\b(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|BIC|IBAN|PURP|SQTP|RCUR|ANAM)[+:]\s?/gu;
const SLASH_WORDS =
  "TRTP|TRCD|CSID|MARF|EREF|PREF|RTRN|BENM|ORDP|CNTP|NAME|REMI|IBAN|BIC|ID|ADDR|PURP|ULTC|ULTD|ULTB|ISDT|UDTD|OAMT|CHGS|EXCH|SVCL|BUSP|RETP|ACCW|PY|BO|FEES|BN|BI|ACC";
const SLASH_MARK = new RegExp(`/(${SLASH_WORDS})/`, "gu");

export function readDetails(lines: readonly string[]): Details {
  const joined = lines.join("");
  const separator = /^\d{3}([?>~^@#])\d{2}/u.exec(joined)?.[1];
  if (separator !== undefined) return readSubfields(joined, separator);
  if (/^\/?(?:TRTP|TRCD|EREF|BENM|ORDP|CNTP|NAME|REMI|PREF|MARF|CSID|RTRN|IBAN)\//u.test(joined))
    return readSlashes(joined.startsWith("/") ? joined : `/${joined}`);
  return readFree(lines);
}

function readFree(lines: readonly string[]): Details {
  const marked = byMark(lines.join(" "), SEPA_MARK);
  return {
    name: marked.get("ANAM") ?? null,
    text:
      joinedTexts([marked.get("SVWZ") ?? marked.get("") ?? ""]) || joinedTexts([lines.join(" ")]),
    type: null,
    reference: given(marked.get("EREF")),
  };
}

/** `166?00SEPA-ÜBERWEISUNG?20SVWZ+Rent?21 May?30BIC?31IBAN?32Name?33of it`. */
function readSubfields(text: string, separator: string): Details {
  const fields = new Map<number, string>();
  for (const part of text.slice(4).split(separator)) {
    const number = /^\d{2}/u.exec(part)?.[0];
    const last = [...fields.keys()].at(-1);
    // A separator inside a text is part of it.
    if (number !== undefined) fields.set(Number(number), part.slice(2));
    else if (last !== undefined) fields.set(last, `${fields.get(last) ?? ""}${separator}${part}`);
  }
  const purpose = [20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 60, 61, 62, 63].flatMap(
    (number) => fields.get(number) ?? [],
  );
  const marked = byMark(joinSubfields(purpose), SEPA_MARK);
  const own = marked.get("SVWZ") ?? marked.get("") ?? "";
  const name = joinSubfields([32, 33].flatMap((number) => fields.get(number) ?? [])).trim();
  return {
    // ABWA: who pays in truth, behind a collector.
    name: joinedTexts([name]) || joinedTexts([marked.get("ABWA")]) || null,
    text: own.trim(),
    type: fields.get(0)?.trim() || null,
    reference: given(marked.get("EREF")),
  };
}

function joinSubfields(parts: readonly string[]): string {
  return parts
    .map((part) => (part.length >= SUBFIELD_LENGTH || /\s$/u.test(part) ? part : `${part} `))
    .join("");
}

/** `/TRTP/SEPA OVERBOEKING/IBAN/NL…/NAME/Shop/REMI/Order 7/EREF/x`. */
function readSlashes(text: string): Details {
  const marked = byMark(text, SLASH_MARK);
  const first = (...marks: readonly string[]): string => {
    const mark = marks.find((one) => marked.has(one));
    return (mark === undefined ? "" : (marked.get(mark) ?? ""))
      .replaceAll(/\/+$|^\/+/gu, "")
      .trim();
  };
  // ING: `/CNTP/IBAN/BIC/Name/City//` and `/REMI/USTD//text/`.
  const [, , other = ""] = marked.get("CNTP")?.split("/") ?? [];
  const name = marked.has("NAME") || other === "" ? first("NAME", "BENM", "ORDP") : other.trim();
  return {
    name: name || null,
    text:
      first("REMI").replace(/^(?:USTD|STRD\/[^/]*)\/\/?/u, "") || (name === "" ? first("") : ""),
    type: first("TRTP", "TRCD") || null,
    reference: given(first("EREF")),
  };
}

/** Mark → what follows it up to the next; "" → what stands before the first. The first of a repeated mark counts. */
function byMark(text: string, pattern: RegExp): Map<string, string> {
  const found = new Map<string, string>();
  let mark = "";
  let from = 0;
  const put = (to: number): void => {
    const value = text.slice(from, to);
    if (!found.has(mark) && value.replaceAll("/", "").trim() !== "") found.set(mark, value);
  };
  for (
    let match = nextMark(pattern, text, 0);
    match !== null;
    match = nextMark(pattern, text, from)
  ) {
    put(match.index);
    mark = match[1] ?? "";
    // The slash that ends one mark may begin the next: `/BENM//NAME/…`.
    from = match.index + match[0].length - (match[0].endsWith("/") ? 1 : 0);
  }
  put(text.length);
  return new Map([...found].map(([key, value]) => [key, value.replace(/^\//u, "")]));
}

function nextMark(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

function given(reference: string | undefined): string | null {
  const text = reference?.trim() ?? "";
  return text === "" || /^(?:NOTPROVIDED|NONREF|NICHT ANGEGEBEN)$/iu.test(text) ? null : text;
}
