// Phone numbers and web addresses at the end of a line.
import type { Line, Span } from "../line.ts";

const textOf = (line: Line, at: number): string => line.tokens[at]?.text ?? "";

/** Digits of a phone number in one to four tokens before `to`: the first of them, or `to`. */
function phoneBefore(line: Line, from: number, to: number): number {
  let digits = 0;
  let at = to;
  while (at > from + 1 && to - at < 4) {
    const token = line.tokens[at - 1];
    if (token === undefined || (token.kind !== "number" && token.kind !== "mask")) break;
    digits += token.text.length;
    at--;
    if (token.gap !== 1) break;
  }
  return digits >= 7 ? at : to;
}

const webEndings: ReadonlySet<string> = new Set([
  "com",
  "co",
  "net",
  "org",
  "uk",
  "bill",
  "bil",
  "info",
  "c",
  "io",
]);

const addressJoints: ReadonlySet<string> = new Set([".", "/", "-"]);

const isJoined = (line: Line, at: number): boolean => {
  const token = line.tokens[at];
  return token?.gap === 1 && addressJoints.has(token.before);
};

/** A web address at the end (`HELP.UBER.COM`, `AMZN.COM/BILL`): where it begins, or `to`. Party.ts reads it. */
export function webBefore(line: Line, from: number, to: number): number {
  let at = to - 1;
  let dots = 0;
  let known = false;
  while (at > from && isJoined(line, at)) {
    if (line.tokens[at]?.before === ".") dots++;
    if (webEndings.has(textOf(line, at))) known = true;
    at--;
  }
  if (at > from && textOf(line, at).startsWith("https")) return at;
  // `CNK*CINEMARK.COM`: an address behind a star is the name itself.
  const apart = line.tokens[at]?.before === " ";
  return dots > 0 && known && apart && at > from ? at : to;
}

/** Takes phone numbers, references and web addresses off the end until a word is left. */
export function cutContact(line: Line, span: Span): Span {
  let to = span.to;
  for (let round = 0; round < 4 && to > span.from + 1; round++) {
    const before = to;
    to = phoneBefore(line, span.from, to);
    to = webBefore(line, span.from, to);
    if (to === before) break;
  }
  return { from: span.from, to };
}
