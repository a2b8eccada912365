// The most expensive ruleset known among those that are accepted. What a rule sets is searched for all constants at once,
// and each constant that is found has its rules woken; so texts that contain many constants are set again and again.
import type { Rule } from "../../src/model/rules.ts";

const TEXT = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** @param constants how many different parts of the text are looked for */
export function expensiveRules(setters: number, constants: number): readonly Rule[] {
  const searches = parts(constants).map((part) => ({ is_substring: [part, { get: "person" }] }));
  const setting = Array.from({ length: setters }, (_, index) => ({
    set: "person" as const,
    to: index % 2 === 0 ? TEXT : "",
  }));
  const never = { "==": [{ get: "country" as const }, "ZZ"] };
  const asking = { if: { "&&": [never, ...searches] }, then: [{ add_label: "never" }] };
  return [...setting, asking as unknown as Rule];
}

/** Parts of the text, short ones first. */
function parts(count: number): readonly string[] {
  const found: string[] = [];
  for (let length = 1; found.length < count; length += 1) {
    for (let start = 0; start + length <= TEXT.length && found.length < count; start += 1)
      found.push(TEXT.slice(start, start + length));
  }
  return found;
}
