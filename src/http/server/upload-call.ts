import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Answer, errorAnswer, retryAfter } from "./answer.ts";
import type { BodyLimits } from "./body.ts";
import type { Exchange, LogPort } from "./exchange.ts";
import { answerOnce, IDEMPOTENCY_HEADER, type IdempotencyPort, keyError } from "./idempotency.ts";
import type { RawCall, Route, UploadForm } from "./route.ts";
import { createSlots, withSlot } from "./slots.ts";
import { runAtOnce } from "./steps.ts";
import {
  type DigestedForm,
  digestForm,
  FORM_HELD_BYTES,
  readForm,
  type ReceivedForm,
} from "./upload.ts";
import { unprocessable } from "./validation.ts";

// A request with a file: like any other behind the checks of key, rate and role, but its body is read by its handler.

/** Files of one key that arrive at the same time: each holds a connection and up to 50 MB of disk until it is whole. */
const UPLOADS_PER_KEY_MAX = 16;

export interface UploadPorts {
  readonly logger: LogPort;
  readonly idempotency: IdempotencyPort;
  /** A new random id. */
  readonly newId: () => string;
}

/** A request with a file, before its body is read. */
interface UploadCall<Services> {
  readonly route: Route<Services>;
  readonly upload: UploadForm;
  readonly parts: Omit<RawCall, "body" | "resourceId" | "form">;
  readonly limits: Pick<BodyLimits, "budget">;
  readonly exchange: Pick<Exchange, "bytesIn">;
}

export interface Uploads<Services> {
  answer(
    call: UploadCall<Services>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Answer>;
}

export function createUploads<Services>(ports: UploadPorts, services: Services): Uploads<Services> {
  const slots = createSlots(UPLOADS_PER_KEY_MAX);

  async function answerForm(
    call: UploadCall<Services>,
    form: ReceivedForm,
    key: string | undefined,
  ): Promise<Answer> {
    const { route, parts, exchange } = call;
    const respond: Respond = async (read, repeated) => {
      const raw = { ...parts, ...repeated, body: undefined, resourceId: ports.newId, form: read };
      const checked = runAtOnce(route.check(raw));
      return checked.ok ? checked.handle(services) : checked.answer;
    };
    try {
      const answer = await (key === undefined
        ? respond(form, {})
        : answerUnderKey(ports, call, digestForm(form), key, respond));
      return form.refusal() ?? answer;
    } catch (error) {
      // The bytes failed because the form was refused: that is the answer, whatever the reader made of it.
      const refusal = form.refusal();
      if (refusal === null) throw error;
      return refusal;
    } finally {
      exchange.bytesIn = form.length();
      form.close();
    }
  }

  return {
    answer: (call, request, response) =>
      withSlot(slots, call.parts.principal.keyId, async () => {
        const key = request.headers[IDEMPOTENCY_HEADER.toLowerCase()]?.toString();
        const wrongKey = key === undefined ? null : keyError(key);
        if (wrongKey !== null) return unprocessable([wrongKey]);
        if (!call.limits.budget.reserve(FORM_HELD_BYTES)) return OVER_BUDGET;
        try {
          const { fields, fileBytesMax } = call.upload;
          const known = new Set(Object.keys(fields.shape));
          const form = await readForm(request, response, { fileBytesMax, fields: known });
          return form.ok ? await answerForm(call, form, key) : form.answer;
        } finally {
          call.limits.budget.release(FORM_HELD_BYTES);
        }
      }),
  };
}

/**
 * Under a key the path and the query are compared before the body is read, and its digest, which is kept with the answer,
 * once it has arrived.
 */
function answerUnderKey<Services>(
  { idempotency, logger }: UploadPorts,
  { route, parts }: Pick<UploadCall<Services>, "route" | "parts">,
  form: DigestedForm,
  key: string,
  respond: Respond,
): Promise<Answer> {
  const begun = JSON.stringify([Object.values(parts.path), Object.entries(parts.query).sort()]);
  const keyed = {
    org: parts.principal.org,
    route: `${route.method} ${route.path}`,
    key,
    fingerprint: createHash("sha256").update(begun).digest("hex"),
  };
  const port: IdempotencyPort = {
    ...idempotency,
    begin: async (...request) => {
      const start = await idempotency.begin(...request);
      if (start.kind !== "replay") return start;
      const { digest, body } = JSON.parse(start.body) as Partial<KeptAnswer>;
      // What has taken the place of the answer when its account holder or statement was deleted is for every file.
      if (digest === undefined || body === undefined) return start;
      return digest === (await form.digest()) ? { ...start, body } : { kind: "mismatch" };
    },
    finish: async (org, pattern, sentKey, status, body, ...about) => {
      const kept: KeptAnswer = { digest: await form.digest(), body };
      await idempotency.finish(org, pattern, sentKey, status, JSON.stringify(kept), ...about);
    },
    // Without a digest it would be the answer to every file. Answers to uploads are short; what a longer one would tell is there for
    // a GET, and a repetition finds the same document.
    finishLong: (org, pattern, sentKey) => idempotency.interrupt(org, pattern, sentKey),
  };
  return answerOnce(port, logger, keyed, (repeatedId) => respond(form, { repeatedId }));
}

type Respond = (form: ReceivedForm, repeated: Pick<RawCall, "repeatedId">) => Promise<Answer>;

interface KeptAnswer {
  /** Of the form that was answered. */
  readonly digest: string;
  readonly body: string;
}

const OVER_BUDGET = errorAnswer("overloaded", "Too many request bodies at once", retryAfter(1));
