// First clean-up of a raw description. It only ever drops or replaces single code units, so a text cannot grow, and it
// keeps runs of spaces: in fixed-width card lines they say where the name ends and the city begins.

/** Longest description that is looked at, in UTF-16 code units: the limit of the API. Anything beyond is ignored. */
export const TEXT_LENGTH_MAX = 1024;

const SPACE = 0x20;
/** Terminals without an apostrophe write `JOE`S`. */
const BACKTICK = 0x60;

/** Code units that stand for another one; 0 = drop. */
const replacements = new Map<number, number>([
  [BACKTICK, 0x27],
  [0x00a0, SPACE],
  [0x00ac, SPACE],
  [0x00ad, 0],
  [0x2018, 0x27],
  [0x2019, 0x27],
  [0x201b, 0x27],
  [0x00b4, 0x27],
  [0x201c, 0x22],
  [0x201d, 0x22],
  [0x2010, 0x2d],
  [0x2011, 0x2d],
  [0x2012, 0x2d],
  [0x2013, 0x2d],
  [0x2014, 0x2d],
  [0x2212, 0x2d],
  [0x3000, SPACE],
  [0xfeff, 0],
  [0xfffd, SPACE],
]);

const isPlain = (code: number): boolean => code >= SPACE && code < 0x7f && code !== BACKTICK;

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code < 0xe000;

/** What one code unit becomes: itself, another one, or 0 when it is dropped. Lone surrogates become spaces. */
function cleanUnit(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (isPlain(code)) return code;
  if (code < SPACE || (code >= 0x7f && code < 0xa0)) return SPACE;
  if (code >= 0x2000 && code <= 0x200a) return SPACE;
  if (code >= 0x200b && code <= 0x200f) return 0;
  if (isHighSurrogate(code)) return isLowSurrogate(text.charCodeAt(at + 1)) ? code : SPACE;
  if (isLowSurrogate(code)) return isHighSurrogate(text.charCodeAt(at - 1)) ? code : SPACE;
  return replacements.get(code) ?? code;
}

function allPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (!isPlain(text.charCodeAt(i))) return false;
  return true;
}

/** The description without control characters, exotic spaces, typographic quotes and lone surrogates; trimmed. */
export function normaliseText(description: string): string {
  const text =
    description.length > TEXT_LENGTH_MAX ? description.slice(0, TEXT_LENGTH_MAX) : description;
  if (allPlain(text)) return text.trim();
  let clean = "";
  for (let i = 0; i < text.length; i++) {
    const code = cleanUnit(text, i);
    if (code !== 0) clean += String.fromCharCode(code);
  }
  return clean.trim();
}
