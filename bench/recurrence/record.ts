// Writes planned payments as the rows of a ledger, with noise, and what is true of them.
import type { Periodicity } from "../../src/model/recurrence.ts";
import { createRandom, type Random } from "../../test/support/random.ts";
import type { LedgerContext, Payee, Payment, Plan } from "./context.ts";
import { formatDay } from "../../workers/recurrence/calendar/days.ts";
import { NOISE, type NoiseRates, postingDay } from "./noise.ts";
import {
  isShown,
  type LabelledLedger,
  type LedgerTransactionSample,
  NOISE_LEVELS,
  type NoiseLevel,
  type TrueSeries,
} from "./samples.ts";
import { bankText, drawLayout, otherSpelling } from "./texts.ts";

const PERIOD_DAYS: Readonly<Record<Periodicity, number>> = {
  daily: 1,
  weekly: 7,
  "bi-weekly": 14,
  "semi-monthly": 15,
  monthly: 31,
  "bi-monthly": 61,
  quarterly: 92,
  "semi-yearly": 183,
  yearly: 366,
  other: 31,
};
/** A series has ended visibly when its next payment is late by a quarter of its period, and by these days. */
const LATE_DAYS_MIN = 7;
const LATE_SHARE_MIN = 0.25;

interface Row {
  readonly plan: number;
  readonly day: number;
  readonly order: number;
  readonly isRepeated: boolean;
  readonly isSecondRun: boolean;
  readonly entry: Omit<LedgerTransactionSample, "id">;
}

interface Recorder {
  readonly context: LedgerContext;
  readonly random: Random;
  readonly rates: NoiseRates;
  readonly hasPostingDates: boolean;
}

interface PlanRows {
  readonly rows: readonly Row[];
  /** The first payment after the ledger. */
  readonly next: TrueSeries["next"];
}

/** How the payee of a plan is written in this ledger. */
interface Writing {
  readonly layout: number;
  readonly spelling: string | null;
}

function counterpartyOf(
  { random, rates }: Recorder,
  payee: Payee,
  isRespelled: boolean,
  name: string,
): LedgerTransactionSample["counterparty"] {
  if (random.chance(rates.noCounterparty)) return null;
  const { website, type } = payee;
  const isEntity = website !== null && (!isRespelled || random.chance(rates.keptEntity));
  if (isEntity) return { id: `entity:${payee.name}`, name: payee.name, website, type };
  return { id: null, name, website: null, type };
}

function categoryOf({ random, rates }: Recorder, payee: Payee): string | null {
  if (random.chance(rates.noCategory)) return null;
  return random.chance(rates.wrongCategory) ? "other non-essential" : payee.category;
}

function entryOf(
  recorder: Recorder,
  plan: Plan,
  payment: Payment,
  { layout, spelling }: Writing,
): Row["entry"] {
  const { random, rates, context } = recorder;
  const payee = payment.payee ?? plan.payee;
  const isRespelled = spelling !== null && random.chance(rates.otherSpelling);
  const name = isRespelled ? spelling : payee.name;
  const { region } = context;
  const { rail, entryType } = plan;
  const intermediary = plan.intermediary ?? null;
  const text = { region, rail, entryType, name, day: payment.day, intermediary };
  return {
    date: "",
    amount: payment.cents / 100,
    entryType,
    currency: payment.currency ?? context.currency,
    description: bankText(
      random,
      { ...text, note: payment.note ?? null, hasReferences: rates.hasReferences },
      layout,
    ),
    counterparty: counterpartyOf(recorder, payee, isRespelled, name),
    category: categoryOf(recorder, payee),
    intermediary,
  };
}

function planRows(recorder: Recorder, plan: Plan, index: number): PlanRows {
  const { context, random, rates, hasPostingDates } = recorder;
  const { range, calendar } = context;
  const writing: Writing = {
    layout: drawLayout(random),
    spelling: random.chance(rates.respelled) ? otherSpelling(random, plan.payee.name) : null,
  };
  const isLate = hasPostingDates && plan.rail === "card";
  const posted = plan.payments
    .map((payment) => ({
      payment,
      day: isLate ? postingDay(random, calendar, rates, payment.day) : payment.day,
    }))
    .toSorted((a, b) => a.day - b.day);
  const isSeries = plan.periodicity !== null;
  const rows = posted
    .filter(({ day }) => day >= range.from && day <= range.until)
    .filter(() => !isSeries || !random.chance(rates.lost))
    .flatMap(({ payment, day }) => {
      const isSecondRun = plan.restartDay !== undefined && payment.day >= plan.restartDay;
      const write = (isRepeated: boolean): Row => ({
        ...{ plan: index, day, order: random.next(), isRepeated, isSecondRun },
        entry: { ...entryOf(recorder, plan, payment, writing), date: formatDay(day) },
      });
      return random.chance(rates.repeated) ? [write(false), write(true)] : [write(false)];
    });
  const next = posted.find(({ day }) => day > range.until);
  return {
    rows,
    next:
      next === undefined ? null : { date: formatDay(next.day), amount: next.payment.cents / 100 },
  };
}

type NamedRow = Row & { readonly id: string };

function activityOf(
  { periodicity, periodDays }: Plan,
  last: number,
  until: number,
  next: TrueSeries["next"],
): boolean | null {
  if (next !== null) return true;
  const period = periodDays ?? PERIOD_DAYS[periodicity ?? "other"];
  const lateDays = until - last - period;
  return lateDays >= Math.max(LATE_DAYS_MIN, LATE_SHARE_MIN * period) ? false : null;
}

/** Null: the plan is not a series, or has no payment in the ledger. */
function seriesOf(
  plan: Plan,
  index: number,
  rows: readonly NamedRow[],
  next: TrueSeries["next"],
  until: number,
): TrueSeries | null {
  const { periodicity } = plan;
  const members = rows.filter(({ isRepeated }) => !isRepeated);
  const last = members.at(-1);
  if (periodicity === null || last === undefined) return null;
  const idsOf = (of: readonly NamedRow[]): readonly string[] => of.map(({ id }) => id);
  const runs = [
    idsOf(members.filter(({ isSecondRun }) => !isSecondRun)),
    idsOf(members.filter(({ isSecondRun }) => isSecondRun)),
  ].filter((run) => run.length > 0);
  const isOptional = plan.isOptional ?? false;
  return {
    id: `series-${String(index)}`,
    case: plan.case,
    periodicity,
    transactionIds: idsOf(members),
    runs: runs.length > 1 ? runs : [],
    isRequired: !isOptional && isShown(periodicity, members.length, plan.payee.isKnownSubscription),
    isActive: isOptional ? null : activityOf(plan, last.day, until, next),
    next: isOptional ? null : next,
    incomeType: plan.incomeType ?? null,
  };
}

/** @param plans payments of the planned days; those after the ledger show what comes next */
export function recordPlans(
  id: string,
  seed: number,
  level: NoiseLevel,
  context: LedgerContext,
  plans: readonly Plan[],
): LabelledLedger {
  const rates = NOISE[level];
  const random = createRandom(seed * NOISE_LEVELS.length + NOISE_LEVELS.indexOf(level) + 1);
  const hasPostingDates = random.chance(rates.postingDates);
  const recorder: Recorder = { context, random, rates, hasPostingDates };
  const planned = plans.map((plan, index) => ({ plan, ...planRows(recorder, plan, index) }));
  const rows: readonly NamedRow[] = planned
    .flatMap((one) => one.rows)
    .toSorted((a, b) => a.day - b.day || a.order - b.order)
    .map((row, index) => ({ ...row, id: `t${String(index + 1)}` }));
  const byPlan = Map.groupBy(rows, ({ plan }) => plan);
  const series = planned.map(({ plan, next }, index) =>
    seriesOf(plan, index, byPlan.get(index) ?? [], next, context.range.until),
  );
  return {
    ...{ id, level, asOf: formatDay(context.range.until) },
    entries: rows.map((row) => ({ id: row.id, ...row.entry })),
    series: series.filter((one) => one !== null),
    cases: new Map(rows.map((row) => [row.id, plans[row.plan]?.case ?? ""])),
    ignored: new Set(rows.filter(({ isRepeated }) => isRepeated).map((row) => row.id)),
  };
}
