// Businesses: payouts of sales, pay runs, taxes by law, suppliers, advertising, rent by the quarter.
import { toCalendarDate, isWeekend } from "../../../workers/recurrence/calendar/days.ts";
import {
  type CaseBuilder,
  centsBetween,
  normal,
  type Payee,
  type Payment,
  paymentsOf,
  type Plan,
  spreadAround,
} from "../context.ts";
import { CLIENTS, namedPayee, SUPPLIERS } from "../payees.ts";
import { bankDays, everyDays, mondayOf, monthlyOn, yearlyDays } from "../schedules.ts";

/** Sales of the days before, on each bank day (Square and Stripe, payouts "next business day"). */
const dailyPayouts: CaseBuilder = (context) => {
  const { random, calendar } = context;
  const median = centsBetween(random, 300, 1_800);
  const payments = paymentsOf(context, bankDays(calendar), "following", () =>
    spreadAround(random, median, 0.45),
  );
  return [
    {
      case: "daily payouts",
      payee: namedPayee("Stripe", "stripe.com", "sales revenue"),
      ...{ payments, entryType: "incoming", rail: "bank credit", periodicity: "daily" },
      incomeType: "ecommerce",
    },
  ];
};

const weeklyPayouts: CaseBuilder = (context) => {
  const { random, planned } = context;
  const median = centsBetween(random, 900, 6_000);
  const schedule = everyDays(7, mondayOf(planned.from) + random.integer(0, 4));
  const payments = paymentsOf(context, schedule, "following", () =>
    spreadAround(random, median, 0.35),
  );
  return [
    {
      case: "weekly payouts",
      payee: namedPayee("Shopify", "shopify.com", "sales revenue"),
      ...{ payments, entryType: "incoming", rail: "bank credit", periodicity: "weekly" },
      incomeType: "ecommerce",
    },
  ];
};

const debit = (
  name: string,
  payee: Payee,
  periodicity: Plan["periodicity"],
  payments: readonly Payment[],
): Plan => ({
  ...{ case: name, payee, periodicity, payments, entryType: "outgoing", rail: "direct debit" },
});

/** The account of the pay service is debited two bank days before pay day, so on a Wednesday for a Friday. */
const payRun: CaseBuilder = (context) => {
  const { random, planned, calendar, region } = context;
  const median = centsBetween(random, 4_000, 30_000);
  const amount = (): number => Math.round(median * Math.exp(0.05 * normal(random)));
  const payee = namedPayee("Gusto", "gusto.com", "payroll");
  const payDay = mondayOf(planned.from) + 2;
  return region === "us"
    ? [
        debit(
          "pay run",
          payee,
          "bi-weekly",
          paymentsOf(context, everyDays(14, payDay), "preceding", amount),
        ),
      ]
    : [
        debit(
          "pay run",
          payee,
          "monthly",
          paymentsOf(
            context,
            (range) => monthlyOn(28)(range).map((day) => calendar.preceding(day)),
            "preceding",
            amount,
          ),
        ),
      ];
};

/** VAT: a month and seven days after the quarter; the direct debit is taken three bank days later (GOV.UK, "Pay your VAT bill"). */
const salesTax: CaseBuilder = (context) => {
  const { random, calendar, region } = context;
  const median = centsBetween(random, 1_500, 9_000);
  const amount = (): number => spreadAround(random, median, 0.3);
  if (region === "uk") {
    const schedule = yearlyDays([
      [2, 7],
      [5, 7],
      [8, 7],
      [11, 7],
    ]);
    const payments = paymentsOf(context, schedule, "any", amount).map((one) => ({
      ...one,
      day: calendar.add(one.day, 3),
    }));
    const payee = namedPayee("HMRC VAT", "gov.uk", "taxes");
    return [debit("tax by law", payee, "quarterly", payments)];
  }
  // The 20th of the month after in most US states; the 10th in Germany (UStG § 18).
  const day = region === "us" ? 20 : 10;
  const payments = paymentsOf(context, monthlyOn(day), "following", amount);
  const payee = namedPayee(region === "us" ? "State Comptroller" : "Finanzamt", null, "taxes");
  return [debit("tax by law", payee, "monthly", payments)];
};

/** Commercial rent in England falls due on the quarter days: 25 March, 24 June, 29 September, 25 December. */
const quarterRent: CaseBuilder = (context) => {
  const { random, region } = context;
  const payee = namedPayee("Castlegate Estates", null, "rent");
  const amount = 100 * random.integer(900, 6_000);
  if (region !== "uk")
    return [
      debit("rent", payee, "monthly", paymentsOf(context, monthlyOn(1), "following", amount)),
    ];
  const schedule = yearlyDays([
    [3, 25],
    [6, 24],
    [9, 29],
    [12, 25],
  ]);
  const payments = paymentsOf(context, schedule, "following", 3 * amount);
  return [debit("uneven quarters", payee, "quarterly", payments)];
};

/** By use, charged on the second to fifth of the month after (AWS: "around the third"). */
const cloud: CaseBuilder = (context) => {
  const { random } = context;
  let median = centsBetween(random, 60, 900);
  const payments = paymentsOf(context, monthlyOn(2), "any", () => {
    median *= 1 + 0.04 * (random.next() - 0.3);
    return spreadAround(random, median, 0.1);
  }).map((one) => ({ ...one, day: one.day + random.integer(0, 2) }));
  const payee = namedPayee("Amazon Web Services", "aws.amazon.com", "cloud infrastructure");
  return [{ ...debit("metered service", payee, "monthly", payments), rail: "card" }];
};

const terminalFee: CaseBuilder = (context) => {
  const { random } = context;
  const median = centsBetween(random, 40, 300);
  const payments = paymentsOf(context, monthlyOn(random.integer(1, 5)), "following", () =>
    spreadAround(random, median, 0.2),
  );
  const payee = namedPayee("Worldpay", "worldpay.com", "payment processing fee");
  return [debit("metered service", payee, "monthly", payments)];
};

/** Goods are bought when stock runs out, and the invoice is paid by terms: no schedule. */
const suppliers: CaseBuilder = (context) => {
  const { random, planned } = context;
  return [0, 1, 2].map(() => {
    const gap = random.integer(8, 26);
    const median = centsBetween(random, 150, 2_500);
    const payments: Payment[] = [];
    let day = planned.from;
    while ((day += Math.ceil(-Math.log(1 - random.next()) * gap)) <= planned.until)
      if (!isWeekend(day)) payments.push({ day, cents: spreadAround(random, median, 0.5) });
    return {
      ...debit("suppliers", context.draw(SUPPLIERS), null, payments),
      rail: "transfer" as const,
    };
  });
};

/** Invoices at the end of work, paid 30 to 60 days later. */
const clients: CaseBuilder = (context) => {
  const { random, planned, calendar } = context;
  return [0, 1].map(() => {
    const median = centsBetween(random, 900, 7_000);
    const payments: Payment[] = [];
    let day = planned.from;
    while ((day += Math.ceil(-Math.log(1 - random.next()) * 38)) <= planned.until)
      payments.push({ day: calendar.following(day), cents: spreadAround(random, median, 0.6) });
    const payee = { ...context.draw(CLIENTS), category: "sales revenue" };
    return {
      ...debit("irregular client income", payee, "other", payments),
      ...{ entryType: "incoming" as const, rail: "bank credit" as const, isOptional: true },
      incomeType: "freelance" as const,
    };
  });
};

/** Lease of a machine or a van, with a fixed end. */
const lease: CaseBuilder = (context) => {
  const { random, planned } = context;
  const amount = centsBetween(random, 180, 900);
  const payments = paymentsOf(context, monthlyOn(random.integer(1, 28)), "following", amount);
  const { year } = toCalendarDate(planned.from);
  const payee = namedPayee(`Hartwell Leasing ${String(year % 7)}`, null, "vehicle");
  return [debit("loan", payee, "monthly", payments)];
};

export const BUSINESS_CASES: readonly CaseBuilder[] = [
  ...[dailyPayouts, weeklyPayouts, payRun, salesTax, quarterRent, cloud, terminalFee, suppliers],
  ...[clients, lease],
];
