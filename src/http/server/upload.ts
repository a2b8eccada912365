import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Busboy, type BusboyFileStream, type BusboyHeaders } from "@fastify/busboy";
import { errorAnswer, type TextAnswer, transient } from "./answer.ts";
import { type FieldError, unprocessable } from "./validation.ts";

// A file of a form (RFC 7578, `multipart/form-data`), streamed: no more of it is in memory than the buffers of one connection.
// Its bytes end without an error only when the whole form has arrived and is good, so that a reader which keeps nothing of
// bytes that fail keeps nothing of a form that was refused, cut off or too slow.

/** The field of the file. */
export const FILE_FIELD = "file";
/** Fields without the file: those that are known, and some of newer clients. */
const FIELDS_MAX = 10;
const FIELD_BYTES_MAX = 4_096;
/** Headers of a part: the names of its field and file. */
const PART_HEADER_BYTES_MAX = 8 * 1024;
const PART_HEADERS_MAX = 20;
/** What a form may have in addition to its file: fields, headers of parts, delimiters. */
const FORM_BYTES_MAX = 256 * 1024;
const FILE_NAME_LENGTH_MAX = 256;
/** Buffers of a form that is being read: of the socket, the parser and the file. */
export const FORM_HELD_BYTES = 256 * 1024;
const STREAM_BYTES = 64 * 1024;

export interface UploadLimits {
  /** Of the file. */
  readonly fileBytesMax: number;
  /** Fields that have a meaning; others are ignored. */
  readonly fields: ReadonlySet<string>;
}

/** A form up to the beginning of its file. */
export interface ReceivedForm {
  readonly ok: true;
  /** Known fields before the file. */
  readonly fields: Readonly<Record<string, string>>;
  /** Of the file, without a path; null: none was sent. */
  readonly name: string | null;
  /** The file, to be read once. Rejects when the form turns out to be refused; `refusal` has the answer then. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Why the form was refused after its file had begun; null: it was not. */
  refusal(): TextAnswer | null;
  /** Bytes of the file so far. */
  length(): number;
  /** Discards what is left of the request, while the answer is sent. */
  close(): void;
}

/** One whose bytes are digested while they are read. */
export interface DigestedForm extends ReceivedForm {
  /** SHA-256 in hex of fields, name and file; reads what is left of the file. Rejects like `bytes`. */
  digest(): Promise<string>;
}

export type FormReading = ReceivedForm | { readonly ok: false; readonly answer: TextAnswer };

/** Reads a form until its file begins, or until it is clear that it has none. */
export function readForm(
  request: IncomingMessage,
  response: ServerResponse,
  limits: UploadLimits,
): Promise<FormReading> {
  const refused = refusedBefore(request, limits);
  if (refused !== null) return Promise.resolve({ ok: false, answer: refused });
  const parser = createFormParser(request, limits);
  if (parser === null) return Promise.resolve({ ok: false, answer: NO_FILE });
  // Sent no earlier than here, so that a refusal by key, type or size spares the client the upload.
  if (request.headers.expect?.toLowerCase() === "100-continue") response.writeContinue();
  return beginForm(request, parser, limits);
}

/** A refusal by the headers alone. */
function refusedBefore(request: IncomingMessage, limits: UploadLimits): TextAnswer | null {
  const { headers } = request;
  const coding = headers["transfer-encoding"]?.toLowerCase();
  if (coding !== undefined && coding !== "chunked") return UNKNOWN_CODING;
  if ((headers["content-encoding"]?.trim().toLowerCase() ?? "identity") !== "identity")
    return COMPRESSED;
  const declared = Number(headers["content-length"] ?? 0);
  return declared > limits.fileBytesMax + FORM_BYTES_MAX ? tooLarge(limits) : null;
}

/** Null: the body is not a form. */
function createFormParser(request: IncomingMessage, { fileBytesMax }: UploadLimits) {
  const type = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\s*;/iu.test(type)) return null;
  const headers: BusboyHeaders = { ...request.headers, "content-type": type };
  try {
    return new Busboy({
      headers,
      highWaterMark: STREAM_BYTES,
      fileHwm: STREAM_BYTES,
      // By its name alone: clients send the file with and without a name and a type of its own.
      isPartAFile: (field) => field === FILE_FIELD,
      limits: {
        files: 1,
        fields: FIELDS_MAX,
        fieldSize: FIELD_BYTES_MAX,
        fileSize: fileBytesMax,
        headerPairs: PART_HEADERS_MAX,
        headerSize: PART_HEADER_BYTES_MAX,
      },
    });
  } catch {
    // No boundary, or one that cannot be.
    return null;
  }
}

type FormParser = NonNullable<ReturnType<typeof createFormParser>>;

/** What is known of a form while it is read. */
interface FormState {
  readonly fields: Record<string, string>;
  file: BusboyFileStream | null;
  refusal: TextAnswer | null;
  /** Bytes of the request. */
  received: number;
  /** Resolves when nothing more of the form will be looked at. */
  readonly ended: PromiseWithResolvers<undefined>;
}

function beginForm(
  request: IncomingMessage,
  parser: FormParser,
  limits: UploadLimits,
): Promise<FormReading> {
  const state: FormState = {
    fields: {},
    file: null,
    refusal: null,
    received: 0,
    ended: Promise.withResolvers(),
  };
  const begun = Promise.withResolvers<FormReading>();
  const close = (): void => {
    request.unpipe(parser);
    request.resume();
  };
  const refuse = (answer: TextAnswer): void => {
    state.refusal ??= answer;
    close();
    state.file?.destroy();
    state.ended.resolve(undefined);
    begun.resolve({ ok: false, answer: state.refusal });
  };

  request.on("data", (chunk: Buffer) => {
    state.received += chunk.length;
    if (state.received > limits.fileBytesMax + FORM_BYTES_MAX) refuse(tooLarge(limits));
  });
  // The client may have left while its key was looked up; then no event is left to wait for.
  const cutOff = (): void => {
    if (!request.complete) refuse(CUT_OFF);
  };
  request.on("close", cutOff).on("error", cutOff);

  parser.on("field", (name, value, _, isTruncated) => {
    if (!limits.fields.has(name)) return;
    if (state.file !== null) refuse(behindFile(name));
    else if (isTruncated) refuse(tooLong(name));
    else state.fields[name] = value;
  });
  parser.on("file", (_, file, name) => {
    state.file = file;
    file.on("limit", () => {
      refuse(tooLarge(limits));
    });
    file.on("error", () => {
      refuse(MALFORMED);
    });
    const bytes = fileBytes(state, file);
    begun.resolve(formOf(state, fileName(name), bytes, close));
  });
  parser.on("filesLimit", () => {
    refuse(SECOND_FILE);
  });
  parser.on("fieldsLimit", () => {
    refuse(TOO_MANY_FIELDS);
  });
  parser.on("error", () => {
    refuse(MALFORMED);
  });
  parser.on("finish", () => {
    if (state.file === null) refuse(NO_FILE);
    state.ended.resolve(undefined);
  });
  request.pipe(parser);
  if (request.destroyed) cutOff();
  return begun.promise;
}

/** Bytes of the file, with the end of the form behind them. */
async function* fileBytes(
  state: FormState,
  file: BusboyFileStream,
): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const chunk of file) yield chunk as Buffer;
  } catch (error) {
    if (state.refusal === null) throw error;
  }
  // Only behind the file is it known that no second one and nothing unreadable follows.
  if (state.refusal === null) await state.ended.promise;
  if (state.refusal !== null) throw new Error("The form was refused.");
}

function formOf(
  state: FormState,
  name: string | null,
  source: AsyncGenerator<Uint8Array, void>,
  close: () => void,
): ReceivedForm {
  let length = 0;
  async function* counted(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of source) {
      length += chunk.length;
      yield chunk;
    }
  }
  return {
    ok: true,
    fields: state.fields,
    name,
    bytes: counted(),
    refusal: () => state.refusal,
    length: () => length,
    close,
  };
}

/** To be asked for before any of its bytes are read. A digest takes some 6 ms of the event loop for each MB. */
export function digestForm(form: ReceivedForm): DigestedForm {
  const { fields, name } = form;
  const hash = createHash("sha256").update(JSON.stringify([Object.entries(fields), name]));
  async function* hashed(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of form.bytes) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const bytes = hashed();
  let digest: Promise<string> | null = null;
  const finishDigest = async (): Promise<string> => {
    // Nothing is left to read where a stage has read it.
    let isRead = false;
    while (!isRead) isRead = (await bytes.next()).done === true;
    if (form.refusal() !== null) throw new Error("The form was refused.");
    return hash.digest("hex");
  };
  return { ...form, bytes, digest: () => (digest ??= finishDigest()) };
}

/** A name to show: never a path, without what is not text. */
function fileName(sent: string | undefined): string | null {
  const own = (sent ?? "").split(/[/\\]/u).at(-1) ?? "";
  const shown = own
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "")
    .trim();
  const short = Array.from(shown).slice(0, FILE_NAME_LENGTH_MAX).join("");
  return short === "" ? null : short;
}

const bodyError = (field: string | null, type: string, msg: string): FieldError => ({
  loc: field === null ? ["body"] : ["body", field],
  type,
  msg,
});
/** None is kept under an idempotency key: what is compared with it is known behind the file only. */
const invalidForm = (...error: Parameters<typeof bodyError>): TextAnswer =>
  transient(unprocessable([bodyError(...error)]));

const NO_FILE = invalidForm(FILE_FIELD, "missing", "Field required");
export const EMPTY_FILE = invalidForm(FILE_FIELD, "value_error", "Value error, the file is empty");
const SECOND_FILE = invalidForm(
  FILE_FIELD,
  "value_error",
  "Value error, only one file can be sent",
);
const TOO_MANY_FIELDS = invalidForm(
  null,
  "too_long",
  `Form should have at most ${String(FIELDS_MAX)} fields`,
);
const MALFORMED = invalidForm(
  null,
  "value_error",
  "Value error, the body is not a complete multipart/form-data form",
);
const behindFile = (name: string): TextAnswer =>
  invalidForm(name, "value_error", "Value error, this field must come before the file");
const tooLong = (name: string): TextAnswer =>
  invalidForm(
    name,
    "string_too_long",
    `String should have at most ${String(FIELD_BYTES_MAX)} characters`,
  );
const CUT_OFF = errorAnswer("body_cut_off", "Request body was cut off");
const COMPRESSED = errorAnswer(
  "unsupported_content_encoding",
  "Content-Encoding must be identity for files",
);
const UNKNOWN_CODING = errorAnswer(
  "unsupported_transfer_encoding",
  "Transfer-Encoding must be chunked",
);
const tooLarge = ({ fileBytesMax }: UploadLimits): TextAnswer =>
  errorAnswer("file_too_large", `The file must have at most ${String(fileBytesMax)} bytes`);
