// The personalization rules of an organization: the language of the public v3 API. `rule-check.ts` checks rules,
// `workers/settings/rules/` runs them.
//
// A ruleset is a list. Its rules run in order on a transaction that was recognised; each sees what those before it did.
//
// | Rule                                            | What it does                                                      |
// | ----------------------------------------------- | ----------------------------------------------------------------- |
// | `{"if": boolean, "then": [rule], "else": [rule]}` | runs one of the lists, either of which may be left out          |
// | `{"add_label": text}`                           | puts the label behind the others, also if it is among them        |
// | `{"remove_label": text}`                        | removes the label, if it is there                                 |
// | `{"set_labels": [text]}`                        | puts these labels in place of all                                 |
// | `{"add_mcc": number}`, `{"remove_mcc": number}`, `{"set_mcc": [number]}` | the same with merchant category codes, but one that is there stays in its place |
// | `{"set": property, "to": text}`                 | sets one of `EDITABLE_PROPERTIES`; the empty text takes it away   |
//
// | Expression                                      | Operands                       | Value                            |
// | ----------------------------------------------- | ------------------------------ | -------------------------------- |
// | `"word"`, `12.5`, `true`                        |                                | itself                           |
// | `{"get": property}`                             | one of `TRANSACTION_PROPERTIES` | `amount`: a number, never negative; all others: text, empty where the transaction has none |
// | `{"&&": […]}`, `{"\|\|": […]}`                  | 1 or more booleans             | boolean; what cannot change it is not evaluated |
// | `{"!": x}`                                      | a boolean                      | boolean                          |
// | `{"==": […]}`                                   | 2 or more of one type          | whether all are the same         |
// | `{"<": [a, b]}`, `<=`, `>`, `>=`                | 2 numbers or 2 texts           | boolean; texts by code point     |
// | `{"+": […]}`                                    | 1 or more numbers or texts     | their sum, or one behind the other |
// | `{"-": […]}`                                    | 1 or more numbers              | of one: its negative; else the first less all others |
// | `{"*": […]}`                                    | 2 or more numbers              | number                           |
// | `{"/": […]}`, `{"//": […]}`                     | 2 or more numbers              | the first divided by each other in turn; `//` rounds down each time |
// | `{"is_substring": [needle, text]}`              | 2 texts                        | boolean; case matters            |
// | `{"starts_with": [text, start]}`, `{"ends_with": [text, end]}` | 2 texts         | boolean; case matters            |
// | `{"to_lower": x}`, `{"to_upper": x}`            | a text                         | text; the same in every locale   |
// | `{"has_label": x}`                              | a text                         | boolean                          |
// | `{"has_mcc": x}`                                | a number                       | boolean                          |
//
// A rule can fail only while it runs: when a number gets too large or is divided by zero, and by the limits below. Then
// all that this rule of the list did, with the rules inside it, is undone, and the next rule runs.
// An empty label is ignored: where a rule would add it, it adds nothing. What cannot exist (a label that is too long, an
// invalid code) is absent, and removing it changes nothing.

/** Properties of a transaction that a condition can read. */
export const TRANSACTION_PROPERTIES = [
  "logo",
  "website",
  "merchant",
  "description",
  "merchant_id",
  "location",
  "person",
  "transaction_type",
  "amount",
  "entry_type",
  "account_holder_type",
  "account_holder_id",
  "account_holder_name",
  "country",
] as const;
export type TransactionProperty = (typeof TRANSACTION_PROPERTIES)[number];

/** Properties that a rule can set. */
export const EDITABLE_PROPERTIES = [
  "logo",
  "website",
  "merchant",
  "merchant_id",
  "location",
  "person",
  "transaction_type",
] as const;
export type EditableProperty = (typeof EDITABLE_PROPERTIES)[number];

/** Operators whose operands are a list. */
export const LIST_OPERATORS = [
  "&&",
  "||",
  "==",
  "+",
  "-",
  "*",
  "/",
  "//",
  "<",
  "<=",
  ">",
  ">=",
  "is_substring",
  "starts_with",
  "ends_with",
] as const;
export type ListOperator = (typeof LIST_OPERATORS)[number];

/** Operators of a single operand. */
export const SINGLE_OPERATORS = ["!", "to_lower", "to_upper", "has_label", "has_mcc"] as const;
export type SingleOperator = (typeof SINGLE_OPERATORS)[number];

export type Expression =
  | boolean
  | string
  | number
  | { readonly get: TransactionProperty }
  | ListOperation
  | SingleOperation;

type ListOperation = {
  readonly [Name in ListOperator]: { readonly [Key in Name]: readonly Expression[] };
}[ListOperator];

type SingleOperation = {
  readonly [Name in SingleOperator]: { readonly [Key in Name]: Expression };
}[SingleOperator];

/** One rule, which is an action too: what it does to a transaction. */
export type Rule =
  | {
      readonly if: Expression;
      readonly then?: readonly Rule[];
      readonly else?: readonly Rule[];
    }
  | { readonly add_label: Expression }
  | { readonly remove_label: Expression }
  | { readonly set_labels: readonly Expression[] }
  | { readonly add_mcc: Expression }
  | { readonly remove_mcc: Expression }
  | { readonly set_mcc: readonly Expression[] }
  | { readonly set: EditableProperty; readonly to: Expression };

/** Length of a whole ruleset as compact JSON, in bytes of UTF-8. */
export const RULESET_BYTES_MAX = 50 * 1024;
/** Rules and expressions inside each other: `{"if": {"!": true}}` is 3 levels. */
export const RULE_DEPTH_MAX = 32;
/** Of a label or another text that a rule writes, in characters (code points). */
export const RULE_TEXT_LENGTH_MAX = 1024;
/** Labels, and merchant category codes, that a transaction may have after a rule wrote one. */
export const RULE_LABELS_MAX = 100;
export const MCC_MAX = 9999;
/** What `+` may make of texts, in UTF-16 code units: the longest description with something around it. */
export const RULE_JOINED_LENGTH_MAX = 4096;
/**
 * Steps that the rules may take on one transaction; a rule that would take more fails. In UTF-16 code units of texts:
 * `+` takes the length of what it makes, `to_lower` and `to_upper` that of what they change, `is_substring` that of the
 * text it searches, and again for every 256 of what it looks for, `<` and its like that of the shorter text, `set`,
 * `add_label` and `set_labels` that of what they write, and taking back what a rule that failed has set, that of what was
 * there before. Free are expressions that are the same on every transaction, a property in lower or upper case, and
 * searching a property, in whatever case, for a constant: the length of a ruleset bounds how many there are. So the steps
 * are enough for any useful rules, and no ruleset holds a thread for long: the worst known takes 12 ms a transaction.
 */
export const RULE_STEPS_MAX = 65_536;

/** Whether a text has more than `max` code points. */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > max * 2) return true;
  // Checked for every text that a rule writes: nothing is made of it.
  let left = max;
  for (let place = 0; place < text.length && left >= 0; left--) {
    place += (text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1;
  }
  return left < 0;
}

export function isMcc(code: number): boolean {
  return Number.isInteger(code) && code >= 0 && code <= MCC_MAX;
}

/**
 * `too_large`: all rules together would have more than RULESET_BYTES_MAX. `unknown_id`: there is no rule at this position.
 * `busy`: too many concurrent changes of the rules. Nothing was changed then.
 */
export type RuleRefusal = "too_large" | "unknown_id" | "busy";

/** `id`: the position of the changed rule, 0 if all rules were changed. */
export type RuleChange =
  | { readonly ok: true; readonly id: number }
  | { readonly ok: false; readonly reason: RuleRefusal };
