// From the path of a request to a path of the table. Not left to Express: clients put ids into paths unescaped, and any
// text can be an id. One with a slash or with a percent sign that escapes nothing must still be found.

export interface FoundPath {
  /** The path of the table, with its parameters in braces. */
  readonly pattern: string;
  /** The parameters' values, decoded. */
  readonly values: Readonly<Record<string, string>>;
}

interface Pattern {
  readonly pattern: string;
  readonly names: readonly string[];
  /** Fits where every value is one segment. */
  readonly segments: RegExp;
  /** Fits where the value has slashes; null with several parameters, where the split is ambiguous. */
  readonly slashes: RegExp | null;
  readonly endingLength: number;
}

/**
 * Finds paths among patterns. An escaped id is one segment, and this documented form always wins. Only where it fits
 * nothing, slashes count as part of the id, and of the patterns that fit then the one with the longest ending is meant:
 * `/v3/transactions/a/b/assign` assigns `a/b`.
 */
export function createPathFinder(patterns: readonly string[]): (path: string) => FoundPath | null {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes("{")));
  const withParameters = patterns
    .filter((pattern) => !exact.has(pattern))
    .map(parsePattern)
    .sort((one, other) => other.endingLength - one.endingLength);

  return (path) => {
    if (exact.has(path)) return { pattern: path, values: {} };
    return (
      findFirst(withParameters, path, ({ segments }) => segments) ??
      findFirst(withParameters, path, ({ slashes }) => slashes)
    );
  };
}

function findFirst(
  patterns: readonly Pattern[],
  path: string,
  formOf: (pattern: Pattern) => RegExp | null,
): FoundPath | null {
  for (const pattern of patterns) {
    const found = formOf(pattern)?.exec(path);
    if (found === null || found === undefined) continue;
    const values = pattern.names.map((name, index) => [
      name,
      decodeLeniently(found[index + 1] ?? ""),
    ]);
    return {
      pattern: pattern.pattern,
      values: Object.fromEntries(values) as Record<string, string>,
    };
  }
  return null;
}

/** The path a request line asks for, undecoded. The line may carry a whole URL, as it is sent to proxies. */
export function requestPath(url: string): string {
  const target = url.startsWith("/") ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "");
  const end = target.indexOf("?");
  return end < 0 ? target : target.slice(0, end);
}

const PATTERN = /^(?:\/(?:[a-z0-9_-]+|\{[a-z_]+\}))+\/?$/;
const PARAMETER = /\{([a-z_]+)\}/g;

function parsePattern(pattern: string): Pattern {
  // So that nothing in it means anything in a regular expression.
  if (!PATTERN.test(pattern)) throw new Error(`not a path of words and parameters: ${pattern}`);
  const names = [...pattern.matchAll(PARAMETER)].map(([, name = ""]) => name);
  return {
    pattern,
    names,
    segments: new RegExp(`^${pattern.replace(PARAMETER, "([^/]+)")}$`),
    slashes: names.length > 1 ? null : new RegExp(`^${pattern.replace(PARAMETER, "(.+)")}$`, "s"),
    endingLength: pattern.length - pattern.lastIndexOf("}") - 1,
  };
}

/** Decodes what is an escape of UTF-8 text and takes everything else literally. */
function decodeLeniently(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}
