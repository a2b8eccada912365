// Artificial descriptions of the maximum length, to find the slowest one for the recogniser: each family targets another
// step of it.
import type { Random } from "../../test/support/random.ts";
import type { Knowledge } from "../../workers/knowledge/knowledge.ts";
import { TEXT_LENGTH_MAX } from "../../workers/recogniser/text/normalise.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";

export interface NastyLine {
  readonly family: string;
  readonly item: RecogniserInput;
}

/** Where pieces come from. */
export interface NastySource {
  readonly random: Random;
  readonly knowledge: Knowledge;
  /** Lines as banks write them. */
  readonly realLines: readonly string[];
}

type Piece = () => string;

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const SEPARATORS = [
  " ",
  "  ",
  "*",
  " *",
  "* ",
  "-",
  " - ",
  "**",
  "--",
  ".",
  "/",
  "#",
  "'",
  "&",
  ":",
];
const NUMBERS = [
  "#",
  "##",
  "####",
  "##/##",
  "##/##/##",
  "##########",
  "###-###-####",
  "# ",
  "#:##",
];
/** One, two and three bytes of UTF-8, pairs and halves of pairs, letters that are composed, and some without a case. */
const CHARACTERS = [
  ..."é Å ß ø ç ñ Ł İ Σ Д ж 京都 大阪 店 カフェ 한국 ة ق 🍕 🚕 👩‍💻 ﬁ ① Ａ １ A 1".split(" "),
  // A wide space, a mark of its own, what is dropped, and halves of a pair.
  ..."\u3000 \u0301 \u00ad \u200b \ud83c \udf55".split(" "),
];
/** Which layouts, places and merchants are asked about depends on where the account is. */
const SITUATIONS: readonly Pick<RecogniserInput, "currency" | "country">[] = [
  { currency: "USD", country: null },
  { currency: "USD", country: "US" },
  { currency: "GBP", country: "GB" },
  { currency: "EUR", country: null },
  { currency: "CAD", country: "CA" },
  { currency: "AUD", country: "AU" },
  { currency: "XXX", country: null },
];

/** As many of each family as asked for. */
export function nastyLines(source: NastySource, ofEach: number): readonly NastyLine[] {
  const { random } = source;
  return families(source).flatMap(([family, describe]) =>
    Array.from({ length: ofEach }, () => ({
      family,
      item: {
        description: describe(),
        amount: 12.5,
        entryType: random.chance(0.5) ? ("outgoing" as const) : ("incoming" as const),
        accountType: random.chance(0.5) ? ("consumer" as const) : ("business" as const),
        rawAddress: null,
        ...random.pick(SITUATIONS),
      },
    })),
  );
}

/** Exactly as long as the API takes: its limit is in UTF-16 code units. */
function filled(piece: Piece, between: Piece): string {
  const parts: string[] = [];
  for (let length = 0; length < TEXT_LENGTH_MAX; ) {
    const part = piece() + between();
    parts.push(part);
    length += part.length;
  }
  return parts.join("").slice(0, TEXT_LENGTH_MAX);
}

function families(source: NastySource): readonly (readonly [string, Piece])[] {
  const { random } = source;
  const none: Piece = () => "";
  const space: Piece = () => " ";
  const separator: Piece = () => random.pick(SEPARATORS);
  const letter: Piece = () => LETTERS.charAt(random.integer(0, 25));
  const letters: Piece = () => Array.from({ length: random.integer(1, 12) }, letter).join("");
  const word = wordOf(source);
  const mark = markOf(source);
  const number: Piece = () =>
    random.pick(NUMBERS).replaceAll("#", () => String(random.integer(0, 9)));
  const line: Piece = () => random.pick(source.realLines);
  const character: Piece = () => random.pick(CHARACTERS);
  const anything: Piece = () => random.pick([letters, word, word, mark, number, line, character])();
  return [
    ["random letters", () => filled(letters, random.pick([none, space, separator]))],
    ["one letter repeated", () => repeated(letter(), random.pick([none, space, separator]))],
    ["words of the tables, glued", () => filled(word, none)],
    ["words of the tables, spaced", () => filled(word, space)],
    ["stars and dashes", () => filled(random.pick([word, letter, none]), separator)],
    ["digits", () => filled(number, random.pick([none, space, separator]))],
    ["intermediaries one after the other", () => filled(mark, none)],
    ["real lines one after the other", () => filled(line, random.pick([none, space]))],
    ["multi-byte", () => filled(random.pick([character, word]), random.pick([character, none]))],
    ["a mixture", () => filled(anything, random.pick([space, separator]))],
  ];
}

/** `A.A.A.`: the same separator throughout, since a regular line is the worse one. */
function repeated(letter: string, separator: Piece): string {
  const between = separator();
  return filled(
    () => letter,
    () => between,
  );
}

function wordOf({ random, knowledge }: NastySource): Piece {
  const { text, merchants, places, aliases, words, lexicon } = knowledge;
  const patterns = [...lexicon.wordings, ...lexicon.words].flatMap(({ parts }) => parts);
  const idOf = (ids: Uint32Array): number => ids[random.integer(0, ids.length - 1)] ?? 0;
  const sources: readonly Piece[] = [
    () => text(idOf(merchants.name)),
    () => text(idOf(places.name)),
    () => text(idOf(places.admin)),
    () => aliases.keys.keyAt(random.integer(0, aliases.keys.size - 1)),
    () => words.keyAt(random.integer(0, words.size - 1)),
    () => random.pick(patterns).join(" "),
    () => random.pick(lexicon.suffixes),
  ];
  return () => random.pick(sources)().toUpperCase();
}

/** `SQ *`: all of them in turn, from another one on in every line. */
function markOf({ random, knowledge }: NastySource): Piece {
  const marks = knowledge.lexicon.intermediaries.map(({ prefix }) =>
    prefix.join(" ").toUpperCase(),
  );
  let next = random.integer(0, marks.length - 1);
  return () => {
    next = (next + 1) % marks.length;
    return `${marks[next] ?? ""}${random.pick(["*", " *", " "])}`;
  };
}
