// What training and comparing a tagger need of a learner.

/** A line to learn from. */
export interface Sample {
  /** Rows of the model for each token. */
  readonly features: readonly Uint16Array[];
  /** For each token the labels that it may have, a bit each: one where it is known, several where it is not. */
  readonly allowed: Uint32Array;
}

export interface Learner {
  /** Learns from one line. */
  readonly learn: (sample: Sample) => void;
  /** After the last line; see below. */
  readonly finish: () => LearnedWeights;
}

/** What a learner ends with. */
export interface LearnedWeights {
  /** Row of a feature after row of a feature, a weight for each label. */
  readonly weights: Float32Array;
  /** See TaggerModel. */
  readonly transitions: Float32Array;
}
