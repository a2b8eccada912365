import type { OperationDoc } from "../server/describe.ts";

// A description and an example for each operation of the v2 API, like those of the v3 API.

export const OPERATION_DOCS: Readonly<Record<string, OperationDoc>> = {
  find_entity: {
    description: "A location decides between merchants of one name.",
  },
  get_entity: { description: "The id is in the answer of `find_entity`." },
};
