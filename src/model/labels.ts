// Several labels of one transaction. What is stored of a transaction, and what the v3 API and Kafka show, has one text in the place
// of the category: several labels are joined in it, and the v2 API shows them as a list again.

/** Between two labels in a text. Labels of models cannot contain it, so that a text has one meaning. */
const LABEL_SEPARATOR = " || ";
/** What a label of a model cannot contain. */
export const LABEL_MARK = LABEL_SEPARATOR.trim();
/** Labels of one item of a training, or of one correction. */
export const LABELS_OF_ITEM_MAX = 10;

/** One text for the same labels in any order. One label is its own text. */
export const labelText = (labels: readonly string[]): string =>
  labels.length === 1 ? (labels[0] ?? "") : [...new Set(labels)].sort().join(LABEL_SEPARATOR);

/** The labels of a text, at least one. */
export const labelsIn = (text: string): readonly string[] => text.split(LABEL_SEPARATOR);
