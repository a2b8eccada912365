// Uploads of bank statements over HTTP, to a stage that keeps what it was given.
import type { HttpDeps } from "../../src/http/http.ts";
import type { StatementUpload } from "../../src/model/statement-document.ts";
import { startServer } from "./http-server.ts";
import { fakeStatements, statementDocument } from "./http-statements.ts";

export const UPLOAD_PATH = "/v3/bank_statements";

/** What a stage that reads everything was given. */
type KeptUpload = Omit<StatementUpload, "bytes"> & { readonly text: string };

/** A server whose stage keeps what it was given, and nothing of bytes that fail. */
export async function startKeepingUploads(overrides: Partial<HttpDeps> = {}) {
  const kept: KeptUpload[] = [];
  const failures: unknown[] = [];
  const statements: HttpDeps["statements"] = {
    ...fakeStatements,
    submit: async (_, { bytes, ...upload }) => {
      const chunks: Uint8Array[] = [];
      try {
        for await (const chunk of bytes) chunks.push(chunk);
      } catch (error) {
        failures.push(error);
        throw error;
      }
      kept.push({ ...upload, text: Buffer.concat(chunks).toString("latin1") });
      return { ok: true, document: statementDocument };
    },
  };
  const server = await startServer({ statements, ...overrides });
  return Object.assign(server, { kept, failures });
}

export interface UploadPart {
  readonly name: string;
  readonly filename?: string;
  readonly value: string;
}

export const pdfPart = { name: "file", filename: "january.pdf", value: "%PDF-1.4 one" };
export const UPLOAD_BOUNDARY = "--=_of-the-tests";

export const partText = ({ name, filename, value }: UploadPart): string =>
  `--${UPLOAD_BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"`}\r\n\r\n${value}\r\n`;

export const formText = (...parts: readonly UploadPart[]): string =>
  `${parts.map(partText).join("")}--${UPLOAD_BOUNDARY}--\r\n`;

export const UPLOAD_FORM = { "Content-Type": `multipart/form-data; boundary="${UPLOAD_BOUNDARY}"` };

export const sendUpload = (
  server: Awaited<ReturnType<typeof startKeepingUploads>>,
  body: string,
  headers: Readonly<Record<string, string>> = {},
) => server.call("POST", UPLOAD_PATH, { body, headers: { ...UPLOAD_FORM, ...headers } });
