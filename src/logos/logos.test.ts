import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { joinSections } from "../../workers/knowledge/builder/pack.ts";
import { LOGO_SECTIONS } from "../model/logo.ts";
import { drawPicture, drawTile } from "./drawing.ts";
import { type Logos, openLogos } from "./logos.ts";

const VERSION = "a".repeat(40);
const ids = [
  "00000000-0000-3000-8000-000000000001",
  "00000000-0000-3000-8000-000000000002",
  "ffffffff-ffff-3fff-bfff-ffffffffffff",
] as const;
const pictures = ["FF0000M0 0h24v24z", "00539FM1 1z"];

function sample(): Uint8Array {
  const starts = [0, pictures[0]?.length ?? 0, pictures.join("").length];
  return joinSections(
    [
      [LOGO_SECTIONS.ids, new Uint8Array(Buffer.from(ids.join("").replaceAll("-", ""), "hex"))],
      [LOGO_SECTIONS.numbers, Uint32Array.of(0, 1, 0)],
      [LOGO_SECTIONS.starts, Uint32Array.from(starts)],
      [LOGO_SECTIONS.pictures, new Uint8Array(Buffer.from(pictures.join(""), "ascii"))],
    ],
    VERSION,
  );
}

async function opened(bytes: Uint8Array): Promise<Logos> {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-logos-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, "logos.bin");
  writeFileSync(file, bytes);
  const logos = await openLogos(pathToFileURL(file));
  onTestFinished(logos.close);
  return logos;
}

test("an entity with a picture gets it in its colour, whatever the tile would say", async () => {
  const logos = await opened(sample());
  expect(logos.contentVersion).toBe(`${VERSION}-1`);
  expect(await logos.draw(ids[0], null)).toContain('<path fill="#FF0000" d="M0 0h24v24z"/>');
  expect(await logos.draw(ids[1], "B")).toContain('<path fill="#00539F" d="M1 1z"/>');
  expect(await logos.draw(ids[2], "B")).toBe(await logos.draw(ids[0], null));
});

test("any other id gets a tile with its letter, or nothing without one", async () => {
  const logos = await opened(sample());
  const other = "00000000-0000-3000-8000-000000000003";
  expect(await logos.draw(other, "B")).toContain(">B</text>");
  expect(await logos.draw(other, null)).toBeNull();
  expect(await logos.draw("no id", null)).toBeNull();
});

test("what comes from an address is in a drawing only when it is a letter or two", () => {
  for (const text of ["<script>", "<", "&", '"', "ABC", ""])
    expect(drawTile(ids[0], text)).toBeNull();
});

test("a tile's colour is a function of the id alone", () => {
  const colourOf = (id: string, text: string): string | undefined =>
    /rect[^>]*fill="(#[0-9A-F]{6})"/.exec(drawTile(id, text) ?? "")?.[1];
  expect(colourOf(ids[0], "A")).toBe(colourOf(ids[0], "B"));
  expect(colourOf(ids[0], "A")).not.toBe(colourOf("00000001-0000-3000-8000-000000000001", "A"));
});

test("a picture that is nearly white has a dark ground, others have none", () => {
  expect(drawPicture("FFFFFF", "M0 0z")).toContain("<rect");
  expect(drawPicture("000000", "M0 0z")).not.toContain("<rect");
});

test("a file that is missing, damaged or another one stops the start with what to do", async () => {
  const damaged = sample();
  damaged[damaged.length - 8] = 0xff;
  const knowledge = joinSections([["lexicon", Uint8Array.of(1, 2)]], VERSION);
  for (const bytes of [damaged, sample().subarray(0, -8), knowledge]) {
    await expect(opened(bytes)).rejects.toMatchObject({
      code: "bad_knowledge",
      message: expect.stringContaining("npm run knowledge") as string,
    });
  }
  const missing = openLogos(new URL("file:///nowhere/logos.bin"));
  await expect(missing).rejects.toMatchObject({ code: "bad_knowledge" });
});
