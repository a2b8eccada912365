// Several labels of a line: the classes of bank lines whose source gives each of them two or three, answered together or by a model of
// its own for each label, cross-validated.
import type { TrainingItem } from "../../src/model/custom-model.ts";
import { labelText, labelsIn } from "../../src/model/labels.ts";
import { type DataRow, readData } from "../training/data.ts";
import { scoresOf, type ScoredAnswers } from "./scores.ts";

/** Trains with the first and answers about the others: a label and how likely it is. */
export type TrainAndAnswer = (
  items: readonly TrainingItem[],
  asked: readonly TrainingItem[],
) => readonly { readonly label: string; readonly probability: number }[];

const FOLDS = 5;
/** Neighbours in the file go to different folds. */
const foldOf = (line: number): number => line % FOLDS;

export const LABEL_COLUMNS: readonly (readonly string[])[] = [
  ["sic_group", "category"],
  ["category", "tran_type"],
  ["sic_group", "category", "tran_type"],
];

/** The lines that have a label in each of these columns. */
export function readSeveral(columns: readonly string[]): readonly TrainingItem[] {
  const rows = readData("lines/omaha-bank-lines.csv");
  const isLabelled = (row: DataRow): boolean => columns.every((column) => row[column]);
  return rows.filter(isLabelled).map((row) => ({
    description: [row["descriptor"], row["city"], row["state"]].join(" "),
    amount: 10,
    entryType: row["debit_credit"] === "C" ? "incoming" : "outgoing",
    currency: "USD",
    accountHolderType: "consumer",
    country: null,
    mcc: null,
    label: labelText(columns.map((column) => row[column] ?? "")),
  }));
}

const YES = "yes";

/** A model for each label, which answers whether a line has it; without any, the likeliest. */
function labelByLabel(
  train: readonly TrainingItem[],
  test: readonly TrainingItem[],
  answer: TrainAndAnswer,
): readonly string[] {
  const labels = [...new Set(train.flatMap(({ label }) => labelsIn(label)))];
  const shares = labels.map((label) => {
    const items = train.map((item) => ({
      ...item,
      label: labelsIn(item.label).includes(label) ? YES : "no",
    }));
    return answer(items, test).map((one) =>
      one.label === YES ? one.probability : 1 - one.probability,
    );
  });
  return test.map((_, line) => {
    const likely = labels.filter((_label, at) => (shares[at]?.[line] ?? 0) >= 0.5);
    if (likely.length > 0) return labelText(likely);
    const best = shares.reduce(
      (most, share, at) => ((share[line] ?? 0) > (shares[most]?.[line] ?? 0) ? at : most),
      0,
    );
    return labels[best] ?? "";
  });
}

/** Scores of both ways, by their names. */
export function compareSeveral(
  items: readonly TrainingItem[],
  answer: TrainAndAnswer,
): ReadonlyMap<string, ScoredAnswers> {
  const [together, single]: [string[], string[]] = [[], []];
  const asked: TrainingItem[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const train = items.filter((_, line) => foldOf(line) !== fold);
    const test = items.filter((_, line) => foldOf(line) === fold);
    asked.push(...test);
    together.push(...answer(train, test).map(({ label }) => label));
    single.push(...labelByLabel(train, test, answer));
  }
  const answers = new Map([
    ["together (Ledgerline)", together],
    ["a model for each label", single],
  ]);
  return scoresOf(answers, asked, "together (Ledgerline)");
}
