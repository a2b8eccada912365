import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ELSEWHERE } from "../../../test/support/bank-exports/elsewhere.ts";
import { UNITED_STATES } from "../../../test/support/bank-exports/united-states.ts";
import { brief, runOn } from "../../../test/support/enrich-file.ts";

describe("every known export shape is read without --map", () => {
  test.each([...UNITED_STATES, ...ELSEWHERE])(
    "$bank",
    async ({ text, latin1, expected, joined, expectedNote }) => {
      const ran = await runOn(Buffer.from(text, latin1 === true ? "latin1" : "utf8"));
      expect(ran.lines.map(brief), ran.stderr).toEqual([...expected, ...(joined ?? [])]);
      expect(ran.code).toBe(0);
      if (expectedNote !== undefined) expect(ran.stderr).toContain(expectedNote);
    },
  );

  test.each([
    ["UTF-8 with a mark", (text: string) => Buffer.from(`\uFEFF${text}`)],
    ["UTF-16 with a mark", (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le")],
    ["Windows line ends", (text: string) => Buffer.from(text.replaceAll("\n", "\r\n"))],
    ["gzip", (text: string) => gzipSync(text)],
    ["bars", (text: string) => Buffer.from(text.replaceAll(",", "|"))],
    [
      "Excel's separator line",
      (text: string) => Buffer.from(`sep=;\n${text.replaceAll(",", ";")}`),
    ],
    ["empty lines at the end", (text: string) => Buffer.from(`${text}\n\n,,\n`)],
  ])("%s changes nothing", async (_name, encode) => {
    const ran = await runOn(
      encode("Date,Description,Amount\n2024-05-17,Café,-1.50\n2024-05-16,Bäcker,-2.00\n"),
    );
    expect(ran.lines.map(brief)).toEqual([
      "2024-05-17 | Café | -1.5 USD",
      "2024-05-16 | Bäcker | -2 USD",
    ]);
  });
});
