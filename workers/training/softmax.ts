// Multinomial logistic regression over sparse features, trained by stochastic gradient descent with a step of its own for each
// weight (AdaGrad; Duchi, Hazan and Singer 2011, JMLR 12), and its calibration by a temperature (Guo et al. 2017).
import type { Random } from "./random.ts";

/** Items with their features: those of item i are from `starts[i]` to `starts[i + 1]`. */
export interface FeatureTable {
  readonly starts: Uint32Array;
  /** Row of weights of each feature. */
  readonly rows: Uint32Array;
  readonly values: Float32Array;
}

export interface LogisticRegression {
  /** For each row of features a weight for each class. */
  readonly weights: Float32Array;
  readonly rowCount: number;
  readonly classCount: number;
}

export interface LearningTask {
  readonly table: FeatureTable;
  readonly rowCount: number;
  readonly classCount: number;
  /** Class of each item. */
  readonly classes: Uint16Array;
  /** Items to learn from. */
  readonly chosen: Uint32Array;
  readonly random: Random;
  /** Called while it works, with the share that is done. */
  progress(share: number): void;
}

const RATE = 0.2;
const SQUARES_START = 0.01;
/** A class that is so unlikely for an item is not made less likely by it: most of the time would go there. */
const GRADIENT_MIN = 1e-3;
/** Of many classes also one that is not likelier than by chance: most of the time would go to those, too. */
const MANY_CLASSES = 256;
const gradientMinOf = (classCount: number): number =>
  classCount < MANY_CLASSES ? GRADIENT_MIN : 2 / classCount;
const EPOCHS_MAX = 6;
const EPOCHS_MIN = 1;
/** Multiplications of one training: two trainings of it take 10 s of one core. */
const PRODUCTS_MAX = 1.5e9;
const PROGRESS_EVERY = 512;

/** Scores of an item for each class. */
export function scoreInto(
  scores: Float64Array,
  { weights, classCount }: LogisticRegression,
  { starts, rows, values }: FeatureTable,
  item: number,
): void {
  scores.fill(0);
  const end = starts[item + 1] ?? 0;
  for (let at = starts[item] ?? 0; at < end; at++) {
    const base = (rows[at] ?? 0) * classCount;
    const value = values[at] ?? 0;
    for (let one = 0; one < classCount; one++)
      scores[one] = (scores[one] ?? 0) + value * (weights[base + one] ?? 0);
  }
}

/** Turns scores into probabilities, in place. Returns the likeliest class. */
export function toProbabilities(scores: Float64Array, temperature: number): number {
  let best = 0;
  for (let one = 1; one < scores.length; one++)
    if ((scores[one] ?? 0) > (scores[best] ?? 0)) best = one;
  const most = scores[best] ?? 0;
  let sum = 0;
  for (let one = 0; one < scores.length; one++) {
    const share = Math.exp(((scores[one] ?? 0) - most) / temperature);
    scores[one] = share;
    sum += share;
  }
  for (let one = 0; one < scores.length; one++) scores[one] = (scores[one] ?? 0) / sum;
  return best;
}

/** Fewer rounds over many items and classes: they learn as much in one. */
function epochsOf({ table, chosen, classCount }: LearningTask): number {
  const features = table.rows.length / Math.max(1, table.starts.length - 1);
  const products = Math.max(1, features * chosen.length * classCount);
  return Math.min(EPOCHS_MAX, Math.max(EPOCHS_MIN, Math.floor(PRODUCTS_MAX / products)));
}

/** In place (Fisher and Yates 1938; Durstenfeld 1964). */
export function shuffleItems(items: Uint32Array, random: Random): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const kept = items[last] ?? 0;
    items[last] = items[other] ?? 0;
    items[other] = kept;
  }
}

/** Trains a model from nothing. The same task with the same random numbers gives the same model. */
export function trainRegression(task: LearningTask): LogisticRegression {
  const { table, rowCount, classCount, classes, random, progress } = task;
  const weights = new Float32Array(rowCount * classCount);
  const squares = new Float32Array(weights.length).fill(SQUARES_START);
  const model = { weights, rowCount, classCount };
  const scores = new Float64Array(classCount);
  const active = new Uint16Array(classCount);
  const order = task.chosen.slice();
  const epochs = epochsOf(task);
  const gradientMin = gradientMinOf(classCount);

  /** Lists the classes with a gradient, which are then in `scores`. Returns how many. */
  function findActive(item: number): number {
    scoreInto(scores, model, table, item);
    toProbabilities(scores, 1);
    const right = classes[item] ?? 0;
    scores[right] = (scores[right] ?? 0) - 1;
    let count = 0;
    for (let one = 0; one < classCount; one++)
      if (Math.abs(scores[one] ?? 0) >= gradientMin) active[count++] = one;
    return count;
  }

  /** Moves the weights of an item's features against the gradients of the classes. */
  function learn(item: number, rate: number): void {
    const activeCount = findActive(item);
    const end = table.starts[item + 1] ?? 0;
    for (let at = table.starts[item] ?? 0; at < end; at++) {
      const base = (table.rows[at] ?? 0) * classCount;
      const value = table.values[at] ?? 0;
      for (let i = 0; i < activeCount; i++) {
        const one = active[i] ?? 0;
        const gradient = (scores[one] ?? 0) * value;
        const square = (squares[base + one] ?? 0) + gradient * gradient;
        squares[base + one] = square;
        weights[base + one] = (weights[base + one] ?? 0) - (rate * gradient) / Math.sqrt(square);
      }
    }
  }

  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffleItems(order, random);
    // Smaller steps towards the end: the last items would otherwise have more weight than the others.
    const rate = RATE * (1 - (0.9 * epoch) / epochs);
    for (let i = 0; i < order.length; i++) {
      if (i % PROGRESS_EVERY === 0) progress((epoch + i / order.length) / epochs);
      learn(order[i] ?? 0, rate);
    }
  }
  return model;
}

const TEMPERATURE_MIN = 0.3;
const TEMPERATURE_MAX = 5;
const TEMPERATURE_STEPS = 24;
/**
 * How strongly 1 is expected, as a normal distribution of the logarithm: a few held-out items that happen to be right would otherwise
 * make a model certain of everything. By the last quarter of the training years of `npm run bench:models`: 10 is better than 0, 1
 * and 3 for 6 to 500 items, and nothing changes beyond.
 */
const TEMPERATURE_PRIOR = 10;

/** The temperature by which the items are likeliest together, by bisection of its logarithm; 1 without items. */
export function temperatureOf(
  model: LogisticRegression,
  table: FeatureTable,
  classes: Uint16Array,
  heldOut: Uint32Array,
): number {
  if (heldOut.length === 0) return 1;
  const scored = Array.from(heldOut, (item) => {
    const scores = new Float64Array(model.classCount);
    scoreInto(scores, model, table, item);
    return { scores, right: classes[item] ?? 0 };
  });
  /** Derivative of the loss after the inverse temperature: its sign shows on which side the least loss is. */
  const slopeAt = (temperature: number): number => {
    let slope = -TEMPERATURE_PRIOR * Math.log(temperature);
    for (const { scores, right } of scored) {
      const shares = scores.slice();
      toProbabilities(shares, temperature);
      let mean = 0;
      for (let one = 0; one < shares.length; one++) mean += (shares[one] ?? 0) * (scores[one] ?? 0);
      slope += mean - (scores[right] ?? 0);
    }
    return slope;
  };
  let [low, high] = [Math.log(TEMPERATURE_MIN), Math.log(TEMPERATURE_MAX)];
  for (let step = 0; step < TEMPERATURE_STEPS; step++) {
    const middle = (low + high) / 2;
    if (slopeAt(Math.exp(middle)) > 0) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2);
}
