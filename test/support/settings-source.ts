import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("../../src/config/", import.meta.url);

/** The text of every file that reads settings, so that a comparison covers all of them. */
export const settingsSource = readdirSync(FOLDER)
  .filter((name) => /^\w+(?<![.]test)\.ts$/.test(name))
  .map((name) => readFileSync(new URL(name, FOLDER), "utf8"))
  .join("");
