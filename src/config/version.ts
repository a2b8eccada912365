import { readFileSync } from "node:fs";

const PACKAGE = new URL("../../package.json", import.meta.url);

/** The version of this program. */
export const programVersion = (): string =>
  (JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string }).version;
