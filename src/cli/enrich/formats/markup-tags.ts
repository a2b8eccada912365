// Tags of SGML and XML without attributes, as OFX writes them: closing tags of values may be missing, "<" and "&" may stand
// unescaped in names of shops. Linear in the length of the text.
import { fail } from "./statement.ts";

export interface MarkupTag {
  readonly name: string;
  readonly isClosing: boolean;
  /** `<NAME/>` */
  readonly isEmpty: boolean;
  /** Line of the file, from 1. */
  readonly line: number;
  /** What follows up to the next tag, entities resolved. */
  readonly text: string;
}

const TAG = /<(\/?)([A-Za-z][A-Za-z0-9_.:-]{0,63})\s{0,8}(\/?)>/uy;
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** `from`: where the first tag is. Throws InputError at a comment or CDATA section that never ends. */
export function* scanTags(file: string, text: string, from: number): Generator<MarkupTag, void> {
  let line = 1 + countLines(text, 0, from);
  let pending: Omit<MarkupTag, "text"> | null = null;
  const parts: string[] = [];
  let at = from;
  while (at < text.length) {
    const open = text.indexOf("<", at);
    const until = open < 0 ? text.length : open;
    parts.push(resolveEntities(text.slice(at, until)));
    line += countLines(text, at, until);
    if (open < 0) break;
    const section = readSection(file, text, open, line);
    TAG.lastIndex = open;
    const match = section === null ? TAG.exec(text) : null;
    if (match === null) {
      // A section, or a "<" that begins no tag and so belongs to the text.
      parts.push(section?.text ?? "<");
      at = section?.end ?? open + 1;
    } else {
      if (pending !== null) yield { ...pending, text: parts.join("") };
      parts.length = 0;
      const [whole, slash = "", name = "", empty = ""] = match;
      pending = { name: localName(name), isClosing: slash !== "", isEmpty: empty !== "", line };
      at = open + whole.length;
    }
    line += countLines(text, open, at);
  }
  if (pending !== null) yield { ...pending, text: parts.join("") };
}

function readSection(
  file: string,
  text: string,
  open: number,
  line: number,
): { readonly text: string; readonly end: number } | null {
  for (const [start, end] of [
    ["<!--", "-->"],
    ["<![CDATA[", "]]>"],
    ["<?", "?>"],
  ] as const) {
    if (!text.startsWith(start, open)) continue;
    const close = text.indexOf(end, open + start.length);
    if (close < 0)
      fail(file, line, `'${start}' is never closed; the file is damaged or incomplete.`);
    const inner = start === "<![CDATA[" ? text.slice(open + start.length, close) : "";
    return { text: inner, end: close + end.length };
  }
  return null;
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1).toUpperCase();
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1))
    lines += 1;
  return lines;
}

function resolveEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,4});/giu, (whole, name: string) => {
    if (!name.startsWith("#")) return NAMED_ENTITIES[name.toLowerCase()] ?? whole;
    const code = /^#x/iu.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : whole;
  });
}
