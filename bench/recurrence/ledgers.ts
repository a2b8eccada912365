// Labelled ledgers from a seed: a household or a business over 3 to 60 months at one level of noise. The same seed gives the
// same payments at every level. How payments move is in `cases`, each rule with its source; nothing here follows a detector.
import { createRandom, type Random } from "../../test/support/random.ts";
import {
  type BankRegion,
  createBankCalendar,
  REGIONS,
} from "../../workers/recurrence/calendar/bank-days.ts";
import { BILL_CASES, rent } from "./cases/bills.ts";
import { BUSINESS_CASES } from "./cases/business.ts";
import { groceries, HABIT_CASES, threshold } from "./cases/habits.ts";
import { INCOME_CASES, salary } from "./cases/income.ts";
import { PASS_CASES } from "./cases/passes.ts";
import { SUBSCRIPTION_CASES } from "./cases/subscriptions.ts";
import {
  type CaseBuilder,
  type LedgerContext,
  type Payee,
  PLANNED_AFTER_DAYS,
  type Plan,
} from "./context.ts";
import { toCalendarDate, dayNumber } from "../../workers/recurrence/calendar/days.ts";
import { recordPlans } from "./record.ts";
import type { LabelledLedger, NoiseLevel } from "./samples.ts";

/** Rules and thresholds may be set on these. */
export const DEVELOPMENT_SEEDS = { first: 1_000, count: 200 } as const;
/** For the figures that are reported: not to be looked at while rules are written or thresholds are set. */
export const HELD_OUT_SEEDS = { first: 900_000, count: 200 } as const;

const CURRENCIES: Readonly<Record<BankRegion, string>> = { us: "USD", uk: "GBP", eu: "EUR" };
const MONTHS = [3, 4, 6, 6, 9, 12, 12, 12, 18, 24, 24, 36, 48, 60] as const;
const BUSINESS_SHARE = 0.25;
const LAST_DAY = dayNumber(2026, 6, 30);
const LAST_DAYS = 6 * 365;

/** Some of a list, in random order (Fisher and Yates 1938). */
function some<T>(random: Random, items: readonly T[], count: number): readonly T[] {
  const left = [...items];
  const drawn: T[] = [];
  while (drawn.length < count && left.length > 0)
    drawn.push(...left.splice(random.integer(0, left.length - 1), 1));
  return drawn;
}

function householdCases(random: Random): readonly CaseBuilder[] {
  return [
    ...(random.chance(0.85) ? [salary] : []),
    // Two earners are in about half of the families (U.S. BLS, "Employment Characteristics of Families", 2023).
    ...(random.chance(0.5) ? [salary] : []),
    ...(random.chance(0.75) ? [rent] : []),
    ...(random.chance(0.9) ? [groceries] : []),
    ...some(random, BILL_CASES, random.integer(3, 6)),
    ...some(random, SUBSCRIPTION_CASES, random.integer(4, 8)),
    // A case may be in the list twice, to be drawn more often, but not twice in a ledger.
    ...new Set(some(random, INCOME_CASES, random.integer(1, 3))),
    ...some(random, HABIT_CASES, random.integer(5, 9)),
  ];
}

function businessCases(random: Random): readonly CaseBuilder[] {
  return [
    ...some(random, BUSINESS_CASES, random.integer(5, 8)),
    ...some(random, SUBSCRIPTION_CASES, random.integer(2, 4)),
    ...some(random, BILL_CASES, random.integer(2, 3)),
    ...some(random, HABIT_CASES, random.integer(2, 5)),
    ...(random.chance(0.6) ? [threshold] : []),
  ];
}

/** Passes of a household are drawn by random numbers of their own, so that all else is as it was before there were any. */
const PASS_SEEDS = 50_000_000;
const PASSES_MAX = 3;

/** Gives each payee of a ledger to one case only. */
function createDraw(random: Random, used: Set<string>): LedgerContext["draw"] {
  return (payees) => {
    const free = payees.filter(({ name }) => !used.has(name));
    const payee: Payee = random.pick(free);
    used.add(payee.name);
    return payee;
  };
}

function contextOf(random: Random, used: Set<string>): LedgerContext {
  const region = random.pick(REGIONS);
  const until = LAST_DAY - random.integer(0, LAST_DAYS);
  const { year, month, day } = toCalendarDate(until);
  const from = dayNumber(year, month - random.pick(MONTHS), day) + 1;
  return {
    ...{ random, region, currency: CURRENCIES[region], calendar: createBankCalendar(region) },
    range: { from, until },
    planned: { from, until: until + PLANNED_AFTER_DAYS },
    draw: createDraw(random, used),
  };
}

/** A second run that would begin after the ledger is not planned yet. */
function withoutLaterStart(plan: Plan, until: number): Plan {
  const { restartDay, ...rest } = plan;
  if (restartDay === undefined || restartDay <= until) return plan;
  return { ...rest, payments: plan.payments.filter(({ day }) => day < restartDay) };
}

/** @param seed a whole number; see the seeds above */
export function generateLedger(seed: number, level: NoiseLevel): LabelledLedger {
  const random = createRandom(seed);
  const isBusiness = random.chance(BUSINESS_SHARE);
  const used = new Set<string>();
  const context = contextOf(random, used);
  const cases = isBusiness ? businessCases(random) : householdCases(random);
  const passRandom = createRandom(PASS_SEEDS + seed);
  const passContext = {
    ...context,
    random: passRandom,
    draw: createDraw(passRandom, used),
  };
  const passes = isBusiness ? [] : some(passRandom, PASS_CASES, passRandom.integer(0, PASSES_MAX));
  const plans = [
    ...cases.flatMap((build) => build(context)),
    ...passes.flatMap((build) => build(passContext)),
  ].map((plan) => withoutLaterStart(plan, context.range.until));
  return recordPlans(`${level}-${String(seed)}`, seed, level, context, plans);
}

/** The ledgers of a range of seeds at one level. */
export const generateLedgers = (
  seeds: { readonly first: number; readonly count: number },
  level: NoiseLevel,
): readonly LabelledLedger[] =>
  Array.from({ length: seeds.count }, (_, index) => generateLedger(seeds.first + index, level));
