import { z } from "zod";
import { checkRule, checkRules } from "../../rule-language/rule-check.ts";
import { RULESET_BYTES_MAX } from "../../model/rules.ts";
import { jsonAnswer } from "../server/answer.ts";
import { RULES_BODY } from "../server/body-bounds.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { placeOfRule, RULE_REFUSALS, type RulesPort, withCheckedRules } from "../v3/rules.ts";
import { plainRule, plainRules, sentRule, sentRules } from "../v3/rule-schemas.ts";

// The rules of the v3 API, without their ids: an answer can be sent back as it is.

interface RulesetServices {
  readonly rules: RulesPort;
}

const tag = "Rules";
const UNKNOWN = "There is no rule at this position";
const TOO_LARGE = `All rules together may have at most ${String(RULESET_BYTES_MAX)} bytes as compact JSON`;
const BUSY = "Too many concurrent changes of the rules: repeat the request";
const NONSENSE = "A rule has a value of the wrong type";
const CHANGE_ERRORS = {
  400: `${UNKNOWN}, or a value has the wrong type`,
  409: BUSY,
  413: TOO_LARGE,
};
const rulePath = z.object({ index: z.string().openapi({ type: "integer" }) });

export const rulesetRoutes: readonly Route<RulesetServices>[] = [
  defineRoute({
    method: "GET",
    path: "/v2/rules/",
    operationId: "list_ruleset",
    summary: "List the rules in the order in which they run",
    tag,
    request: { path: nothing, query: nothing, body: null },
    success: plainRules,
    errors: {},
    handle: async ({ rules }: RulesetServices, { principal }) =>
      jsonAnswer(200, await rules.list(principal.org)),
  }),
  defineRoute({
    method: "POST",
    path: "/v2/rules/",
    operationId: "replace_ruleset",
    summary: "Replace all rules",
    tag,
    request: { path: nothing, query: nothing, body: sentRules, bounds: RULES_BODY },
    success: plainRules,
    errors: { 400: NONSENSE, 409: BUSY, 413: TOO_LARGE },
    handle: ({ rules }: RulesetServices, { principal, requestId, body, resourceId }) =>
      withCheckedRules(checkRules(body), async (checked) => {
        const by = { keyId: principal.keyId, requestId };
        const change = await rules.replace(principal.org, checked, by, resourceId());
        return change.ok ? jsonAnswer(200, checked) : RULE_REFUSALS[change.reason];
      }),
  }),
  defineRoute({
    method: "POST",
    path: "/v2/rules/append",
    operationId: "append_to_ruleset",
    summary: "Append a rule",
    tag,
    request: { path: nothing, query: nothing, body: sentRule, bounds: RULES_BODY },
    success: plainRule,
    errors: { 400: NONSENSE, 409: BUSY, 413: TOO_LARGE },
    handle: ({ rules }: RulesetServices, { principal, requestId, body, resourceId }) =>
      withCheckedRules(checkRule(body), async (checked) => {
        const by = { keyId: principal.keyId, requestId };
        const change = await rules.append(principal.org, checked, by, resourceId());
        return change.ok ? jsonAnswer(200, checked) : RULE_REFUSALS[change.reason];
      }),
  }),
  defineRoute({
    method: "PATCH",
    path: "/v2/rules/{index}",
    operationId: "change_in_ruleset",
    summary: "Replace the rule at a position",
    tag,
    request: { path: rulePath, query: nothing, body: sentRule, bounds: RULES_BODY },
    success: plainRule,
    errors: CHANGE_ERRORS,
    handle: ({ rules }: RulesetServices, { principal, requestId, path, body }) =>
      withCheckedRules(checkRule(body), async (checked) => {
        const place = placeOfRule(path.index);
        if (place === null) return RULE_REFUSALS.unknown_id;
        const by = { keyId: principal.keyId, requestId };
        const change = await rules.change(principal.org, place, checked, by);
        return change.ok ? jsonAnswer(200, checked) : RULE_REFUSALS[change.reason];
      }),
  }),
  defineRoute({
    method: "DELETE",
    path: "/v2/rules/{index}",
    operationId: "delete_from_ruleset",
    summary: "Delete the rule at a position; later rules move up",
    tag,
    request: { path: rulePath, query: nothing, body: null },
    success: z.null(),
    errors: { 400: UNKNOWN, 409: BUSY },
    async handle({ rules }: RulesetServices, { principal, requestId, path }) {
      const place = placeOfRule(path.index);
      if (place === null) return RULE_REFUSALS.unknown_id;
      const by = { keyId: principal.keyId, requestId };
      const change = await rules.remove(principal.org, place, by);
      return change.ok ? jsonAnswer(200, null) : RULE_REFUSALS[change.reason];
    },
  }),
];
