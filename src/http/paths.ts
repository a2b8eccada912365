// From the path of a request to a path of the table. Not left to Express: clients put ids into paths unescaped, and any
// text can be an id. One with a slash or with a percent sign that escapes nothing must still be found.

export interface FoundPath {
  /** The path of the table, with its parameter in braces. */
  readonly pattern: string;
  /** The parameter's value, decoded. */
  readonly values: Readonly<Record<string, string>>;
}

interface Pattern {
  readonly pattern: string;
  readonly name: string;
  readonly prefix: string;
  readonly suffix: string;
}

/**
 * Finds paths among patterns of at most one parameter. An escaped id is one segment, and this documented form always
 * wins. Only where it fits nothing, slashes count as part of the id, and of the patterns that fit then the one with the
 * longest ending is meant: `/v3/transactions/a/b/assign` assigns `a/b`.
 */
export function createPathFinder(patterns: readonly string[]): (path: string) => FoundPath | null {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes("{")));
  const withParameter = patterns
    .filter((pattern) => !exact.has(pattern))
    .map(parsePattern)
    .sort((one, other) => other.suffix.length - one.suffix.length);

  return (path) => {
    if (exact.has(path)) return { pattern: path, values: {} };
    const fitting = withParameter.filter((pattern) => fits(pattern, path));
    const found = fitting.find((pattern) => !valueOf(pattern, path).includes("/")) ?? fitting[0];
    if (found === undefined) return null;
    const value = decodeLeniently(valueOf(found, path));
    return { pattern: found.pattern, values: { [found.name]: value } };
  };
}

/** The path a request line asks for, undecoded. The line may carry a whole URL, as it is sent to proxies. */
export function requestPath(url: string): string {
  const target = url.startsWith("/") ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "");
  const end = target.indexOf("?");
  return end < 0 ? target : target.slice(0, end);
}

function parsePattern(pattern: string): Pattern {
  const [prefix, name, suffix, ...more] = pattern.split(/[{}]/);
  if (prefix === undefined || name === undefined || suffix === undefined || more.length > 0) {
    throw new Error(`a path has at most one parameter: ${pattern}`);
  }
  return { pattern, name, prefix, suffix };
}

function fits({ prefix, suffix }: Pattern, path: string): boolean {
  return (
    path.length > prefix.length + suffix.length && path.startsWith(prefix) && path.endsWith(suffix)
  );
}

function valueOf({ prefix, suffix }: Pattern, path: string): string {
  return path.slice(prefix.length, path.length - suffix.length);
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
