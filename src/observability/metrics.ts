import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { DEAD_LETTER_REASONS } from "../model/records.ts";
import {
  LATENCY_BUCKETS_SECONDS,
  observeDispatch,
  type WebhookMetrics,
  webhookMetrics,
} from "./webhook-metrics.ts";

/** What is read at the moment of a scrape. */
export interface MetricSources {
  poolState(): {
    threads: number;
    running: number;
    waitingInteractive: number;
    waitingBatch: number;
  };
  pendingRecords(): { interactive: number; batch: number; statements: number; events: number };
  waitingRecords(): { interactive: number; default: number; low: number };
  oldestInFlightMs(): number;
  stalledMs(): number;
  /** Organizations whose records wait for credits. */
  pausedTenants(): number;
}

/** A metric and what it stands at. */
export interface MetricSamples {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram" | "summary";
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Record<string, string | number>>;
    /** Of a histogram: its name with `_bucket`, `_sum` or `_count` after it. */
    readonly metricName?: string;
  }[];
}

export interface Metrics extends WebhookMetrics {
  text(): Promise<{ contentType: string; body: string }>;
  /** The same as data. */
  samples(): Promise<readonly MetricSamples[]>;
  /** Metrics that a collector did not take. */
  exportFailed(): void;
  httpRequest(route: string, method: string, status: number, seconds: number): void;
  /** Transactions that got their result, by how it went. */
  transactionsEnriched(count: number): void;
  transactionsFailed(count: number): void;
  /** A bank statement was processed, or failed: `outcome` is `processed` or the reason. */
  statementEnded(outcome: string, pages: number, seconds: number): void;
  /** The process that reads bank statements died or hung. */
  statementReaderLost(): void;
  threadLost(): void;
  /** A training of a labelling model ended: `ready` or `error`. */
  modelTrained(outcome: "ready" | "error", seconds: number): void;
  /** Rules of organizations that failed on a transaction and were skipped. */
  rulesFailed(count: number): void;
  deadLetter(reason: string): void;
  /** A record waits for credits of its organization. */
  recordPostponed(): void;
  /** Sets the version of the program and of its knowledge base. */
  observeBuild(build: { readonly version: string; readonly knowledge: string }): void;
  /** Connects the gauges once everything they read is open. */
  observe(sources: MetricSources): void;
}

// Names that `promtool check metrics` refuses: gauges that end in _total.
const REFUSED = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
];

const TRAINING_BUCKETS_SECONDS = [0.5, 1, 2, 5, 10, 20, 40, 80, 160, 320, 640];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of REFUSED) registry.removeSingleMetric(name);
  const http = new Histogram({
    name: "ledgerline_http_request_duration_seconds",
    help: "Time from the first byte of a request to the last byte of its answer.",
    labelNames: ["route", "method", "status"],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers,
  });
  const transactions = new Counter({
    name: "ledgerline_transactions_total",
    help: "Transactions that were enriched.",
    labelNames: ["outcome"],
    registers,
  });
  const threadsLost = new Counter({
    name: "ledgerline_pool_tasks_lost_total",
    help: "Tasks lost to a thread that died or did not answer in time.",
    registers,
  });
  const ruleFailures = new Counter({
    name: "ledgerline_rule_failures_total",
    help: "Rules of organizations that failed on a transaction and were skipped.",
    registers,
  });
  const deadLetters = new Counter({
    name: "ledgerline_dead_letters_total",
    help: "Records that could not be processed.",
    labelNames: ["reason"],
    registers,
  });
  // A counter that first shows with its first event has no increase to alarm about.
  for (const outcome of ["enriched", "failed"]) transactions.inc({ outcome }, 0);
  for (const reason of DEAD_LETTER_REASONS) deadLetters.inc({ reason }, 0);
  return {
    ...webhookMetrics(registers),
    ...statementMetrics(registers),
    ...modelMetrics(registers),
    ...creditMetrics(registers),
    ...exportMetrics(registers),
    ...observersOf(registry),
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
    samples: () => samplesOf(registry),
    httpRequest: (route, method, status, seconds) => {
      http.observe({ route, method, status: String(status) }, seconds);
    },
    transactionsEnriched: (count) => {
      transactions.inc({ outcome: "enriched" }, count);
    },
    transactionsFailed: (count) => {
      transactions.inc({ outcome: "failed" }, count);
    },
    rulesFailed: (count) => {
      ruleFailures.inc(count);
    },
    threadLost: () => {
      threadsLost.inc();
    },
    deadLetter: (reason) => {
      deadLetters.inc({ reason });
    },
  };
}

const observersOf = (
  registry: Registry,
): Pick<Metrics, "observe" | "observeBuild" | "observeDispatch"> => ({
  observe: (sources) => {
    observeGauges(registry, sources);
  },
  observeBuild: (build) => {
    observeBuild([registry], build);
  },
  observeDispatch: (state) => {
    observeDispatch([registry], state);
  },
});

/** A scan of 300 pages takes minutes. */
const STATEMENT_BUCKETS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];

function creditMetrics(registers: Registry[]): Pick<Metrics, "recordPostponed"> {
  const postponed = new Counter({
    name: "ledgerline_records_postponed_total",
    help: "Times that a record of an outside producer was put back, because its organization had too few credits.",
    registers,
  });
  return {
    recordPostponed: () => {
      postponed.inc();
    },
  };
}

function modelMetrics(registers: Registry[]): Pick<Metrics, "modelTrained"> {
  const trainings = new Histogram({
    name: "ledgerline_model_training_duration_seconds",
    help: "Time from the beginning of the training of a labelling model to its end.",
    labelNames: ["outcome"],
    buckets: TRAINING_BUCKETS_SECONDS,
    registers,
  });
  return {
    modelTrained: (outcome, seconds) => {
      trainings.observe({ outcome }, seconds);
    },
  };
}

function statementMetrics(
  registers: Registry[],
): Pick<Metrics, "statementEnded" | "statementReaderLost"> {
  const statements = new Counter({
    name: "ledgerline_statements_total",
    help: "Bank statements that were processed or failed, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const pages = new Counter({
    name: "ledgerline_statement_pages_total",
    help: "Pages of bank statements that were processed.",
    registers,
  });
  const duration = new Histogram({
    name: "ledgerline_statement_duration_seconds",
    help: "Time from the submission of a bank statement to its end.",
    buckets: STATEMENT_BUCKETS_SECONDS,
    registers,
  });
  const lost = new Counter({
    name: "ledgerline_statement_readers_lost_total",
    help: "Times that the process that reads bank statements died or hung.",
    registers,
  });
  for (const outcome of ["processed", "internal_error"]) statements.inc({ outcome }, 0);
  return {
    statementEnded: (outcome, count, seconds) => {
      statements.inc({ outcome });
      pages.inc(count);
      duration.observe(seconds);
    },
    statementReaderLost: () => {
      lost.inc();
    },
  };
}

/** prom-client declares the type of a metric as a number; it is a word. */
const samplesOf = async (registry: Registry): Promise<readonly MetricSamples[]> =>
  (await registry.getMetricsAsJSON()) as unknown as readonly MetricSamples[];

function exportMetrics(registers: Registry[]): Pick<Metrics, "exportFailed"> {
  const failed = new Counter({
    name: "ledgerline_otlp_exports_failed_total",
    help: "Failed pushes of metrics to an OpenTelemetry collector.",
    registers,
  });
  return {
    exportFailed: () => {
      failed.inc();
    },
  };
}

function observeBuild(registers: Registry[], build: Parameters<Metrics["observeBuild"]>[0]): void {
  const info = new Gauge({
    name: "ledgerline_build_info",
    help: "Always 1; the labels have the version of the program and of its knowledge base.",
    labelNames: ["version", "knowledge"],
    registers,
  });
  info.set(build, 1);
}

function observeWaiting(registry: Registry, { waitingRecords }: MetricSources): void {
  new Gauge({
    name: "ledgerline_log_waiting_records",
    help: "Records that this process has received and not started, by priority; `default` and `low` are of batches.",
    labelNames: ["priority"],
    registers: [registry],
    collect() {
      for (const [priority, count] of Object.entries(waitingRecords()))
        this.set({ priority }, count);
    },
  });
}

function observeGauges(registry: Registry, sources: MetricSources): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    // prom-client calls `collect` at every scrape.
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  gauge("ledgerline_pool_threads", "Worker threads.", () => sources.poolState().threads);
  gauge(
    "ledgerline_pool_tasks_running",
    "Tasks on a thread now.",
    () => sources.poolState().running,
  );
  gauge(
    "ledgerline_pool_interactive_waiting",
    "Interactive tasks that wait for a thread.",
    () => sources.poolState().waitingInteractive,
  );
  gauge(
    "ledgerline_pool_batch_waiting",
    "Batch tasks that wait for a thread.",
    () => sources.poolState().waitingBatch,
  );
  gauge(
    "ledgerline_log_interactive_pending",
    "Records of synchronous calls that are not processed yet.",
    () => sources.pendingRecords().interactive,
  );
  gauge(
    "ledgerline_log_batch_pending",
    "Records of batches that are not processed yet.",
    () => sources.pendingRecords().batch,
  );
  gauge(
    "ledgerline_log_statements_pending",
    "Bank statements that are not read yet.",
    () => sources.pendingRecords().statements,
  );
  gauge(
    "ledgerline_log_events_pending",
    "Published events whose deliveries are not made yet.",
    () => sources.pendingRecords().events,
  );
  observeWaiting(registry, sources);
  gauge(
    "ledgerline_log_organizations_waiting_for_credits",
    "Organizations whose records this process does not start, because they have too few credits.",
    () => sources.pausedTenants(),
  );
  gauge(
    "ledgerline_log_oldest_in_flight_seconds",
    "Age of the oldest record in flight.",
    () => sources.oldestInFlightMs() / 1000,
  );
  gauge(
    "ledgerline_log_stalled_seconds",
    "Time since a record completed, while records are in flight.",
    () => sources.stalledMs() / 1000,
  );
}
