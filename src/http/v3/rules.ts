import type { Actor } from "../../model/audit.ts";
import { checkRule, checkRules, type RuleCheck } from "../../rule-language/rule-check.ts";
import {
  type Rule,
  RULESET_BYTES_MAX,
  type RuleRefusal,
  type RuleChange,
} from "../../model/rules.ts";
import { type Answer, errorAnswer, jsonAnswer, retryAfter } from "../server/answer.ts";
import { RULES_BODY } from "../server/body-bounds.ts";
import type { ClientExceptions } from "../server/client-exceptions.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { unprocessable } from "../server/validation.ts";
import { nothingLeft, rule, rulePath, rules, sentRule, sentRules } from "./rule-schemas.ts";

export interface RulesPort {
  list(org: string): Promise<readonly Rule[]>;
  /** A repetition with the same `changeId` appends nothing, and returns the same result. */
  append(org: string, rule: Rule, by: Actor, changeId: string): Promise<RuleChange>;
  /** Repeating it with the same `changeId` replaces nothing. */
  replace(org: string, rules: readonly Rule[], by: Actor, changeId: string): Promise<RuleChange>;
  change(org: string, id: number, rule: Rule, by: Actor): Promise<RuleChange>;
  remove(org: string, id: number, by: Actor): Promise<RuleChange>;
}

interface RuleServices {
  readonly rules: RulesPort;
}

const tag = "Rules";
const UNKNOWN = "There is no rule with this id";
const TOO_LARGE = `All rules together may have at most ${String(RULESET_BYTES_MAX)} bytes as compact JSON`;
const BUSY = "Too many concurrent changes of the rules: repeat the request";
const NONSENSE = "A rule has a value of the wrong type";

/** Why rules were not changed. */
export const RULE_REFUSALS: Readonly<Record<RuleRefusal, Answer>> = {
  too_large: errorAnswer("ruleset_too_large", TOO_LARGE),
  unknown_id: errorAnswer("unknown_rule", UNKNOWN),
  busy: errorAnswer("concurrent_change", BUSY, retryAfter(1)),
};

export const ruleRoutes: readonly Route<RuleServices>[] = [
  defineRoute({
    method: "POST",
    path: "/v3/rules",
    operationId: "append_rule",
    summary: "Append a rule",
    tag,
    request: { path: nothing, query: nothing, body: sentRule, bounds: RULES_BODY },
    success: rule,
    errors: { 400: NONSENSE, 409: BUSY, 413: TOO_LARGE },
    handle: ({ rules: port }: RuleServices, { principal, requestId, client, body, resourceId }) =>
      withCheckedRules(checkRule(body), async (checked) => {
        const { org } = principal;
        const by = { keyId: principal.keyId, requestId };
        return ruleAnswer(await port.append(org, checked, by, resourceId()), checked, client);
      }),
  }),
  defineRoute({
    method: "GET",
    path: "/v3/rules",
    operationId: "list_rules",
    summary: "List the rules in the order in which they run",
    tag,
    request: { path: nothing, query: nothing, body: null },
    success: rules,
    errors: {},
    handle: async ({ rules: port }: RuleServices, { principal, client }) =>
      listAnswer(await port.list(principal.org), client),
  }),
  defineRoute({
    method: "POST",
    path: "/v3/rules/replace",
    operationId: "replace_rules",
    summary: "Replace all rules",
    tag,
    request: { path: nothing, query: nothing, body: sentRules, bounds: RULES_BODY },
    success: rules,
    errors: { 400: NONSENSE, 409: BUSY, 413: TOO_LARGE },
    handle: ({ rules: port }: RuleServices, { principal, requestId, client, body, resourceId }) =>
      withCheckedRules(checkRules(body), async (checked) => {
        const { org } = principal;
        const by = { keyId: principal.keyId, requestId };
        const change = await port.replace(org, checked, by, resourceId());
        return change.ok ? listAnswer(checked, client) : RULE_REFUSALS[change.reason];
      }),
  }),
  defineRoute({
    method: "PATCH",
    path: "/v3/rules/{id}",
    operationId: "change_rule",
    summary: "Replace a rule",
    tag,
    request: { path: rulePath, query: nothing, body: sentRule, bounds: RULES_BODY },
    success: rule,
    errors: { 400: `${UNKNOWN}, or it has a value of the wrong type`, 409: BUSY, 413: TOO_LARGE },
    handle: ({ rules: port }: RuleServices, { principal, requestId, client, path, body }) =>
      withCheckedRules(checkRule(body), async (checked) => {
        const id = placeOfRule(path.id);
        if (id === null) return RULE_REFUSALS.unknown_id;
        const by = { keyId: principal.keyId, requestId };
        return ruleAnswer(await port.change(principal.org, id, checked, by), checked, client);
      }),
  }),
  defineRoute({
    method: "DELETE",
    path: "/v3/rules/{id}",
    operationId: "delete_rule",
    summary: "Delete a rule; the ids of later rules decrease by one",
    tag,
    request: { path: rulePath, query: nothing, body: null },
    success: nothingLeft,
    errors: { 400: UNKNOWN, 409: BUSY },
    async handle({ rules: port }: RuleServices, { principal, requestId, path }) {
      const id = placeOfRule(path.id);
      if (id === null) return RULE_REFUSALS.unknown_id;
      const change = await port.remove(principal.org, id, { keyId: principal.keyId, requestId });
      return change.ok ? jsonAnswer(200, null) : RULE_REFUSALS[change.reason];
    },
  }),
];

/** Runs the work with valid rules; answers 422 for an invalid structure, and 400 for a value of the wrong type. */
export function withCheckedRules<Value>(
  check: RuleCheck<Value>,
  work: (value: Value) => Promise<Answer>,
): Promise<Answer> {
  if (check.ok) return work(check.value);
  return Promise.resolve(
    check.kind === "type"
      ? errorAnswer("invalid_rule", check.message)
      : unprocessable(
          check.problems.map(({ path, msg, type }) => ({ loc: ["body", ...path], msg, type })),
        ),
  );
}

/** A list of fifty kilobytes has no position with more digits. */
const PLACE = /^(?:0|[1-9]\d{0,8})$/;

/** The position that a text names; null: none. */
export const placeOfRule = (text: string): number | null =>
  PLACE.test(text) ? Number(text) : null;

const ruleAnswer = (change: RuleChange, changed: Rule, client: ClientExceptions): Answer =>
  change.ok
    ? jsonAnswer(200, { id: ruleId(change.id, client), ...changed })
    : RULE_REFUSALS[change.reason];

const listAnswer = (all: readonly Rule[], client: ClientExceptions): Answer =>
  jsonAnswer(
    200,
    all.map((one, place) => ({ id: ruleId(place, client), ...one })),
  );

const ruleId = (place: number, { ruleIdsAsText }: ClientExceptions): number | string =>
  ruleIdsAsText ? String(place) : place;
