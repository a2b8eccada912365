// Adds descriptions and examples to an OpenAPI document that was generated from schemas: words that would hide what the
// schemas check stand in tables of their own (`v3/operation-docs.ts`, `v3/field-docs.ts`).

/** The description of an operation in the document, beyond its summary. */
export interface OperationDoc {
  readonly description: string;
  /** Example values of the path's parameters. */
  readonly path?: Readonly<Record<string, string>>;
  /** Example body. */
  readonly body?: unknown;
}

export interface Docs {
  /** By operation id. */
  readonly operations: Readonly<Record<string, OperationDoc>>;
  /** By the name of the component. */
  readonly schemas: Readonly<Record<string, string>>;
  /** By field, or by `Schema.field` where it means something else there. */
  readonly fields: Readonly<Record<string, string>>;
  /** By parameter. */
  readonly parameters: Readonly<Record<string, string>>;
}

type Node = Readonly<Record<string, unknown>>;

/** Adds the descriptions of the tables to the document; those that a schema has itself stay. */
export function withDocs(document: Node, docs: Docs): Node {
  const { components, paths } = document as { components: { schemas: Node }; paths: Node };
  const schemas = mapValues(components.schemas, (schema, name) => ({
    ...described(docs.schemas[name]),
    ...(withFields(schema, name, docs) as Node),
  }));
  return {
    ...document,
    components: { ...components, schemas },
    paths: mapValues(paths, (operations) =>
      mapValues(operations as Node, (operation) => withOperation(operation as Node, docs)),
    ),
  };
}

function withOperation(operation: Node, docs: Docs): Node {
  const doc = docs.operations[String(operation["operationId"])];
  const parameters = (operation["parameters"] ?? []) as readonly Node[];
  const body = operation["requestBody"] as { content: Readonly<Record<string, Node>> } | undefined;
  const content =
    body === undefined || doc?.body === undefined
      ? body?.content
      : mapValues(body.content, (one) => ({ ...(one as Node), example: doc.body }));
  return {
    ...operation,
    ...described(doc?.description),
    ...(parameters.length === 0
      ? {}
      : { parameters: parameters.map((one) => withParameter(one, doc, docs)) }),
    ...(body === undefined ? {} : { requestBody: { ...body, content } }),
  };
}

function withParameter(parameter: Node, doc: OperationDoc | undefined, docs: Docs): Node {
  const name = String(parameter["name"]);
  const example = parameter["in"] === "path" ? doc?.path?.[name] : undefined;
  return {
    ...described(docs.parameters[name]),
    ...parameter,
    ...(example === undefined ? {} : { example }),
  };
}

/** The schema with its fields described, and those of every schema in it. */
function withFields(node: unknown, name: string, docs: Docs): unknown {
  if (Array.isArray(node)) return node.map((one) => withFields(one, name, docs));
  if (typeof node !== "object" || node === null) return node;
  return mapValues(node as Node, (value, key) =>
    key === "properties"
      ? mapValues(value as Node, (field, fieldName) => ({
          ...described(docs.fields[`${name}.${fieldName}`] ?? docs.fields[fieldName]),
          ...(withFields(field, name, docs) as Node),
        }))
      : withFields(value, name, docs),
  );
}

const described = (description: string | undefined): Node =>
  description === undefined ? {} : { description };

function mapValues(node: Node, change: (value: unknown, key: string) => unknown): Node {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value, key)]));
}
