// The most expensive rulesets known that are accepted, each with a transaction on which it takes longest.
import { type Rule, RULESET_BYTES_MAX } from "../../../src/model/rules.ts";
import { checkRules } from "../../../src/rule-language/rule-check.ts";
import { plain } from "./arbitraries.ts";
import type { RuleSubject } from "../../../workers/settings/rules/subject.ts";

export interface ExpensiveRuleset {
  readonly name: string;
  readonly rules: readonly Rule[];
  readonly subject: RuleSubject;
}

/** Characters of a description or a label. */
const LONGEST = 1024;
const LABELS = Array.from({ length: 100 }, (_, index) => `label ${String(index)}`);
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

export const expensiveRulesets = (): readonly ExpensiveRuleset[] => [
  searching("searches in a text of one character", "a", (end) => [`a${end}`, { get: "logo" }]),
  searching("searches in a text that is longer in upper case", "ß", (end) => [
    `S${end}`,
    { to_upper: { get: "logo" } },
  ]),
  searching("searches in a text of emoji", "\u{1F600}", (end) => [
    `\u{1F600}${end}`,
    { get: "logo" },
  ]),
  {
    name: "a rule for each search",
    rules: full((index) => ({
      if: { "!": { is_substring: [`a${differing(index)}`, { get: "logo" }] } },
    })),
    subject: { ...plain, logo: "a".repeat(LONGEST) },
  },
  { name: "texts set again and again", rules: resetRules(600, 300), subject: plain },
  {
    name: "long labels compared with a text",
    rules: full(() => ({ has_label: { get: "logo" } }), anyOf),
    subject: {
      ...plain,
      logo: "a".repeat(LONGEST),
      labels: LABELS.map((label) => label.padStart(LONGEST, "a")),
    },
  },
  {
    name: "labels moved to the end",
    rules: full((index) => ({ add_label: LABELS[index % 2] })),
    subject: { ...plain, labels: LABELS },
  },
  {
    name: "labels replaced",
    rules: full(() => ({ set_labels: LABELS.map((_, index) => index.toString(36)) })),
    subject: plain,
  },
  {
    name: "rules that fail",
    rules: full(() => ({ if: true, then: [{ set: "logo", to: "" }, { add_mcc: { "-": [1] } }] })),
    subject: { ...plain, logo: "a".repeat(LONGEST) },
  },
];

/** All in one condition, which begins so that the index cannot say that it is false. */
const searching = (
  name: string,
  character: string,
  search: (end: string) => unknown,
): ExpensiveRuleset => ({
  name,
  rules: full((index) => ({ is_substring: search(differing(index)) }), anyOf),
  subject: { ...plain, logo: character.repeat(LONGEST) },
});

/** The most expensive ruleset for any transaction: it sets the text that it then searches. */
export const searchRules = (): readonly Rule[] =>
  full(
    (index) => ({ is_substring: [`S${differing(index)}`, { to_upper: { get: "person" } }] }),
    (conditions) => [{ set: "person", to: "ß".repeat(LONGEST) }, ...anyOf(conditions)],
  );

/** The ends of constants: no two searches are the same. */
const differing = (index: number): string => String(index + 10);

const anyOf = (conditions: readonly unknown[]): readonly unknown[] => [
  {
    if: { "||": [{ "<": [{ get: "amount" }, 0] }, ...conditions] },
    then: [{ add_label: "never" }],
  },
];

/** The longest ruleset of so many parts that is accepted. */
function full(
  part: (index: number) => unknown,
  toRules: (parts: readonly unknown[]) => readonly unknown[] = (parts) => parts,
): readonly Rule[] {
  const parts: unknown[] = [];
  let bytes = Buffer.byteLength(JSON.stringify(toRules([])));
  for (;;) {
    const next = part(parts.length);
    bytes += Buffer.byteLength(JSON.stringify(next)) + 1;
    if (bytes > RULESET_BYTES_MAX) break;
    parts.push(next);
  }
  const checked = checkRules(toRules(parts));
  if (!checked.ok) throw new Error(JSON.stringify(checked));
  return checked.value;
}

/** Each text that is set is indexed again, and makes the rule due that asks for its parts. */
function resetRules(setters: number, constants: number): readonly Rule[] {
  const setting: readonly Rule[] = Array.from({ length: setters }, (_, index) => ({
    set: "person",
    to: index % 2 === 0 ? LETTERS : "",
  }));
  const searches = partsOf(LETTERS, constants).map((part) => ({
    is_substring: [part, { get: "person" as const }],
  }));
  const never = { "==": [{ get: "country" as const }, "ZZ"] };
  return [...setting, { if: { "&&": [never, ...searches] }, then: [{ add_label: "never" }] }];
}

/** Short ones first. */
function partsOf(text: string, count: number): readonly string[] {
  const found: string[] = [];
  for (let length = 1; found.length < count; length += 1) {
    for (let start = 0; start + length <= text.length && found.length < count; start += 1)
      found.push(text.slice(start, start + length));
  }
  return found;
}
