import type { Request } from "express";
import type { Answer } from "../answer.ts";

/** A path that is only read: documents, health, metrics. Not part of the API, and open without a key. */
export interface Page {
  readonly path: string;
  /** What paths it is for, when it is more than `path` as it stands. */
  readonly pattern?: RegExp;
  answer(request: Request): Promise<Answer>;
}
