// The tables of docs/reference that are made of the code: `npm run docs` writes them, reference.test.ts compares them.
import { operatorRoutes } from "../../src/http/ops/routes.ts";
import type { Route } from "../../src/http/server/route.ts";
import { v2Routes } from "../../src/http/v2/routes.ts";
import { v3Routes } from "../../src/http/v3/routes.ts";
import { createMetrics, type MetricSamples } from "../../src/observability/metrics.ts";

/** A table with a header row, as Markdown. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

type AnyRoute = Pick<Route<never>, "method" | "path" | "role" | "isSafe" | "isPublic" | "summary">;

function roleOf({ method, role, isSafe, isPublic }: AnyRoute): string {
  if (isPublic === true) return "none";
  const usual = method === "GET" || isSafe === true ? "read" : "write";
  return `\`${role ?? usual}\``;
}

function operations(routes: readonly AnyRoute[]): string {
  const rows = routes.map((route) => [
    `\`${route.method} ${route.path}\``,
    roleOf(route),
    route.summary,
  ]);
  return table(["Operation", "Role", ""], rows);
}

/** Every metric of ours, each counted at least once so that its labels show. */
async function ownMetrics(): Promise<readonly MetricSamples[]> {
  const metrics = createMetrics();
  metrics.observeBuild({ version: "", knowledge: "" });
  metrics.observe({
    poolState: () => ({ threads: 0, running: 0, waitingInteractive: 0, waitingBatch: 0 }),
    pendingRecords: () => ({ interactive: 0, batch: 0, statements: 0, events: 0 }),
    waitingRecords: () => ({ interactive: 0, default: 0, low: 0 }),
    oldestInFlightMs: () => 0,
    stalledMs: () => 0,
    pausedTenants: () => 0,
  });
  metrics.observeDispatch(() => ({
    ...{ dispatchers: 0, queues: 0, inFlight: 0, queueAgeMs: 0, overdue: 0, secretsUnavailable: 0 },
    breakers: { closed: 0 },
  }));
  metrics.httpRequest("", "", 200, 0);
  metrics.webhookAttempt("", "", "delivered", 0);
  metrics.webhookFailing(50);
  const all = await metrics.samples();
  return all.filter(({ name }) => name.startsWith("ledgerline_"));
}

function labelsOf({ values, type }: MetricSamples): string {
  const names = new Set(values.flatMap(({ labels }) => Object.keys(labels)));
  if (type === "histogram") names.delete("le");
  return [...names].map((name) => `\`${name}\``).join(", ");
}

async function metricRows(): Promise<string> {
  const metrics = (await ownMetrics()).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return table(
    ["Metric", "Type", "Labels", ""],
    metrics.map((metric) => [`\`${metric.name}\``, metric.type, labelsOf(metric), metric.help]),
  );
}

/** The generated parts of a page, by their names in its markers. */
export const GENERATED: readonly {
  readonly page: string;
  readonly name: string;
  make(): string | Promise<string>;
}[] = [
  { page: "docs/reference/api.md", name: "v3", make: () => operations(v3Routes) },
  { page: "docs/reference/api.md", name: "v2", make: () => operations(v2Routes) },
  { page: "docs/reference/api.md", name: "ops", make: () => operations(operatorRoutes) },
  { page: "docs/reference/metrics.md", name: "metrics", make: metricRows },
];

const markersOf = (name: string): [begin: string, end: string] => [
  `<!-- generated: ${name} (npm run docs) -->\n`,
  "\n<!-- end -->",
];

/** @throws Error when the page has no markers of this name */
export function readGenerated(text: string, name: string): string {
  const [begin, end] = markersOf(name);
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end, from);
  if (from < begin.length || to < 0) throw new Error(`No part "${name}" is marked`);
  return text.slice(from, to);
}

/** The page with another text between its markers. */
export function writeGenerated(text: string, name: string, part: string): string {
  const [begin, end] = markersOf(name);
  const old = readGenerated(text, name);
  return text.replace(`${begin}${old}${end}`, () => `${begin}${part}${end}`);
}
