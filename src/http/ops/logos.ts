import type { Request } from "express";
import { type Answer, errorAnswer } from "../server/answer.ts";
import type { OpsPage } from "./page.ts";

// Logos of entities, whose addresses are in the answers of the API: a browser asks for them without a key, from whatever
// page shows them, and keeps them.

export interface LogosPort {
  /** Of the pictures, as 40 hex digits. */
  readonly contentVersion: string;
  /** An SVG document; null when there is no picture and no tile can be made of the text. */
  draw(id: string, tileText: string | null): Promise<string | null>;
}

const PATTERN = /^\/logos\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.svg$/;

const HEADERS = {
  "Content-Type": "image/svg+xml; charset=utf-8",
  // An SVG opened on its own is a document: it may load and run nothing, and no page may frame it.
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "cross-origin",
  // A day: the URL has no version, and a newer knowledge base may have another picture.
  "Cache-Control": "public, max-age=86400",
} as const;

export function logoPages(logos: LogosPort): readonly OpsPage[] {
  const etag = `"${logos.contentVersion}"`;
  return [
    {
      path: "/logos/{id}.svg",
      pattern: PATTERN,
      answer: async (request): Promise<Answer> => {
        const [, id = ""] = PATTERN.exec(request.path) ?? [];
        const body = await logos.draw(id, queryOf(request).get("name"));
        if (body === null) return errorAnswer("logo_not_found", "Logo not found");
        const headers = { ...HEADERS, ETag: etag };
        const isKnown = matchesTag(request.get("If-None-Match") ?? "", etag);
        return isKnown
          ? { kind: "text", status: 304, headers, body: null }
          : { kind: "text", status: 200, headers, body };
      },
    },
  ];
}

function queryOf(request: Request): URLSearchParams {
  const start = request.originalUrl.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : request.originalUrl.slice(start));
}

/** Proxies that compress turn our tag into a weak one. */
function matchesTag(header: string, etag: string): boolean {
  return header.split(",").some((tag) => {
    const known = tag.trim().replace(/^W\//, "");
    return known === etag || known === "*";
  });
}
