// Where an e-mail address stands in a line (`JOHN.DOE@EXAMPLE.CO.UK`), by its separators.
import type { Line, Span } from "../line.ts";
import type { Token } from "../text/tokenise.ts";

const LOCAL_JOINTS = "._-+";
const DOMAIN_JOINTS = ".-";

const joinedBy = (token: Token | undefined, separators: string): boolean =>
  token?.gap === 1 && token.before !== "" && separators.includes(token.before);

/**
 * The tokens of the last e-mail address within `span`, or null. An address has a dot behind its @; `SHOP@AIRPORT` and
 * payment handles (`NAME@OKBANK`) have none.
 */
export function lastEmail(line: Line, span: Span): Span | null {
  if (!line.text.includes("@")) return null;
  const { tokens } = line;
  for (let at = span.to - 1; at > span.from; at--) {
    if (!joinedBy(tokens[at], "@")) continue;
    let to = at + 1;
    let hasDot = false;
    while (to < span.to && joinedBy(tokens[to], DOMAIN_JOINTS)) {
      hasDot ||= tokens[to]?.before === ".";
      to++;
    }
    if (!hasDot) continue;
    let from = at - 1;
    while (from > span.from && joinedBy(tokens[from], LOCAL_JOINTS)) from--;
    return { from, to };
  }
  return null;
}
