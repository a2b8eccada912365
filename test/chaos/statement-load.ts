// One client of the load with bank statements: it uploads one file after the other, good and bad ones, by both versions of the API,
// slowly enough that a kill hits uploads in their middle, and notes what each answer promises.
import { setTimeout as delay } from "node:timers/promises";
import { API_KEY } from "../support/client.ts";
import { lockPdf } from "../support/pdf.ts";
import { until } from "../support/poll.ts";
import { createRandom, type Random } from "../support/random.ts";
import { scanPage } from "../support/scans.ts";
import { formOf, statementFile } from "../support/statement-files.ts";

/** `text`, `scan`, `unlocked` are read. `locked` fails: its password is missing. The others are refused. */
export type UploadKind =
  | "text"
  | "scan"
  | "unlocked"
  | "locked"
  | "empty"
  | "other_type"
  | "no_holder";

export interface SentUpload {
  /** Of the file: no two uploads have the same. */
  readonly name: string;
  readonly kind: UploadKind;
  /** The account holder that is made if the upload is accepted, and of which its transactions are; null: none. */
  readonly holder: string | null;
  /** The document of the answer; null: it was refused, or its outcome is unknown. */
  id: string | null;
  /** Whether an answer never came, to one of its attempts at least. */
  isUnknown: boolean;
}

export interface UploadOptions {
  readonly name: string;
  readonly seed: number;
  readonly files: ReadonlyMap<UploadKind, Uint8Array>;
  /** Base URL of the service as it runs now; another one after each kill. */
  readonly url: () => string;
  /** Called after each upload that was answered. */
  readonly answered: () => void;
  /**
   * Whether the idempotency keys of a process that was killed stay taken for minutes, as on Kafka: then an upload whose key is
   * taken is not repeated.
   */
  readonly onServices?: boolean;
  readonly signal: AbortSignal;
}

const PASSWORD = "sesame";
const AWAY_PAUSE_MS = 20;
const PIECES = 5;
const PIECE_PAUSE_MS_MAX = 12;
const RUNNING = 409;
const UNAVAILABLE = 503;
/** An account holder that does not exist. */
const MISSING = "missing";
/** More would only make the backlog longer that has to be read at the end. */
const UPLOAD_PAUSE_MS_MAX = 200;

const REFUSALS: ReadonlyMap<UploadKind, number> = new Map([
  ["empty", 422],
  ["other_type", 415],
  ["no_holder", 404],
]);
const KINDS: readonly UploadKind[] = [
  ...(["text", "text", "text", "scan", "unlocked", "locked"] as const),
  ...REFUSALS.keys(),
];

/** In the transactions of all files that can be read. */
export const MARK = "chaos";

export async function makeUploadFiles(): Promise<ReadonlyMap<UploadKind, Uint8Array>> {
  const { bytes } = statementFile(MARK);
  const locked = await lockPdf(bytes, PASSWORD);
  return new Map<UploadKind, Uint8Array>([
    ["text", bytes],
    ["scan", (await scanPage(bytes, 1, {})).bytes],
    ["unlocked", locked],
    ["locked", locked],
    ["empty", new Uint8Array()],
    ["other_type", Buffer.from("<html>a page</html>")],
    ["no_holder", bytes],
  ]);
}

/** Uploads until it is aborted; what was sent is returned. */
export async function uploadStatements(options: UploadOptions): Promise<readonly SentUpload[]> {
  const random = createRandom(options.seed);
  const sent: SentUpload[] = [];
  while (!options.signal.aborted) {
    const kind = random.pick(KINDS);
    const name = `${options.name}-${String(sent.length)}`;
    const isOld = random.chance(0.5);
    const holder = isOld && kind !== "no_holder" && random.chance(0.5) ? `of-${name}` : null;
    const upload: SentUpload = { name, kind, holder, id: null, isUnknown: false };
    sent.push(upload);
    await send(upload, isOld, random.chance(0.5), random, options);
    await delay(random.integer(0, UPLOAD_PAUSE_MS_MAX));
  }
  return sent;
}

/** Repeats the upload until it is answered if it has an idempotency key, and else until a connection is made. */
async function send(
  upload: SentUpload,
  isOld: boolean,
  hasKey: boolean,
  random: Random,
  { files, url, answered, onServices = false }: UploadOptions,
): Promise<void> {
  const { name, kind } = upload;
  const fields = kind === "unlocked" ? { password: PASSWORD } : {};
  const path = isOld ? `/datasources/bank_statements${queryOf(upload)}` : "/v3/bank_statements";
  const named = !isOld && kind === "no_holder" ? { account_holder_id: MISSING } : {};
  const form = formOf(
    { name, bytes: files.get(kind) ?? new Uint8Array() },
    { ...fields, ...named },
  );
  const encoded = new Response(form);
  const body = Buffer.from(await encoded.arrayBuffer());
  const headers = {
    "X-Api-Key": API_KEY,
    "Content-Type": encoded.headers.get("content-type") ?? "",
    ...(hasKey ? { "Idempotency-Key": name } : {}),
  };
  await until(`an answer to the upload of ${name}`, async () => {
    const outcome = await post(url() + path, headers, slowly(body, random));
    const isTaken = outcome !== "broken" && outcome !== "refused" && outcome.status === RUNNING;
    if (isTaken && onServices) return true;
    if (isTaken || outcome === "refused") return delay(AWAY_PAUSE_MS, null);
    if (outcome === "broken" || outcome.status === UNAVAILABLE) {
      upload.isUnknown = true;
      return hasKey ? null : true;
    }
    answered();
    note(upload, outcome);
    return true;
  });
}

function queryOf({ kind, holder }: SentUpload): string {
  if (kind === "no_holder") return `?account_holder_id=${MISSING}`;
  return holder === null ? "" : `?account_holder_id=${holder}&account_type=consumer`;
}

interface UploadAnswer {
  readonly status: number;
  readonly id: string | null;
}

/** @throws Error when an answer is one that the contract does not have */
function note(upload: SentUpload, { status, id }: UploadAnswer): void {
  const expected = REFUSALS.get(upload.kind) ?? 200;
  if (status !== expected)
    throw new Error(`The ${upload.kind} ${upload.name} was answered with ${String(status)}`);
  upload.id = id;
}

async function* slowly(body: Buffer, random: Random): AsyncGenerator<Uint8Array> {
  const length = Math.ceil(body.length / PIECES);
  for (let at = 0; at < body.length; at += length) {
    yield body.subarray(at, at + length);
    await delay(random.integer(0, PIECE_PAUSE_MS_MAX));
  }
}

/** `refused`: no connection was made. `broken`: it ended before the answer did. */
async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: AsyncGenerator<Uint8Array>,
): Promise<UploadAnswer | "refused" | "broken"> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body: ReadableStream.from(body),
      duplex: "half",
    });
    const json = (await response.json()) as { readonly id?: string };
    return { status: response.status, id: json.id ?? null };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const isRefused = cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
    return isRefused ? "refused" : "broken";
  }
}
