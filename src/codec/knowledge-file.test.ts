import { expect, test } from "vitest";
import {
  CONTENT_VERSION_LENGTH,
  PAYLOAD_OFFSET,
  readKnowledgeHeader,
  validateKnowledge,
  writeKnowledgeHeader,
} from "./knowledge-file.ts";

const version = "a".repeat(CONTENT_VERSION_LENGTH);

const sample = (): Uint8Array => {
  const bytes = new Uint8Array(PAYLOAD_OFFSET + 16);
  bytes.set([1, 2, 3, 4, 5, 6, 7, 8], PAYLOAD_OFFSET);
  writeKnowledgeHeader(bytes, version, [{ name: "numbers", offset: PAYLOAD_OFFSET, length: 8 }]);
  return bytes;
};

test("a written header reads back the same", () => {
  const result = validateKnowledge(sample());
  expect(result).toMatchObject({
    ok: true,
    header: {
      contentVersion: version,
      fileBytes: PAYLOAD_OFFSET + 16,
      sections: [{ name: "numbers", offset: PAYLOAD_OFFSET, length: 8 }],
    },
  });
});

test("a damaged, a cut and a foreign file are refused", () => {
  const damaged = sample();
  damaged[PAYLOAD_OFFSET + 3] = 99;
  expect(validateKnowledge(damaged)).toMatchObject({ ok: false });
  expect(validateKnowledge(sample().subarray(0, PAYLOAD_OFFSET + 8))).toMatchObject({ ok: false });
  expect(readKnowledgeHeader(new Uint8Array(PAYLOAD_OFFSET))).toMatchObject({ ok: false });
  expect(readKnowledgeHeader(new Uint8Array(3))).toMatchObject({ ok: false });
});

test("another format version and a section outside the file are refused", () => {
  const other = sample();
  other[8] = 200;
  expect(readKnowledgeHeader(other)).toMatchObject({ ok: false });
  const outside = sample();
  outside[64 + 24 + 6] = 255;
  expect(readKnowledgeHeader(outside)).toMatchObject({ ok: false });
});
