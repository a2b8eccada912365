import type { HeaderMatcher, ColumnRole } from "./header-words.ts";
import { isBalanceOf } from "./balance.ts";
import { type BankColumns, guessBankColumns } from "./bank-columns.ts";
import type { Profile } from "./profile.ts";

/** Which column is what: indexes into the columns of the layout. */
export interface Columns {
  readonly date: number | null;
  /** Joined in this order; empty when none was found. */
  readonly description: readonly number[];
  /** One column for both directions; null when there are two or none. */
  readonly amount: number | null;
  readonly debit: number | null;
  readonly credit: number | null;
  readonly direction: number | null;
  readonly currency: number | null;
  readonly balance: number | null;
  readonly country: number | null;
  readonly address: readonly number[];
  /** Currency column of the purchase, a hint only. */
  readonly foreignCurrency: number | null;
  /** The counterparty's name where the bank has a column for it. */
  readonly payee: number | null;
  /** The bank's own classification of a transaction. */
  readonly bank: BankColumns;
}

/** Candidates of one role by header words, best first, that pass a test on their content. */
type Candidates = (role: ColumnRole, passes: (profile: Profile) => boolean) => Profile[];

/** Joins header words and content. A column without a single value passes when the sample has no rows at all. */
export function guessColumns(
  names: readonly string[],
  profiles: readonly Profile[],
  matcher: HeaderMatcher,
): Columns {
  const candidates = createCandidates(names, profiles, matcher);
  const date =
    candidates("date", (p) => p.dateShare >= 0.5)[0] ?? profiles.find((p) => p.dateShare >= 0.9);
  const money = guessMoney(profiles, candidates, date);
  const direction = candidates("direction", (p) => p.directionShare >= 0.9)[0];
  const currency =
    candidates("currency", (p) => p.currencyShare >= 0.9)[0] ??
    byContentOnly(names, profiles, matcher);
  const taken = new Set([date, direction, currency].map((profile) => profile?.index));
  const isPayee = (p: Profile): boolean =>
    !taken.has(p.index) && p.dateShare < 0.5 && p.amountShare < 0.9;
  const address = candidates("address", (p) => p.amountShare < 0.9 || p.wordiness > 0);
  const description = guessDescription(
    names,
    profiles,
    candidates,
    new Set([...taken, ...money.taken]),
  );
  const foreign = candidates("foreign", (p) => p.currencyShare >= 0.9)[0];
  const bank = guessBankColumns(
    candidates,
    new Set([...taken, ...money.taken, ...description.map((at) => profiles[at]?.index)]),
    direction,
  );
  return {
    date: date?.index ?? null,
    description,
    amount: money.amount,
    debit: money.debit,
    credit: money.credit,
    direction: direction?.index ?? guessDirection(profiles),
    currency: currency?.index ?? null,
    balance: money.balance,
    country: candidates("country", () => true)[0]?.index ?? null,
    address: withPlace(
      names,
      address.map((p) => p.index).filter((index) => index !== bank.status),
    ),
    foreignCurrency: foreign?.index ?? null,
    payee: candidates("payee", isPayee)[0]?.index ?? null,
    bank,
  };
}

function createCandidates(
  names: readonly string[],
  profiles: readonly Profile[],
  matcher: HeaderMatcher,
): Candidates {
  const matches = names.map((name) => matcher(name));
  const hasRows = profiles.some((profile) => profile.filled > 0);
  return (role, passes) =>
    profiles
      .flatMap((profile) => {
        const rank = matches[profile.index]?.find((match) => match.role === role)?.rank;
        const fits = hasRows ? profile.filled > 0 && passes(profile) : true;
        return rank !== undefined && fits ? [{ profile, rank }] : [];
      })
      .sort((a, b) => a.rank - b.rank)
      .map(({ profile }) => profile);
}

interface MoneyColumns {
  readonly amount: number | null;
  readonly debit: number | null;
  readonly credit: number | null;
  readonly balance: number | null;
  readonly taken: readonly number[];
}

function guessMoney(
  profiles: readonly Profile[],
  candidates: Candidates,
  date: Profile | undefined,
): MoneyColumns {
  const isNumber = (p: Profile): boolean => p.amountShare >= 0.6 && p !== date;
  const balance = candidates("balance", isNumber)[0];
  const amounts = candidates("amount", isNumber).filter((p) => p !== balance);
  // A column such as "USD$" next to "CAD$" holds the other account: the fuller one is meant.
  const fullest = Math.max(0, ...amounts.map((p) => p.filled));
  const amount = amounts.find((p) => p.filled >= fullest * 0.9);
  const debit = candidates("debit", isNumber)[0];
  const credit = candidates("credit", isNumber).find((p) => p !== debit);
  if (amount !== undefined && !isBetterSplit(amount, debit, credit)) {
    return money({ amount, balance });
  }
  if (debit !== undefined || credit !== undefined) return money({ debit, credit, balance });
  return guessMoneyByContent(profiles.filter(isNumber), balance);
}

/** Two columns win over one that is emptier than they are together, or that shows no sign where they show sides. */
function isBetterSplit(
  amount: Profile,
  debit: Profile | undefined,
  credit: Profile | undefined,
): boolean {
  if (debit === undefined || credit === undefined) return false;
  if (debit.filled + credit.filled > amount.filled)
    return amount.filled * 2 < debit.filled + credit.filled || amount.negatives === 0;
  return amount.negatives === 0;
}

function guessMoneyByContent(
  numbers: readonly Profile[],
  balance: Profile | undefined,
): MoneyColumns {
  const columns = numbers.filter((p) => p.moneyShare >= 0.6 && p.dateShare < 0.5 && p !== balance);
  for (const [at, first] of columns.entries()) {
    const second = columns[at + 1];
    if (second !== undefined && areComplementary(first, second)) {
      return money({ debit: first, credit: second, balance: balance ?? columns[at + 2] });
    }
  }
  const checked = columns.find((p) =>
    columns.some((other) => other !== p && isBalanceOf(other, p)),
  );
  const found =
    balance ??
    columns.find((p) => checked !== undefined && p !== checked && isBalanceOf(p, checked));
  const signed = columns.find((p) => p.negatives > 0 && p !== found);
  return money({ amount: checked ?? signed ?? columns[0], balance: found });
}

/** Each row has a value in exactly one of the two. */
function areComplementary(a: Profile, b: Profile): boolean {
  const exactlyOne = a.values.filter(
    (value, at) => (value === "") !== (b.values[at] === ""),
  ).length;
  return a.filled > 0 && b.filled > 0 && exactlyOne >= a.values.length * 0.9;
}

function money(
  found: Partial<Record<"amount" | "debit" | "credit" | "balance", Profile | undefined>>,
): MoneyColumns {
  const indexes = [found.amount, found.debit, found.credit, found.balance].flatMap(
    (p) => p?.index ?? [],
  );
  return {
    amount: found.amount?.index ?? null,
    debit: found.debit?.index ?? null,
    credit: found.credit?.index ?? null,
    balance: found.balance?.index ?? null,
    taken: indexes,
  };
}

/** The payee, then the memo with its numbered siblings; by content when no header word is known. */
function guessDescription(
  names: readonly string[],
  profiles: readonly Profile[],
  candidates: Candidates,
  taken: ReadonlySet<number | undefined>,
): number[] {
  const isText = (p: Profile): boolean =>
    !taken.has(p.index) && p.dateShare < 0.5 && p.amountShare < 0.9;
  const payee = candidates("payee", isText)[0];
  const memos = candidates("memo", isText).filter((p) => p !== payee);
  const memo = memos[0];
  const stem = (p: Profile | undefined): string =>
    (names[p?.index ?? -1] ?? "").replace(/[\s_-]*\d+$/u, "");
  const siblings = memos.filter(
    (p) => p === memo || (stem(p) === stem(memo) && stem(p) !== names[p.index]),
  );
  const chosen = [payee, ...siblings.sort((a, b) => a.index - b.index)];
  const indexes = chosen.flatMap((p) => p?.index ?? []);
  if (indexes.length > 0) return indexes;
  const wordiest = profiles
    .filter((p) => isText(p) && p.wordiness > 0)
    .sort((a, b) => b.wordiness - a.wordiness)[0];
  return wordiest === undefined ? [] : [wordiest.index];
}

/** A column without a known header whose every word is debit or credit, and both occur. */
function guessDirection(profiles: readonly Profile[]): number | null {
  const found = profiles.find(
    (p) => p.directionShare === 1 && p.filled === p.values.length && new Set(p.values).size > 1,
  );
  return found?.index ?? null;
}

function byContentOnly(
  names: readonly string[],
  profiles: readonly Profile[],
  matcher: HeaderMatcher,
): Profile | undefined {
  return profiles.find(
    (p) =>
      p.currencyShare === 1 &&
      p.filled === p.values.length &&
      // A known other meaning wins: the currency of the purchase, a balance …
      matcher(names[p.index] ?? "").length === 0,
  );
}

/** "State" alone often means the state of the payment, not a state of the USA: it counts only next to a city. */
function withPlace(names: readonly string[], address: readonly number[]): number[] {
  const isPart = (index: number): boolean =>
    /^(?:merchant )?(?:state|zip|zip code|postcode|postal code|plz)$/iu.test(names[index] ?? "");
  const sorted = [...address].sort((a, b) => a - b);
  return sorted.some((index) => !isPart(index)) ? sorted : [];
}
