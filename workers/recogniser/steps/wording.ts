// Step: what the bank's own words say the line is: payroll, a fee, a transfer. The first row of the tables wins.
import type { Line } from "../line.ts";
import { type Token, withText } from "../text/tokenise.ts";
import { lookUp } from "../text/word-map.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import { firstPattern, matchPatterns, type PatternMatch } from "../../knowledge/patterns.ts";

export const matchWording = (
  line: Line,
  direction: 0 | 1,
  knowledge: Knowledge,
): PatternMatch | null => firstPattern(knowledge.wordings, line.tokens, direction);

/** The same tokens with abbreviations spelled out: `SVC` → `service`. */
function expanded(tokens: readonly Token[], knowledge: Knowledge): readonly Token[] {
  const { abbreviations } = knowledge;
  if (!tokens.some((token) => lookUp(abbreviations, token) !== undefined)) return tokens;
  return tokens.map((token) => {
    const whole = lookUp(abbreviations, token);
    return whole === undefined ? token : withText(token, whole);
  });
}

/**
 * Words in a name that tell the trade: the longest phrase, and of equals the last, since English puts the noun there.
 * @param only the trades that count, by number of their category; all without it
 */
export function matchNameWords(
  line: Line,
  from: number,
  to: number,
  knowledge: Knowledge,
  only?: (category: number) => boolean,
): PatternMatch | null {
  const tokens = expanded(line.tokens, knowledge);
  let best: PatternMatch | null = null;
  for (const match of matchPatterns(knowledge.nameWords, tokens, from, to, 2)) {
    if (only?.(match.row.category) === false) continue;
    const longer = best === null ? 1 : match.to - match.from - (best.to - best.from);
    if (best === null || longer > 0 || (longer === 0 && match.from > best.from)) best = match;
  }
  return best;
}
