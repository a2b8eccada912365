import { z } from "zod";
import type { Principal, Role } from "../../model/api-key.ts";
import { type Answer, transient, withWarnings } from "./answer.ts";
import type { ClientExceptions } from "./client-exceptions.ts";
import {
  createUnknownNameFinder,
  type UnknownName,
  unknownNameErrors,
  unknownNameWarning,
  WARNED_NAMES_MAX,
} from "./unknown-names.ts";
import { type BodyBounds, USUAL_BODY } from "./body-bounds.ts";
import { checkItems, type ListOf } from "./long-list.ts";
import type { SlicedWork } from "./steps.ts";
import type { ReceivedForm } from "./upload.ts";
import { FIELD_ERRORS_MAX, type FieldError, parsePart, unprocessable } from "./validation.ts";

// One row of the table that the router, `Allow`, and the OpenAPI document are made of.

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request that passed its checks, in domain types. */
interface RouteCall<Path, Query, Body, Item> {
  readonly principal: Principal;
  readonly requestId: string;
  readonly client: ClientExceptions;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  /** Those of the declared long list; of other routes none. */
  readonly items: readonly Item[];
  /** Id for what the call creates; the same again when the call is repeated under its idempotency key. */
  readonly resourceId: () => string;
}

/** The parts of a request as they arrived. */
export interface RawCall {
  readonly principal: Principal;
  readonly requestId: string;
  readonly client: ClientExceptions;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  readonly resourceId: () => string;
  /** Of a route that takes a file: the form up to its file. */
  readonly form?: ReceivedForm;
  /** Of a request with a file under an idempotency key: the id of what it creates, the same again when it is repeated. */
  readonly repeatedId?: string;
  /** Whether names that are not known are refused; else the answer warns about them. */
  readonly isStrict: boolean;
}

interface RouteWords {
  readonly method: Method;
  /** With parameters in braces: `/v3/transactions/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly tag: string;
  /** The role a key must have; left out: `read` for GET and what is safe, else `write` or `admin`. */
  readonly role?: Role;
  /** A POST that changes nothing: the role `read` is enough for it. */
  readonly isSafe?: true;
  /** A POST whose answer is not kept under an idempotency key, because nothing of it is stored. */
  readonly isNeverKept?: true;
  /** Readable without a key. One that is sent must be good, and shows what its organization has set. */
  readonly isPublic?: true;
  /** Whether its 401 has the sentence of `detail` in `details` too, as clients of some v2 operations know it. */
  readonly repeatsDetail?: true;
  /** What the success answer carries; null for 204. */
  readonly success: z.ZodType | null;
  /** Left out: 200, or 204 without a body. */
  readonly successStatus?: 202;
  /** Errors in addition to those that every route has. */
  readonly errors: Readonly<Record<number, string>>;
}

/** Whether repetitions of a request are known by its idempotency key. */
export const takesKey = ({
  method,
  isNeverKept,
}: Pick<RouteWords, "method" | "isNeverKept">): boolean =>
  method === "POST" && isNeverKept !== true;

/** The refusal of a request, or the work of one that passed its checks: it holds the checked values and nothing else. */
export type CheckedCall<Services> =
  | { readonly ok: true; handle(services: Services): Promise<Answer> }
  | { readonly ok: false; readonly answer: Answer };

/** A row with its handler behind the checks. */
export interface Route<Services> extends RouteWords {
  readonly request: {
    readonly path: z.ZodObject;
    readonly query: z.ZodObject;
    readonly body: z.ZodType | null;
    readonly bounds: BodyBounds;
    /** Of a route that takes a file in place of JSON. */
    readonly upload: UploadForm | null;
  };
  /** Checks all parts of a request, a long list in many steps. */
  check(raw: RawCall): SlicedWork<CheckedCall<Services>>;
}

/** A form with one file. */
export interface UploadForm {
  /** Fields of the form, without the file. */
  readonly fields: z.ZodObject;
  readonly fileBytesMax: number;
  /** What happens to a file of a type that is not read, for the document. */
  readonly typeError: string;
}

interface RouteDeclaration<
  Services,
  Path extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Field extends string,
  Item extends z.ZodType,
> extends RouteWords {
  readonly request: {
    readonly path: Path;
    readonly query: Query;
    readonly body: Body | null;
    /** How large the body may be; left out: `USUAL_BODY`. */
    readonly bounds?: BodyBounds;
    /** The `longList` in the body, or that is the body, and its items: the handler gets them as `items`. */
    readonly list?: ListOf<Field, Item>;
  };
  readonly handle: (
    services: Services,
    call: RouteCall<
      z.output<Path>,
      z.output<Query>,
      [Field] extends [never] ? z.output<Body> : Omit<z.output<Body>, Field>,
      z.output<Item>
    >,
  ) => Promise<Answer>;
}

/** For a part of a request in which nothing is expected. */
export const nothing = z.object({});

export function defineRoute<
  Services,
  Path extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Field extends string = never,
  Item extends z.ZodType = never,
>(declaration: RouteDeclaration<Services, Path, Query, Body, Field, Item>): Route<Services> {
  const { handle, request, ...words } = declaration;
  const { path, query, list = null, bounds = USUAL_BODY } = request;
  // A route without a body takes whatever is there, which is undefined.
  const body: z.ZodType = request.body ?? z.unknown();
  const findNames = createNamesFinder(query, body);
  return {
    ...words,
    request: { path, query, body: request.body, bounds, upload: null },
    *check(raw) {
      const pathPart = parsePart("path", path, raw.path);
      const queryPart = parsePart("query", query, raw.query);
      const bodyPart = parsePart("body", body, raw.body);
      const listPart = yield* checkItems(list, raw.body, bodyPart);
      const unknown = yield* findNames(raw);
      const warnings = raw.isStrict ? [] : unknown.map(unknownNameWarning);
      const refused = raw.isStrict ? unknownNameErrors(unknown) : [];
      if (!pathPart.ok || !queryPart.ok || !bodyPart.ok || !listPart.ok || refused.length > 0) {
        const errors = [pathPart, queryPart, bodyPart, listPart].flatMap(errorsOf);
        const answer = unprocessable([...errors, ...refused]);
        // Not kept: strict handling is not part of the fingerprint, and without it the answer would differ.
        const kept = refused.length === 0 ? answer : transient(answer);
        return { ok: false, answer: withWarnings(kept, warnings) };
      }
      return readyCall(handle, warnings, {
        principal: raw.principal,
        requestId: raw.requestId,
        client: raw.client,
        path: pathPart.value,
        query: queryPart.value,
        // `body` is the declared schema whenever there is one; only the type of its absence was widened.
        body: listPart.head as never,
        items: listPart.items,
        resourceId: raw.resourceId,
      });
    },
  };
}

interface UploadDeclaration<
  Services,
  Path extends z.ZodObject,
  Query extends z.ZodObject,
  Fields extends z.ZodObject,
> extends RouteWords {
  readonly request: {
    readonly path: Path;
    readonly query: Query;
    readonly upload: UploadForm & { readonly fields: Fields };
  };
  readonly handle: (
    services: Services,
    call: Omit<
      RouteCall<z.output<Path>, z.output<Query>, z.output<Fields>, never>,
      "items" | "resourceId"
    > & {
      readonly file: UploadedFile;
      /** See `RawCall`; null without a key. */
      readonly repeatedId: string | null;
    },
  ) => Promise<Answer>;
}

/** The file of a form, for a handler. */
export type UploadedFile = Pick<ReceivedForm, "name" | "bytes">;

/** A route that takes a form with a file, which its handler reads as it arrives. */
export function defineUpload<
  Services,
  Path extends z.ZodObject,
  Query extends z.ZodObject,
  Fields extends z.ZodObject,
>(declaration: UploadDeclaration<Services, Path, Query, Fields>): Route<Services> {
  const { handle, request, ...words } = declaration;
  const { path, query, upload } = request;
  const findNames = createUnknownNameFinder("query", query);
  return {
    ...words,
    request: { path, query, body: null, bounds: USUAL_BODY, upload },
    *check(raw) {
      const { form } = raw;
      if (form === undefined) throw new Error("A route with a file was called without one.");
      const pathPart = parsePart("path", path, raw.path);
      const queryPart = parsePart("query", query, raw.query);
      const fields = parsePart("body", upload.fields, form.fields);
      const names = yield* findNames(
        raw.query,
        raw.isStrict ? FIELD_ERRORS_MAX : WARNED_NAMES_MAX,
        raw.isStrict,
      );
      const refused = raw.isStrict ? unknownNameErrors(names) : [];
      if (!pathPart.ok || !queryPart.ok || !fields.ok || refused.length > 0) {
        const errors = [pathPart, queryPart, fields].flatMap(errorsOf);
        return { ok: false, answer: transient(unprocessable([...errors, ...refused])) };
      }
      return readyCall(handle, raw.isStrict ? [] : names.map(unknownNameWarning), {
        principal: raw.principal,
        requestId: raw.requestId,
        client: raw.client,
        path: pathPart.value,
        query: queryPart.value,
        body: fields.value,
        file: form,
        repeatedId: raw.repeatedId ?? null,
      });
    },
  };
}

/** A function of its own, so that nothing of the unchecked request is in its scope and stays in memory. */
function readyCall<Services, RouteCall>(
  handle: (services: Services, call: RouteCall) => Promise<Answer>,
  warnings: readonly string[],
  call: RouteCall,
): CheckedCall<Services> {
  return {
    ok: true,
    handle: async (services) => withWarnings(await handle(services, call), warnings),
  };
}

/** Finds unknown names in the query and the body of a request: all of them where they are refused. */
function createNamesFinder(
  query: z.ZodType,
  body: z.ZodType,
): (raw: RawCall) => SlicedWork<readonly UnknownName[]> {
  const inQuery = createUnknownNameFinder("query", query);
  const inBody = createUnknownNameFinder("body", body);
  return function* find(raw) {
    const max = raw.isStrict ? FIELD_ERRORS_MAX : WARNED_NAMES_MAX;
    const found = yield* inQuery(raw.query, max, raw.isStrict);
    return [...found, ...(yield* inBody(raw.body, max - found.length, raw.isStrict))];
  };
}

function errorsOf(
  part: { ok: true } | { ok: false; errors: readonly FieldError[] },
): readonly FieldError[] {
  return part.ok ? [] : part.errors;
}
