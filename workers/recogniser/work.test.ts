// The work on a line grows no faster than its length. Counted in tokens and table probes instead of seconds, so that
// a busy machine cannot fail it.
import { expect, test } from "vitest";
import { sampleKnowledge } from "../../test/support/knowledge-sample.ts";
import { paidLine } from "../../test/support/recogniser-input.ts";
import type { KeyTable } from "../knowledge/key-table.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import { createRecogniser } from "./recogniser.ts";

const knowledge = await sampleKnowledge();

/** The same table, counting every question. */
function counting(table: KeyTable, count: () => void): KeyTable {
  return {
    ...table,
    find: (key) => (count(), table.find(key)),
    findJoined: (hash, parts, from, to) => (count(), table.findJoined(hash, parts, from, to)),
    prefixRange: (prefix) => (count(), table.prefixRange(prefix)),
  };
}

function questionsFor(description: string): number {
  let queries = 0;
  const count = (): void => {
    queries++;
  };
  const counted: Knowledge = {
    ...knowledge,
    aliases: { ...knowledge.aliases, keys: counting(knowledge.aliases.keys, count) },
    places: { ...knowledge.places, keys: counting(knowledge.places.keys, count) },
    words: counting(knowledge.words, count),
  };
  createRecogniser(counted)(paidLine(description));
  return queries;
}

const shapes = [
  "TESCO ",
  "a.",
  "a-b.",
  "01/23 ",
  "SQ *",
  "DES:",
  "TRANSFER TO ",
  "X",
  "é ",
  "#1 ",
  "CARD 12 ",
  "WWW.A.CO.U ",
];

test.each(shapes)(
  "a line full of %j asks at most twice as much when it is twice as long",
  (shape) => {
    const half = questionsFor(shape.repeat(Math.floor(512 / shape.length)));
    const whole = questionsFor(shape.repeat(Math.floor(1024 / shape.length)));
    expect(whole).toBeLessThanOrEqual(half * 2 + 16);
    expect(whole).toBeLessThanOrEqual(1500);
  },
);
