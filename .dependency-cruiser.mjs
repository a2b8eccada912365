// Import rules. Each folder may import itself, plus what is listed here. Only app.ts joins folders.
const tests = "[.]test[.]ts$";
const builder = "^workers/enrichment/knowledge/build";
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
      comment:
        "app.ts and commands.ts are the composition root, with engine.ts, parts.ts, work.ts and all files of stages as its parts; nothing else joins folders, nothing imports main.ts.",
      severity: "error",
      from: {
        path: "^(src|workers)/",
        pathNot: [tests, "^src/(main|app|commands|engine|parts|work|stages|[a-z]+-stages)[.]ts$"],
      },
      to: { path: "^src/(main|app|commands|engine|parts|work|stages|[a-z]+-stages)[.]ts$" },
    },
    {
      name: "threads-by-protocol-only",
      comment: "The main thread sees worker types only; Piscina loads worker code by URL.",
      severity: "error",
      from: { path: "^src/", pathNot: tests },
      to: { path: "^workers/", pathNot: "^workers/protocol[.]ts$" },
    },
    may("src/domain", []),
    may("src/ops", ["src/domain/"]),
    may("src/sqlite", ["src/domain/", "src/ops/"]),
    may("src/log", ["src/domain/", "src/ops/", "src/sqlite/"]),
    may("src/pool", ["src/domain/", "src/ops/", "workers/protocol[.]ts$"]),
    may("src/logos", ["src/domain/"]),
    may("src/outbound", ["src/domain/", "src/ops/"]),
    may("src/secrets", ["src/domain/", "src/ops/"]),
    may("src/store", ["src/domain/", "src/ops/", "src/sqlite/"]),
    may("src/events", ["src/domain/", "src/ops/"]),
    may("src/http", ["src/domain/", "src/ops/"]),
    may("src/cli", ["src/domain/", "src/ops/"]),
    may("src/ingest", ["src/domain/", "src/ops/"]),
    may("src/enrich", ["src/domain/", "src/ops/", "src/events/"]),
    may("src/ledger", ["src/domain/", "src/ops/", "src/events/"]),
    may("src/dispatch", ["src/domain/", "src/ops/", "src/events/"]),
    may("workers", ["src/domain/"]),
    may("examples", []),
    {
      name: "domain-is-pure",
      severity: "error",
      from: { path: "^src/domain/", pathNot: tests },
      to: { dependencyTypes: ["core", "npm"] },
    },
    {
      name: "workers-do-no-io",
      comment:
        "Threads compute. Only the builder of the knowledge file, which is no thread, reads and writes files.",
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
    npmOnlyIn("pino|prom-client", ["src/ops/"]),
    npmOnlyIn("@opentelemetry", ["src/ops/otlp/"]),
    npmOnlyIn("commander|csv-parse|cli-progress", ["src/cli/"]),
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
