// Recurring payments and income of one ledger. Pure: the same ledger gives the same answer in any order of its transactions.
// The payments of one account are looked at after those of another: of all others only what was found is in memory.
import type {
  IncomeGroup,
  LedgerColumns,
  Recurrence,
  RecurringGroup,
} from "../../src/model/recurrence.ts";
import { roundAmount } from "../../src/shared/round-amount.ts";
import { type BankCalendar, type BankRegion, createBankCalendar } from "./calendar/bank-days.ts";
import {
  addStrays,
  byDay,
  confidenceOf,
  HABIT_PERIOD_DAYS_MIN,
  isChosenOfMany,
  joinSegments,
  margin,
  regularityOf,
  type Series,
  withoutLeftOvers,
} from "./groups.ts";
import { findStarts } from "./first-payments.ts";
import { incomeTypeOf } from "./income.ts";
import { isBill, isBilledYearly, isEssential, payeeKind } from "./kinds.ts";
import type { Payments, Shift } from "./fit.ts";
import { movedFit } from "./moved.ts";
import { type Outlook, outlookOf } from "./expect.ts";
import { type Account, type LedgerAccounts, readAccounts } from "./payees.ts";
import { type AccountSeries, joinRenamed, mayBeRenamed } from "./renamed.ts";
import { findSegments } from "./series.ts";
import { servicePeriod } from "./services.ts";
import type { Instalments } from "./year-rules.ts";

const REGION_OF: Readonly<Record<string, BankRegion>> = { USD: "us", GBP: "uk", EUR: "eu" };

interface Context extends Pick<LedgerAccounts, "placesOf"> {
  readonly columns: LedgerColumns;
  readonly calendarOf: (currency: string) => BankCalendar;
  /** The last day of the ledger. */
  readonly until: number;
}

/** The category that most payments have; of equals the first by name. */
function categoryOf(
  { categories, categoryTable }: LedgerColumns,
  places: readonly number[],
): string | null {
  const counts = new Map<number, number>();
  for (const place of places) {
    const category = categories[place] ?? -1;
    if (category >= 0) counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  const names = [...counts].map(([category, count]) => ({
    name: categoryTable[category] ?? "",
    count,
  }));
  const [first] = names.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  return first?.name ?? null;
}

const isTaxOffice = (category: string | null): boolean =>
  category === "taxes" ||
  category === "council tax" ||
  category === "rent" ||
  category === "government";
const AGREED_INSTALMENTS: ReadonlySet<string> = new Set(["taxes", "education", "childcare"]);

function instalmentsOf(category: string | null): Instalments {
  if (category === "council tax") return category;
  return category !== null && AGREED_INSTALMENTS.has(category) ? "agreed" : null;
}

function paymentsOf({ days, amounts }: LedgerColumns, places: readonly number[]): Payments {
  return {
    places,
    days: places.map((place) => days[place] ?? 0),
    amounts: places.map((place) => amounts[place] ?? 0),
  };
}

function readSeries(context: Context, account: Account): AccountSeries {
  const { columns, calendarOf, placesOf } = context;
  const places = placesOf(account);
  const category = categoryOf(columns, places);
  const service = account.isIncoming ? null : servicePeriod(account.payee.counterparty);
  const payments = paymentsOf(columns, places);
  const instalments = instalmentsOf(category);
  const isHabit = service === null && payeeKind(category) === "habit";
  const segments = findSegments(payments, {
    calendar: calendarOf(account.currency),
    isService: service !== null,
    isYearlyByTwo: service !== null || isBilledYearly(category),
    isTax: isTaxOffice(category) || instalments !== null,
    instalments,
    mayBePass: isHabit && !account.isIncoming,
    periodDaysMin: isHabit ? HABIT_PERIOD_DAYS_MIN : 1,
  });
  const mayBeVisits = service === null && payeeKind(category) !== "scheduled";
  const joined = joinSegments(account, segments).filter(
    (one) =>
      marginOf(columns, one, category, service) >= 0 &&
      !(mayBeVisits && isChosenOfMany(one, payments)),
  );
  const { days, amounts } = payments;
  return {
    ...{ account, category, service, parts: [account], count: places.length },
    ...{ firstDay: days[0] ?? 0, lastDay: days.at(-1) ?? 0, firstAmount: amounts[0] ?? 0 },
    series: withoutBonuses(account, withoutLeftOvers(joined)),
  };
}

/** What an employer pays once a year, apart from wages, is a bonus and not a series. */
function withoutBonuses({ isIncoming }: Account, series: readonly Series[]): readonly Series[] {
  const isYearly = ({ segments }: Series): boolean =>
    segments.at(-1)?.fit.rule.periodicity === "yearly";
  return isIncoming && series.some((one) => !isYearly(one))
    ? series.filter((one) => !isYearly(one))
    : series;
}

/** All payments of an account, those of its earlier names included. */
function allPayments({ columns, placesOf }: Context, { parts }: AccountSeries): Payments {
  const payments = parts.map((part) => paymentsOf(columns, placesOf(part)));
  const [first] = payments;
  return first !== undefined && payments.length === 1 ? first : byDay(payments);
}

/** What recurs in the payments of an account, and of these, what is income. */
function judge(context: Context, one: AccountSeries): Recurrence {
  const payments = allPayments(context, one);
  const groups = groupsIn(context, one, payments);
  return { groups, income: one.account.isIncoming ? incomeOf(context, one, payments, groups) : [] };
}

function groupsIn(
  context: Context,
  one: AccountSeries,
  payments: Payments,
): readonly RecurringGroup[] {
  const { service, category } = one;
  const taken = new Set(one.series.flatMap((series) => series.payments.places));
  const whole = one.series.map((series) => {
    const free = paymentsOf(
      context.columns,
      payments.places.filter((place) => !taken.has(place)),
    );
    const withStrays = addStrays(series, free);
    for (const place of withStrays.payments.places) taken.add(place);
    return withStrays;
  });
  const groupsUntil = (until: number): readonly RecurringGroup[] =>
    whole.map((series) => groupOf({ ...context, until }, series, category, service));
  const groups = groupsUntil(context.until);
  if (service === null || groups.some(({ isActive }) => isActive)) return groups;
  const ended = Math.max(...groups.flatMap(({ members }) => dayOf(context, members.at(-1))));
  const rest = paymentsOf(
    context.columns,
    payments.places.filter((place) => !taken.has(place) && dayOf(context, place) > ended),
  );
  // On the day of its last payment, so that what is bought elsewhere later begins nothing here.
  const wentOn = groupsUntil(rest.days.at(-1) ?? ended).some(({ isActive }) => isActive);
  return rest.days.length > 0 && wentOn
    ? groups
    : [...groups, ...startGroups(context, one, rest, service)];
}

const dayOf = ({ columns }: Context, place = -1): number => columns.days[place] ?? 0;

/** What has begun, or began again, with too few payments for a series. */
function startGroups(
  context: Context,
  { account, category }: AccountSeries,
  rest: Payments,
  service: 30 | 365,
): readonly RecurringGroup[] {
  const calendar = context.calendarOf(account.currency);
  return findStarts(rest, service, calendar).map(({ fit, payments, confidence }) => ({
    ...{ members: payments.places, periodicity: fit.rule.periodicity },
    periodDays: meanGap(payments.days) ?? service,
    ...sumOf(payments.amounts),
    ...outlookOf(fit, payments, { calendar, usualShift: "none", until: context.until }),
    kind: "subscription",
    isEssential: isEssential(category),
    ...{ confidence, incomeType: null },
  }));
}

function marginOf(
  columns: LedgerColumns,
  series: Series,
  category: string | null,
  service: number | null,
  regularity = regularityOf(series),
): number {
  const { account, payments, segments } = series;
  const [place = 0] = payments.places;
  return margin(
    regularity,
    {
      kind: payeeKind(category),
      isService: service !== null,
      isByMandate: columns.mandates[place] === 1,
      isIncoming: account.isIncoming,
    },
    segments.at(-1)?.fit.rule.periodDays ?? 0,
  );
}

/**
 * Pay and benefits come on the last bank day before; debits are collected on the next one (Nacha Operating Rules; EPC016-06, 4.3.1);
 * cards are charged on every day.
 */
function usualShift(isIncoming: boolean, isService: boolean, category: string | null): Shift {
  if (isService || payeeKind(category) !== "scheduled") return "none";
  return isIncoming ? "preceding" : "following";
}

/** Purchases paid in four are four payments, one every two weeks (the plans of Afterpay, Klarna and PayPal). */
const PAY_IN_FOUR = 4;
const NOTHING_EXPECTED: Outlook = { isActive: false, next: null };

const isPaidOff = ({ segments, payments }: Series, category: string | null): boolean =>
  category === "buy now, pay later" &&
  segments.at(-1)?.fit.rule.periodicity === "bi-weekly" &&
  payments.places.length === PAY_IN_FOUR;

function groupOf(
  context: Context,
  series: Series,
  category: string | null,
  service: number | null,
): RecurringGroup {
  const { columns, calendarOf, until } = context;
  const { account, payments, segments } = series;
  const last = segments.at(-1);
  if (last === undefined) throw new Error("A series has no segment");
  const calendar = calendarOf(account.currency);
  const outlook = isPaidOff(series, category)
    ? NOTHING_EXPECTED
    : outlookOf(movedFit(series, calendar) ?? last.fit, payments, {
        calendar,
        usualShift: usualShift(account.isIncoming, service !== null, category),
        until,
      });
  const regularity = regularityOf(series);
  const { periodicity, periodDays } = last.fit.rule;
  return {
    ...{ members: payments.places, periodicity },
    periodDays: meanGap(payments.days) ?? periodDays,
    ...sumOf(payments.amounts),
    ...outlook,
    kind: isBill(category, service !== null) ? "bill" : "subscription",
    isEssential: isEssential(category),
    confidence: confidenceOf(marginOf(columns, series, category, service, regularity)),
    incomeType: account.isIncoming
      ? incomeTypeOf({
          category,
          text: textOf(context, account),
          isPerson: account.payee.counterparty?.type === "person",
          rhythm: regularity.nearAmounts >= 0.5 ? "fixed" : "varying",
        })
      : null,
  };
}

/** The name of a source of money, and its latest line. */
function textOf({ columns, placesOf }: Context, account: Account): string {
  const party = columns.parties[placesOf(account).at(-1) ?? 0] ?? 0;
  const name = account.payee.counterparty?.name ?? "";
  return `${name} ${columns.partyTable[party]?.latestLine ?? ""}`;
}

function meanGap(days: readonly number[]): number | null {
  if (days.length < 2) return null;
  return ((days.at(-1) ?? 0) - (days[0] ?? 0)) / (days.length - 1);
}

/** Decimals of an amount that a sum keeps; the currencies with most have four. */
const SCALE = 10_000n;
const SCALE_NUMBER = 10_000;
const CENTS = 100;

/** Larger amounts are whole numbers, and may be too large to be scaled. */
const scaled = (amount: number): bigint =>
  amount > Number.MAX_SAFE_INTEGER
    ? BigInt(amount) * SCALE
    : BigInt(Math.round(amount * SCALE_NUMBER));

/** Exact to the fourth decimal, however many amounts there are; at most the largest number. */
function sumOf(amounts: readonly number[]): {
  readonly totalAmount: number;
  readonly averageAmount: number;
} {
  const total = amounts.reduce((sum, amount) => sum + scaled(amount), 0n);
  const exact = Number(total / SCALE) + Number(total % SCALE) / SCALE_NUMBER;
  const totalAmount = Math.min(exact, Number.MAX_VALUE);
  return { totalAmount, averageAmount: roundAmount(totalAmount / amounts.length, CENTS) };
}

/** Income of a payee: its groups, else its payments together where the category names an income. */
function incomeOf(
  context: Context,
  { account, category }: AccountSeries,
  { places, days, amounts }: Payments,
  groups: readonly RecurringGroup[],
): readonly IncomeGroup[] {
  const regular = groups.flatMap((group): readonly IncomeGroup[] => {
    const { members, incomeType, periodicity, totalAmount, isActive, next } = group;
    if (incomeType === null) return [];
    return [{ members, incomeType, payFrequency: periodicity, totalAmount, isActive, next }];
  });
  if (regular.length > 0 || groups.length > 0 || places.length < 2) return regular;
  const incomeType = incomeTypeOf({
    category,
    text: textOf(context, account),
    isPerson: account.payee.counterparty?.type === "person",
    rhythm: null,
  });
  if (incomeType === null) return [];
  let longest = 0;
  for (let at = 1; at < days.length; at++)
    longest = Math.max(longest, (days[at] ?? 0) - (days[at - 1] ?? 0));
  const { totalAmount } = sumOf(amounts);
  return [
    {
      ...{ members: places, incomeType, payFrequency: null, totalAmount, next: null },
      isActive: context.until - (days.at(-1) ?? 0) <= Math.max(45, 2 * longest),
    },
  ];
}

/**
 * @param until the last day of the ledger, in days since 1970; by default the day of the latest transaction. Whether a group is
 * active is judged by it.
 */
export function findRecurrence(columns: LedgerColumns, until: number | null = null): Recurrence {
  const calendars = new Map<string, BankCalendar>();
  const { accounts, placesOf } = readAccounts(columns);
  const context: Context = {
    ...{ columns, placesOf },
    calendarOf: (currency) => {
      const region = REGION_OF[currency] ?? "eu";
      const calendar = calendars.get(region) ?? createBankCalendar(region);
      calendars.set(region, calendar);
      return calendar;
    },
    until: until ?? columns.days.reduce((latest, day) => Math.max(latest, day), 0),
  };
  const found = new Map<Account, Recurrence>();
  const add = (one: AccountSeries): void => {
    const recurrence = judge(context, one);
    if (recurrence.groups.length > 0 || recurrence.income.length > 0)
      found.set(one.account, recurrence);
  };
  const renamed: AccountSeries[] = [];
  for (const account of accounts) {
    const one = readSeries(context, account);
    if (mayBeRenamed(one)) renamed.push(one);
    else add(one);
  }
  for (const one of joinRenamed(renamed, (of) => paymentsOf(columns, placesOf(of)))) add(one);
  const inOrder = accounts.flatMap((account) => found.get(account) ?? []);
  return {
    groups: inOrder.flatMap(({ groups }) => groups),
    income: inOrder.flatMap(({ income }) => income),
  };
}
