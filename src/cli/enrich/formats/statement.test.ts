import { expect, test } from "vitest";
import { parseText } from "../../../../test/support/parse-file.ts";

const LONG = "x".repeat(10_000);

test.each([
  ["an MT940 file", `:20:A\r\n:25:1/2\r\n:60F:C240516EUR1000,00\r\n:86:${LONG}\r\n`, 4],
  ["a QIF file", `!Type:Bank\nP${LONG}\n`, 2],
])("a line of %s beyond the limit is an error with its number", async (what, text, line) => {
  await expect(parseText(text, { map: "currency=EUR" })).rejects.toThrow(
    `line ${String(line)}: longer than 10000 characters: this is not ${what}.`,
  );
});
