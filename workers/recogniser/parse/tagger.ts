// Parses a bank line: which tokens are the name, the city, a reference … A linear-chain conditional random field (Lafferty,
// McCallum and Pereira 2001) with hashed features and weights rounded to eight bits.
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { type Token, TOKENS_MAX } from "../text/tokenise.ts";
import { LABEL_COUNT } from "./labels.ts";
import { createTokenScorer } from "./token-scores.ts";

/** What the tagger thinks of the tokens of a line. */
export interface Tagging {
  /** The likeliest label of each token by itself (posterior decoding): its number, see LABELS. */
  readonly labels: Uint8Array;
  /** Probability 0..1 of each label for each token: `token * LABEL_COUNT + label`. */
  readonly marginals: Float32Array;
  /** What the tables know of each token's word, see WordFlag. */
  readonly flags: Uint16Array;
}

export type Tagger = (text: string, tokens: readonly Token[]) => Tagging;

/** Row of the transitions that the first token uses. */
const START = LABEL_COUNT;

/** Labels of a token less likely than this in relation to its likeliest are left out: most tokens have two or three that count. */
const FACTOR_MIN = 3e-4;
const SCORE_MIN = Math.log(FACTOR_MIN);

/** Forward-backward (Baum 1972) over the labels that count, each token scaled to a sum of 1. Keeps its memory from line to line. */
class Marginaliser {
  /** To be filled in: scores of the labels of each token. */
  readonly scores: Float32Array;
  private readonly factors: Float64Array;
  private readonly forward: Float64Array;
  private readonly backward: Float64Array;
  /** For each token the labels that count, and how many they are. */
  private readonly active: Uint8Array;
  private readonly counts = new Uint8Array(TOKENS_MAX);

  constructor(transitions: Float32Array) {
    const size = TOKENS_MAX * LABEL_COUNT;
    this.scores = new Float32Array(size);
    this.factors = Float64Array.from(transitions, Math.exp);
    this.forward = new Float64Array(size);
    this.backward = new Float64Array(size);
    this.active = new Uint8Array(size);
  }

  /** The probability of each label of the first `count` tokens, and the likeliest label of each. */
  run(count: number): Pick<Tagging, "labels" | "marginals"> {
    for (let at = 0; at < count; at++) this.exponentiate(at);
    for (let at = 0; at < count; at++) this.pushForward(at);
    this.backward.fill(1, (count - 1) * LABEL_COUNT, count * LABEL_COUNT);
    for (let at = count - 2; at >= 0; at--) this.pushBackward(at);
    const labels = new Uint8Array(count);
    const marginals = new Float32Array(count * LABEL_COUNT);
    for (let at = 0; at < count; at++) labels[at] = this.marginalise(at, marginals);
    return { labels, marginals };
  }

  /** In place of the scores of a token: what they are worth as factors, the largest 1. */
  private exponentiate(at: number): void {
    const { scores, active } = this;
    const base = at * LABEL_COUNT;
    let most = -Infinity;
    for (let place = base; place < base + LABEL_COUNT; place++)
      most = Math.max(most, scores[place] ?? 0);
    let kept = 0;
    for (let label = 0; label < LABEL_COUNT; label++) {
      const score = (scores[base + label] ?? 0) - most;
      if (score < SCORE_MIN) continue;
      scores[base + label] = Math.exp(score);
      active[base + kept++] = label;
    }
    this.counts[at] = kept;
  }

  /** How likely a label is by what stands before its token. */
  private before(at: number, label: number): number {
    const { factors, forward, active } = this;
    if (at === 0) return factors[START * LABEL_COUNT + label] ?? 0;
    const base = (at - 1) * LABEL_COUNT;
    const count = this.counts[at - 1] ?? 0;
    let value = 0;
    for (let i = base; i < base + count; i++) {
      const other = active[i] ?? 0;
      value += (forward[base + other] ?? 0) * (factors[other * LABEL_COUNT + label] ?? 0);
    }
    return value;
  }

  /** How likely a label is by what stands behind its token. */
  private behind(at: number, label: number): number {
    const { factors, scores, backward, active } = this;
    const base = (at + 1) * LABEL_COUNT;
    const count = this.counts[at + 1] ?? 0;
    let value = 0;
    for (let i = base; i < base + count; i++) {
      const other = active[i] ?? 0;
      const through = (factors[label * LABEL_COUNT + other] ?? 0) * (scores[base + other] ?? 0);
      value += through * (backward[base + other] ?? 0);
    }
    return value;
  }

  private pushForward(at: number): void {
    const { forward, scores, active } = this;
    const base = at * LABEL_COUNT;
    const end = base + (this.counts[at] ?? 0);
    let sum = 0;
    for (let i = base; i < end; i++) {
      const label = active[i] ?? 0;
      const value = this.before(at, label) * (scores[base + label] ?? 0);
      forward[base + label] = value;
      sum += value;
    }
    scale(forward, base, active, end, sum);
  }

  private pushBackward(at: number): void {
    const { backward, active } = this;
    const base = at * LABEL_COUNT;
    const end = base + (this.counts[at] ?? 0);
    let sum = 0;
    for (let i = base; i < end; i++) {
      const label = active[i] ?? 0;
      const value = this.behind(at, label);
      backward[base + label] = value;
      sum += value;
    }
    scale(backward, base, active, end, sum);
  }

  /** Fills in the probabilities of a token's labels; returns the likeliest. */
  private marginalise(at: number, marginals: Float32Array): number {
    const { forward, backward, active } = this;
    const base = at * LABEL_COUNT;
    const end = base + (this.counts[at] ?? 0);
    let sum = 0;
    let best = active[base] ?? 0;
    for (let i = base; i < end; i++) {
      const label = active[i] ?? 0;
      const share = (forward[base + label] ?? 0) * (backward[base + label] ?? 0);
      marginals[base + label] = share;
      sum += share;
      if (share > (marginals[base + best] ?? 0)) best = label;
    }
    scale(marginals, base, active, end, sum);
    return best;
  }
}

/** Divides the values of the labels that count. */
function scale(
  values: Float32Array | Float64Array,
  base: number,
  active: Uint8Array,
  end: number,
  sum: number,
): void {
  for (let i = base; i < end; i++) {
    const place = base + (active[i] ?? 0);
    values[place] = (values[place] ?? 0) / sum;
  }
}

/** One for each thread: it keeps its working memory. The function returned is deterministic; its result is a copy. */
export function createTagger(knowledge: Knowledge): Tagger {
  const scoreTokens = createTokenScorer(knowledge);
  const marginaliser = new Marginaliser(knowledge.tagger.transitions);
  return (text, tokens) => {
    const count = tokens.length;
    if (count === 0)
      return {
        labels: new Uint8Array(0),
        marginals: new Float32Array(0),
        flags: new Uint16Array(0),
      };
    const flags = scoreTokens(text, tokens, marginaliser.scores);
    return { ...marginaliser.run(count), flags };
  };
}
