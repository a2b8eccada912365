// Labelled lines of two cities' purchase cards, split by time: a model is trained on the past and measured on what came after.
import { TRAINING_ITEMS_MAX, type TrainingItem } from "../../src/model/custom-model.ts";

import { type DataRow, readData } from "../training/data.ts";

export interface LabelledSet {
  readonly name: string;
  /** The most recent of those before the test, as many as a training may have; the oldest first. */
  readonly train: readonly TrainingItem[];
  readonly test: readonly TrainingItem[];
}

/** `30/12/16` → `16/12/30`; a financial year stays as it is. */
const timeOf = ({ date, year }: DataRow): string =>
  year ?? (date ?? "").split("/").toReversed().join("/");

/** Council cards write credits as negative. */
function itemsOf(rows: readonly DataRow[]): TrainingItem[] {
  return rows
    .toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0))
    .flatMap((row) => {
      const label = (row["expense_account"] ?? row["account"] ?? "").trim();
      const amount = Number((row["amount"] ?? "").replaceAll(",", ""));
      if (label === "" || !Number.isFinite(amount)) return [];
      return [
        {
          description: row["merchant"] ?? "",
          amount: Math.abs(amount),
          entryType: amount < 0 ? "incoming" : "outgoing",
          currency: "GBP",
          accountHolderType: "business",
          country: null,
          mcc: null,
          label,
        } as const,
      ];
    });
}

/** Three years in one file: the last one is the test. The file of the year after has no expense account. */
export function readBarnet(): LabelledSet {
  const rows = readData("lines/barnet-2014-17.csv.gz");
  const last = rows.map(timeOf).reduce((latest, time) => (time > latest ? time : latest), "");
  return {
    name: "Barnet 2014-16 → 2016-17",
    train: itemsOf(rows.filter((row) => timeOf(row) !== last)),
    test: itemsOf(rows.filter((row) => timeOf(row) === last)),
  };
}

export function readBirmingham(): LabelledSet {
  const past = itemsOf(readData("lines/birmingham-2014-16.csv.gz"));
  return {
    name: "Birmingham 2016 → 2017-18",
    train: past.slice(-TRAINING_ITEMS_MAX),
    test: itemsOf(readData("lines/birmingham-2017-18.csv.gz")),
  };
}

/** The training years alone, to decide by without a look at the test: their last quarter in the place of the test. */
export function trainingCut({ name, train }: LabelledSet): LabelledSet {
  const from = Math.floor(0.75 * train.length);
  return {
    name: `${name}, last quarter of the training years`,
    train: train.slice(0, from),
    test: train.slice(from),
  };
}
