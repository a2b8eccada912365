// What may cross between the main thread and a worker thread: plain data, one union on `kind`, a chunk at a time.
// The input of a chunk is laid out by column: arrays of primitives are cloned several times faster than an array of
// objects, and the facts come back as JSON text, which the main thread does not need to parse.
import type {
  PrintedValue,
  StatementFault,
  StatementHeaderResult,
  StatementResult,
  StatementScope,
} from "../src/model/bank-statement.ts";
import type { ModelQuality } from "../src/model/custom-model.ts";
import type { CategoryMapping } from "../src/model/category-set.ts";
import type { Facts } from "../src/model/facts.ts";
import type { LedgerColumns } from "../src/model/recurrence.ts";
import type { Override, Feature } from "../src/model/tenant-settings.ts";
import type { AccountType, RecogniserInput } from "../src/model/transaction.ts";
import type { CorrectedFields } from "../src/model/report.ts";
import type { DocumentFacts } from "./statements/document-facts.ts";
import type { ReadPage } from "./statements/read-page.ts";
import type { RecognitionLanguage, RecognitionMode } from "./statements/text-recognition.ts";

/** Longest chunk of one task. Crossing costs 20-45 µs, so one transaction alone would pay more for it than for the work. */
export const CHUNK_LENGTH_MAX = 250;

/** Values of `EnrichTask.accountTypes`. */
export const ACCOUNT_TYPE_CODES = { none: 0, consumer: 1, business: 2 } as const;

/** In `EnrichTask.mccs`: no code was sent. */
export const NO_MCC = 0xff_ff;

/** Given to every thread once, at its start. */
export interface WorkerSetup {
  /** The whole knowledge file, see `src/codec/knowledge-file.ts`. Shared, never written to. */
  readonly knowledge: SharedArrayBuffer;
  /** Where the API is reached, which answers the logos, without a slash at its end; null: answers have none. */
  readonly publicUrl: string | null;
}

/** Enrich a chunk: entry i of every column belongs to transaction i. */
export interface EnrichTask {
  readonly kind: "enrich";
  readonly descriptions: readonly string[];
  /** Units of the currency, never negative. */
  readonly amounts: Float64Array;
  /** 1 = money leaving the account, 0 = money entering it. */
  readonly outgoing: Uint8Array;
  /** ISO 4217. */
  readonly currencies: readonly string[];
  /** See ACCOUNT_TYPE_CODES; with `none` no category is decided. */
  readonly accountTypes: Uint8Array;
  readonly rawAddresses: readonly (string | null)[];
  /** ISO 3166-1 alpha-2 as sent by the customer. */
  readonly countries: readonly (string | null)[];
  /** Merchant category codes as sent by the customer, NO_MCC for none; null: none was sent. */
  readonly mccs: Uint16Array | null;
  /** What the organization has set; null: it has set nothing, and fields that are switched on by it are null. */
  readonly settings: SettingsUse | null;
  /** What was corrected about single transactions; null: nothing about any. */
  readonly overrides: readonly (Override | null)[] | null;
  /** Whether the facts are wanted as Avro too. */
  readonly isEncoded: boolean;
  /** Shared memory: once entry 0 is not 0, the task ends behind the transaction that it is at. Null: it does not end early. */
  readonly stop: Int32Array | null;
}

/** The settings of the organization, and the fields of each transaction that only they need. */
export interface SettingsUse {
  readonly ref: SettingsRef;
  readonly accountHolderIds: readonly (string | null)[];
  readonly accountHolderNames: readonly (string | null)[];
  /** Id of the category set of each holder: its own, or the default one of its type. Null without a holder. */
  readonly categorySetIds: readonly (string | null)[];
  /** Name of the labelling model that was asked for; null: none for any transaction. */
  readonly modelNames: readonly (string | null)[] | null;
}

/** Settings cross by reference, however large they are; a thread reads them once for each key. */
export interface SettingsRef {
  /** Another text for every content. */
  readonly key: string;
  /** JSON of a `TenantSettings` (src/model/tenant-settings.ts) in UTF-8. */
  readonly bytes: SharedArrayBuffer;
  /** Left out: none. */
  readonly models?: ModelsUse;
}

/** The labelling models that transactions of an organization may need. */
export interface ModelsUse {
  readonly models: readonly ModelRef[];
  /** Names of the models to which category sets are bound, by the id of the set. */
  readonly ofSets: Readonly<Record<string, string>>;
}

/** A labelling model crosses by reference; a thread opens it once for each key. */
export interface ModelRef {
  readonly name: string;
  /** Another text for every content. */
  readonly key: string;
  /** See `writeModel` in workers/training. */
  readonly bytes: SharedArrayBuffer;
  /** Below this probability the default label stands. */
  readonly threshold: number;
}

/** Train a labelling model. */
export interface TrainingTask {
  /** JSON of a list of `TrainingItem` (src/model/custom-model.ts). */
  readonly items: string;
  readonly threshold: number;
  /** Shared memory: the share that is done, in percent, is kept in entry 0. */
  readonly progress: Int32Array;
}

export interface TrainingDone {
  readonly bytes: Uint8Array;
  readonly quality: ModelQuality;
}

/** Single queries, most of them to the knowledge base: rare, and a caller waits. Each kind documents the text of its answer. */
export type Query =
  /** JSON of an `Explanation` (src/model/explanation.ts). */
  | { readonly kind: "explain"; readonly line: RecogniserInput }
  /** JSON of a `CorrectedLine` (src/model/report.ts): what an operator's correction comes to for this line. */
  | {
      readonly kind: "correct";
      readonly line: RecogniserInput;
      readonly corrected: CorrectedFields;
      /** The current facts of the line; null when it could not be enriched. */
      readonly facts: Facts | null;
      readonly features: readonly Feature[];
      /** Of the holder's category set; null where its own words are ours. */
      readonly mapping: CategoryMapping | null;
      /** The category set whose own word the corrected category is; null: none is corrected, or it is one of ours. */
      readonly wordOf: string | null;
    }
  /** JSON of an `EntityDetails` (src/model/entity.ts), null when no entity has this id. */
  | { readonly kind: "entity"; readonly id: string }
  /** JSON of an `EntityDetails`, null when nothing is known by that name or website. Exactly one of the two is set. */
  | {
      readonly kind: "resolve";
      readonly name: string | null;
      readonly website: string | null;
      readonly location: string | null;
    }
  /** JSON of a `CategoryMapping` (src/model/category-set.ts). */
  | {
      readonly kind: "map_categories";
      readonly incoming: readonly string[];
      readonly outgoing: readonly string[];
    }
  /** JSON of `BankCategories` (src/model/bank-categories.ts). */
  | {
      readonly kind: "bank_categories";
      readonly texts: readonly string[];
      readonly accountType: AccountType;
    }
  /** JSON of a `Recurrence` (src/model/recurrence.ts) of a whole ledger, whose places are those of the columns. */
  | { readonly kind: "recurrence"; readonly columns: LedgerColumns };

/** Facts as Avro, see `src/codec/facts-bytes.ts`: those of transaction i end at `ends[i]`, where those of the next begin. */
export interface EncodedFacts {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

/**
 * `facts[i]` is the JSON text of `Facts` (src/model/facts.ts) of transaction i, null where the recogniser threw. A task that
 * was stopped has entries for the first transactions alone, one at least.
 */
export interface EnrichDone {
  readonly ok: true;
  readonly kind: "enrich";
  readonly facts: readonly (string | null)[];
  /** Null unless the task asked for it. */
  readonly encoded: EncodedFacts | null;
  /** How often a rule failed at run time and was skipped. */
  readonly ruleFailures: number;
}

/** `text` is null as the query documents, and when the thread's code threw: `threw` distinguishes the two. */
export interface Answered {
  readonly ok: true;
  readonly kind: "answered";
  readonly text: string | null;
  readonly threw: boolean;
}

/** Errors cross as data: a thrown class would arrive as a plain Error without its code. */
export interface TaskFailed {
  readonly ok: false;
  readonly code: "bad_task";
  readonly message: string;
}

export type WorkerTask = EnrichTask | Query;
export type WorkerAnswer = EnrichDone | Answered | TaskFailed;

/** Given to every thread that reads bank statements, at its start. */
export interface StatementSetup {
  /** Trained data of text recognition, the main language first. Shared, never written to. */
  readonly languages: readonly RecognitionLanguage[];
  /** 0, or how far the thread stands back where the cores are busy, to 19. */
  readonly niceness: number;
}

export type { ReadPage } from "./statements/read-page.ts";

/** One bank statement as it was sent. */
export interface SentStatement {
  /** Of the reading process: a thread that has drawn a page of it does not draw it again. */
  readonly document: number;
  /** Over shared memory: several threads read pages of it. */
  readonly bytes: Uint8Array;
  /** Empty: none. */
  readonly password: string;
  /** Milliseconds since 1970: rows are not after it, which gives them a year where none is printed. */
  readonly submittedAt: number;
}

/** Decides what a document is and reads its text layers. The answer is a `StatementPlan`. */
export interface PlanTask extends SentStatement {
  readonly scope: StatementScope;
}

/** Without a page that must be recognised the document has been read. */
export type StatementPlan =
  | { readonly kind: "read"; readonly result: StatementResult | StatementHeaderResult }
  | {
      readonly kind: "recognise";
      /** All pages of the document. */
      readonly pages: number;
      readonly read: readonly ReadPage[];
      /** From 1. */
      readonly pagesToRecognise: readonly number[];
      /** Null: a picture has none. */
      readonly facts: DocumentFacts | null;
    };

/** Recognises the text of one page; the answer is a `ReadPage`, null when the document can no longer be read. */
export interface RecogniseTask extends SentStatement {
  readonly page: number;
  readonly mode: RecognitionMode;
  readonly scope: StatementScope;
  /** The same page in another mode, which this one is added to; null: none. */
  readonly before: ReadPage | null;
}

/**
 * Recognises single numbers or dates again; `breaks` are numbers and the amounts of rows that have none, `balances` those of which the labels
 * alone were read. The answer is the page with what was read now.
 */
export interface RereadTask extends SentStatement {
  readonly before: ReadPage;
  readonly kind: "numbers" | "breaks" | "dates" | "balances";
  /** In the coordinates of the page as it is seen. Where lost amounts and balances should be, the words of the page show. */
  readonly boxes: readonly PrintedValue["box"][];
}

/** Understands the words of all pages; the answer is what the scope asks for. */
export interface UnderstandTask {
  readonly scope: StatementScope;
  readonly pages: number;
  readonly read: readonly ReadPage[];
  /** As the plan gave them. */
  readonly facts: DocumentFacts | null;
  /** As it was sent. */
  readonly submittedAt: number;
}

/** A file that cannot be read has a fault. */
export interface FaultyStatement {
  readonly fault: StatementFault;
}
