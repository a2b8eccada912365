// Trains a conditional logit (McFadden 1974): of several choices, each with numbers by name, those that are right shall be the
// likeliest together. Stochastic gradient descent with steps of their own for each weight (Adagrad; Duchi, Hazan and Singer
// 2011), and a pull towards 0.
import { createRandom } from "../../test/support/random.ts";
import { shuffle } from "./shuffle.ts";

export interface Choice {
  readonly evidence: readonly (readonly [name: string, value: number])[];
  readonly right: boolean;
}

export interface Decision {
  readonly choices: readonly Choice[];
  /** What it counts, 1 = in full. */
  readonly weight: number;
}

export interface LogitOptions {
  readonly epochs: number;
  readonly rate: number;
  /** Pull towards 0. */
  readonly pull: number;
  /** Where a weight begins. */
  readonly start: (name: string) => number;
}

export type Weights = ReadonlyMap<string, number>;

const SEED = 20_261_123;
const SQUARES_START = 1e-3;
const GRADIENT_MIN = 1e-5;

/** Probabilities of choices with these scores. */
function sharesOf(scores: readonly number[]): readonly number[] {
  const most = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - most));
  const sum = shares.reduce((all, share) => all + share, 0);
  return shares.map((share) => share / sum);
}

/** Probabilities of the choices of a decision. */
export const probabilities = ({ choices }: Decision, weights: Weights): readonly number[] =>
  sharesOf(
    choices.map(({ evidence }) =>
      evidence.reduce((sum, [name, value]) => sum + value * (weights.get(name) ?? 0), 0),
    ),
  );

/** A choice whose names are numbers, because looking each of them up took most of the time. */
interface NumberedChoice {
  readonly names: Int32Array;
  readonly values: Float64Array;
  readonly right: boolean;
}

interface NumberedDecision {
  readonly choices: readonly NumberedChoice[];
  readonly weight: number;
}

/** Numbers the names in the order in which they are met. */
function numberNames(decisions: readonly Decision[]): {
  readonly numbered: NumberedDecision[];
  readonly names: readonly string[];
} {
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  const numbered = decisions.map(({ choices, weight }) => ({
    choices: choices.map(({ evidence, right }) => ({
      names: Int32Array.from(evidence, ([name]) => numberOf(name)),
      values: Float64Array.from(evidence, ([, value]) => value),
      right,
    })),
    weight,
  }));
  return { numbered, names: [...numbers.keys()] };
}

function scoreOf({ names, values }: NumberedChoice, weights: Float64Array): number {
  let score = 0;
  for (let at = 0; at < names.length; at++)
    score += (values[at] ?? 0) * (weights[names[at] ?? 0] ?? 0);
  return score;
}

/**
 * Adds to `gradients` how much each weight would have to change, without the pull towards 0, and to `touched` whose they are: a
 * name may be in it twice.
 */
function addGradients(
  { choices, weight }: NumberedDecision,
  weights: Float64Array,
  gradients: Float64Array,
  touched: number[],
): void {
  const shares = sharesOf(choices.map((choice) => scoreOf(choice, weights)));
  const rightShare = choices.reduce(
    (sum, { right }, at) => sum + (right ? (shares[at] ?? 0) : 0),
    0,
  );
  choices.forEach(({ names, values, right }, at) => {
    const share = shares[at] ?? 0;
    const change = weight * (share - (right ? share / rightShare : 0));
    if (Math.abs(change) < GRADIENT_MIN) return;
    for (let place = 0; place < names.length; place++) {
      const name = names[place] ?? 0;
      gradients[name] = (gradients[name] ?? 0) + change * (values[place] ?? 0);
      touched.push(name);
    }
  });
}

/** Decisions without a right choice teach nothing and are left out. */
export function trainLogit(decisions: readonly Decision[], options: LogitOptions): Weights {
  const { epochs, rate, pull, start } = options;
  const random = createRandom(SEED);
  const { numbered: order, names } = numberNames(
    decisions.filter(({ choices }) => choices.some(({ right }) => right)),
  );
  const weights = Float64Array.from(names, start);
  const squares = new Float64Array(names.length).fill(SQUARES_START);
  const gradients = new Float64Array(names.length);
  /** The number of the decision that a weight was changed for last. */
  const changedFor = new Int32Array(names.length);
  let learned = 0;

  function learn(decision: NumberedDecision): void {
    learned += 1;
    const touched: number[] = [];
    addGradients(decision, weights, gradients, touched);
    for (const name of touched) {
      if (changedFor[name] === learned) continue;
      changedFor[name] = learned;
      const gradient = (gradients[name] ?? 0) + pull * (weights[name] ?? 0);
      const square = (squares[name] ?? 0) + gradient * gradient;
      squares[name] = square;
      weights[name] = (weights[name] ?? 0) - (rate * gradient) / Math.sqrt(square);
      gradients[name] = 0;
    }
  }

  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    for (const decision of order) learn(decision);
  }
  return new Map(names.map((name, number) => [name, weights[number] ?? 0]));
}

/** An answer that was given by a model that had not seen its line. */
export interface Answer {
  readonly probability: number;
  readonly right: boolean;
}

/** A point of a curve stands for no fewer answers, unless all are fewer. */
const POINT_ANSWERS_MIN = 15;
const DECIMALS = 1e4;

/** Answers that are one point of the curve. */
interface Pool {
  readonly stated: number;
  readonly right: number;
  readonly count: number;
}

const joined = (one: Pool, other: Pool): Pool => ({
  stated: one.stated + other.stated,
  right: one.right + other.right,
  count: one.count + other.count,
});

/** Joins each pool with the one before it as long as the two may not both stand. */
function pooled(pools: readonly Pool[], mustJoin: (before: Pool, last: Pool) => boolean): Pool[] {
  const stack: Pool[] = [];
  for (const pool of pools) {
    let last = pool;
    for (let before = stack.at(-1); before !== undefined; before = stack.at(-1)) {
      if (!mustJoin(before, last)) break;
      stack.pop();
      last = joined(before, last);
    }
    stack.push(last);
  }
  return stack;
}

const shareOf = ({ right, count }: Pool): number => right / count;

/** The rule of succession (Laplace 1774): of few answers that were all right the next one may be wrong. Never 0 or 1. */
const successionOf = ({ right, count }: Pool): number => (right + 1) / (count + 2);

const isFew = ({ count }: Pool): boolean => count < POINT_ANSWERS_MIN;

/**
 * Isotonic regression by pooling adjacent violators (Ayer et al. 1955): stated probability → share of right answers, by the rule of
 * succession. Few answers are one point with those above them, the last ones with those below.
 */
export function calibrate(answers: readonly Answer[]): readonly (readonly [number, number])[] {
  // Of equal probabilities the right ones come first: so they end in one pool, whatever order they were given in.
  const ascending = [...answers].sort(
    (a, b) => a.probability - b.probability || Number(b.right) - Number(a.right),
  );
  const single = ascending.map(
    ({ probability, right }): Pool => ({ stated: probability, right: right ? 1 : 0, count: 1 }),
  );
  const rising = pooled(single, (before, last) => shareOf(before) >= shareOf(last));
  const large = pooled(
    rising,
    (before, last) => isFew(before) || successionOf(before) >= successionOf(last),
  );
  const [before, last] = [large.at(-2), large.at(-1)];
  if (before !== undefined && last !== undefined && isFew(last))
    large.splice(-2, 2, joined(before, last));
  const rounded = (share: number): number => Math.round(share * DECIMALS) / DECIMALS;
  return pooled(large, (one, other) => successionOf(one) >= successionOf(other)).map(
    (pool) => [rounded(pool.stated / pool.count), rounded(successionOf(pool))] as const,
  );
}

/** With fewer answers a curve would be one point. */
const CURVE_ANSWERS_MIN = 2 * POINT_ANSWERS_MIN;

/** The curve of the first group that has enough answers, else of the last. */
export const calibrateFirst = (
  groups: readonly (readonly Answer[])[],
): readonly (readonly [number, number])[] =>
  calibrate(groups.find(({ length }) => length >= CURVE_ANSWERS_MIN) ?? groups.at(-1) ?? []);
