import { readFileSync } from "node:fs";
import type { Answer } from "../server/answer.ts";
import type { OpsPage } from "./page.ts";

// The webhook log: a page that shows deliveries to webhooks and their outcome. It calls the API with a key that the
// user enters. The page itself has no data, so it needs no key.

/** The page shows answers of endpoints, which are untrusted: it runs our script and loads nothing else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const FILES = [
  { path: "/webhooks/log", name: "log.html", contentType: "text/html; charset=utf-8" },
  { path: "/webhooks/log.css", name: "log.css", contentType: "text/css; charset=utf-8" },
  { path: "/webhooks/log.js", name: "log.js", contentType: "text/javascript; charset=utf-8" },
] as const;

/** Reads the files at once: they are small, and one that is missing is better found at the start than by a visitor. */
export function webhookLogPages(): readonly OpsPage[] {
  return FILES.map(({ path, name, contentType }) => {
    const answer: Answer = {
      kind: "text",
      status: 200,
      headers: {
        "Content-Type": contentType,
        "Content-Security-Policy": POLICY,
        // After an update, a script that a browser has kept would not fit the page.
        "Cache-Control": "no-cache",
      },
      body: readFileSync(new URL(`webhook-log/${name}`, import.meta.url)),
    };
    return { path, answer: () => Promise.resolve(answer) };
  });
}
