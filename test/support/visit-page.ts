// For tests: a page with its script, without a browser.
import { compileFunction } from "node:vm";
import { expect, vi } from "vitest";

/** As much of an element as the script uses. */
export class FakeElement {
  readonly attributes = new Map<string, string>();
  readonly listeners = new Map<string, (event: object) => void>();
  readonly tag: string;
  children: FakeElement[] = [];
  hidden = false;
  className = "";
  value = "";
  tabIndex = -1;
  #text = "";

  constructor(tag: string, hidden = false) {
    this.tag = tag;
    this.hidden = hidden;
  }

  get textContent(): string {
    return this.#text + this.children.map((child) => child.textContent).join("\n");
  }
  set textContent(text: string) {
    this.#text = text;
    this.children = [];
  }
  append(...children: FakeElement[]): void {
    this.children.push(...children);
  }
  replaceChildren(...children: FakeElement[]): void {
    this.children = children;
  }
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }
  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }
  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }
  addEventListener(type: string, listener: (event: object) => void): void {
    this.listeners.set(type, listener);
  }
  querySelectorAll(tag: string): FakeElement[] {
    return this.children.flatMap((child) => [
      ...(child.tag === tag ? [child] : []),
      ...child.querySelectorAll(tag),
    ]);
  }
  querySelector(tag: string): FakeElement | null {
    return this.querySelectorAll(tag)[0] ?? null;
  }
  readonly focus = vi.fn();
  emit(type: string): void {
    this.listeners.get(type)?.({ preventDefault: () => undefined });
  }
}

/** A page that is open. */
export interface Visit {
  readonly requests: readonly { readonly path: string; readonly init: RequestInit }[];
  byId(id: string): FakeElement;
  /** Gives the page a key. */
  enter(key: string): void;
  press(id: string, index?: number): void;
  /** Resolves when the page shows the words. */
  shows(words: string | RegExp, id?: "status" | "problem"): Promise<void>;
}

/** Opens a page of the server at `url`, whose script runs on as much of a document as it uses. */
export function visitPage(page: string, script: string, url: string): Visit {
  const elements = new Map(
    [...page.matchAll(/<(\w+)([^>]*\sid="([^"]+)"[^>]*)>/g)].map(
      ([, tag = "", attributes = "", id = ""]) =>
        [id, new FakeElement(tag, /\shidden/.test(attributes))] as const,
    ),
  );
  const byId = (id: string): FakeElement => {
    const found = elements.get(id);
    if (found === undefined) throw new Error(`no element ${id}`);
    return found;
  };
  const requests: { path: string; init: RequestInit }[] = [];
  const globals = {
    document: {
      getElementById: byId,
      createElement: (tag: string) => new FakeElement(tag),
    },
    fetch: (path: string, init: RequestInit) => {
      requests.push({ path, init });
      return fetch(new URL(path, `${url}/webhooks/log`), init);
    },
    // The page waits only for work that the fakes have already done.
    setTimeout: (work: () => void) => setTimeout(work, 0),
  };
  const start = compileFunction(script, Object.keys(globals)) as (...values: unknown[]) => void;
  start(...Object.values(globals));
  return {
    requests,
    byId,
    enter: (key) => {
      byId("key").value = key;
      byId("key-form").emit("submit");
    },
    press: (id, index) => {
      const element = byId(id);
      (index === undefined ? element : element.querySelectorAll("button")[index])?.emit("click");
    },
    shows: (words, id = "status") =>
      vi.waitFor(() => {
        expect(byId(id).textContent).toMatch(words);
      }),
  };
}
