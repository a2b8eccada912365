// Rules as organizations write them, and transactions on which hardly any of them does something.
import { faker } from "@faker-js/faker";
import { checkRules } from "../../src/rule-language/rule-check.ts";
import type { Expression, Rule } from "../../src/model/rules.ts";
import { createLines } from "../../test/support/lines.ts";
import { createRandom, type Random } from "../../test/support/random.ts";
import type { RuleSubject } from "../../workers/settings/rules/subject.ts";

export interface Mix {
  readonly rules: readonly Rule[];
  readonly subjects: readonly RuleSubject[];
}

/** Merchants that rules name, and how many of them ever pay or are paid. */
const NAMES = 3_000;
const LIVE_NAMES = 300;
const LABELS = 40;

export function createMix(seed: number, rules: number, subjects: number): Mix {
  const random = createRandom(seed);
  faker.seed(seed);
  const names = Array.from(
    new Set(Array.from({ length: NAMES }, () => faker.company.name().replace(/,.*/, ""))),
  );
  const labels = Array.from(
    { length: LABELS },
    (_, index) => `${faker.commerce.department()} ${String(index)}`,
  );
  const line = createLines(seed);
  return {
    rules: checked(Array.from({ length: rules }, () => rule(random, names, labels))),
    subjects: Array.from({ length: subjects }, () => subject(random, names, labels, line())),
  };
}

/** They are rules as they are stored. */
function checked(rules: readonly unknown[]): readonly Rule[] {
  const check = checkRules(rules);
  if (!check.ok) throw new Error(`The mix has an invalid rule: ${JSON.stringify(check)}`);
  return check.value;
}

const siteOf = (name: string): string => `${name.toLowerCase().replaceAll(/[^a-z]/g, "")}.com`;

function rule(random: Random, names: readonly string[], labels: readonly string[]): Rule {
  const then: readonly Rule[] = random.chance(0.75)
    ? [{ add_label: random.pick(labels) }]
    : [{ set: "merchant", to: random.pick(names) }];
  const otherwise: readonly Rule[] = [{ remove_label: random.pick(labels) }];
  const test = condition(random, names, labels);
  return { if: test, then, ...(random.chance(0.02) ? { else: otherwise } : {}) };
}

function condition(
  random: Random,
  names: readonly string[],
  labels: readonly string[],
): Expression {
  const one = (): Expression => simple(random, names, labels);
  const shape = random.next();
  if (shape < 0.72) return one();
  if (shape < 0.82) return { "&&": [one(), { "!": { has_label: random.pick(labels) } }] };
  if (shape < 0.9) return { "||": [one(), one()] };
  if (shape < 0.95) {
    return { "&&": [{ "==": [{ get: "entry_type" }, "outgoing"] }, { "||": [one(), one()] }] };
  }
  return { "&&": [{ ">": [{ get: "amount" }, random.integer(10, 500)] }, one()] };
}

function simple(random: Random, names: readonly string[], labels: readonly string[]): Expression {
  const name = random.pick(names);
  const word = name.toLowerCase();
  const kind = random.next();
  if (kind < 0.3) return { "==": [{ get: "merchant" }, name] };
  if (kind < 0.45) return { "==": [{ get: "website" }, siteOf(name)] };
  if (kind < 0.65) return { is_substring: [word, { to_lower: { get: "description" } }] };
  if (kind < 0.72) return { is_substring: [name.toUpperCase(), { get: "description" }] };
  if (kind < 0.8) return { starts_with: [{ get: "description" }, name.toUpperCase()] };
  if (kind < 0.86) return { has_label: random.pick(labels) };
  if (kind < 0.9) return { has_mcc: random.integer(1_000, 9_000) };
  if (kind < 0.95) return { ends_with: [{ get: "account_holder_name" }, ` ${name}`] };
  return { ">": [{ get: "amount" }, random.integer(6_001, 50_000)] };
}

function subject(
  random: Random,
  names: readonly string[],
  labels: readonly string[],
  line: ReturnType<ReturnType<typeof createLines>>,
): RuleSubject {
  const name = random.chance(0.8) ? (names[random.integer(0, LIVE_NAMES - 1)] ?? "") : "";
  return {
    description: line.description,
    amount: line.amount,
    entryType: line.entry_type,
    accountHolderType: random.pick(["consumer", "business"]),
    accountHolderId: `holder-${String(random.integer(1, 500))}`,
    accountHolderName: "Maria Garcia",
    country: "US",
    logo: "",
    website: name === "" ? "" : siteOf(name),
    merchant: name,
    merchantId: "",
    location: "",
    person: "",
    transactionType: "consumer",
    labels: random.chance(0.9) ? [random.pick(labels)] : [],
    mccs: name === "" ? [] : [random.integer(1_000, 9_000)],
  };
}
