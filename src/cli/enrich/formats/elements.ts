// A tree of elements that keeps only what is asked for, so that a file of many entries never stands in memory as objects.
import { fail } from "./statement.ts";

export interface Element {
  readonly name: string;
  /** Line of the file on which it begins, from 1. */
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  readonly children: Element[];
}

export interface ElementTree {
  open(name: string, line: number, attributes?: Readonly<Record<string, string>>): void;
  text(text: string): void;
  /** Closes the innermost element. */
  close(): void;
  /** The innermost open element; null outside the root. */
  top(): Element | null;
  /** Names of the open elements, outermost first. */
  path(): readonly string[];
}

interface TreeOptions {
  /** Of the file, for messages. */
  readonly name: string;
  /** Names of elements that keep everything inside them until they close. */
  readonly kept: ReadonlySet<string>;
  /** Every element that closes outside of a kept one, without its children unless it is one. `path`: of its parents. */
  onElement(element: Element, path: readonly string[]): void;
}

/** CAMT.053 nests 15 deep. */
const DEPTH_MAX = 64;
/** Inside one kept element: a batch booking of 10 000 transactions has about 300 000. */
const ELEMENTS_KEPT_MAX = 500_000;
/** Characters of one element. */
const TEXT_LENGTH_MAX = 100_000;

export function createElementTree({ name: file, kept, onElement }: TreeOptions): ElementTree {
  const stack: Element[] = [];
  const path: string[] = [];
  let keptDepth: number | null = null;
  let keptCount = 0;
  return {
    open: (name, line, attributes = {}) => {
      if (stack.length >= DEPTH_MAX)
        fail(
          file,
          line,
          `<${name}> is nested more than ${String(DEPTH_MAX)} deep; the file is damaged.`,
        );
      if (keptDepth === null && kept.has(name)) {
        keptDepth = stack.length;
        keptCount = 0;
      }
      keptCount += 1;
      if (keptDepth !== null && keptCount > ELEMENTS_KEPT_MAX)
        fail(
          file,
          line,
          `<${stack[keptDepth]?.name ?? name}> has more than ${String(ELEMENTS_KEPT_MAX)} elements.`,
        );
      stack.push({ name, line, attributes, text: "", children: [] });
      path.push(name);
    },
    text: (text) => {
      const top = stack.at(-1);
      if (top === undefined) return;
      if (top.text.length + text.length > TEXT_LENGTH_MAX)
        fail(
          file,
          top.line,
          `the text of <${top.name}> is longer than ${String(TEXT_LENGTH_MAX)} characters.`,
        );
      top.text += text;
    },
    close: () => {
      const closed = stack.pop();
      path.pop();
      if (closed === undefined) return;
      if (keptDepth !== null && stack.length > keptDepth) {
        stack.at(-1)?.children.push(closed);
        return;
      }
      keptDepth = null;
      onElement(closed, path);
    },
    top: () => stack.at(-1) ?? null,
    path: () => path,
  };
}

/** The first element at a path of names below this one. */
export function elementAt(element: Element | null, ...names: readonly string[]): Element | null {
  let found = element;
  for (const name of names) found = found?.children.find((child) => child.name === name) ?? null;
  return found;
}

/** Its text without white space around it; null without text. */
export function textAt(element: Element | null, ...names: readonly string[]): string | null {
  return elementAt(element, ...names)?.text.trim() || null;
}

export function childrenOf(element: Element | null, name: string): readonly Element[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}
