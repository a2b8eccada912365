import { readFile } from "node:fs/promises";
import type { Answer } from "../server/answer.ts";
import { documentPage, type OpsPage } from "./page.ts";

// The documentation page: Swagger UI from the installed package, with a page and a start script of our own. The
// package's own page has a script inside it, which the content security policy forbids, and points to a demo elsewhere.

/** The only files of the package that are served. */
const ASSETS: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
};

// Addresses are relative, so that the page also works behind a proxy that adds a prefix.
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Ledgerline API</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

// `validatorUrl` would otherwise send the address of this installation to a public service.
const START = `SwaggerUIBundle({
  urls: [
    { url: "openapi/v3.json", name: "v3" },
    { url: "openapi/v2.json", name: "v2" },
  ],
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
});
`;

/** The OpenAPI documents, by version, and the page that shows them. */
export function docsPages(
  documents: Readonly<Record<"v2" | "v3", () => object>>,
): readonly OpsPage[] {
  return [
    documentPage("/openapi/v3.json", documents.v3),
    documentPage("/openapi/v2.json", documents.v2),
    // A person who opens the address that the start prints.
    { path: "/", answer: () => Promise.resolve(redirect("docs")) },
    { path: "/docs/", answer: () => Promise.resolve(redirect("../docs")) },
    {
      path: "/docs",
      answer: () => Promise.resolve(file("text/html; charset=utf-8", PAGE)),
    },
    {
      path: "/docs/start.js",
      answer: () => Promise.resolve(file("text/javascript; charset=utf-8", START)),
    },
    ...Object.entries(ASSETS).map(([name, contentType]) => assetPage(name, contentType)),
  ];
}

function assetPage(name: string, contentType: string): OpsPage {
  const url = new URL(name, import.meta.resolve("swagger-ui-dist/package.json"));
  let content: Promise<Buffer> | null = null;
  return {
    path: `/docs/${name}`,
    answer: async () => {
      // Kept: the script is 1.7 MB, and slow readers would otherwise hold a copy each.
      content ??= readFile(url);
      try {
        return file(contentType, await content);
      } catch (error) {
        content = null;
        throw error;
      }
    },
  };
}

/** Relative, like all addresses of the page. */
function redirect(location: string): Answer {
  return { kind: "text", status: 302, headers: { Location: location }, body: "" };
}

function file(contentType: string, body: string | Buffer): Answer {
  return { kind: "text", status: 200, headers: { "Content-Type": contentType }, body };
}
