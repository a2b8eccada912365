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

const scoreOf = ({ evidence }: Choice, weights: Weights): number =>
  evidence.reduce((sum, [name, value]) => sum + value * (weights.get(name) ?? 0), 0);

/** Probabilities of the choices of a decision. */
export function probabilities({ choices }: Decision, weights: Weights): readonly number[] {
  const scores = choices.map((choice) => scoreOf(choice, weights));
  const most = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - most));
  const sum = shares.reduce((all, share) => all + share, 0);
  return shares.map((share) => share / sum);
}

/** How much each weight would have to change, without the pull towards 0. */
function gradientsOf(decision: Decision, weights: Weights): ReadonlyMap<string, number> {
  const shares = probabilities(decision, weights);
  const rightShare = decision.choices.reduce(
    (sum, { right }, at) => sum + (right ? (shares[at] ?? 0) : 0),
    0,
  );
  const gradients = new Map<string, number>();
  decision.choices.forEach(({ evidence, right }, at) => {
    const share = shares[at] ?? 0;
    const change = decision.weight * (share - (right ? share / rightShare : 0));
    if (Math.abs(change) < GRADIENT_MIN) return;
    for (const [name, value] of evidence)
      gradients.set(name, (gradients.get(name) ?? 0) + change * value);
  });
  return gradients;
}

/** Decisions without a right choice teach nothing and are left out. */
export function trainLogit(decisions: readonly Decision[], options: LogitOptions): Weights {
  const { epochs, rate, pull, start } = options;
  const random = createRandom(SEED);
  const weights = new Map<string, number>();
  const squares = new Map<string, number>();
  const order = decisions.filter(({ choices }) => choices.some(({ right }) => right));
  const evidence = order.flatMap(({ choices }) => choices.flatMap((choice) => choice.evidence));
  for (const [name] of evidence) weights.set(name, start(name));
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    for (const decision of order)
      for (const [name, sum] of gradientsOf(decision, weights)) {
        const gradient = sum + pull * (weights.get(name) ?? 0);
        const square = (squares.get(name) ?? SQUARES_START) + gradient * gradient;
        squares.set(name, square);
        weights.set(name, (weights.get(name) ?? 0) - (rate * gradient) / Math.sqrt(square));
      }
  }
  return weights;
}

/** An answer that was given by a model that had not seen its line. */
export interface Answer {
  readonly probability: number;
  readonly right: boolean;
}

/** Points of a curve that stand for fewer answers are left out. */
const POINT_ANSWERS_MIN = 15;
const DECIMALS = 1e4;

/** Isotonic regression by pooling adjacent violators (Ayer et al. 1955): stated probability → share of right answers. */
export function calibrate(answers: readonly Answer[]): readonly (readonly [number, number])[] {
  const pools: { stated: number; right: number; count: number }[] = [];
  // Of equal probabilities the right ones come first: so they end in one pool, whatever order they were given in.
  const ascending = [...answers].sort(
    (a, b) => a.probability - b.probability || Number(b.right) - Number(a.right),
  );
  for (const { probability, right } of ascending) {
    pools.push({ stated: probability, right: right ? 1 : 0, count: 1 });
    for (;;) {
      const [before, last] = [pools.at(-2), pools.at(-1)];
      if (before === undefined || last === undefined) break;
      if (before.right / before.count < last.right / last.count) break;
      before.stated += last.stated;
      before.right += last.right;
      before.count += last.count;
      pools.pop();
    }
  }
  const rounded = (share: number): number => Math.round(share * DECIMALS) / DECIMALS;
  return pools
    .filter(({ count }) => count >= POINT_ANSWERS_MIN)
    .map(({ stated, right, count }) => [rounded(stated / count), rounded(right / count)] as const);
}
