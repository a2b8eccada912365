// Rent, loans, utilities, insurance, taxes and cards of a household: due days by contract or law, amounts fixed or by use.
import { toCalendarDate, dayNumber } from "../../../workers/recurrence/calendar/days.ts";
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
  type Rail,
  spreadAround,
  turningDay,
} from "../context.ts";
import {
  CARD_ISSUERS,
  INSURERS,
  LANDLORDS,
  LENDERS,
  namedPayee,
  OWN_ACCOUNT,
  PERSONS,
  PHONE,
  POWER,
  WATER,
} from "../payees.ts";
import { everyMonths, meterCycle, monthlyOn, type Schedule, yearlyDays } from "../schedules.ts";

interface Bill {
  readonly case: string;
  readonly payee: Payee;
  readonly payments: readonly Payment[];
  readonly rail?: Rail;
  readonly periodicity?: Plan["periodicity"];
}

const billOf = ({ rail = "direct debit", periodicity = "monthly", ...bill }: Bill): Plan => ({
  ...bill,
  ...{ rail, periodicity, entryType: "outgoing" },
});

/** Residential use over the year, January first: U.S. EIA, Electric Power Monthly, table 5.1, 2019 to 2023, rounded. */
const ELECTRIC_SEASON = [1.12, 1, 0.92, 0.8, 0.83, 1.05, 1.3, 1.29, 1.06, 0.85, 0.82, 1.0];
/** Residential gas, January first: U.S. EIA, Natural Gas Monthly, table 15, 2019 to 2023, rounded. */
const GAS_SEASON = [2.2, 1.95, 1.5, 0.9, 0.5, 0.32, 0.28, 0.27, 0.3, 0.6, 1.3, 1.85];

/** By the season of the month before: a bill is for use in the past. */
const byUse =
  ({ random }: LedgerContext, medianCents: number, season: readonly number[]): AmountRule =>
  (_, day) => {
    const { month } = toCalendarDate(day - 30);
    return Math.round(medianCents * (season[month - 1] ?? 1) * Math.exp(0.08 * normal(random)));
  };

/** By standing order, or by hand: on the first or up to four days later (grace periods of leases are 3 to 5 days). */
export const rent: CaseBuilder = (context) => {
  const { random, calendar, planned } = context;
  const start = centsBetween(random, 700, 2_400);
  const raiseDay = turningDay(context);
  const raised = random.chance(0.4) ? Math.round(start * 1.04) : start;
  const amount: AmountRule = (_, day) => (day < raiseDay ? start : raised);
  const isByHand = random.chance(0.4);
  const due = random.chance(0.75) ? 1 : random.integer(2, 28);
  const regular = paymentsOf(context, monthlyOn(due), "following", amount, {
    from: planned.from,
    until: planned.until,
  });
  const payments = isByHand
    ? regular.map((payment) => ({
        ...payment,
        day: calendar.following(payment.day + random.pick([0, 0, 1, 2, 4])),
      }))
    : regular;
  const payee = context.draw(LANDLORDS);
  const rail = payee.type === "person" ? "person" : isByHand ? "transfer" : "standing order";
  return [billOf({ case: isByHand ? "rent by hand" : "rent", payee, payments, rail })];
};

/** An equal payment each month, on a bank day; some are repaid before the ledger ends. */
const loan: CaseBuilder = (context) => {
  const { random, planned, range } = context;
  const isRepaid = random.chance(0.3);
  const until = isRepaid ? turningDay(context) : planned.until;
  const due = random.integer(1, 28);
  const amount = centsBetween(random, 120, 900);
  const payee = context.draw(LENDERS[context.region]);
  const name = isRepaid ? "repaid loan" : "loan";
  const plans = [
    billOf({
      case: name,
      payee,
      payments: paymentsOf(context, monthlyOn(due), "following", amount, {
        from: planned.from,
        until,
      }),
    }),
  ];
  if (!random.chance(0.4)) return plans;
  // The loan itself: money in that is not income.
  const paidOut: Plan = {
    case: "loan paid out",
    payee: { ...payee, category: "loans" },
    entryType: "incoming",
    rail: "bank credit",
    payments: [{ day: range.from + random.integer(0, 20), cents: amount * 36 }],
    periodicity: null,
  };
  return [...plans, paidOut];
};

/** On the day that falls due, moved to a bank day: the rule that makes gaps of 28 to 34 days of a monthly debit. */
const debitOnFirst: CaseBuilder = (context) => {
  const { random } = context;
  const payments = paymentsOf(
    context,
    monthlyOn(random.pick([1, 1, 15, 28])),
    "following",
    centsBetween(random, 25, 140),
  );
  const payee = context.draw([...PHONE[context.region]]);
  return [billOf({ case: "debit moved to a bank day", payee, payments })];
};

/** Phone bills: a fixed tariff, and some months with calls on top. */
const phone: CaseBuilder = (context) => {
  const { random } = context;
  const base = centsBetween(random, 20, 90);
  const payments = paymentsOf(context, monthlyOn(random.integer(1, 28)), "following", () =>
    random.chance(0.75) ? base : base + centsBetween(random, 0.5, 15),
  );
  return [billOf({ case: "phone bill", payee: context.draw(PHONE[context.region]), payments })];
};

const electricityByMeter: CaseBuilder = (context) => {
  const { random, calendar, planned, region } = context;
  const schedule = meterCycle(random, calendar, planned);
  const amount = byUse(context, centsBetween(random, 60, 160), ELECTRIC_SEASON);
  const payments = paymentsOf(context, schedule, "following", amount);
  return [billOf({ case: "metered utility", payee: context.draw(POWER[region]), payments })];
};

const gasByMonth: CaseBuilder = (context) => {
  const { random } = context;
  const amount = byUse(context, centsBetween(random, 40, 90), GAS_SEASON);
  const payments = paymentsOf(context, monthlyOn(random.integer(1, 28)), "following", amount);
  const payee = context.draw([
    namedPayee("National Grid Gas", null, "utilities"),
    namedPayee("SoCalGas", "socalgas.com", "utilities"),
  ]);
  return [billOf({ case: "seasonal utility", payee, payments })];
};

/** Equal instalments, set again once a year after the yearly bill (usual in the UK and the euro area). */
const instalments: CaseBuilder = (context) => {
  const { random } = context;
  const start = 100 * random.integer(50, 180);
  const resetMonth = random.integer(1, 12);
  const changes = Array.from({ length: 90 }, () => 100 * random.integer(-15, 20));
  const amount: AmountRule = (_, day) => {
    const { year, month } = toCalendarDate(day);
    const years = year - toCalendarDate(context.planned.from).year + (month >= resetMonth ? 1 : 0);
    return changes.slice(0, years).reduce((sum, change) => sum + change, start);
  };
  const payments = paymentsOf(context, monthlyOn(random.integer(1, 28)), "following", amount);
  const payee = context.draw(POWER[context.region]);
  return [billOf({ case: "utility by instalments", payee, payments })];
};

/**
 * The full balance by direct debit. The due day is the same of every month (Regulation Z, 12 CFR 1026.7(b)(11)(i)(A)); the
 * amount is what was spent.
 */
const cardBill: CaseBuilder = (context) => {
  const { random } = context;
  const median = centsBetween(random, 300, 1_500);
  const payments = paymentsOf(context, monthlyOn(random.integer(1, 28)), "following", () =>
    spreadAround(random, median, 0.35),
  );
  return [billOf({ case: "card bill", payee: context.draw(CARD_ISSUERS), payments })];
};

/**
 * Ten instalments a year. UK: council tax from April to January (SI 1992/613, schedule 1). France: property tax from January
 * to October (impots.gouv.fr, "mensualisation"). US: tuition plans of schools from August to May.
 */
const TEN_MONTHS = {
  us: ["Oakdale Academy Tuition", null, "education", [8, 9, 10, 11, 12, 1, 2, 3, 4, 5]],
  uk: ["Lewisham Council", "lewisham.gov.uk", "council tax", [4, 5, 6, 7, 8, 9, 10, 11, 12, 1]],
  eu: ["DGFIP", "impots.gouv.fr", "taxes", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
} as const;

const tenMonths: CaseBuilder = (context) => {
  const { random, region, planned } = context;
  const base = centsBetween(random, 110, 240);
  const [name, website, category, months] = TEN_MONTHS[region];
  const [first] = months;
  const amount: AmountRule = (_, day) => {
    const { year, month } = toCalendarDate(day);
    const started = month >= first ? year : year - 1;
    return Math.round(base * 1.04 ** (started - toCalendarDate(planned.from).year));
  };
  const schedule = monthlyOn(random.pick([1, 5, 15]), months);
  const payments = paymentsOf(context, schedule, "following", amount);
  const payee = namedPayee(name, website, category);
  return [billOf({ case: "ten months of the year", payee, payments })];
};

/** US car policies run for six months and are rated again at each renewal. */
const insuranceHalfYearly: CaseBuilder = (context) => {
  const { random, planned } = context;
  const base = centsBetween(random, 350, 900);
  const schedule = everyMonths(6, planned.from + random.integer(0, 170));
  const payments = paymentsOf(context, schedule, "following", (index) =>
    Math.round(base * 1.03 ** index),
  );
  const payee = context.draw(INSURERS[context.region]);
  return [billOf({ case: "half-yearly", payee, payments, periodicity: "semi-yearly" })];
};

const insuranceMonthly: CaseBuilder = (context) => {
  const { random, planned } = context;
  const base = centsBetween(random, 25, 160);
  const renewal = random.integer(1, 12);
  const amount: AmountRule = (_, day) => {
    const { year, month } = toCalendarDate(day);
    const years = year - toCalendarDate(planned.from).year + (month >= renewal ? 1 : 0);
    return Math.round(base * (1 + 0.07 * years));
  };
  const payments = paymentsOf(context, monthlyOn(random.integer(1, 28)), "following", amount);
  const payee = context.draw(INSURERS[context.region]);
  return [billOf({ case: "insurance", payee, payments })];
};

/** Water is billed every two months or by the quarter or the half-year, by use. */
const water: CaseBuilder = (context) => {
  const { random, planned } = context;
  const [months, periodicity, name] = random.pick([
    [2, "bi-monthly", "every two months"],
    [3, "quarterly", "quarterly"],
    [6, "semi-yearly", "half-yearly"],
  ] as const);
  const median = centsBetween(random, 20, 40) * months;
  const schedule = everyMonths(months, planned.from + random.integer(0, 25));
  const payments = paymentsOf(context, schedule, "following", () =>
    spreadAround(random, median, 0.12),
  );
  const payee = context.draw(WATER[context.region]);
  return [billOf({ case: name, payee, payments, periodicity })];
};

/**
 * Taxes on property, by law on one or two days of the year. In California the two halves are late after 10 December and
 * 10 April (Revenue and Taxation Code § 2617, § 2618), and are paid on these days.
 */
const propertyTax: CaseBuilder = (context) => {
  const { random } = context;
  const amount = centsBetween(random, 600, 2_500);
  const isTwice = random.chance(0.5);
  const dates = isTwice
    ? ([
        [4, 10],
        [12, 10],
      ] as const)
    : ([[1, 31]] as const);
  const payee = namedPayee("County Tax Collector", null, "taxes");
  // From 10 April to 10 December are 244 days: twice a year, in halves that are not equal.
  const payments = paymentsOf(context, yearlyDays(dates), "following", (_, day) =>
    Math.round(
      amount * 1.02 ** (toCalendarDate(day).year - toCalendarDate(context.planned.from).year),
    ),
  );
  const periodicity = isTwice ? "semi-yearly" : "yearly";
  return [billOf({ case: "tax by law", payee, payments, periodicity })];
};

/**
 * Income tax in advance. US: 15 April, June, September, January, gaps of 61, 92, 122 and 90 days (Internal Revenue Code
 * § 6654 (c)). UK: payments on account on 31 January and 31 July (Taxes Management Act 1970, s 59A). Germany: the 10th of
 * March, June, September and December (EStG § 37).
 */
const TAX_IN_ADVANCE = {
  us: [
    "IRS",
    "irs.gov",
    "quarterly",
    [
      [4, 15],
      [6, 15],
      [9, 15],
      [1, 15],
    ],
  ],
  uk: [
    "HMRC Self Assessment",
    "gov.uk",
    "semi-yearly",
    [
      [1, 31],
      [7, 31],
    ],
  ],
  eu: [
    "Finanzamt",
    null,
    "quarterly",
    [
      [3, 10],
      [6, 10],
      [9, 10],
      [12, 10],
    ],
  ],
} as const;

const estimatedTax: CaseBuilder = (context) => {
  const amount = 100 * context.random.integer(400, 3_000);
  const [name, website, periodicity, dates] = TAX_IN_ADVANCE[context.region];
  const payments = paymentsOf(context, yearlyDays(dates), "following", amount);
  const payee = namedPayee(name, website, "taxes");
  const case_ = context.region === "us" ? "uneven quarters" : "tax by law";
  return [billOf({ case: case_, payee, payments, periodicity })];
};

const transferOf = (
  context: LedgerContext,
  schedule: Schedule,
  payee: Payee,
  name: string,
): Plan => {
  const amount = 5_000 * context.random.integer(1, 12);
  const rail = payee.type === "person" ? "person" : "standing order";
  const payments = paymentsOf(context, schedule, "following", amount);
  return billOf({ case: name, payee, payments, rail });
};

const savings: CaseBuilder = (context) => [
  transferOf(context, monthlyOn(context.random.integer(1, 28)), OWN_ACCOUNT, "standing order"),
];

const personByOrder: CaseBuilder = (context) => {
  const schedule = monthlyOn(context.random.integer(1, 28));
  return [transferOf(context, schedule, context.draw(PERSONS), "standing order")];
};

const bankFee: CaseBuilder = (context) => {
  const payee = namedPayee("Monthly maintenance fee", null, "bank fee");
  const { calendar } = context;
  const schedule: Schedule = (range) =>
    monthlyOn(31)(range).map((day) => {
      const { year, month } = toCalendarDate(day);
      return calendar.lastOfMonth(year, month);
    });
  const fee = context.random.pick([300, 500, 1_200]);
  const payments = paymentsOf(context, schedule, "following", fee);
  return [billOf({ case: "last bank day", payee, payments, rail: "fee" })];
};

/** Tuition: the same months of each year, not the others. */
const tuition: CaseBuilder = (context) => {
  const amount = centsBetween(context.random, 150, 600);
  const months = [9, 10, 11, 12, 1, 2, 3, 4, 5, 6];
  const payee = namedPayee("Meadow Road Nursery", null, "childcare");
  const payments = paymentsOf(context, monthlyOn(5, months), "following", amount);
  return [billOf({ case: "ten months of the year", payee, payments })];
};

/** Membership of a club, on the same date, without a company that a knowledge base has. */
const yearlyDues: CaseBuilder = (context) => {
  const { random, planned } = context;
  const { year } = toCalendarDate(planned.from);
  const due = dayNumber(year, random.integer(1, 12), random.integer(1, 28));
  const payments = paymentsOf(context, everyMonths(12, due), "following", 9_000);
  const payee = namedPayee("Riverside Rowing Club", null, "sport and fitness");
  return [billOf({ case: "yearly dues", payee, payments, periodicity: "yearly" })];
};

export const BILL_CASES: readonly CaseBuilder[] = [
  ...[loan, debitOnFirst, phone, electricityByMeter, gasByMonth, instalments, cardBill, tenMonths],
  ...[insuranceHalfYearly, insuranceMonthly, water, propertyTax, estimatedTax, savings],
  ...[personByOrder, bankFee, tuition, yearlyDues],
];
