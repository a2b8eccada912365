// The transaction that the rules are running on, as it is at the moment; what is written to it can be undone.
import {
  type EditableProperty,
  RULE_STEPS_MAX,
  type TransactionProperty,
} from "../../../src/model/rules.ts";
import type { Board } from "./board.ts";
import { type Fold, FOLDS, RULE_FAILED } from "./operations.ts";
import {
  createTextSource,
  createValueSource,
  type TextSource,
  type ValueSource,
} from "./sources.ts";
import type { RuleSubject } from "./subject.ts";

export type TextProperty = Exclude<TransactionProperty, "amount">;

interface Now {
  amount: number;
  labels: readonly string[];
  mccs: readonly number[];
}

/** What rules read and write is asked for when they are compiled; the rest of a transaction is not looked at. */
export interface Transaction {
  /** All of it but the texts, each of which is in its source. */
  readonly now: Readonly<Now>;
  /** One for each property and case. */
  source(property: TextProperty, fold: Fold | null): TextSource;
  readonly labelSource: ValueSource<string>;
  readonly mccSource: ValueSource<number>;
  readonly amountSource: ValueSource<number>;
  /** What sets a property. */
  setter(property: EditableProperty): (text: string) => void;
  setLabels(labels: readonly string[]): void;
  setMccs(mccs: readonly number[]): void;
  /** Takes what is to be worked on. */
  load(subject: RuleSubject): void;
  /** Writes back what rules did. */
  store(subject: RuleSubject): void;
  /** Fails when not so many of the `RULE_STEPS_MAX` steps are left. */
  takeSteps(count: number): void;
  /** What was written up to now stays. */
  keep(): void;
  /** Takes back what was written since. */
  undo(): void;
}

type TextField = Exclude<keyof RuleSubject, "amount" | "labels" | "mccs">;

/** Where a subject has what the language calls by a name of its own. */
const FIELDS = {
  logo: "logo",
  website: "website",
  merchant: "merchant",
  description: "description",
  merchant_id: "merchantId",
  location: "location",
  person: "person",
  transaction_type: "transactionType",
  entry_type: "entryType",
  account_holder_type: "accountHolderType",
  account_holder_id: "accountHolderId",
  account_holder_name: "accountHolderName",
  country: "country",
} as const satisfies Readonly<Record<TextProperty, TextField>>;

/** Properties of few values, each of which is common. */
const COMMON: ReadonlySet<TextProperty> = new Set([
  "entry_type",
  "account_holder_type",
  "transaction_type",
  "country",
]);
const COMMON_CHANCE = 0.5;
const RARE_CHANCE = 0.01;
const LABEL_CHANCE = 0.05;

interface Written {
  /** Of the properties that can be set by these rules. */
  readonly texts: readonly string[];
  readonly labels: readonly string[];
  readonly mccs: readonly number[];
}

export function createTransaction(board: Board): Transaction {
  const texts = createTexts(board);
  const values = createValues(board);
  const { now } = values;
  const steps = createSteps();
  /** As it was before the first write since the last `keep`; null: nothing was written. */
  let before: Written | null = null;
  let isChanged = false;

  function beforeWrite(): void {
    isChanged = true;
    before ??= { texts: texts.written(), labels: now.labels, mccs: now.mccs };
  }

  return {
    now,
    source: texts.source,
    ...values.sources,
    setter: (property) => texts.setter(property, beforeWrite),
    setLabels(labels) {
      if (isSameList(now.labels, labels)) return;
      beforeWrite();
      values.readLabels(labels);
    },
    setMccs(mccs) {
      if (isSameList(now.mccs, mccs)) return;
      beforeWrite();
      values.readMccs(mccs);
    },
    load(subject) {
      steps.restart();
      before = null;
      isChanged = false;
      texts.load(subject);
      values.readLabels(subject.labels);
      values.readMccs(subject.mccs);
      values.readAmount(subject.amount);
    },
    store(subject) {
      if (!isChanged) return;
      texts.store(subject);
      subject.labels = now.labels;
      subject.mccs = now.mccs;
    },
    takeSteps: steps.take,
    keep() {
      before = null;
    },
    undo() {
      if (before === null) return;
      steps.spend(texts.rewrite(before.texts));
      // The very lists that were there: whoever compares them sees that nothing was changed.
      values.readLabels(before.labels);
      values.readMccs(before.mccs);
      before = null;
    },
  };
}

interface Values {
  readonly now: Readonly<Now>;
  readonly sources: Pick<Transaction, "labelSource" | "mccSource" | "amountSource">;
  readLabels(labels: readonly string[]): void;
  readMccs(mccs: readonly number[]): void;
  readAmount(amount: number): void;
}

function createValues(board: Board): Values {
  const now: Now = { amount: 0, labels: [], mccs: [] };
  const labelSource = createValueSource<string>(board, LABEL_CHANCE);
  const mccSource = createValueSource<number>(board, LABEL_CHANCE);
  const amountSource = createValueSource<number>(board, RARE_CHANCE);
  const amounts = [0];
  return {
    now,
    sources: { labelSource, mccSource, amountSource },
    readLabels(labels) {
      now.labels = labels;
      labelSource.read(labels);
    },
    readMccs(mccs) {
      now.mccs = mccs;
      mccSource.read(mccs);
    },
    readAmount(amount) {
      now.amount = amount;
      amounts[0] = amount;
      amountSource.read(amounts);
    },
  };
}

interface Steps {
  restart(): void;
  take(count: number): void;
  /** As `take`, where nothing can fail any more: it is what comes after that does. */
  spend(count: number): void;
}

function createSteps(): Steps {
  let left = 0;
  return {
    restart() {
      left = RULE_STEPS_MAX;
    },
    take(count) {
      left -= count;
      if (left < 0) throw RULE_FAILED;
    },
    spend(count) {
      left -= count;
    },
  };
}

/** A property that rules read or write. */
interface Property {
  readonly plain: TextSource;
  readonly folded: Map<Fold, TextSource>;
  /** It reads this now, as it is and in all cases. */
  read(text: string): void;
}

interface Texts extends Pick<Transaction, "source" | "load" | "store"> {
  setter(property: EditableProperty, beforeWrite: () => void): (text: string) => void;
  /** What the properties that can be set read, always in the same order. */
  written(): readonly string[];
  /** Makes them read so again. Returns the length of those that did not. */
  rewrite(texts: readonly string[]): number;
}

function createTexts(board: Board): Texts {
  const used = new Map<TextProperty, Property>();
  const loaded: (readonly [TextField, Property])[] = [];
  const settable: (readonly [EditableProperty, Property])[] = [];

  function propertyOf(name: TextProperty): Property {
    const known = used.get(name);
    if (known !== undefined) return known;
    const made = createProperty(board, chanceOf(name));
    used.set(name, made);
    loaded.push([FIELDS[name], made]);
    return made;
  }

  return {
    source(name, fold) {
      const { plain, folded } = propertyOf(name);
      if (fold === null) return plain;
      const source = folded.get(fold) ?? createTextSource(board, FOLDS[fold], chanceOf(name));
      folded.set(fold, source);
      return source;
    },
    setter(name, beforeWrite) {
      const property = propertyOf(name);
      const { plain, read } = property;
      if (!settable.some(([known]) => known === name)) settable.push([name, property]);
      return (text) => {
        if (plain.text === text) return;
        beforeWrite();
        read(text);
      };
    },
    load(subject) {
      for (const [field, { read }] of loaded) read(subject[field]);
    },
    store(subject) {
      for (const [name, { plain }] of settable) subject[FIELDS[name]] = plain.text;
    },
    written: () => settable.map(([, { plain }]) => plain.text),
    rewrite(texts) {
      let length = 0;
      for (const [index, [, { plain, read }]] of settable.entries()) {
        const text = texts[index] ?? "";
        if (plain.text === text) continue;
        read(text);
        length += text.length;
      }
      return length;
    },
  };
}

function createProperty(board: Board, chance: number): Property {
  const plain = createTextSource(board, (text) => text, chance);
  const folded = new Map<Fold, TextSource>();
  return {
    plain,
    folded,
    read(text) {
      plain.read(text);
      for (const source of folded.values()) source.read(text);
    },
  };
}

const chanceOf = (property: TextProperty): number =>
  COMMON.has(property) ? COMMON_CHANCE : RARE_CHANCE;

function isSameList<Item>(one: readonly Item[], other: readonly Item[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
