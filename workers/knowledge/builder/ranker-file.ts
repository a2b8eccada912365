// The trained ranker, categoriser and precision of websites as they are committed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CategoriserModel } from "../../recogniser/category/categoriser.ts";
import type { WebsitePrecision } from "../../recogniser/website/precision.ts";
import { checkRankerModel, type RankerModel } from "../../recogniser/rank/ranker.ts";

const FOLDER = join(import.meta.dirname, "../models");

/** @throws Error when the file is of other evidence than the program's */
export const readRanker = (): RankerModel =>
  checkRankerModel(JSON.parse(readFileSync(join(FOLDER, "ranker.json"), "utf8")) as RankerModel);

export const readCategoriser = (): CategoriserModel =>
  JSON.parse(readFileSync(join(FOLDER, "categoriser.json"), "utf8")) as CategoriserModel;

export const readWebsitePrecision = (): WebsitePrecision =>
  JSON.parse(readFileSync(join(FOLDER, "websites.json"), "utf8")) as WebsitePrecision;
