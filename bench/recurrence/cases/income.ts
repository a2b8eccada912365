// Income: wages by the pay cycles of employers, benefits and pensions by the calendars of their offices, irregular sources.
import type { Periodicity, IncomeType } from "../../../src/model/recurrence.ts";
import {
  toCalendarDate,
  dayInMonth,
  dayNumber,
  isWeekend,
  weekdayOf,
} from "../../../workers/recurrence/calendar/days.ts";
import {
  type AmountRule,
  type CaseBuilder,
  centsBetween,
  type LedgerContext,
  normal,
  type Payee,
  type Payment,
  paymentsOf,
  type Plan,
  type Posting,
  spreadAround,
  turningDay,
} from "../context.ts";
import { CLIENTS, EMPLOYERS, namedPayee, PERSONS } from "../payees.ts";
import {
  everyDays,
  everyMonths,
  firstBankDays,
  lastBankDays,
  mondayOf,
  monthlyOn,
  nthWeekdayMonthly,
  type Schedule,
  twiceMonthly,
} from "../schedules.ts";

interface Income {
  readonly case: string;
  readonly payee: Payee;
  readonly payments: readonly Payment[];
  readonly periodicity: Periodicity;
  readonly incomeType: IncomeType;
  readonly isOptional?: boolean;
  readonly periodDays?: number;
}

const incomeOf = (income: Income): Plan => ({
  ...{ entryType: "incoming", rail: "bank credit" },
  ...income,
});

/** Pay rises once a year by 2 to 5 % (U.S. BLS, Employment Cost Index 2015 to 2024); not all workers have one. */
function wage({ random, planned }: LedgerContext, cents: number, hasHours: boolean): AmountRule {
  const month = random.integer(1, 12);
  const rise = random.chance(0.7) ? 0.02 + 0.03 * random.next() : 0;
  const start = toCalendarDate(planned.from);
  return (_, day) => {
    const { year, month: now } = toCalendarDate(day);
    const years = Math.max(0, year - start.year + (now >= month ? 1 : 0) - 1);
    const base = cents * (1 + rise) ** years;
    // Hours of shift work differ from one pay period to the next.
    return Math.round(hasHours ? base * Math.exp(0.12 * normal(random)) : base);
  };
}

interface PayCycle {
  readonly name: string;
  readonly periodicity: Periodicity;
  readonly schedule: (context: LedgerContext) => Schedule;
  readonly yearlyPayments: number;
}

/** A Friday, on which most weekly and bi-weekly employers of the US pay. */
const aFriday = ({ planned, random }: LedgerContext): number =>
  mondayOf(planned.from) + 4 + 7 * random.integer(0, 1);

const PAY_CYCLES: Readonly<Record<string, PayCycle>> = {
  weekly: {
    name: "weekly pay",
    periodicity: "weekly",
    schedule: (context) => everyDays(7, aFriday(context)),
    yearlyPayments: 52,
  },
  biweekly: {
    name: "bi-weekly pay",
    periodicity: "bi-weekly",
    schedule: (context) => everyDays(14, aFriday(context)),
    yearlyPayments: 26,
  },
  firstAndFifteenth: {
    name: "pay on the 1st and 15th",
    periodicity: "semi-monthly",
    schedule: () => twiceMonthly(1, 15),
    yearlyPayments: 24,
  },
  fifteenthAndLast: {
    name: "pay on the 15th and last",
    periodicity: "semi-monthly",
    schedule: () => twiceMonthly(15, 31),
    yearlyPayments: 24,
  },
  fourWeekly: {
    name: "pay every four weeks",
    periodicity: "other",
    schedule: (context) => everyDays(28, aFriday(context)),
    yearlyPayments: 13,
  },
  lastBankDay: {
    name: "pay on the last bank day",
    periodicity: "monthly",
    schedule: ({ calendar }) => lastBankDays(calendar),
    yearlyPayments: 12,
  },
  monthly: {
    name: "pay on a day of the month",
    periodicity: "monthly",
    schedule: ({ random }) => monthlyOn(random.pick([15, 20, 25, 28, 30])),
    yearlyPayments: 12,
  },
};

/**
 * Shares of the US: bi-weekly 43 %, weekly 27 %, twice a month 20 %, monthly 10 % (BLS, Current Employment Statistics, "Length
 * of pay periods", February 2023). Elsewhere pay is monthly; UK retailers and councils pay some every four weeks.
 */
const CYCLES_OF_REGION = {
  us: "biweekly biweekly biweekly biweekly weekly weekly firstAndFifteenth fifteenthAndLast monthly",
  uk: "lastBankDay monthly monthly fourWeekly weekly lastBankDay",
  eu: "lastBankDay monthly lastBankDay monthly",
} as const;

export const salary: CaseBuilder = (context) => {
  const { random, region } = context;
  const cycle = PAY_CYCLES[random.pick(CYCLES_OF_REGION[region].split(" "))];
  if (cycle === undefined) throw new Error("The pay cycle is not in the table");
  const hasHours = cycle.periodicity === "weekly" && random.chance(0.6);
  const cents = centsBetween(random, 22_000 / cycle.yearlyPayments, 75_000 / cycle.yearlyPayments);
  const payee = context.draw(EMPLOYERS);
  const amount = wage(context, cents, hasHours);
  const regular = paymentsOf(context, cycle.schedule(context), "preceding", amount);
  const plan: Omit<Income, "payments" | "case"> = {
    ...{ payee, periodicity: cycle.periodicity, incomeType: "salary" },
    ...(cycle.periodicity === "other" ? { periodDays: 28 } : {}),
  };
  const bonusMonth = random.pick([3, 12, 12]);
  // A bonus comes with the pay of a month, or as a payment of its own on the same or another day.
  const kind = random.pick(["none", "none", "added", "apart"] as const);
  const case_ = hasHours ? "weekly pay by hours" : cycle.name;
  if (kind === "none") return [incomeOf({ ...plan, case: case_, payments: regular })];
  const [bonuses, added] = withBonus(regular, bonusMonth, random.integer(30, 120) / 100);
  if (kind === "added")
    return [incomeOf({ ...plan, case: "pay with a bonus added", payments: added })];
  return [
    incomeOf({ ...plan, case: case_, payments: regular }),
    {
      ...{ case: "bonus", payee, entryType: "incoming", rail: "bank credit", periodicity: null },
      payments: bonuses.map(({ day, cents: bonus }) => ({
        day: context.calendar.following(day + random.integer(1, 9)),
        cents: bonus,
      })),
    },
  ];
};

/** The bonus of the first pay of a month each year, alone and added to the pay. */
function withBonus(
  payments: readonly Payment[],
  month: number,
  share: number,
): readonly [bonuses: readonly Payment[], added: readonly Payment[]] {
  const years = new Set<number>();
  const bonuses: Payment[] = [];
  const added = payments.map((payment) => {
    const date = toCalendarDate(payment.day);
    if (date.month !== month || years.has(date.year)) return payment;
    years.add(date.year);
    const cents = Math.round(payment.cents * share);
    bonuses.push({ day: payment.day, cents });
    return { ...payment, cents: payment.cents + cents };
  });
  return [bonuses, added];
}

/** One employer ends, another begins some weeks later. */
const changedEmployer: CaseBuilder = (context) => {
  const { planned, random } = context;
  const turn = turningDay(context);
  const periodicity = context.region === "us" ? "bi-weekly" : "monthly";
  const scheduleOf = (): Schedule =>
    periodicity === "monthly" ? monthlyOn(28) : everyDays(14, aFriday(context));
  const cents = centsBetween(random, 1_200, 2_600);
  const spans = [
    { from: planned.from, until: turn },
    { from: turn + random.integer(20, 60), until: planned.until },
  ];
  return spans.map((span, index) =>
    incomeOf({
      ...{ case: "changed employer", payee: context.draw(EMPLOYERS), periodicity },
      incomeType: "salary",
      payments: paymentsOf(context, scheduleOf(), "preceding", cents + index * 17_500, span),
    }),
  );
};

/** A moved pay day: an employer changes from the 25th to the last bank day. */
const movedPayDay: CaseBuilder = (context) => {
  const { planned, calendar, random } = context;
  const turn = turningDay(context);
  const { year, month } = toCalendarDate(turn);
  const cents = centsBetween(random, 1_500, 3_500);
  const before = { from: planned.from, until: dayInMonth(year, month, 27) };
  const after = { from: dayNumber(year, month + 1, 5), until: planned.until };
  const payments = [
    ...paymentsOf(context, monthlyOn(random.pick([15, 20, 25])), "preceding", cents, before),
    ...paymentsOf(context, lastBankDays(calendar), "preceding", cents, after),
  ];
  const payee = context.draw(EMPLOYERS);
  return [
    incomeOf({
      ...{ case: "moved pay day", payee, payments, periodicity: "monthly", incomeType: "salary" },
    }),
  ];
};

/** Raised each year by the rate that the office sets. */
const yearlyRaise =
  ({ planned }: LedgerContext, cents: number, rate: number): AmountRule =>
  (_, day) =>
    Math.round(
      cents * (1 + rate) ** (toCalendarDate(day).year - toCalendarDate(planned.from).year),
    );

type BenefitRow = readonly [
  name: string,
  website: string,
  category: string,
  incomeType: IncomeType,
  periodicity: Periodicity,
  caseName: string,
  schedule: (context: LedgerContext) => Schedule,
  posting: Posting,
];

const WEDNESDAY = 3;

const BENEFITS: Readonly<Record<LedgerContext["region"], readonly BenefitRow[]>> = {
  us: [
    // 20 CFR 404.1807: the second, third or fourth Wednesday, by day of birth.
    [
      ...(["Social Security Administration", "ssa.gov", "social security"] as const),
      ...(["social security", "monthly", "nth weekday"] as const),
      ({ random }) => nthWeekdayMonthly(WEDNESDAY, random.integer(2, 4)),
      "preceding",
    ],
    // VA: the first business day of the following month.
    [
      ...(["VA Benefits", "va.gov", "government benefits"] as const),
      ...(["government benefits", "monthly", "first bank day"] as const),
      ({ calendar }) => firstBankDays(calendar),
      "following",
    ],
  ],
  uk: [
    // GOV.UK, "Child Benefit: when it is paid": every four weeks on a Monday or Tuesday.
    [
      ...(["HMRC Child Benefit", "gov.uk", "government benefits"] as const),
      ...(["government benefits", "other", "benefit every four weeks"] as const),
      ({ planned, random }) =>
        everyDays(28, mondayOf(planned.from) + random.integer(0, 1) + 7 * random.integer(0, 3)),
      "preceding",
    ],
    // GOV.UK, "Universal Credit: when you are paid": the same date of every month.
    [
      ...(["DWP Universal Credit", "gov.uk", "government benefits"] as const),
      ...(["government benefits", "monthly", "benefit of the month"] as const),
      ({ random }) => monthlyOn(random.integer(1, 31)),
      "preceding",
    ],
  ],
  eu: [
    // Deutsche Rentenversicherung: on the last bank day of the month (SGB VI § 118).
    [
      ...(["Deutsche Rentenversicherung", "deutsche-rentenversicherung.de"] as const),
      ...(["retirement funds", "retirement funds", "monthly", "pension, last bank day"] as const),
      ({ calendar }) => lastBankDays(calendar),
      "preceding",
    ],
    // Familienkasse: by the last digit of the number, on bank days from about the 5th to the 20th.
    [
      ...(["Familienkasse", "arbeitsagentur.de", "government benefits"] as const),
      ...(["government benefits", "monthly", "benefit of the month"] as const),
      ({ random }) => monthlyOn(random.integer(5, 20)),
      "following",
    ],
  ],
};

const benefit: CaseBuilder = (context) => {
  const { random, region } = context;
  const [name, website, category, incomeType, periodicity, caseName, scheduleOf, posting] =
    random.pick(BENEFITS[region]);
  const amount = yearlyRaise(context, centsBetween(random, 150, 1_900), random.pick([0.02, 0.05]));
  const payments = paymentsOf(context, scheduleOf(context), posting, amount);
  const payee = namedPayee(name, website, category);
  const period = periodicity === "other" ? { periodDays: 28 } : {};
  return [incomeOf({ case: caseName, payee, payments, periodicity, incomeType, ...period })];
};

/**
 * US: certified and paid every week, for at most 26 weeks in most states. UK: every two weeks (GOV.UK, "Jobseeker's Allowance:
 * how you are paid"). Germany: on the last bank day of the month (SGB I § 47, SGB II § 42).
 */
const UNEMPLOYMENT = {
  us: ["State Unemployment Insurance", "weekly", 7],
  uk: ["DWP Jobseekers Allowance", "bi-weekly", 14],
  eu: ["Bundesagentur fuer Arbeit", "monthly", 31],
} as const;

const unemployment: CaseBuilder = (context) => {
  const { random, planned, calendar, region } = context;
  const from = turningDay(context);
  const [name, periodicity, gap] = UNEMPLOYMENT[region];
  const anchor = mondayOf(planned.from) + random.integer(0, 3);
  const schedule = region === "eu" ? lastBankDays(calendar) : everyDays(gap, anchor);
  const range = { from, until: Math.min(planned.until, from + 7 * random.integer(12, 26)) };
  const amount = (gap / 7) * 100 * random.integer(90, 440);
  const payments = paymentsOf(context, schedule, "preceding", Math.round(amount), range);
  const payee = namedPayee(name, null, "unemployment insurance");
  const type = "unemployment insurance" as const;
  return [incomeOf({ case: type, payee, payments, periodicity, incomeType: type })];
};

const childSupport: CaseBuilder = (context) => {
  const { random } = context;
  const payee = namedPayee("Child Support Disbursement Unit", null, "child support");
  const amount = 100 * random.integer(150, 800);
  const payments = paymentsOf(context, monthlyOn(random.integer(1, 28)), "following", amount);
  const type = "child support" as const;
  return [incomeOf({ case: type, payee, payments, periodicity: "monthly", incomeType: type })];
};

/** Platforms close a week on Sunday and pay in the days after (Uber, DoorDash: "weekly payouts"); some weeks have no work. */
const weeklyGig: CaseBuilder = (context) => {
  const { random, planned, calendar, range } = context;
  const day = random.integer(0, 2);
  const payee = context.draw([
    namedPayee("DoorDash", "doordash.com", "rideshare and delivery income"),
    namedPayee("Deliveroo", "deliveroo.com", "rideshare and delivery income"),
  ]);
  const median = centsBetween(random, 120, 520);
  const payments = paymentsOf(
    context,
    everyDays(7, mondayOf(planned.from) + day),
    "following",
    () => spreadAround(random, median, 0.4),
  ).filter(({ day: paid }) => paid > range.until || !random.chance(0.1));
  return [
    incomeOf({
      ...{ case: "gig income by week", payee, periodicity: "weekly" },
      incomeType: "rideshare and delivery",
      payments: payments.map((one) => ({ ...one, day: calendar.following(one.day) })),
    }),
  ];
};

/** Days by chance: gaps are exponential around `meanGapDays`. */
function randomPayments(
  { random, planned }: LedgerContext,
  meanGapDays: number,
  medianCents: number,
  spread: number,
): Payment[] {
  const payments: Payment[] = [];
  let day = planned.from;
  while ((day += Math.ceil(-Math.log(1 - random.next()) * meanGapDays)) <= planned.until)
    payments.push({ day, cents: spreadAround(random, medianCents, spread) });
  return payments;
}

/** Paid out at the end of a shift, when the driver asks for it ("instant pay"). */
const instantGig: CaseBuilder = (context) => {
  const median = centsBetween(context.random, 40, 140);
  return [
    incomeOf({
      case: "irregular gig income",
      payee: namedPayee("Uber Earnings", "uber.com", "rideshare and delivery income"),
      payments: randomPayments(context, 4, median, 0.5),
      ...{ periodicity: "other", incomeType: "rideshare and delivery", isOptional: true },
    }),
  ];
};

/** Invoices for work that is done, paid about 30 days later or later. */
const freelanceInvoices: CaseBuilder = (context) => {
  const { calendar, random } = context;
  const payments = randomPayments(context, 33, centsBetween(random, 400, 2_200), 0.6);
  return [
    incomeOf({
      ...{ case: "irregular freelance income", payee: context.draw(CLIENTS), isOptional: true },
      ...{ periodicity: "other", incomeType: "freelance" },
      payments: payments.map((one) => ({ ...one, day: calendar.following(one.day) })),
    }),
  ];
};

const retainer: CaseBuilder = (context) => {
  const { random, calendar } = context;
  const amount = 5_000 * random.integer(8, 40);
  // Paid by hand: up to three days after the date of the invoice.
  const payments = paymentsOf(context, monthlyOn(random.integer(1, 25)), "following", amount);
  return [
    incomeOf({
      ...{ case: "freelance retainer", payee: context.draw(CLIENTS), periodicity: "monthly" },
      incomeType: "freelance",
      payments: payments.map((one) => ({
        ...one,
        day: calendar.following(one.day + random.integer(0, 3)),
      })),
    }),
  ];
};

const rentReceived: CaseBuilder = (context) => {
  const { random, calendar } = context;
  const amount = 1_000 * random.integer(60, 160);
  const payee = { ...context.draw(PERSONS), category: "property rental" };
  const payments = paymentsOf(context, monthlyOn(1), "following", amount).map((one) => ({
    ...one,
    day: calendar.following(one.day + random.pick([0, 0, 1, 2, 3])),
  }));
  return [
    incomeOf({
      ...{ case: "rent received", payee, payments, periodicity: "monthly" },
      incomeType: "long term rent",
    }),
  ];
};

/** About a day after a guest arrives, so as bookings come (Airbnb, "When you will get your payout"). */
const shortRent: CaseBuilder = (context) => [
  incomeOf({
    case: "irregular short-term rent",
    payee: namedPayee("Airbnb", "airbnb.com", "property rental"),
    payments: randomPayments(context, 16, centsBetween(context.random, 140, 420), 0.5),
    ...{ periodicity: "other", incomeType: "short term rent", isOptional: true },
  }),
];

/** Credited on the last bank day of each month, by the balance. */
const interest: CaseBuilder = (context) => {
  const { random, calendar } = context;
  const median = centsBetween(random, 0.8, 25);
  const payments = paymentsOf(context, lastBankDays(calendar), "preceding", () =>
    Math.max(1, spreadAround(random, median, 0.15)),
  );
  return [
    incomeOf({
      ...{ case: "interest", payments, periodicity: "monthly" },
      payee: namedPayee("Interest payment", null, "interest and dividends"),
      incomeType: "interest and dividends",
    }),
  ];
};

/** Companies pay by the quarter, on a day near the same date, by what they earn. */
const dividends: CaseBuilder = (context) => {
  const { random, planned, calendar } = context;
  const anchor = planned.from + random.integer(0, 80);
  const median = centsBetween(random, 20, 300);
  const payments = paymentsOf(context, everyMonths(3, anchor), "following", (index) =>
    Math.round(median * 1.015 ** index),
  ).map((one) => ({ ...one, day: calendar.following(one.day + random.integer(-2, 2)) }));
  return [
    incomeOf({
      ...{ case: "dividends", payments, periodicity: "quarterly" },
      payee: namedPayee("Vanguard Dividend", "vanguard.com", "interest and dividends"),
      incomeType: "interest and dividends",
    }),
  ];
};

const pension: CaseBuilder = (context) => {
  const { random } = context;
  const payments = paymentsOf(
    context,
    monthlyOn(random.pick([1, 15, 28])),
    "preceding",
    yearlyRaise(context, centsBetween(random, 300, 1_900), 0.025),
  );
  const payee = namedPayee("Fidelity Retirement", "fidelity.com", "retirement funds");
  const incomeType = "retirement funds" as const;
  return [incomeOf({ case: "pension", payee, payments, periodicity: "monthly", incomeType })];
};

/** Sales of a market place, paid out each week on the same weekday (Etsy, "payment schedule"). */
const marketPlace: CaseBuilder = (context) => {
  const { random, planned } = context;
  const weekday = random.integer(0, 4);
  const median = centsBetween(random, 40, 350);
  const schedule = everyDays(7, mondayOf(planned.from) + weekday);
  const payments = paymentsOf(context, schedule, "following", () =>
    spreadAround(random, median, 0.5),
  );
  const payee = namedPayee("Etsy", "etsy.com", "ecommerce");
  const incomeType = "ecommerce" as const;
  return [
    incomeOf({ case: "market place payouts", payee, payments, periodicity: "weekly", incomeType }),
  ];
};

/** The pay of the US armed forces: the 1st and 15th, on the bank day before where banks are closed (DFAS, "Pay days"). */
const militaryPay: CaseBuilder = (context) => {
  if (context.region !== "us") return [];
  const amount = wage(context, centsBetween(context.random, 1_100, 2_400), false);
  const payments = paymentsOf(context, twiceMonthly(1, 15), "preceding", amount);
  const payee = namedPayee("DFAS Military Pay", "dfas.mil", "paycheck");
  return [
    incomeOf({
      ...{ case: "pay on the 1st and 15th", payee, payments, periodicity: "semi-monthly" },
      incomeType: "salary",
    }),
  ];
};

/** A second job paid for each shift in the days after it: weekend work, so the weekday stays and the gaps do not. */
const shiftWork: CaseBuilder = (context) => {
  const { random, calendar } = context;
  const payments = randomPayments(context, 9, centsBetween(random, 60, 180), 0.3).filter(
    ({ day }) => isWeekend(day) || weekdayOf(day) === 5,
  );
  return [
    incomeOf({
      ...{ case: "irregular shifts", payee: context.draw(EMPLOYERS), isOptional: true },
      ...{ periodicity: "other", incomeType: "salary" },
      payments: payments.map((one) => ({ ...one, day: calendar.following(one.day + 2) })),
    }),
  ];
};

export const INCOME_CASES: readonly CaseBuilder[] = [
  ...[
    changedEmployer,
    movedPayDay,
    benefit,
    benefit,
    unemployment,
    childSupport,
    weeklyGig,
    instantGig,
  ],
  ...[freelanceInvoices, retainer, rentReceived, shortRent, interest, dividends, pension],
  ...[marketPlace, militaryPay, shiftWork],
];
