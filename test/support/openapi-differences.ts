// What one OpenAPI 3.1 document promises to clients and another does not keep. Schemas are compared pair by pair, so that
// recursive ones end: a pair that was met before is not looked at again.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface Body {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<
      Record<string, { readonly in?: string; readonly name?: string }>
    >;
  };
}

/** Clients send requests and read responses: what is too little in one may be harmless in the other. */
type Direction = "request" | "response";

interface Comparison {
  readonly promised: OpenApi;
  readonly served: OpenApi;
  readonly found: Set<string>;
  /** Pairs that were compared, as the numbers of their schemas. */
  readonly seen: Set<string>;
  readonly numbers: Map<Schema, number>;
}

/**
 * Not compared: whether a body is required, which only its fields tell in some documents, and bounds, which a server may set.
 * What a client of `promised` cannot rely on with `served`, one sentence each, sorted: paths, methods, parameters, statuses,
 * types of bodies, fields, whether they are required, types, values.
 */
export function openApiDifferences(promised: OpenApi, served: OpenApi): readonly string[] {
  const comparison: Comparison = {
    promised,
    served,
    found: new Set(),
    seen: new Set(),
    numbers: new Map(),
  };
  for (const [path, operations] of Object.entries(promised.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const place = `${method.toUpperCase()} ${path}`;
      const own = served.paths[path]?.[method];
      if (own === undefined) comparison.found.add(`${place} is not there`);
      else compareOperations(comparison, place, operation, own);
    }
  }
  return [...comparison.found].sort();
}

function compareOperations(
  comparison: Comparison,
  place: string,
  promised: Operation,
  served: Operation,
): void {
  const { found } = comparison;
  for (const parameter of promised.parameters ?? []) {
    const at = `${place} ${parameter.in} ${parameter.name}`;
    if (isSecurityHeader(comparison.served, parameter)) continue;
    const own = served.parameters?.find((one) => isSameParameter(one, parameter));
    if (own === undefined) found.add(`${at} is not there`);
    else {
      compareRequired(found, at, "request", parameter.required === true, own.required === true);
      compareSchemas(comparison, at, "request", [parameter.schema ?? {}], [own.schema ?? {}]);
    }
  }
  const required = (served.parameters ?? []).filter((one) => one.required === true);
  for (const own of required) {
    const isKnown = promised.parameters?.some((one) => isSameParameter(one, own)) === true;
    if (!isKnown)
      found.add(`${place} ${own.in} ${own.name} is required, and clients do not know it`);
  }
  compareBodies(comparison, `${place} body`, "request", promised.requestBody, served.requestBody);
  for (const [status, response] of Object.entries(promised.responses)) {
    const at = `${place} ${status}`;
    const own = served.responses[status];
    if (own === undefined) found.add(`${at} is not there`);
    else if (status !== "204") compareBodies(comparison, at, "response", response, own);
  }
}

/** One document has the header of the key as a parameter, the other as what it is. */
const isSecurityHeader = ({ components }: OpenApi, { in: place, name }: Parameter): boolean =>
  Object.values(components.securitySchemes ?? {}).some(
    (scheme) => scheme.in === place && scheme.name?.toLowerCase() === name.toLowerCase(),
  );

const isSameParameter = (one: Parameter, other: Parameter): boolean =>
  one.in === other.in && one.name.toLowerCase() === other.name.toLowerCase();

function compareBodies(
  comparison: Comparison,
  place: string,
  direction: Direction,
  promised: Body | undefined,
  served: Body | undefined,
): void {
  for (const [type, { schema }] of Object.entries(promised?.content ?? {})) {
    const own = served?.content?.[type];
    if (own === undefined) comparison.found.add(`${place} ${type} is not there`);
    else compareSchemas(comparison, place, direction, [schema ?? {}], [own.schema ?? {}]);
  }
}

function compareRequired(
  found: Set<string>,
  place: string,
  direction: Direction,
  promised: boolean,
  served: boolean,
): void {
  if (promised && !served) found.add(`${place} is required there and optional here`);
  // Optional → required is compatible in a response, but not in a request.
  if (!promised && served && direction === "request") {
    found.add(`${place} is optional there and required here`);
  }
}

/** Each side is a list of alternatives. */
function compareSchemas(
  comparison: Comparison,
  place: string,
  direction: Direction,
  promised: readonly Schema[],
  served: readonly Schema[],
): void {
  const theirs = leaves(comparison.promised, promised);
  const ours = leaves(comparison.served, served);
  const pair = `${direction} ${numbersOf(comparison, theirs)} ${numbersOf(comparison, ours)}`;
  if (comparison.seen.has(pair)) return;
  comparison.seen.add(pair);
  const at = nameOf(promised) ?? place;
  compareTypes(comparison.found, at, direction, theirs, ours);
  compareValues(comparison.found, at, direction, theirs, ours);
  const items = theirs.flatMap((one) => one.items ?? []);
  const ownItems = ours.flatMap((one) => one.items ?? []);
  if (items.length > 0 && ownItems.length > 0) {
    compareSchemas(comparison, `${at}[]`, direction, items, ownItems);
  }
  compareFields(comparison, at, direction, theirs, ours);
}

function compareFields(
  comparison: Comparison,
  place: string,
  direction: Direction,
  theirs: readonly Schema[],
  ours: readonly Schema[],
): void {
  const names = new Set(theirs.flatMap((one) => Object.keys(one.properties ?? {})));
  for (const name of names) {
    const at = `${place}.${name}`;
    const promised = theirs.flatMap((one) => one.properties?.[name] ?? []);
    const served = ours.flatMap((one) => one.properties?.[name] ?? []);
    if (served.length === 0) comparison.found.add(`${at} is not there`);
    else {
      const isPromised = isRequired(theirs, name);
      compareRequired(comparison.found, at, direction, isPromised, isRequired(ours, name));
      compareSchemas(comparison, at, direction, promised, served);
    }
  }
  const own = new Set(ours.flatMap((one) => one.required ?? []));
  for (const name of own) {
    if (direction === "request" && names.size > 0 && !names.has(name)) {
      comparison.found.add(`${place}.${name} is required, and clients do not know it`);
    }
  }
}

const isRequired = (alternatives: readonly Schema[], name: string): boolean =>
  alternatives.some((one) => one.required?.includes(name) === true);

const ANY = "any";
/** What a narrow type is one of. */
const WIDER: Readonly<Record<string, string>> = {
  integer: "number",
  date: "string",
  "date-time": "string",
};

function compareTypes(
  found: Set<string>,
  place: string,
  direction: Direction,
  theirs: readonly Schema[],
  ours: readonly Schema[],
): void {
  const promised = new Set(theirs.flatMap(typesOf));
  const served = new Set(ours.flatMap(typesOf));
  const [needed, offered] = direction === "request" ? [promised, served] : [served, promised];
  if (offered.has(ANY)) return;
  for (const type of needed) {
    if (offered.has(type) || offered.has(WIDER[type] ?? type)) continue;
    const words =
      direction === "request" ? "can be sent there and not here" : "is answered here and not there";
    found.add(`${place}: ${type} ${words}`);
  }
}

function typesOf(schema: Schema): readonly string[] {
  const { type, format } = schema;
  if (type !== undefined) {
    const types = typeof type === "string" ? [type] : type;
    // A date is a type of its own for clients; other formats are texts to them.
    return types.map((one) =>
      one === "string" && format !== undefined && WIDER[format] === one ? format : one,
    );
  }
  if (schema.enum !== undefined) return ["string"];
  return schema.properties === undefined ? [ANY] : ["object"];
}

/** Values are all of ours or theirs when each alternative that is a text names its own. */
function compareValues(
  found: Set<string>,
  place: string,
  direction: Direction,
  theirs: readonly Schema[],
  ours: readonly Schema[],
): void {
  const promised = valuesOf(theirs);
  const served = valuesOf(ours);
  if (promised !== null && served !== null) {
    for (const value of promised) {
      if (!served.has(value)) found.add(`${place}: ${JSON.stringify(value)} is there and not here`);
    }
  }
  if (promised === null || direction === "request") {
    if (promised === null && served !== null && direction === "request") {
      found.add(`${place}: can be any text there and not here`);
    }
    return;
  }
  for (const value of served ?? ["any text"]) {
    if (!promised.has(value)) found.add(`${place}: ${JSON.stringify(value)} is here and not there`);
  }
}

/** Null: any text. */
function valuesOf(alternatives: readonly Schema[]): ReadonlySet<unknown> | null {
  const texts = alternatives.filter((one) =>
    typesOf(one).some((type) => type === "string" || type === ANY),
  );
  if (texts.length === 0 || texts.some((one) => one.enum === undefined)) return null;
  return new Set(texts.flatMap((one) => one.enum ?? []));
}

/** The alternatives that schemas come down to, without references and unions. */
function leaves(
  document: OpenApi,
  schemas: readonly Schema[],
  within: readonly Schema[] = [],
): Schema[] {
  return schemas.flatMap((schema) => {
    // A union that refers to itself adds nothing.
    if (within.includes(schema)) return [];
    if (schema.$ref !== undefined) {
      return leaves(document, [resolve(document, schema.$ref)], [...within, schema]);
    }
    const parts = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
    return parts.length === 0 ? [schema] : leaves(document, parts, [...within, schema]);
  });
}

function resolve(document: OpenApi, reference: string): Schema {
  const name = componentName(reference);
  const schema = name === null ? undefined : document.components.schemas[name];
  if (schema === undefined) throw new Error(`The reference ${reference} leads nowhere`);
  return schema;
}

const componentName = (reference: string): string | null =>
  /^#\/components\/schemas\/(.+)$/.exec(reference)?.[1] ?? null;

/** The name of the one component that these alternatives, or all but null, refer to. */
function nameOf(schemas: readonly Schema[]): string | null {
  const parts = schemas
    .flatMap((one) => one.oneOf ?? one.anyOf ?? [one])
    .filter((one) => one.type !== "null");
  const [only] = parts;
  return parts.length === 1 && only?.$ref !== undefined ? componentName(only.$ref) : null;
}

function numbersOf({ numbers }: Comparison, schemas: readonly Schema[]): string {
  const own = schemas.map((schema) => {
    const number = numbers.get(schema) ?? numbers.size;
    numbers.set(schema, number);
    return number;
  });
  return [...new Set(own)].sort((a, b) => a - b).join(",");
}
