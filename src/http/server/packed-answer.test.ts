import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { jsonTextAnswer, ofHolder, type StreamAnswer, streamTexts } from "./answer.ts";
import { packAnswer, streamOfLongText, unpackedAnswer } from "./packed-answer.ts";
import { chunksOf } from "../../../test/support/http-server.ts";

const WORDS = { kind: "stream", status: 200, headers: {} } as const;
const streamOf = (chunks: readonly string[]): StreamAnswer => {
  return { ...WORDS, opening: '{"data":[', chunks: chunksOf(chunks), closing: "]}" };
};
const textOf = async (answer: StreamAnswer): Promise<string> => {
  let text = "";
  for await (const one of streamTexts(answer)) text += Buffer.from(one).toString();
  return text;
};
const partsOf = ({ parts }: Awaited<ReturnType<typeof packAnswer>>): readonly Uint8Array[] => {
  if (parts === null) throw new Error("The answer should have been kept");
  return parts;
};

/** Three bytes each in UTF-8, so that parts of a power of two end inside a character. */
const EUROS = "€".repeat(1024 * 1024);

it.each([
  ["without chunks", []],
  ["of one short chunk", ['"ö"']],
  ["of many parts that end inside a character", [`"${EUROS}"`, '"x"', `"${EUROS}"`]],
])("an answer %s is sent, and replayed, as it was written", async (_, chunks) => {
  const packed = await packAnswer(streamOf(chunks));
  const text = `{"data":[${chunks.join(",")}]}`;
  expect((await textOf(packed.answer)) === text).toBe(true);
  const parts = partsOf(packed);
  expect(parts).toHaveLength(Math.ceil(Buffer.byteLength(text) / (1024 * 1024)));
  const replayed = unpackedAnswer(200, parts, { "Idempotency-Replayed": "true" });
  expect((await textOf(replayed)) === text).toBe(true);
});

it("an answer that is longer than what is kept is sent whole, and is not kept", async () => {
  const chunks = Array.from({ length: 3 }, () => randomBytes(1024 * 1024).toString("base64"));
  const { parts, answer } = await packAnswer(streamOf(chunks), 1024 * 1024);
  expect(parts).toBeNull();
  expect((await textOf(answer)) === `{"data":[${chunks.join(",")}]}`).toBe(true);
});

it("an answer that is not kept ends what writes it when its reader leaves early", async () => {
  let isEnded = false;
  async function* written(): AsyncIterable<string> {
    try {
      for (;;) yield await Promise.resolve(randomBytes(1024 * 1024).toString("base64"));
    } finally {
      isEnded = true;
    }
  }
  const { answer } = await packAnswer({ ...streamOf([]), chunks: written() }, 1024 * 1024);
  for await (const text of streamTexts(answer)) if (text.length > 0) break;
  expect(isEnded).toBe(true);
});

it("an answer that fails while it is written has no bytes sent", async () => {
  async function* failing(): AsyncIterable<string> {
    yield await Promise.resolve("1");
    throw new Error("lost");
  }
  await expect(packAnswer({ ...streamOf([]), chunks: failing() })).rejects.toThrow("lost");
});

it("a text of more than a mebibyte is kept in parts, with its account holder", async () => {
  expect(streamOfLongText(jsonTextAnswer(200, "x".repeat(1024 * 1024)))).toBeNull();
  const text = `"${EUROS}"`;
  const stream = streamOfLongText(ofHolder(jsonTextAnswer(200, text), "h"));
  if (stream === null) throw new Error("It should be long");
  expect(stream).toMatchObject({ status: 200, accountHolderIds: ["h"] });
  expect((await textOf((await packAnswer(stream)).answer)) === text).toBe(true);
});
