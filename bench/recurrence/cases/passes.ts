// Passes and season tickets: bought again when the last one has ended, or around the turn of the month, or debited; with what
// only looks like them: tickets for some rides, bought when the last ride is used, and passes for a day.
import {
  dayInMonth,
  dayNumber,
  isWeekend,
  MONDAY,
  nthWeekday,
  SUNDAY,
  toCalendarDate,
  weekdayOf,
} from "../../../workers/recurrence/calendar/days.ts";
import {
  type AmountRule,
  type CaseBuilder,
  centsBetween,
  type LedgerContext,
  type Payee,
  type Payment,
  paymentsOf,
  type Plan,
  pricePoint,
} from "../context.ts";
import { namedPayee } from "../payees.ts";
import { monthlyOn } from "../schedules.ts";

type PlanChange = Partial<Omit<Plan, "payments">>;

const passPlan = (
  name: string,
  payee: Payee,
  payments: readonly Payment[],
  change: PlanChange = {},
): Plan => ({
  ...{ case: name, payee, payments, entryType: "outgoing", rail: "card", periodicity: "monthly" },
  ...change,
});

const transit = (name: string, website: string): Payee =>
  namedPayee(name, website, "public transport");

/** The day of a year on which its tariff begins. */
type TariffDay = (year: number) => number;

const NEW_YEAR: TariffDay = (year) => dayNumber(year, 1, 1);
/** National fares in Great Britain and those of London change on the first Sunday of March since 2021 (TfL, "Fares from 2 March 2025"). */
const FIRST_SUNDAY_OF_MARCH: TariffDay = (year) => nthWeekday(year, 3, SUNDAY, 1);

/** One sum, which changes with a tariff by 2 to 6 % in some years, to a full ten cents. */
function tariff(
  { random, planned }: LedgerContext,
  cents: number,
  beginsOn: TariffDay,
  chance: number,
): AmountRule {
  const changes: { readonly day: number; readonly cents: number }[] = [];
  const last = toCalendarDate(planned.until).year;
  let now = cents;
  for (let { year } = toCalendarDate(planned.from); year <= last; year++) {
    const day = beginsOn(year);
    if (day <= planned.from || !random.chance(chance)) continue;
    now = 10 * Math.round((now * (1.02 + 0.04 * random.next())) / 10);
    changes.push({ day, cents: now });
  }
  return (_, on) => changes.findLast(({ day }) => day <= on)?.cents ?? cents;
}

/** Weeks away: two or three in summer, and those around Christmas, in which no pass is bought that has ended. */
function awayOf({ random, planned }: LedgerContext): (day: number) => boolean {
  const away: (readonly [from: number, until: number])[] = [];
  const last = toCalendarDate(planned.until).year;
  for (let { year } = toCalendarDate(planned.from); year <= last; year++) {
    const summer = dayNumber(year, 7, 1) + random.integer(0, 45);
    if (random.chance(0.85)) away.push([summer, summer + random.pick([9, 13, 16, 20])]);
    if (random.chance(0.7)) away.push([dayNumber(year, 12, 23), dayNumber(year + 1, 1, 1)]);
  }
  return (day) => away.some(([from, until]) => day >= from && day <= until);
}

/** The first day from this one on which the holder rides: on working days, but for those at home. */
function nextRide(
  { random }: LedgerContext,
  isAway: (day: number) => boolean,
  atHome: number,
  from: number,
): number {
  let day = from;
  while (isWeekend(day) || isAway(day) || random.chance(atHome)) day += 1;
  return day;
}

interface Product {
  readonly payee: Payee;
  /** Days for which it is valid; null: until the day before the same date of the next month. */
  readonly validDays: number | null;
  /** It may be bought before the last one ends, to begin after it. */
  readonly isSoldAhead: boolean;
  readonly low: number;
  readonly high: number;
  readonly beginsOn: TariffDay;
  /** Of a year to have another tariff. */
  readonly changes: number;
}

const sold = (
  payee: Payee,
  validDays: number | null,
  prices: readonly [low: number, high: number],
  { isSoldAhead = true, beginsOn = NEW_YEAR, changes = 0.7 }: Partial<Product> = {},
): Product => ({
  ...{ payee, validDays, low: prices[0], high: prices[1] },
  ...{ isSoldAhead, beginsOn, changes },
});

/**
 * MTA, "Fares": the 30-Day Unlimited Ride MetroCard is valid until midnight of the 30th day from its first use; 127 USD from 2019,
 * 132 from 2023. CTA, "Fare chart": 30-Day Pass, from first use. TfL, "Travelcards": monthly, from any day, on sale 30 days ahead.
 * Stagecoach and First Bus, "28-day" and "4 week" tickets. VBB, "VBB-Umweltkarte": a month from any day ("gleitend").
 * GVB, "Month ticket": from any day.
 */
const RENEWED: Readonly<Record<LedgerContext["region"], readonly Product[]>> = {
  us: [
    sold(transit("MTA MetroCard", "mta.info"), 30, [116, 132], {
      ...{ isSoldAhead: false, changes: 0.25 },
    }),
    sold(transit("Chicago Transit Authority", "transitchicago.com"), 30, [75, 105], {
      ...{ isSoldAhead: false, changes: 0.15 },
    }),
  ],
  uk: [
    sold(transit("TfL Travelcard", "tfl.gov.uk"), null, [140, 270], {
      beginsOn: FIRST_SUNDAY_OF_MARCH,
    }),
    sold(transit("Stagecoach", "stagecoachbus.com"), 28, [48, 84], { changes: 0.6 }),
    sold(transit("First Bus", "firstbus.co.uk"), 28, [52, 80], { changes: 0.6 }),
  ],
  eu: [
    sold(transit("BVG", "bvg.de"), null, [81, 107]),
    sold(transit("GVB", "gvb.nl"), null, [90, 115]),
  ],
};

/** Lines of single fares next to a pass: other zones, the night bus, a guest; one or two prices. */
function singleFares(context: LedgerContext, payee: Payee): readonly Plan[] {
  const { random, planned } = context;
  if (!random.chance(0.4)) return [];
  const chance = 0.02 + 0.06 * random.next();
  const prices = [centsBetween(random, 1.7, 3.2), centsBetween(random, 3.2, 5.8)];
  const payments: Payment[] = [];
  for (let day = planned.from; day <= planned.until; day++)
    if (random.chance(chance)) payments.push({ day, cents: random.pick(prices) });
  return [passPlan("single fares next to a pass", payee, payments, { periodicity: null })];
}

/** The first day after a pass that begins on a day. */
function endOf({ validDays }: Product, begin: number): number {
  if (validDays !== null) return begin + validDays;
  const { year, month, day } = toCalendarDate(begin);
  return month === 12 ? dayInMonth(year + 1, 1, day) : dayInMonth(year, month + 1, day);
}

/**
 * Bought on the first day of a ride after the last one ended: at once, or up to some days later, after a weekend, days at home and
 * holidays; where passes are sold ahead, some are bought in the last days before, and begin after the last one.
 */
const renewed: CaseBuilder = (context) => {
  const { random, planned, region } = context;
  const products = RENEWED[region];
  const payee = context.draw(products.map((one) => one.payee));
  const product = products.find((one) => one.payee === payee);
  if (product === undefined) throw new Error("No product has this payee");
  const { validDays, isSoldAhead, low, high, beginsOn, changes } = product;
  const isAway = awayOf(context);
  const atHome = random.pick([0, 0.1, 0.3]);
  const ahead = isSoldAhead ? random.pick([0, 0.15, 0.4]) : 0;
  const amount = tariff(context, 10 * random.integer(low * 10, high * 10), beginsOn, changes);
  const payments: Payment[] = [];
  let begin = nextRide(context, isAway, atHome, planned.from + random.integer(0, 27));
  let bought = begin;
  while (bought <= planned.until) {
    payments.push({ day: bought, cents: amount(payments.length, bought) });
    const end = endOf(product, begin);
    const isAhead = !isWeekend(end) && !isAway(end) && random.chance(ahead);
    begin = isAhead ? end : nextRide(context, isAway, atHome, end);
    bought = isAhead ? end - random.integer(1, 3) : begin;
  }
  const period = validDays === 28 ? { periodicity: "other" as const, periodDays: 28 } : {};
  return [
    passPlan("pass bought when the last one ended", payee, payments, period),
    ...singleFares(context, payee),
  ];
};

/**
 * Valid for a calendar month: Navigo Mois is on sale from the 20th before to the 19th (Ile-de-France Mobilites, "Navigo Mois"),
 * monthly tickets of NJ Transit and of the Long Island Rail Road from the 20th before ("Ticket options", "Ticket types"), the
 * Monatskarte of Wiener Linien ahead. Bought in the last days before the month or on its first day of a ride; not in a month that is
 * mostly holidays.
 */
const calendarMonth: CaseBuilder = (context) => {
  const { random, planned, region } = context;
  const payee = context.draw(
    region === "us"
      ? [transit("NJ Transit", "njtransit.com"), transit("LIRR Mail & Ride", "lirr.org")]
      : [
          transit("Navigo", "iledefrance-mobilites.fr"),
          transit("Wiener Linien", "wienerlinien.at"),
        ],
  );
  const isAway = awayOf(context);
  const early = random.pick([0.15, 0.5, 0.85]);
  const [low, high] = region === "us" ? [120, 320] : [51, 91];
  const amount = tariff(context, 10 * random.integer(low * 10, high * 10), NEW_YEAR, 0.6);
  const skipsAugust = random.chance(0.4);
  const payments = monthlyOn(1)(planned).flatMap((first): readonly Payment[] => {
    if (skipsAugust && toCalendarDate(first).month === 8) return [];
    const before = first - random.pick([1, 1, 1, 2, 2, 3, 4, 6]);
    const isEarly = random.chance(early) && !isAway(before);
    const day = isEarly ? before : nextRide(context, isAway, 0.1, first);
    return toCalendarDate(day).day > 15 && !isEarly
      ? []
      : [{ day, cents: amount(0, isEarly ? first : day) }];
  });
  return [passPlan("pass of the calendar month", payee, payments), ...singleFares(context, payee)];
};

/** The Deutschlandticket began at 49 EUR, and has cost 58 and 63 since (Deutschlandtarifverbund, "Tarifbestimmungen Deutschlandticket"). */
const deutschlandticket: AmountRule = (_, day) => {
  if (day < dayNumber(2025, 1, 1)) return 4_900;
  return day < dayNumber(2026, 1, 1) ? 5_800 : 6_300;
};
const DEUTSCHLANDTICKET_FROM = dayNumber(2023, 5, 1);

/**
 * Collected in advance on a day of the month: the Deutschlandticket at the beginning of the month (the same rules, section 8), a place
 * in a garage on the 1st of its month (SP+, "Monthly parking terms"; NCP, "Season tickets" by direct debit).
 */
const debited: CaseBuilder = (context) => {
  const { random, region, planned } = context;
  const name = "pass by direct debit";
  if (region === "eu" && planned.until > DEUTSCHLANDTICKET_FROM + 90) {
    const range = { from: Math.max(planned.from, DEUTSCHLANDTICKET_FROM), until: planned.until };
    const schedule = monthlyOn(random.pick([1, 1, 2, 3]));
    const payments = paymentsOf(context, schedule, "following", deutschlandticket, range);
    const payee = context.draw([transit("Hochbahn Deutschlandticket", "hochbahn.de")]);
    return [passPlan(name, payee, payments, { rail: "direct debit" })];
  }
  const payee = context.draw([
    namedPayee("SP Plus Parking", "parking.com", "other transport"),
    namedPayee("NCP Season Tickets", "ncp.co.uk", "other transport"),
  ]);
  const amount = tariff(context, 500 * random.integer(14, 60), NEW_YEAR, 0.5);
  const isCard = random.chance(0.5);
  const payments = paymentsOf(context, monthlyOn(1), isCard ? "any" : "following", amount);
  return [passPlan(name, payee, payments, { rail: isCard ? "card" : "direct debit" })];
};

/** Charged to the card each month on the day of joining (Mister Car Wash, "Unlimited Wash Club"; IMO, "Unlimited"), with single washes before. */
const carWash: CaseBuilder = (context) => {
  const { random } = context;
  const payee = context.draw([
    namedPayee("Mister Car Wash", "mistercarwash.com", "vehicle maintenance"),
    namedPayee("IMO Car Wash", "imocarwash.com", "vehicle maintenance"),
  ]);
  const price = pricePoint(random, 17, 39);
  const payments = paymentsOf(context, monthlyOn(random.integer(1, 28)), "any", price);
  return [passPlan("car wash membership", payee, payments)];
};

/**
 * Ten rides at a lower price, bought when they are used: on so many commuting days of the week as there are, some of which fall out
 * (NJ Transit, "10-Trip"; De Lijn, "Lijnkaart"; Metro-North, "Ticket types").
 */
const rideTickets: CaseBuilder = (context) => {
  const { random, planned } = context;
  const payee = context.draw([
    transit("Metro-North Ticket Machine", "mta.info"),
    transit("De Lijn", "delijn.be"),
  ]);
  const commutes = [0, 1, 2, 3, 4].slice(0, random.integer(2, 5));
  const goes = 0.7 + 0.25 * random.next();
  const rides = random.pick([10, 10, 20]);
  const amount = tariff(context, 10 * random.integer(200, 1_500), NEW_YEAR, 0.4);
  const isAway = awayOf(context);
  const payments: Payment[] = [];
  let left = 0;
  for (let day = planned.from; day <= planned.until; day++) {
    if (!commutes.includes(modulo7(weekdayOf(day) - MONDAY)) || isAway(day)) continue;
    if (!random.chance(goes)) continue;
    if (left <= 0) {
      payments.push({ day, cents: amount(0, day) });
      left += rides;
    }
    left -= 2;
  }
  return [passPlan("ticket for some rides", payee, payments, { periodicity: null })];
};

const modulo7 = (days: number): number => ((days % 7) + 7) % 7;

/** One price for a day at a gym or a pool, paid on the days of a visit. */
const dayPasses: CaseBuilder = (context) => {
  const { random, planned } = context;
  const payee = context.draw([
    namedPayee("Riverside Baths", null, "sport and fitness"),
    namedPayee("Boulder Hall Nord", null, "sport and fitness"),
  ]);
  const chance = 0.02 + 0.08 * random.next();
  const cents = 50 * random.integer(12, 44);
  const payments: Payment[] = [];
  for (let day = planned.from; day <= planned.until; day++)
    if (random.chance(isWeekend(day) ? 2 * chance : chance)) payments.push({ day, cents });
  return [passPlan("passes for a day", payee, payments, { periodicity: null })];
};

export const PASS_CASES: readonly CaseBuilder[] = [
  ...[renewed, calendarMonth, debited, carWash, rideTickets, dayPasses],
];
