// No verdict of a statement with errors in its words is wrong: what is called reconciled has the true numbers between the ends that it
// names as unproven. Errors are drawn from seeds; bench/statement-verdicts.ts draws more.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { trueAccountsOf } from "../../bench/statement-truth.ts";
import { createRandom } from "../../test/support/random.ts";
import { asRecognised, MUTATIONS } from "../../test/support/statement-mutations.ts";
import { wrongVerdicts } from "../../test/support/statement-verdicts.ts";
import type { ReadPage } from "../../workers/protocol.ts";
import { readPdf } from "../../workers/statements/read-pdf.ts";
import { understandStatement } from "../../workers/statements/understand.ts";
import type { PageWord } from "../../workers/statements/words.ts";
import { findLanguageFiles, readLanguageFile } from "./recognition-languages.ts";
import { openStatementThreads } from "./statement-threads.ts";

const FOLDER = fileURLToPath(new URL("../../test/support/statement-samples/", import.meta.url));
const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(`${FOLDER}${name}`));
const truthOf = (name: string) =>
  trueAccountsOf(
    JSON.parse(readFileSync(`${FOLDER}${name.replace(/\.\w+$/u, ".truth.json")}`, "utf8")),
  ) ?? [];
const SEEDS_EACH = 2;

/** Each kind of error with some seeds; what is wrong, with the change that made it so. */
function wrongOf(name: string, words: readonly PageWord[]): string[] {
  const truth = truthOf(name);
  return Object.entries(MUTATIONS).flatMap(([kind, mutate], at) =>
    Array.from({ length: SEEDS_EACH }, (_, seed) => {
      const mutated = mutate(words, createRandom(at * 1_000 + seed));
      if (mutated === null) return [];
      const { accounts } = understandStatement(mutated.words);
      return wrongVerdicts(truth, accounts).map((wrong) => `${kind}, ${mutated.change}: ${wrong}`);
    }).flat(),
  );
}

describe.each(["text-0016.pdf", "text-0110.pdf", "text-0196.pdf", "watermark-0242.pdf"])(
  "%s with errors",
  (name) => {
    it.each([
      ["as recognised words", true],
      ["as a text layer", false],
    ])("has no wrong verdict %s", { timeout: 120_000 }, async (_, isRecognised) => {
      const read = await readPdf(bytesOf(name), "");
      if ("fault" in read) throw new Error(read.fault);
      expect(wrongOf(name, isRecognised ? asRecognised(read.words, 1) : read.words)).toEqual([]);
    });
  },
);

describe("recognised pictures with errors", () => {
  const languages = findLanguageFiles({ languages: ["eng"], folder: null }).map(readLanguageFile);
  const threads = openStatementThreads(1, { languages, niceness: 0 });

  it.each(["jpeg-1120.jpg", "photo-0908.jpg"])(
    "%s has no wrong verdict",
    { timeout: 120_000 },
    async (name) => {
      const page = await threads.recognise({
        ...{ document: 1, bytes: bytesOf(name), password: "", submittedAt: 0, page: 1 },
        ...{ mode: "sparse", before: null, scope: "all" },
      });
      if ("fault" in page) throw new Error(page.fault);
      const { words }: ReadPage = page;
      expect(words.length).toBeGreaterThan(50);
      expect(wrongOf(name, words)).toEqual([]);
    },
  );
});
