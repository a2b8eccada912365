// Tables of words: text files next to the code that uses them, which people extend without reading the code.
import { readFileSync } from "node:fs";

/** Phrases by section, both in the order of the file. */
export type WordTable = ReadonlyMap<string, readonly string[]>;

/** @throws Error when the file is missing or malformed */
export function readWordTable(url: URL): WordTable {
  return parseWordTable(readFileSync(url, "utf8"));
}

/**
 * `[name]` begins a section; its phrases follow, separated by `|` or by a line break. Lines that begin with `# ` are
 * comments.
 *
 * @throws Error on a phrase before the first section and on a second section of the same name
 */
export function parseWordTable(text: string): WordTable {
  const sections = new Map<string, string[]>();
  let phrases: string[] | null = null;
  for (const [index, line] of text.split("\n").entries()) {
    const content = line.trim();
    if (content === "" || /^#(?:\s|$)/u.test(content)) continue;
    const name = /^\[(.+)\]$/u.exec(content)?.[1];
    const place = `Word table, line ${String(index + 1)}`;
    if (name !== undefined) {
      if (sections.has(name)) throw new Error(`${place}: section [${name}] exists already.`);
      phrases = [];
      sections.set(name, phrases);
    } else if (phrases === null) {
      throw new Error(`${place}: a phrase stands before the first section.`);
    } else {
      phrases.push(
        ...content
          .split("|")
          .map((phrase) => phrase.trim())
          .filter(Boolean),
      );
    }
  }
  return sections;
}

/** @throws Error when the table has no such section */
export function sectionOf(table: WordTable, name: string): readonly string[] {
  const phrases = table.get(name);
  if (phrases === undefined) throw new Error(`Word table: section [${name}] is missing.`);
  return phrases;
}

/** Phrase → name of its section; of several sections the last one. */
export function sectionByPhrase(table: WordTable): ReadonlyMap<string, string> {
  return new Map([...table].flatMap(([name, phrases]) => phrases.map((phrase) => [phrase, name])));
}
