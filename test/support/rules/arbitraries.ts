// Rules and transactions that are made up.
import fc from "fast-check";
import {
  EDITABLE_PROPERTIES,
  TRANSACTION_PROPERTIES,
  type EditableProperty,
  type Expression,
  type Rule,
} from "../../../src/model/rules.ts";
import type { RuleSubject } from "../../../workers/settings/rules/subject.ts";

/** A transaction with nothing special about it. */
export const plain: RuleSubject = {
  description: "POS Starbucks Seattle",
  amount: 12.5,
  entryType: "outgoing",
  accountHolderType: "consumer",
  accountHolderId: "holder-1",
  accountHolderName: "Ada Lovelace",
  country: "US",
  logo: "",
  website: "starbucks.com",
  merchant: "Starbucks",
  merchantId: "",
  location: "Seattle",
  person: "",
  transactionType: "consumer",
  labels: ["cafes"],
  mccs: [5814],
};

// Few letters, so that constants are often found, contain each other and differ in case alone. Some change their length
// with their case, or stand in another order by code unit than by code point.
const LETTERS = ["a", "b", "A", "B", "ß", "Σ", "İ", "\u{1F600}", "\u{1F601}", "\uE000"];
const word = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: fc.constantFrom("a", "b", "A"), maxLength: 3 }) },
  // Long enough to be indexed, and often equal.
  {
    weight: 2,
    arbitrary: fc.constantFrom("abA", "Aba", "abab", "aΣb", "İßa", "a\u{1F600}", "abAab"),
  },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 5 }) },
);
const label = fc.constantFrom("a", "b", "ab", "A", "cafes");
const mcc = fc.constantFrom(0, 1, 5814, 9999);
const someNumber = fc.constantFrom(0, 1, -1, 2, 0.5, 7, 5814, 10_000, 1e308);
// Few properties most of the time, so that a rule often reads what another wrote.
const TEXT_PROPERTIES = TRANSACTION_PROPERTIES.filter((name) => name !== "amount");
const readable = fc.oneof(
  fc.constantFrom<(typeof TEXT_PROPERTIES)[number]>("merchant", "website", "description", "person"),
  fc.constantFrom(...TEXT_PROPERTIES),
);
const editable = fc.oneof(
  fc.constantFrom<EditableProperty>("merchant", "website", "person"),
  fc.constantFrom(...EDITABLE_PROPERTIES),
);

/** The type checker takes no computed key for one of a union. */
const under =
  (operator: string) =>
  (operand: unknown): never =>
    ({ [operator]: operand }) as never;

interface Language {
  text: Expression;
  number: Expression;
  condition: Expression;
  rule: Rule;
}

export const { rule: anyRule } = fc.letrec<Language>((tie) => ({
  text: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    { weight: 3, arbitrary: word },
    { weight: 4, arbitrary: readable.map((get) => ({ get })) },
    { weight: 2, arbitrary: readable.map((get) => ({ to_lower: { get } })) },
    { weight: 1, arbitrary: tie("text").map(under("to_upper")) },
    { weight: 1, arbitrary: tie("text").map(under("to_lower")) },
    {
      weight: 2,
      arbitrary: fc.array(tie("text"), { minLength: 1, maxLength: 3 }).map(under("+")),
    },
  ),
  number: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    { weight: 3, arbitrary: someNumber },
    { weight: 3, arbitrary: fc.constant({ get: "amount" } as const) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom("+", "-", "*", "/", "//"),
          fc.array(tie("number"), { minLength: 2, maxLength: 3 }),
        )
        .map(([operator, operands]) => under(operator)(operands)),
    },
    { weight: 1, arbitrary: tie("number").map((operand) => under("-")([operand])) },
  ),
  condition: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    {
      weight: 6,
      arbitrary: fc
        .tuple(readable, fc.constantFrom("", "to_lower", "to_upper"), word)
        .chain(([get, fold, constant]) => {
          const read = fold === "" ? { get } : under(fold)({ get });
          return fc
            .constantFrom("==", "is_substring", "starts_with", "ends_with")
            .map((operator) =>
              under(operator)(operator === "is_substring" ? [constant, read] : [read, constant]),
            );
        }),
    },
    { weight: 2, arbitrary: label.map((has_label) => ({ has_label })) },
    { weight: 1, arbitrary: mcc.map((has_mcc) => ({ has_mcc })) },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 1, arbitrary: tie("text").map(under("has_label")) },
    { weight: 1, arbitrary: tie("number").map(under("has_mcc")) },
    { weight: 2, arbitrary: tie("condition").map(under("!")) },
    {
      weight: 5,
      arbitrary: fc
        .tuple(
          fc.constantFrom("&&", "||"),
          fc.array(tie("condition"), { minLength: 1, maxLength: 3 }),
        )
        .map(([operator, operands]) => under(operator)(operands)),
    },
    {
      weight: 2,
      arbitrary: fc
        .oneof(
          fc.array(tie("text"), { minLength: 2, maxLength: 3 }),
          fc.array(tie("number"), { minLength: 2, maxLength: 3 }),
          fc.array(tie("condition"), { minLength: 2, maxLength: 3 }),
        )
        .map(under("==")),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom("<", "<=", ">", ">="),
          fc.oneof(fc.tuple(tie("text"), tie("text")), fc.tuple(tie("number"), tie("number"))),
        )
        .map(([operator, operands]) => under(operator)(operands)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom("is_substring", "starts_with", "ends_with"),
          fc.tuple(tie("text"), tie("text")),
        )
        .map(([operator, operands]) => under(operator)(operands)),
    },
  ),
  rule: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    { weight: 1, arbitrary: fc.oneof(label, tie("text")).map(under("add_label")) },
    { weight: 1, arbitrary: fc.oneof(label, tie("text")).map(under("remove_label")) },
    {
      weight: 1,
      arbitrary: fc.array(fc.oneof(label, tie("text")), { maxLength: 3 }).map(under("set_labels")),
    },
    { weight: 1, arbitrary: fc.oneof(mcc, tie("number")).map(under("add_mcc")) },
    { weight: 1, arbitrary: fc.oneof(mcc, tie("number")).map(under("remove_mcc")) },
    { weight: 1, arbitrary: fc.array(mcc, { maxLength: 3 }).map(under("set_mcc")) },
    {
      weight: 3,
      arbitrary: fc.tuple(editable, tie("text")).map(([set, to]) => ({ set, to }) as never),
    },
    {
      weight: 10,
      arbitrary: fc
        .record({
          if: tie("condition"),
          then: fc.option(fc.array(tie("rule"), { maxLength: 3 }), { nil: null, freq: 9 }),
          else: fc.option(fc.array(tie("rule"), { maxLength: 2 }), { nil: null, freq: 2 }),
        })
        .map((one) => one as never),
    },
  ),
}));

const text = fc.oneof(word, fc.constantFrom("", "ab", "abAB", "aΣ bΣ", "\u{1F600}a", "abAabab"));
export const anySubject: fc.Arbitrary<RuleSubject> = fc.record({
  description: text,
  amount: fc.constantFrom(0, 1, 2, 0.5, 7, 5814, 1e308),
  entryType: fc.constantFrom("incoming", "outgoing"),
  accountHolderType: fc.constantFrom("consumer", "business", "unknown", ""),
  accountHolderId: text,
  accountHolderName: text,
  country: fc.constantFrom("", "US"),
  logo: text,
  website: text,
  merchant: text,
  merchantId: text,
  location: text,
  person: text,
  transactionType: fc.constantFrom("consumer", "business", "unknown"),
  labels: fc.uniqueArray(label, { maxLength: 2 }),
  mccs: fc.uniqueArray(mcc, { maxLength: 2 }),
});
