// A subscription that has just begun, or began again: one payment, or two that are a month apart, to a service that is known to sell
// subscriptions. Too few to show a rule, so the payee stands for it, with a lower confidence.
import type { BankCalendar } from "./calendar/bank-days.ts";
import { MONTH_CYCLES, monthRules, type RuleCandidate } from "./due-rules.ts";
import { createRun, type Fit, fitRule, type Payments, type TriedRun } from "./fit.ts";

/** A single payment to a service is likely to be the first of several. */
const FIRST_CONFIDENCE = 0.5;
/** The second one came when it was to come. */
const SECOND_CONFIDENCE = 0.7;
/** A month, and the days by which cards are charged early or late. */
const MONTH_GAP_DAYS = { min: 26, max: 35 } as const;

export interface Start {
  readonly fit: Fit;
  readonly payments: Payments;
  readonly confidence: number;
}

/** The rules of the usual period of the service by which a payment is due on its own day. */
function rulesOf(run: TriedRun, service: 30 | 365): readonly RuleCandidate[] {
  const periodicity = service === 365 ? "yearly" : "monthly";
  return MONTH_CYCLES.filter((cycle) => cycle.periodicity === periodicity).flatMap((cycle) =>
    monthRules(run, cycle, 1),
  );
}

function ofOne(payments: Payments, service: 30 | 365, calendar: BankCalendar): Start | null {
  const [day = 0] = payments.days;
  const rule = rulesOf(createRun(payments, calendar), service)
    .map((candidate) => candidate.rule())
    .find((one) => one.dueDay(one.periodOf(day)) === day);
  if (rule === undefined) return null;
  const fit: Fit = {
    ...{ rule, shift: "none", hits: [0], lags: [0], lag: 0, spread: 0 },
    ...{ misses: 0, extras: 0, dateBits: 0, amountBits: 0, bits: 0 },
  };
  return { fit, payments, confidence: FIRST_CONFIDENCE };
}

function ofTwo(payments: Payments, calendar: BankCalendar): Start | null {
  let best: Fit | null = null;
  const run = createRun(payments, calendar);
  for (const rule of rulesOf(run, 30)) {
    const fit = fitRule(run, rule);
    if (fit !== null && fit.misses === 0 && fit.bits > (best?.bits ?? Number.NEGATIVE_INFINITY))
      best = fit;
  }
  return best === null ? null : { fit: best, payments, confidence: SECOND_CONFIDENCE };
}

const partOf = ({ places, days, amounts }: Payments, at: number): Payments => ({
  places: places.slice(at, at + 1),
  days: days.slice(at, at + 1),
  amounts: amounts.slice(at, at + 1),
});

/**
 * @param payments what was paid to the service outside of its series, since the last one ended
 * @param service days between its payments
 * @returns nothing for purchases: more than two payments, or two in less than a month
 */
export function findStarts(
  payments: Payments,
  service: 30 | 365,
  calendar: BankCalendar,
): readonly Start[] {
  const { days } = payments;
  const [first = 0, second = first] = days;
  if (days.length === 0 || days.length > 2) return [];
  if (days.length === 2 && second - first < MONTH_GAP_DAYS.min) return [];
  if (service === 30 && days.length === 2 && second - first <= MONTH_GAP_DAYS.max) {
    const both = ofTwo(payments, calendar);
    return both === null ? [] : [both];
  }
  const single = [...days.keys()].map((at) => ofOne(partOf(payments, at), service, calendar));
  return single.filter((start) => start !== null);
}
