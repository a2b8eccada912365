// The trade that the words of a name tell: `HILLSIDE ANIMAL HOSPITAL`.
import { type Line, type Span, withWord } from "../line.ts";
import { matchPatterns, type PatternMatch } from "../../knowledge/patterns.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import type { Reading } from "../read.ts";
import { type Token, withText } from "../text/tokenise.ts";
import { lookUp } from "../text/word-map.ts";

/** The same tokens with abbreviations spelled out: `SVC` → `service`. */
function expanded(tokens: readonly Token[], { abbreviations }: Knowledge): readonly Token[] {
  if (!tokens.some((token) => lookUp(abbreviations, token) !== undefined)) return tokens;
  return tokens.map((token) => {
    const whole = lookUp(abbreviations, token);
    return whole === undefined ? token : withText(token, whole);
  });
}

/** The longest phrase of a trade in the span, and of equals the last, since English puts the noun there. */
function longestTrade(line: Line, { from, to }: Span, knowledge: Knowledge): PatternMatch | null {
  const tokens = expanded(line.tokens, knowledge);
  let best: PatternMatch | null = null;
  for (const match of matchPatterns(knowledge.nameWords, tokens, from, to, 2)) {
    const longer = best === null ? 1 : match.to - match.from - (best.to - best.from);
    if (best === null || longer > 0 || (longer === 0 && match.from > best.from)) best = match;
  }
  return best;
}

/** Words that a field cut off between the name and the place. */
const BEHIND_MAX = 3;

/** The trade of a name that is in no table; null where the bank's wording names more. What is written takes precedence over what it was completed to. */
export function tradeOfName(reading: Reading, knowledge: Knowledge): PatternMatch | null {
  const { line, wording, party, placeFrom } = reading;
  if (wording !== null || party.kind === "merchant") return null;
  if (party.kind === "none")
    return longestTrade(line, { from: 0, to: line.tokens.length }, knowledge);
  const { span } = party;
  const written = longestTrade(line, span, knowledge);
  if (written !== null) return written;
  if (party.lastWord !== null) {
    const whole = longestTrade(withWord(line, span.to - 1, party.lastWord), span, knowledge);
    if (whole !== null) return whole;
  }
  const end = Math.min(placeFrom, span.to + BEHIND_MAX);
  return longestTrade(line, { from: span.to, to: Math.max(span.to, end) }, knowledge);
}
