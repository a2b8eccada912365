// "HOLIDAY CLUB SHARE 4473012-12" right above a table: a number without a word such as "account". That it is one, the list of accounts at
// the top of the statement shows, where the same name and number stand in front of a balance.
import { accountNumberOf, isSameNumber } from "./account-number.ts";
import type { PageLine } from "./layout.ts";
import { isDated } from "./rows.ts";

/** Digits, or what stands for hidden ones, at least four of them; not a year. */
const NUMBER = /^(?!(?:19|20)\d\d$)(?=(?:[^\dX*x]*[\dX*x]){4})[\dX*x-]*\d$/u;
/** Name and number without what is between them: it may be spaced differently. */
const keyOf = (plain: readonly string[]): string => plain.join("");

export interface AccountNumbers {
  /** The number of an account in a line, given the line below; null: it has none. */
  readonly of: typeof accountNumberOf;
  /**
   * Whether the number of a line is not that of the account above it: a title without a label is that of what stands below it, unless it
   * is repeated.
   */
  isOther(line: PageLine, number: string, above: string | null): boolean;
}

/** Finds numbers behind labels, and in titles. */
export function accountNumbersIn(lines: readonly PageLine[]): AccountNumbers {
  const titled = findTitledNumbers(lines);
  const firsts = new Map([...titled].map(([line, number]) => [number, line] as const).reverse());
  const hasAccount = lines.some(
    (line, at) => !isOfCard(line) && accountNumberOf(line, lines[at + 1]) !== null,
  );
  const ofRows = new Set(
    lines.filter((line, at) => hasAccount && isOfCard(line) && !hasBalanceBelow(lines, at)),
  );
  return {
    of: (line, below) =>
      ofRows.has(line) ? null : (accountNumberOf(line, below) ?? titled.get(line) ?? null),
    isOther: (line, number, above) =>
      above === null ? firsts.get(number) === line : !isSameNumber(number, above),
  };
}

/** Whether a balance is printed between the line and the next row: what stands there is an account. */
function hasBalanceBelow(lines: readonly PageLine[], at: number): boolean {
  const below = lines.slice(at + 1);
  const row = below.findIndex((line) => isDated(line) && line.facts.length === 0);
  return below
    .slice(0, row < 0 ? undefined : row)
    .some(({ facts }) => facts.some(({ kind }) => kind === "opening" || kind === "closing"));
}

/** "Card number XXXX 4471", of the rows below it: where a number of an account is printed, it is not another one. */
const isOfCard = ({ plain }: PageLine): boolean =>
  plain.some((word, at) => word === "card" && /^(?:number|no\.?)$/u.test(plain[at + 1] ?? "")) &&
  !plain.includes("account");

/** The numbers that are the last words of their lines. */
function findTitledNumbers(lines: readonly PageLine[]): ReadonlyMap<PageLine, string> {
  const listed = new Set(lines.flatMap((line) => listedKey(line) ?? []));
  return new Map(
    lines.flatMap((line, at) => {
      const number = line.words.at(-1)?.text ?? "";
      const below = lines[at + 1];
      const isTitle = below?.page === line.page && below.header !== null && !isDated(line);
      const isNumber = NUMBER.test(number) && /\p{L}/u.test(line.plain[0] ?? "");
      return isTitle && isNumber && listed.has(keyOf(line.plain)) ? [[line, number] as const] : [];
    }),
  );
}

/** Of a row of the list: name, number, amounts. */
function listedKey(line: PageLine): string | null {
  const amount = line.money.find(({ isCertain }) => isCertain);
  if (amount === undefined || isDated(line)) return null;
  const words = line.words.slice(0, amount.from);
  const isNumbered = words.length > 1 && NUMBER.test(words.at(-1)?.text ?? "");
  return isNumbered ? keyOf(line.plain.slice(0, amount.from)) : null;
}
