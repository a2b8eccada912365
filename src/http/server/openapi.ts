import {
  OpenApiGeneratorV31,
  OpenAPIRegistry,
  type RouteConfig,
} from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { JSON_TYPE } from "./answer.ts";
import { type Docs, withDocs } from "./describe.ts";
import { IDEMPOTENCY_HEADER } from "./idempotency.ts";
import { TOO_MANY_REQUESTS } from "./limits.ts";
import { type Route, takesKey, type UploadForm } from "./route.ts";
import { FILE_FIELD } from "./upload.ts";

/** A finished OpenAPI 3.1 document. */
export type OpenApiDocument = ReturnType<OpenApiGeneratorV31["generateDocument"]>;

/** The parts of the document that are not routes. */
export interface OpenApiFrame {
  readonly title: string;
  readonly version: string;
  /** Schema of every 422, and of every other error. */
  readonly validationError: z.ZodType;
  readonly problem: z.ZodType;
  /** Descriptions and examples. */
  readonly docs: Docs;
  /** Schemas to be described before any that refers to them. */
  readonly components: readonly z.ZodType[];
}

/** The OpenAPI document of a table of routes. */
export function describeRoutes<Services>(
  routes: readonly Route<Services>[],
  frame: OpenApiFrame,
): OpenApiDocument {
  const registry = new OpenAPIRegistry();
  for (const route of routes) registry.registerPath(describeRoute(route, frame));
  const components = frame.components.map((schema) => ({ type: "schema" as const, schema }));
  const generator = new OpenApiGeneratorV31([...components, ...registry.definitions], {
    unionPreferredType: "oneOf",
  });
  const document = generator.generateDocument({
    openapi: "3.1.0",
    info: { title: frame.title, version: frame.version },
    servers: [{ url: "/" }],
    // Either of them.
    security: SECURITY,
  });
  document.components = { ...document.components, securitySchemes: SECURITY_SCHEMES };
  const complete = withNullableReferences(document) as Readonly<Record<string, unknown>>;
  return withDocs(complete, frame.docs) as unknown as OpenApiDocument;
}

const SECURITY_SCHEMES = {
  ApiKey: {
    type: "apiKey",
    in: "header",
    name: "X-Api-Key",
    description: "The first start prints a key; `ledgerline keys create` makes more.",
  },
  Bearer: { type: "http", scheme: "bearer", description: "The same key as a bearer token." },
} as const;

const SECURITY = Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] }));

/** Named schemas and the named ones they refer to, as JSON Schemas with references to `#/components/schemas/`. */
export function describeSchemas(schemas: readonly z.ZodType[]): Readonly<Record<string, object>> {
  const definitions = schemas.map((schema) => ({ type: "schema" as const, schema }));
  const generator = new OpenApiGeneratorV31(definitions, { unionPreferredType: "oneOf" });
  const described = generator.generateComponents().components?.schemas ?? {};
  return withNullableReferences(described) as Readonly<Record<string, object>>;
}

/**
 * The generator writes a nullable reference as "the component and also possibly null", which nothing but a component
 * that is itself nullable can satisfy. What is meant is "either".
 */
function withNullableReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNullableReferences);
  if (typeof node !== "object" || node === null) return node;
  const { allOf } = node as { allOf?: unknown };
  if (Array.isArray(allOf) && allOf.length === 2 && isNullableType(allOf[1])) {
    return { oneOf: [allOf[0], { type: "null" }] };
  }
  const entries = Object.entries(node).map(([key, value]) => [key, withNullableReferences(value)]);
  return Object.fromEntries(entries) as unknown;
}

function isNullableType(node: unknown): boolean {
  const { type } = node as { type?: unknown };
  return Array.isArray(type) && type.includes("null");
}

function describeRoute<Services>(route: Route<Services>, frame: OpenApiFrame): RouteConfig {
  const { path, query, body, upload } = route.request;
  return {
    method: LOWER_CASE[route.method],
    path: route.path,
    operationId: route.operationId,
    summary: route.summary,
    tags: [route.tag],
    // The empty requirement: it works without a key as well.
    ...(route.isPublic === true ? { security: [...SECURITY, {}] } : {}),
    request: {
      params: path,
      query,
      ...(takesKey(route) ? { headers: idempotencyHeader } : {}),
      ...(body === null ? {} : { body: { required: true, content: jsonContent(body) } }),
      ...(upload === null ? {} : { body: { required: true, content: formContent(upload) } }),
    },
    responses: describeResponses(route, frame),
  };
}

function describeResponses<Services>(
  route: Route<Services>,
  frame: OpenApiFrame,
): RouteConfig["responses"] {
  const responses: RouteConfig["responses"] =
    route.success === null
      ? { 204: { description: "Done; no body" } }
      : {
          [route.successStatus ?? 200]: {
            description: "Success",
            content: jsonContent(route.success),
          },
        };
  const errors = {
    400: "The request is not valid, or was cut off",
    401: "The API key is missing, unknown, revoked or expired, or two different ones were sent",
    403: "The API key does not have the role",
    429: TOO_MANY_REQUESTS,
    503: "Temporarily unavailable; see Retry-After",
    ...(route.request.body === null ? {} : BODY_ERRORS),
    ...(route.request.upload === null ? {} : uploadErrors(route.request.upload)),
    ...(takesKey(route) ? { 409: "A request with this Idempotency-Key is running" } : {}),
    ...route.errors,
  };
  for (const [status, description] of Object.entries(errors)) {
    responses[status] = { description, content: jsonContent(frame.problem) };
  }
  responses["422"] = {
    description: "Validation error",
    content: jsonContent(frame.validationError),
  };
  return responses;
}

const BODY_ERRORS = {
  413: "The body is too large",
  415: "The body is not JSON in UTF-8, or its Content-Encoding is not supported",
};

const uploadErrors = ({ fileBytesMax, typeError }: UploadForm) => ({
  413: `The file has more than ${String(fileBytesMax)} bytes`,
  415: typeError,
});

/** Fields come first: they have to be known when the file begins. */
const formContent = ({ fields }: UploadForm) => ({
  "multipart/form-data": {
    schema: fields.extend({ [FILE_FIELD]: z.string().openapi({ format: "binary" }) }),
  },
});

const LOWER_CASE = {
  GET: "get",
  POST: "post",
  PUT: "put",
  PATCH: "patch",
  DELETE: "delete",
} as const;

const idempotencyHeader = z.object({
  [IDEMPOTENCY_HEADER]: z.string().min(1).max(255).optional(),
});

function jsonContent(schema: z.ZodType) {
  return { [JSON_TYPE]: { schema } };
}
