// The programs that the README shows are those that are tested here.
//
// In the README each stands as a block of code right after a comment with its path:
//
//   <!-- test/kafka/producers/producer.py -->
//   ```python
//   …
//   ```
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");
const shown = new Map(
  [...readme.matchAll(/^<!-- (test\/kafka\/\S+) -->\n```\w+\n(.*?)^```$/gms)].map((found) => [
    found[1] ?? "",
    found[2] ?? "",
  ]),
);
/** Prepares what no README needs: records of any bytes. */
const NOT_SHOWN = "raw.py";
const programs = readdirSync(new URL("test/kafka/producers/", root))
  .filter((file) => file !== NOT_SHOWN)
  .map((file) => `test/kafka/producers/${file}`);

it("the README shows every producer, and nothing else as one", () => {
  expect(programs).toHaveLength(3);
  expect([...shown.keys()].toSorted()).toEqual(programs.toSorted());
});

it.each(programs)("the README shows %s as it is", (path) => {
  expect(shown.get(path)).toBe(readFileSync(new URL(path, root), "utf8"));
});
