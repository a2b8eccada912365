import { readdirSync, readFileSync } from "node:fs";

/** A schema as it was released. */
export interface ReleasedSchema {
  /** A whole number from 1, which grows with every release that changes a schema. */
  readonly release: number;
  readonly name: string;
  readonly text: string;
}

/** All of schemas/released, the oldest release first. */
export function readReleases(): readonly ReleasedSchema[] {
  const folder = new URL("../../schemas/released/", import.meta.url);
  return readdirSync(folder)
    .map(Number)
    .toSorted((a, b) => a - b)
    .flatMap((release) => {
      const files = new URL(`${String(release)}/`, folder);
      return readdirSync(files).map((file) => ({
        release,
        name: file.replace(".avsc", ""),
        text: readFileSync(new URL(file, files), "utf8"),
      }));
    });
}
