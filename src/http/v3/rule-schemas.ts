import { z } from "zod";
import {
  EDITABLE_PROPERTIES,
  LIST_OPERATORS,
  MCC_MAX,
  RULE_DEPTH_MAX,
  RULE_LABELS_MAX,
  RULE_TEXT_LENGTH_MAX,
  RULESET_BYTES_MAX,
  SINGLE_OPERATORS,
  TRANSACTION_PROPERTIES,
} from "../../model/rules.ts";

// The language of rules, like `schemas.ts`. These schemas are for the document alone. `checkRules`
// (src/rule-language/rule-check.ts) validates rules: for recursive alternatives a schema cannot tell which one was meant and
// where it is wrong.

const property = z.enum(TRANSACTION_PROPERTIES).openapi("TxProp");
const editableProperty = z.enum(EDITABLE_PROPERTIES).openapi("EditableTxProp");

const expression: z.ZodType = z
  .lazy(() =>
    z.union([z.boolean(), z.string(), z.number().openapi({ format: "double" }), operation]),
  )
  .openapi("Expr", {
    description: "A constant, or an object with one operator. An empty text means null.",
  });
const operation: z.ZodType = z
  .lazy(() =>
    z.union([
      z.object({ get: property }),
      ...LIST_OPERATORS.map((operator) => z.object({ [operator]: z.array(expression) })),
      ...SINGLE_OPERATORS.map((operator) => z.object({ [operator]: expression })),
    ]),
  )
  .openapi("FnCall");

const actions = z.lazy(() => z.array(action)).optional();
const conditionShape = { if: expression, then: actions, else: actions };
const labels = z.array(expression).openapi({ maxItems: RULE_LABELS_MAX });
const labelShapes = [
  { add_label: expression },
  { remove_label: expression },
  { set_labels: labels },
  { add_mcc: expression },
  { remove_mcc: expression },
  { set_mcc: labels },
];
const setterShape = { set: editableProperty, to: expression };

const condition = z.object(conditionShape).openapi("If");
const modifyLabels = z.union(labelShapes.map((shape) => z.object(shape))).openapi("ModifyLabels", {
  description: `Labels are texts, merchant category codes whole numbers of 0 to ${String(MCC_MAX)}.`,
});
const setter = z.object(setterShape).openapi("Setter", {
  description: `\`to\` is a text of at most ${String(RULE_TEXT_LENGTH_MAX)} characters.`,
});
const action: z.ZodType = z
  .lazy(() => z.union([condition, modifyLabels, setter]))
  .openapi("Action", {
    description: `Rules and expressions are nested at most ${String(RULE_DEPTH_MAX)} levels deep.`,
  });
const filterModel = z.array(action).openapi("FilterModel", {
  description: `The rules in the order in which they run, at most ${String(RULESET_BYTES_MAX)} bytes as compact JSON.`,
});

/** Any value that is there: the handler looks at it. */
const sent = (name: string) =>
  z
    .unknown()
    .check((context) => {
      if (context.value !== undefined) return;
      const params = { type: "missing", msg: "Field required" };
      context.issues.push({ code: "custom", input: null, params });
    })
    .meta({ $ref: `#/components/schemas/${name}` });

export const rulePath = z.object({
  id: z.string().openapi({ description: "The position of the rule, from 0." }),
});
export const sentRule = sent("Action");
export const sentRules = sent("FilterModel");

const place = z.int().openapi({ description: "The position of the rule, from 0." });
export const rule = z
  .union(
    [conditionShape, ...labelShapes, setterShape].map((shape) => z.object({ id: place, ...shape })),
  )
  .openapi("ActionModelOutput", { description: "A rule with its `id` and its own fields." });
export const rules = z.array(rule);
export const nothingLeft = z.null();

/** The rules as the v2 API shows them. */
export const plainRule = action;
export const plainRules = filterModel;
/** What they are made of. */
export const plainRuleComponents: readonly z.ZodType[] = [
  property,
  editableProperty,
  expression,
  operation,
  condition,
  modifyLabels,
  setter,
  action,
  filterModel,
];

/** Innermost first, see the components of `schemas.ts`. */
export const ruleComponents: readonly z.ZodType[] = [...plainRuleComponents, rule];
