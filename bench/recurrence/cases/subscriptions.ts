// Subscriptions paid by card, and what happens to them: prices, plans, pauses, days, names and currencies that change.
import {
  toCalendarDate,
  dayInMonth,
  dayNumber,
} from "../../../workers/recurrence/calendar/days.ts";
import {
  type CaseBuilder,
  type LedgerContext,
  type Payee,
  type Payment,
  paymentsOf,
  type Plan,
  pricePoint,
  spreadAround,
  turningDay,
} from "../context.ts";
import {
  AMAZON,
  APPLE,
  GOOGLE,
  GYMS,
  namedPayee,
  RENAMED,
  SOFTWARE,
  STREAMING,
  YEARLY_SERVICES,
} from "../payees.ts";
import { everyDays, everyMonths, monthlyOn, yearlyDays } from "../schedules.ts";

type PlanChange = Partial<Omit<Plan, "payments">>;

/** A monthly or yearly subscription on a card, which is charged on every day of the week. */
const planOf = (
  name: string,
  payee: Payee,
  payments: readonly Payment[],
  change: PlanChange = {},
): Plan => ({
  ...{ case: name, payee, payments, entryType: "outgoing", rail: "card", periodicity: "monthly" },
  ...change,
});

/** Days 1 to 28; the ends of months are a case of their own. */
const billingDay = ({ random }: LedgerContext): number => random.integer(1, 28);

const plain: CaseBuilder = (context) => {
  const price = pricePoint(context.random, 4, 24);
  const payments = paymentsOf(context, monthlyOn(billingDay(context)), "any", price);
  return [planOf("monthly subscription", context.draw(STREAMING), payments)];
};

const software: CaseBuilder = (context) => {
  const price = pricePoint(context.random, 9, 90);
  const payments = paymentsOf(context, monthlyOn(billingDay(context)), "any", price);
  return [planOf("monthly subscription", context.draw(SOFTWARE), payments)];
};

/** A family pays for two accounts, or one for the home and one for the phone. */
const twoOfOneMerchant: CaseBuilder = (context) => {
  const payee = context.draw(STREAMING);
  const first = billingDay(context);
  const second = ((first + context.random.integer(2, 20) - 1) % 28) + 1;
  const low = pricePoint(context.random, 4, 12);
  // The same plan twice differs in nothing but the day.
  const high = context.random.chance(0.3) ? low : low + 100 * context.random.integer(3, 9);
  const name = "two subscriptions, one merchant";
  return [
    planOf(name, payee, paymentsOf(context, monthlyOn(first), "any", low)),
    planOf(name, payee, paymentsOf(context, monthlyOn(second), "any", high)),
  ];
};

/** Streaming services raise prices by 8 to 25 % about every 18 months (price histories of Netflix, 2014 to 2024). */
const priceChange: CaseBuilder = (context) => {
  const turn = turningDay(context);
  const price = pricePoint(context.random, 7, 20);
  const raised = price + 100 * context.random.integer(1, Math.max(1, Math.round(price / 400)));
  const payments = paymentsOf(context, monthlyOn(billingDay(context)), "any", (_, day) =>
    day < turn ? price : raised,
  );
  return [planOf("price change", context.draw(STREAMING), payments)];
};

/** A change of plan in the middle of a cycle charges a part of a month (Stripe, "Prorations"). */
const planChange: CaseBuilder = (context) => {
  const { random } = context;
  const turn = turningDay(context);
  const price = pricePoint(random, 8, 20);
  const other = random.chance(0.7) ? price * 2 + 100 : Math.round(price / 2);
  const regular = paymentsOf(context, monthlyOn(billingDay(context)), "any", (_, day) =>
    day < turn ? price : other,
  );
  const isProrated = other > price && random.chance(0.5);
  const part = { day: turn, cents: Math.round((other - price) * random.next()) + 1 };
  const payments = isProrated ? [...regular, part].sort((a, b) => a.day - b.day) : regular;
  return [planOf("plan change", context.draw(SOFTWARE), payments)];
};

/** Monthly until a day, then a year in advance at the price of ten months. */
const toYearly: CaseBuilder = (context) => {
  const payee = context.draw(SOFTWARE);
  const turn = turningDay(context);
  const price = pricePoint(context.random, 6, 30);
  const { from, until } = context.planned;
  const { month, day } = toCalendarDate(turn);
  const name = "plan change to yearly";
  const before = { from, until: turn - 1 };
  const after = { from: turn, until };
  return [
    planOf(name, payee, paymentsOf(context, monthlyOn(day), "any", price, before)),
    planOf(name, payee, paymentsOf(context, yearlyDays([[month, day]]), "any", price * 10, after), {
      periodicity: "yearly",
    }),
  ];
};

/** A card expires, the payment fails, and paying again moves the billing day. */
const movedDay: CaseBuilder = (context) => {
  const { from, until } = context.planned;
  const turn = turningDay(context);
  const price = pricePoint(context.random, 5, 30);
  const day = billingDay(context);
  const later = ((day + context.random.integer(5, 22) - 1) % 28) + 1;
  const payments = [
    ...paymentsOf(context, monthlyOn(day), "any", price, { from, until: turn }),
    ...paymentsOf(context, monthlyOn(later), "any", price, { from: turn + 10, until }),
  ];
  return [planOf("moved billing day", context.draw(STREAMING), payments)];
};

/** Boxes of food are skipped, gyms are frozen. */
const skipped: CaseBuilder = (context) => {
  const price = pricePoint(context.random, 15, 60);
  const chance = 0.12;
  const payments = paymentsOf(context, monthlyOn(billingDay(context)), "any", price).filter(
    ({ day }) => day > context.range.until || !context.random.chance(chance),
  );
  return [planOf("skipped month", context.draw(GYMS), payments)];
};

/** A retried charge goes through twice, or two months are paid in one. */
const doubled: CaseBuilder = (context) => {
  const price = pricePoint(context.random, 10, 45);
  const payments = paymentsOf(context, monthlyOn(billingDay(context)), "any", price).flatMap(
    (payment) => {
      const again = payment.day < context.range.until && context.random.chance(0.1);
      return again
        ? [payment, { ...payment, day: payment.day + context.random.integer(1, 6) }]
        : [payment];
    },
  );
  return [planOf("doubled month", context.draw(GYMS), payments)];
};

const ended: CaseBuilder = (context) => {
  const price = pricePoint(context.random, 5, 20);
  const range = { from: context.planned.from, until: turningDay(context) };
  const payments = paymentsOf(context, monthlyOn(billingDay(context)), "any", price, range);
  return [planOf("ended subscription", context.draw(STREAMING), payments)];
};

const started: CaseBuilder = (context) => {
  const price = pricePoint(context.random, 5, 20);
  const { planned, random, range } = context;
  const from = Math.max(range.from, range.until - random.integer(75, 150));
  const payments = paymentsOf(context, monthlyOn(billingDay(context)), "any", price, {
    from,
    until: planned.until,
  });
  // A free or one-unit trial first, in one case of three.
  const isTrial = random.chance(0.33) && payments[0] !== undefined;
  const first = isTrial ? [{ day: (payments[0]?.day ?? from) - 7, cents: 100 }] : [];
  return [planOf("new subscription", context.draw(STREAMING), [...first, ...payments])];
};

/** Cancelled, and taken again four months or more later, on the day of the new start. */
const restarted: CaseBuilder = (context) => {
  const { planned, random } = context;
  const turn = turningDay(context);
  const price = pricePoint(random, 6, 18);
  const restartDay = turn + random.integer(125, 300);
  const again = random.chance(0.5) ? price : price + 200;
  const payments = [
    ...paymentsOf(context, monthlyOn(billingDay(context)), "any", price, {
      from: planned.from,
      until: turn,
    }),
    ...paymentsOf(context, monthlyOn(toCalendarDate(restartDay).day), "any", again, {
      from: restartDay,
      until: planned.until,
    }),
  ];
  return [planOf("ended and started again", context.draw(STREAMING), payments, { restartDay })];
};

const monthEnd: CaseBuilder = (context) => {
  const price = pricePoint(context.random, 5, 40);
  const day = context.random.pick([29, 30, 31, 31]);
  const payments = paymentsOf(context, monthlyOn(day), "any", price);
  return [planOf("end of month", context.draw(SOFTWARE), payments)];
};

/** The date of the year stays; prices rise by a little each year. */
const yearly: CaseBuilder = (context) => {
  const { random } = context;
  const price = pricePoint(random, 10, 140);
  const day = [random.integer(1, 12), random.integer(1, 28)] as const;
  const growth = random.pick([0, 0, 0.05, 0.1]);
  const payments = paymentsOf(context, yearlyDays([day]), "any", (index) =>
    Math.round(price * (1 + growth * index)),
  );
  const payee = context.draw(YEARLY_SERVICES);
  return [planOf("yearly subscription", payee, payments, { periodicity: "yearly" })];
};

/** Adult passes, meal boxes and prescriptions are billed every four weeks, 13 times a year. */
const fourWeekly: CaseBuilder = (context) => {
  const { random, planned } = context;
  const price = pricePoint(random, 8, 40);
  const schedule = everyDays(28, planned.from + random.integer(0, 27));
  const payee = random.chance(0.5)
    ? namedPayee("The Economist", "economist.com", "books, newsletters, newspapers")
    : namedPayee("Graze", "graze.com", "groceries");
  const payments = paymentsOf(context, schedule, "any", price);
  return [planOf("every four weeks", payee, payments, { periodicity: "other", periodDays: 28 })];
};

const weekly: CaseBuilder = (context) => {
  const { random, planned } = context;
  const price = pricePoint(random, 9, 60);
  const schedule = everyDays(7, planned.from + random.integer(0, 6));
  const isSkipped = (): boolean => random.chance(0.08);
  const payments = paymentsOf(context, schedule, "any", price).filter(
    ({ day }) => day > context.range.until || !isSkipped(),
  );
  const payee = namedPayee("Oddbox", "oddbox.co.uk", "groceries");
  return [planOf("weekly box", payee, payments, { periodicity: "weekly" })];
};

const everyTwoMonths: CaseBuilder = (context) => {
  const { random, planned } = context;
  const price = pricePoint(random, 12, 45);
  const schedule = everyMonths(2, planned.from + random.integer(0, 27));
  const payments = paymentsOf(context, schedule, "any", price);
  const payee = namedPayee("Dollar Shave Club", "dollarshaveclub.com", "self care");
  return [planOf("every two months", payee, payments, { periodicity: "bi-monthly" })];
};

/** Purchases come by chance, about two a month (Ehrenberg 1959: repeat buying is a mixture of Poisson processes). */
const purchases = (context: LedgerContext, perMonth: number, medianCents: number): Payment[] => {
  const { random, planned } = context;
  const payments: Payment[] = [];
  let day = planned.from;
  while ((day += Math.ceil((-Math.log(1 - random.next()) * 30.4) / perMonth)) <= planned.until)
    payments.push({ day, cents: spreadAround(random, medianCents, 0.8) });
  return payments;
};

const amongPurchases: CaseBuilder = (context) => {
  const { random } = context;
  const isYearly = random.chance(0.3);
  const price = isYearly ? 13_900 : pricePoint(random, 8, 15);
  const day = billingDay(context);
  const schedule = isYearly ? yearlyDays([[random.integer(1, 12), day]]) : monthlyOn(day);
  const payee = { ...context.draw([AMAZON]), isKnownSubscription: true };
  return [
    planOf("subscription among purchases", payee, paymentsOf(context, schedule, "any", price), {
      periodicity: isYearly ? "yearly" : "monthly",
    }),
    planOf("purchases of a subscription merchant", payee, purchases(context, 2.5, 2_800), {
      periodicity: null,
    }),
  ];
};

/** App stores bill the subscriptions of all apps under one name, and single purchases as well. */
const appStore: CaseBuilder = (context) => {
  const { random } = context;
  const payee = context.draw([APPLE, GOOGLE]);
  const name = "subscriptions of an app store";
  const prices = [99, 299, 999, 499, 1_499].slice(random.integer(0, 2)).slice(0, 3);
  return [
    ...prices.map((price) =>
      planOf(
        name,
        payee,
        paymentsOf(context, monthlyOn(random.integer(1, 28)), "any", price + random.pick([0, 100])),
      ),
    ),
    planOf("purchases of a subscription merchant", payee, purchases(context, 0.6, 499), {
      periodicity: null,
    }),
  ];
};

const renamed: CaseBuilder = (context) => {
  const [before, after] = context.random.pick(RENAMED);
  const turn = turningDay(context);
  const price = pricePoint(context.random, 10, 60);
  const payments = paymentsOf(context, monthlyOn(billingDay(context)), "any", price).map(
    (payment) => (payment.day < turn ? payment : { ...payment, payee: after }),
  );
  return [planOf("renamed payee", before, payments)];
};

/** A fixed price in another currency: the rate moves by about 0.5 % a day (BIS, volatility of major pairs of 8 % a year). */
const foreignCurrency: CaseBuilder = (context) => {
  const { random, currency } = context;
  const foreign = currency === "USD" ? "EUR" : "USD";
  const price = pricePoint(random, 8, 40);
  const isConverted = random.chance(0.7);
  let rate = currency === "USD" ? 1.1 : 0.85;
  const payments = paymentsOf(context, monthlyOn(billingDay(context)), "any", price).map(
    ({ day }): Payment => {
      rate *= 1 + 0.02 * (random.next() * 2 - 1);
      const note = `${foreign} ${(price / 100).toFixed(2)}`;
      if (!isConverted) return { day, cents: price, currency: foreign };
      // Issuers add a fee of 1 to 3 % for foreign transactions.
      return { day, cents: Math.round(price * rate * 1.02), note: `${note} @ ${rate.toFixed(4)}` };
    },
  );
  return [planOf("foreign currency", context.draw(SOFTWARE), payments)];
};

/** Four equal parts, two weeks apart, of a single purchase (Klarna "Pay in 4", Afterpay). */
const payInFour: CaseBuilder = (context) => {
  const { random, range } = context;
  const part = Math.round(spreadAround(random, 12_000, 0.5) / 4);
  const first = range.from + random.integer(0, Math.max(1, range.until - range.from - 60));
  const payments = [0, 14, 28, 42].map((after) => ({ day: first + after, cents: part }));
  const payee = namedPayee("Klarna", "klarna.com", "buy now, pay later");
  return [planOf("pay in four", payee, payments, { periodicity: "bi-weekly" })];
};

const throughProcessor: CaseBuilder = (context) => {
  const price = pricePoint(context.random, 5, 30);
  const payments = paymentsOf(context, monthlyOn(billingDay(context)), "any", price);
  const payee = context.draw(STREAMING);
  return [planOf("through a processor", payee, payments, { intermediary: "PayPal" })];
};

/** A day in the middle of the quarter, as broadcasting fees are due in Germany (Rundfunkbeitragsstaatsvertrag § 7 (3)). */
const quarterly: CaseBuilder = (context) => {
  const { random, planned } = context;
  const { year } = toCalendarDate(planned.from);
  const anchor = dayInMonth(year, random.integer(1, 3), 15);
  const price = pricePoint(random, 15, 90);
  const payments = paymentsOf(context, everyMonths(3, anchor), "following", price);
  const isFee = context.region === "eu";
  const payee = isFee
    ? namedPayee("Rundfunk ARD, ZDF, DRadio", "rundfunkbeitrag.de", "media")
    : namedPayee("Terminix", "terminix.com", "home improvements and maintenance services");
  const rail = isFee ? ("direct debit" as const) : ("card" as const);
  return [planOf("quarterly", payee, payments, { periodicity: "quarterly", rail })];
};

/** Every six months from a start that the customer chose. */
const halfYearly: CaseBuilder = (context) => {
  const { random, planned } = context;
  const { year, month } = toCalendarDate(planned.from);
  const anchor = dayNumber(year, month + random.integer(0, 5), random.integer(1, 28));
  const payments = paymentsOf(context, everyMonths(6, anchor), "any", pricePoint(random, 60, 200));
  const payee = namedPayee("Sunrise Lawn Care", null, "home improvements and maintenance services");
  return [planOf("half-yearly", payee, payments, { periodicity: "semi-yearly" })];
};

/** Each builder once in a list of cases that are drawn for a household. */
export const SUBSCRIPTION_CASES: readonly CaseBuilder[] = [
  ...[plain, software, twoOfOneMerchant, priceChange, planChange, toYearly, movedDay, skipped],
  ...[doubled, ended, started, restarted, monthEnd, yearly, fourWeekly, weekly, everyTwoMonths],
  ...[amongPurchases, appStore, renamed, foreignCurrency, payInFour, throughProcessor, quarterly],
  halfYearly,
];
