import type { Request } from "express";
import { type Answer, jsonTextAnswer } from "../server/answer.ts";

/** A path that is only read: documents, health, metrics. Not part of the API, and open without a key. */
export interface OpsPage {
  readonly path: string;
  /** What paths it is for, when it is more than `path` as it stands. */
  readonly pattern?: RegExp;
  answer(request: Request): Promise<Answer>;
}

/** A page of JSON that is always the same. */
export function documentPage(path: string, buildDocument: () => object): OpsPage {
  let document: string | null = null;
  return {
    path,
    answer: () => {
      // Written on the first request: it takes some milliseconds that a start need not wait for.
      document ??= JSON.stringify(buildDocument());
      return Promise.resolve(jsonTextAnswer(200, document));
    },
  };
}
