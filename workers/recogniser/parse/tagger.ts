// Parses a bank line: which tokens are the name, the city, a reference … A linear-chain conditional random field (Lafferty,
// McCallum and Pereira 2001) with hashed features and weights rounded to eight bits.
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { type Token, TOKENS_MAX } from "../text/tokenise.ts";
import { exponential } from "../exponential.ts";
import { zerosOfAnyLength } from "../zeros.ts";
import { LABEL_COUNT } from "./labels.ts";
import { createTokenScorer } from "./token-scores.ts";

/** What the tagger thinks of the tokens of a line. */
export interface Tagging {
  /** The likeliest label of each token by itself (posterior decoding): its number, see LABELS. */
  readonly labels: readonly number[];
  /** Probability 0..1 of each label for each token: `token * LABEL_COUNT + label`. */
  readonly marginals: number[];
  /** What the tables know of each token's word, see WordFlag. */
  readonly flags: readonly number[];
}

export type Tagger = (text: string, tokens: readonly Token[]) => Tagging;

/** Row of the transitions that the first token uses. */
const START = LABEL_COUNT;

/** Labels of a token less likely than this in relation to its likeliest are left out: of sixteen, eight count on average. */
const FACTOR_MIN = 3e-4;
const SCORE_MIN = Math.log(FACTOR_MIN);

/** Labels of all tokens that a line may have. */
const SIZE = TOKENS_MAX * LABEL_COUNT;

/**
 * Forward-backward (Baum 1972) over the labels that count, each token scaled to a sum of 1. Keeps its memory from line to line: what
 * it holds of a token stands from `token * LABEL_COUNT` on, a place for each label that counts.
 */
class Marginaliser {
  /** To be filled in: scores of the labels of each token, `token * LABEL_COUNT + label`. */
  readonly scores = new Float32Array(SIZE);
  /** What transitions are worth as factors, `label * LABEL_COUNT + next label`. */
  private readonly transitions: Float64Array;
  /** The labels that count, where their transitions begin, and how many they are. */
  private readonly active = new Uint8Array(SIZE);
  private readonly rows = new Uint16Array(SIZE);
  private readonly counts = new Uint8Array(TOKENS_MAX);
  /** What scores are worth as factors. */
  private readonly factors = new Float32Array(SIZE);
  private readonly forward = new Float64Array(SIZE);
  private readonly backward = new Float64Array(SIZE);
  private readonly shares = new Float32Array(SIZE);
  private readonly zeros = zerosOfAnyLength();

  constructor(transitions: Float32Array) {
    this.transitions = Float64Array.from(transitions, Math.exp);
  }

  /** The probability of each label of the first `count` tokens, and the likeliest label of each. */
  run(count: number): Pick<Tagging, "labels" | "marginals"> {
    for (let at = 0; at < count; at++) this.exponentiate(at);
    this.begin();
    for (let at = 1; at < count; at++) this.pushForward(at);
    this.backward.fill(1, (count - 1) * LABEL_COUNT, count * LABEL_COUNT);
    for (let at = count - 2; at >= 0; at--) this.pushBackward(at);
    // A list: a typed array is an object of several parts, and takes longer to make than to fill.
    const labels: number[] = [];
    const marginals = this.zeros(count * LABEL_COUNT);
    for (let at = 0; at < count; at++) labels.push(this.marginalise(at, marginals));
    return { labels, marginals };
  }

  /** Turns the scores of a token into factors, the largest 1. */
  private exponentiate(at: number): void {
    const { scores, factors, active, rows } = this;
    const base = at * LABEL_COUNT;
    let most = -Infinity;
    for (let label = 0; label < LABEL_COUNT; label++) {
      const score = scores[base + label] ?? 0;
      if (score > most) most = score;
    }
    let end = base;
    for (let label = 0; label < LABEL_COUNT; label++) {
      const score = (scores[base + label] ?? 0) - most;
      if (score < SCORE_MIN) continue;
      factors[end] = exponential(score);
      active[end] = label;
      rows[end] = label * LABEL_COUNT;
      end += 1;
    }
    this.counts[at] = end - base;
  }

  /** How likely each label of the first token is. */
  private begin(): void {
    const { transitions, forward, factors, active } = this;
    const end = this.counts[0] ?? 0;
    let sum = 0;
    for (let i = 0; i < end; i++) {
      const value = (transitions[START * LABEL_COUNT + (active[i] ?? 0)] ?? 0) * (factors[i] ?? 0);
      forward[i] = value;
      sum += value;
    }
    scale(forward, 0, end, sum);
  }

  /** How likely each label of a token is by itself and by what stands before it. */
  private pushForward(at: number): void {
    const { transitions, forward, factors, active, rows } = this;
    const base = at * LABEL_COUNT;
    const end = base + (this.counts[at] ?? 0);
    const before = base - LABEL_COUNT;
    const beforeEnd = before + (this.counts[at - 1] ?? 0);
    let sum = 0;
    for (let i = base; i < end; i++) {
      const label = active[i] ?? 0;
      let value = 0;
      for (let j = before; j < beforeEnd; j++)
        value += (forward[j] ?? 0) * (transitions[(rows[j] ?? 0) + label] ?? 0);
      value *= factors[i] ?? 0;
      forward[i] = value;
      sum += value;
    }
    scale(forward, base, end, sum);
  }

  /** How likely each label of a token is by what stands behind it. */
  private pushBackward(at: number): void {
    const { transitions, backward, factors, active, rows } = this;
    const base = at * LABEL_COUNT;
    const end = base + (this.counts[at] ?? 0);
    const behind = base + LABEL_COUNT;
    const behindEnd = behind + (this.counts[at + 1] ?? 0);
    let sum = 0;
    for (let i = base; i < end; i++) {
      const row = rows[i] ?? 0;
      let value = 0;
      for (let j = behind; j < behindEnd; j++) {
        const through = (transitions[row + (active[j] ?? 0)] ?? 0) * (factors[j] ?? 0);
        value += through * (backward[j] ?? 0);
      }
      backward[i] = value;
      sum += value;
    }
    scale(backward, base, end, sum);
  }

  /** Fills in the probabilities of a token's labels; returns the likeliest. */
  private marginalise(at: number, marginals: number[]): number {
    const { forward, backward, active, shares } = this;
    const base = at * LABEL_COUNT;
    const end = base + (this.counts[at] ?? 0);
    let sum = 0;
    let best = base;
    for (let i = base; i < end; i++) {
      const share = (forward[i] ?? 0) * (backward[i] ?? 0);
      shares[i] = share;
      sum += share;
      if (share > (shares[best] ?? 0)) best = i;
    }
    scale(shares, base, end, sum);
    for (let i = base; i < end; i++) marginals[base + (active[i] ?? 0)] = shares[i] ?? 0;
    return active[best] ?? 0;
  }
}

/** Divides the values of a token. */
function scale(values: Float32Array | Float64Array, from: number, to: number, sum: number): void {
  for (let i = from; i < to; i++) values[i] = (values[i] ?? 0) / sum;
}

/** One for each thread: it keeps its working memory. The function returned is deterministic; its result is a copy. */
export function createTagger(knowledge: Knowledge): Tagger {
  const scoreTokens = createTokenScorer(knowledge);
  const marginaliser = new Marginaliser(knowledge.tagger.transitions);
  return (text, tokens) => {
    const count = tokens.length;
    if (count === 0) return { labels: [], marginals: [], flags: [] };
    const flags = scoreTokens(text, tokens, marginaliser.scores);
    return { ...marginaliser.run(count), flags };
  };
}
