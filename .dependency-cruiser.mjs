// Import rules. Each folder may import itself, plus what is listed here. Only src/app joins folders.
const tests = "[.]test[.]ts$";
const types = ["src/model/", "src/shared/"];
const common = [...types, "src/observability/"];
const builder = "^workers/knowledge/build";
const may = (folder, allowed) => ({
  name: `${folder.replaceAll("/", "-")}-imports`,
  comment: `${folder}/ may import only itself${allowed.length > 0 ? ` and ${allowed.join(", ")}` : ""}.`,
  severity: "error",
  from: { path: `^${folder}/`, pathNot: tests },
  to: {
    path: "^(src|workers|test|bench|examples)/",
    pathNot: [`^${folder}/`, ...allowed.map((path) => `^${path}`)],
  },
});
const npmOnlyIn = (packages, folders) => ({
  name: `npm-${packages.split("|")[0].replaceAll("/", "-")}`,
  comment: `${packages} may be imported only in ${folders.join(", ")}.`,
  severity: "error",
  from: { path: "^(src|workers)/", pathNot: [tests, ...folders.map((path) => `^${path}`)] },
  to: { path: `node_modules/(${packages})/` },
});
export default {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no-dev-dependency",
      comment:
        "What runs is installed. The knowledge is built before, from data packages that a running service does not need.",
      severity: "error",
      from: { path: "^(src|workers)/", pathNot: [tests, builder] },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "app-is-the-root",
      comment: "Only src/app joins folders; only main.ts imports it, and nothing imports main.ts.",
      severity: "error",
      from: { path: "^(src|workers)/", pathNot: [tests, "^src/(main[.]ts$|app/)"] },
      to: { path: "^src/(main[.]ts$|app/)" },
    },
    {
      name: "threads-by-protocol-only",
      comment: "The main thread sees worker types only; Piscina loads worker code by URL.",
      severity: "error",
      from: { path: "^src/", pathNot: tests },
      to: { path: "^workers/", pathNot: "^workers/protocol[.]ts$" },
    },
    may("src/shared", []),
    may("src/model", ["src/shared/"]),
    may("src/codec", types),
    may("src/rule-language", types),
    may("src/observability", types),
    may("src/config", [
      ...common,
      "src/log/kafka/settings[.]ts$",
      "src/outbound/addresses[.]ts$",
      "src/outbound/url[.]ts$",
      "src/secrets/key[.]ts$",
      "src/webhooks/signature[.]ts$",
    ]),
    // Edges: each owns one outside system.
    may("src/sqlite", common),
    may("src/log", [...common, "src/codec/", "src/sqlite/"]),
    may("src/store", [...common, "src/codec/", "src/sqlite/"]),
    may("src/pool", [...common, "src/codec/", "workers/protocol[.]ts$"]),
    may("src/logos", [...common, "src/codec/"]),
    may("src/outbound", common),
    may("src/secrets", common),
    // Stages: steps in the flow.
    may("src/http", [...common, "src/rule-language/"]),
    may("src/cli", [...common, "src/rule-language/"]),
    may("src/ingest", common),
    may("src/events", common),
    may("src/enrich", [...common, "src/events/"]),
    may("src/ledger", [...common, "src/codec/", "src/events/"]),
    may("src/statements", [...common, "src/events/"]),
    may("src/settings", [...common, "src/events/"]),
    may("src/access", common),
    may("src/webhooks", [...common, "src/events/"]),
    may("src/delivery", [...common, "src/events/", "src/webhooks/"]),
    may("workers", [...types, "src/codec/"]),
    may("examples", []),
    {
      name: "model-and-shared-are-pure",
      comment:
        "What threads and every room use does no I/O; only word-table reads the tables in the folders of the code, once.",
      severity: "error",
      from: {
        path: "^src/(model|shared)/",
        pathNot: [tests, "^src/shared/word-table[.]ts$"],
      },
      to: { dependencyTypes: ["core", "npm"] },
    },
    {
      name: "workers-do-no-io",
      comment:
        "Threads compute. Only the builder of the knowledge file, which is not a thread, reads and writes files.",
      severity: "error",
      from: { path: "^workers/", pathNot: [tests, builder] },
      to: {
        dependencyTypes: ["core"],
        path: "^(node:)?(net|http|https|http2|tls|dgram|dns|fs|child_process)(/|$)",
      },
    },
    {
      name: "sqlite-only-in-its-edge",
      severity: "error",
      from: { path: "^(src|workers)/", pathNot: [tests, "^src/sqlite/"] },
      to: { path: "^(node:)?sqlite$" },
    },
    npmOnlyIn("avsc", ["src/log/"]),
    npmOnlyIn("kafkajs|@kafkajs/confluent-schema-registry", ["src/log/kafka/"]),
    npmOnlyIn("mongodb|bson", ["src/store/mongo/"]),
    npmOnlyIn("piscina", ["src/pool/"]),
    npmOnlyIn("undici|ipaddr.js", ["src/outbound/"]),
    npmOnlyIn("express", ["src/http/"]),
    npmOnlyIn("pino|prom-client", ["src/observability/"]),
    npmOnlyIn("@opentelemetry", ["src/observability/otlp/"]),
    npmOnlyIn("commander|csv-parse|cli-progress", ["src/cli/"]),
    npmOnlyIn("@embedpdf/pdfium|sharp|tesseract.js-core", ["workers/statements/"]),
    npmOnlyIn("sax|yauzl|fflate|read-excel-file", ["src/cli/enrich/formats/"]),
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
