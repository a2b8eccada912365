// Labels by the models of an organization: the one that was asked for, else the one that the holder's category set is bound to.
import type { EnrichItem } from "../../src/model/enrich-item.ts";
import type { Facts } from "../../src/model/facts.ts";
import type { RecogniserInput } from "../../src/model/transaction.ts";
import type { ModelRef, ModelsUse } from "../protocol.ts";
import type { Line } from "../recogniser/line.ts";
import type { LabelAnswer, Labeller } from "../training/classifier.ts";

/** The models that there are for a task, and what opens them. */
export interface ModelUse {
  readonly models: ModelsUse | null;
  readonly labellerOf: (ref: ModelRef) => Labeller;
}

/** The label of a model; null: it is not sure enough. */
type LabelLine = (item: RecogniserInput, line: Line, facts: Facts) => LabelAnswer | null;

/** @param setId the category set of the holder */
export function labelLineBy(
  { model }: EnrichItem,
  setId: string | null,
  { models, labellerOf }: Partial<ModelUse>,
): LabelLine | null {
  if (models == null || labellerOf === undefined) return null;
  const bound = setId !== null && Object.hasOwn(models.ofSets, setId) ? models.ofSets[setId] : null;
  const name = model ?? bound;
  const ref = models.models.find((one) => one.name === name);
  if (ref === undefined) return null;
  return (...line) => {
    const answer = labellerOf(ref)(...line);
    return answer.probability < ref.threshold ? null : answer;
  };
}

/** The facts with the label in the place of the category. Without a type of account there is neither. */
export function labelledFacts(
  facts: Facts,
  answer: LabelAnswer | null,
): { readonly facts: Facts; readonly probability: number | null } {
  const { categories, confidence = null } = facts;
  if (answer === null || categories === null) return { facts, probability: confidence };
  const { label, probability } = answer;
  return {
    facts: { ...facts, categories: { ...categories, general: label } },
    probability: roundedShare(probability),
  };
}

/** Two more digits than it is exact by. */
const roundedShare = (share: number): number => Math.round(share * 10_000) / 10_000;
