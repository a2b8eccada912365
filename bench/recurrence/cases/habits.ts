// What repeats without a schedule: purchases by chance and by the week, top-ups at a balance, money between people, single
// payments. Whatever a detector reports of these is wrong.
import {
  toCalendarDate,
  FRIDAY,
  isWeekend,
  SATURDAY,
  weekdayOf,
} from "../../../workers/recurrence/calendar/days.ts";
import {
  type CaseBuilder,
  centsBetween,
  type LedgerContext,
  normal,
  type Payee,
  type Payment,
  type Plan,
  type Rail,
  spreadAround,
} from "../context.ts";
import {
  CAFES,
  EATING_OUT,
  FUEL,
  GROCERS,
  namedPayee,
  OWN_ACCOUNT,
  PERSONS,
  RIDES,
  SHOPS,
} from "../payees.ts";
import { mondayOf } from "../schedules.ts";

const habitOf = (
  name: string,
  payee: Payee,
  payments: readonly Payment[],
  rail: Rail = "card",
  entryType: Plan["entryType"] = "outgoing",
): Plan => ({ ...{ case: name, payee, payments, rail, entryType }, periodicity: null });

/** Each planned day on which `happens` returns true. */
function daysWhere({ planned }: LedgerContext, happens: (day: number) => boolean): number[] {
  const days: number[] = [];
  for (let day = planned.from; day <= planned.until; day++) if (happens(day)) days.push(day);
  return days;
}

/** Most shoppers have a day of the week for the main shop, keep it in two of three weeks, and use one or two stores. */
export const groceries: CaseBuilder = (context) => {
  const { random, planned, region } = context;
  const stores = [context.draw(GROCERS[region]), context.draw(GROCERS[region])] as const;
  const wanted = random.pick([SATURDAY, SATURDAY, SATURDAY, 0, FRIDAY]);
  const loyalty = 0.6 + 0.35 * random.next();
  const keeps = 0.6 + 0.3 * random.next();
  const median = centsBetween(random, 45, 140);
  const main: Payment[] = [];
  const other: Payment[] = [];
  for (let monday = mondayOf(planned.from); monday <= planned.until; monday += 7) {
    // Holidays and visits: no shop in one week of twelve.
    if (random.chance(0.08)) continue;
    const shift = random.chance(keeps) ? 0 : random.integer(-2, 2);
    const day = monday + ((wanted + 6) % 7) + shift;
    const payment = { day, cents: spreadAround(random, median, 0.3) };
    (random.chance(loyalty) ? main : other).push(payment);
  }
  const small = daysWhere(context, () => random.chance(0.12)).map((day) => ({
    day,
    cents: spreadAround(random, median / 4, 0.5),
  }));
  return [
    habitOf("weekly shop", stores[0], main),
    habitOf("weekly shop", stores[1], [...other, ...small]),
  ];
};

/** On the way to work, not on every day; one or two prices of the list. */
const coffee: CaseBuilder = (context) => {
  const { random } = context;
  const chance = 0.25 + 0.6 * random.next();
  const prices = [centsBetween(random, 2.5, 4), centsBetween(random, 4, 6.5)];
  const payments = daysWhere(
    context,
    (day) => !isWeekend(day) && toCalendarDate(day).month !== 8 && random.chance(chance),
  ).map((day) => ({ day, cents: random.pick(prices) }));
  return [habitOf("coffee", context.draw(CAFES), payments)];
};

/** A tank lasts by kilometres driven: gaps around nine days; the pump is filled, or stopped at a round sum. */
const fuel: CaseBuilder = (context) => {
  const { random, planned } = context;
  const gap = 6 + 8 * random.next();
  const median = centsBetween(random, 35, 70);
  const isRound = random.chance(0.3);
  const payments: Payment[] = [];
  let day = planned.from + random.integer(0, 8);
  while (day <= planned.until) {
    payments.push({
      day,
      cents: isRound ? 1_000 * random.integer(3, 5) : spreadAround(random, median, 0.15),
    });
    day += Math.max(2, Math.round(gap + 0.25 * gap * normal(random)));
  }
  return [habitOf("fuel", context.draw(FUEL), payments)];
};

const rides: CaseBuilder = (context) => {
  const { random } = context;
  const payments = daysWhere(context, (day) =>
    random.chance([FRIDAY, SATURDAY].includes(weekdayOf(day)) ? 0.35 : 0.07),
  ).map((day) => ({ day, cents: spreadAround(random, 1_500, 0.45) }));
  return [habitOf("rides", context.draw(RIDES), payments)];
};

const eatingOut: CaseBuilder = (context) => {
  const { random } = context;
  return [0, 1, 2].map(() => {
    const chance = 0.02 + 0.08 * random.next();
    const median = centsBetween(random, 9, 38);
    const payments = daysWhere(context, (day) =>
      random.chance(isWeekend(day) || weekdayOf(day) === FRIDAY ? chance * 1.8 : chance),
    ).map((day) => ({ day, cents: spreadAround(random, median, 0.35) }));
    return habitOf("eating out", context.draw(EATING_OUT), payments);
  });
};

const shops: CaseBuilder = (context) => {
  const { random } = context;
  return [0, 1, 2, 3, 4].map(() => {
    const chance = 0.004 + 0.02 * random.next();
    const median = centsBetween(random, 12, 90);
    const payments = daysWhere(context, () => random.chance(chance)).map((day) => ({
      day,
      cents: spreadAround(random, median, 0.8),
    }));
    return habitOf("shopping", context.draw(SHOPS), payments);
  });
};

/** Tolls, transit and coffee cards: the same sum whenever the balance falls below a limit. */
const topUps: CaseBuilder = (context) => {
  const { random, planned } = context;
  const amount = random.pick([1_000, 2_000, 2_500, 4_000]);
  const payee = context.draw([
    namedPayee("E-ZPass", "e-zpassny.com", "toll charge"),
    namedPayee("Transport for London", "tfl.gov.uk", "public transport"),
  ]);
  const payments: Payment[] = [];
  let balance = 0;
  for (let day = planned.from; day <= planned.until; day++) {
    if (!isWeekend(day) && random.chance(0.55)) balance -= centsBetween(random, 1.5, 4.5);
    if (balance >= 0) continue;
    payments.push({ day, cents: amount });
    balance += amount;
  }
  return [habitOf("top-up at a balance", payee, payments)];
};

/** Bills split and presents, in both directions, with the same few people. */
const people: CaseBuilder = (context) => {
  const { random } = context;
  return [0, 1].flatMap(() => {
    const payee = context.draw(PERSONS);
    const rate = 0.008 + 0.03 * random.next();
    const draw = (chance: number): Payment[] =>
      daysWhere(context, () => random.chance(chance)).map((day) => ({
        day,
        cents: random.chance(0.5) ? 500 * random.integer(1, 12) : spreadAround(random, 2_200, 0.7),
      }));
    return [
      habitOf("money between people", payee, draw(rate), "person"),
      habitOf("money between people", payee, draw(rate / 2), "person", "incoming"),
    ];
  });
};

/** Between own accounts, when one has too much or too little. */
const ownTransfers: CaseBuilder = (context) => {
  const { random } = context;
  const draw = (chance: number): Payment[] =>
    daysWhere(context, () => random.chance(chance)).map((day) => ({
      day,
      cents: 5_000 * random.integer(1, 20),
    }));
  return [
    habitOf("own transfers", OWN_ACCOUNT, draw(0.03), "transfer"),
    habitOf("own transfers", OWN_ACCOUNT, draw(0.02), "transfer", "incoming"),
  ];
};

const cash: CaseBuilder = (context) => {
  const { random } = context;
  const payments = daysWhere(context, (day) =>
    random.chance(weekdayOf(day) === SATURDAY ? 0.2 : 0.05),
  ).map((day) => ({ day, cents: 2_000 * random.integer(1, 5) }));
  return [habitOf("cash", namedPayee("ATM withdrawal", null, "atm/bank withdrawal"), payments)];
};

/** Things bought once, for more money. Each has a payee that never comes again. */
const oncePurchases: CaseBuilder = (context) => {
  const { random, range } = context;
  const count = Math.max(1, Math.round((range.until - range.from) / 60));
  const trades = ["Motors", "Furniture", "Tiling", "Travel", "Opticians", "Jewellers", "Plumbing"];
  return Array.from({ length: count }, (_, index) =>
    habitOf(
      "bought once",
      namedPayee(
        `${random.pick(["Ashdown", "Brook", "Corran", "Delmar", "Estes"])} ${random.pick(trades)} ${String(index + 1)}`,
        null,
        "other non-essential",
      ),
      [
        {
          day: random.integer(range.from, range.until),
          cents: spreadAround(random, 18_000, 0.9),
        },
      ],
    ),
  );
};

/** Money back for something bought one to three weeks before. */
const refunds: CaseBuilder = (context) => {
  const { random } = context;
  const payee = { ...context.draw(SHOPS), category: "refund" };
  const payments = daysWhere(context, () => random.chance(0.012)).map((day) => ({
    day,
    cents: spreadAround(random, 3_500, 0.7),
  }));
  return [habitOf("refunds", payee, payments, "card", "incoming")];
};

/** Redeemed when the holder thinks of it, or at a sum. */
const cashBack: CaseBuilder = (context) => {
  const { random } = context;
  const payee = namedPayee("Cash rewards", null, "cash back and rewards");
  const payments = daysWhere(context, () => random.chance(0.02)).map((day) => ({
    day,
    cents: random.chance(0.5) ? 2_500 : spreadAround(random, 2_000, 0.5),
  }));
  return [habitOf("cash back", payee, payments, "bank credit", "incoming")];
};

/** Advertising is charged when a sum is reached, so the same amount at uneven times (Google Ads, "automatic payments"). */
export const threshold: CaseBuilder = (context) => {
  const { random, planned } = context;
  const limit = random.pick([20_000, 35_000, 50_000]);
  const perDay = limit / random.integer(6, 24);
  const payments: Payment[] = [];
  let spent = 0;
  for (let day = planned.from; day <= planned.until; day++) {
    spent += perDay * Math.exp(0.6 * normal(random));
    if (spent < limit) continue;
    payments.push({ day, cents: limit });
    spent -= limit;
  }
  return [
    habitOf(
      "charged at a sum",
      namedPayee("Google Ads", "ads.google.com", "advertising"),
      payments,
    ),
  ];
};

/** A second visit to a barber or a vet comes when it is needed: gaps of four to nine weeks, the same price. */
const visits: CaseBuilder = (context) => {
  const { random, planned } = context;
  const cents = 100 * random.integer(18, 60);
  const payments: Payment[] = [];
  for (let day = planned.from; day <= planned.until; day += random.integer(26, 65))
    payments.push({ day, cents: random.chance(0.7) ? cents : cents + 500 });
  return [
    habitOf("visits at one price", namedPayee("Gents of Mill Street", null, "self care"), payments),
  ];
};

export const HABIT_CASES: readonly CaseBuilder[] = [
  ...[coffee, fuel, rides, eatingOut, shops, topUps, people, ownTransfers, cash, oncePurchases],
  ...[refunds, cashBack, visits],
];
