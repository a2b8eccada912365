import { DEAD_LETTER_REASONS } from "../model/records.ts";
import { DISABLED_REASONS } from "../model/webhook.ts";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** What is read at the moment of a scrape. */
export interface MetricSources {
  poolState(): {
    threads: number;
    running: number;
    waitingInteractive: number;
    waitingBatch: number;
  };
  pendingRecords(): { interactive: number; batch: number; statements: number };
  waitingRecords(): { interactive: number; default: number; low: number };
  oldestInFlightMs(): number;
  stalledMs(): number;
}

/** How the dispatcher of webhooks is doing. */
export interface DispatchSource {
  readonly dispatchers: number;
  readonly queues: number;
  readonly inFlight: number;
  readonly breakers: Readonly<Record<string, number>>;
  readonly queueAgeMs: number;
  readonly secretsUnavailable: number;
  readonly overdue: number;
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

export interface Metrics {
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
  /** Rules of organizations that failed on a transaction and were skipped. */
  rulesFailed(count: number): void;
  deadLetter(reason: string): void;
  /** `outcome`: delivered, or why not; `delayMs`: from the event to its first attempt, null for any other. */
  webhookAttempt(
    org: string,
    outcome: string,
    state: "pending" | "delivered" | "exhausted",
    delayMs: number | null,
  ): void;
  /** `percent` of the failures after which it is disabled. */
  webhookFailing(percent: number): void;
  webhookDisabled(reason: string): void;
  /** Connects the gauges of the dispatcher. */
  observeDispatch(state: () => DispatchSource): void;
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
const LATENCY_BUCKETS_SECONDS = [
  0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

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

/** Organizations that are counted one by one; each label of each value is a series to store. */
const ORGANIZATIONS_MAX = 100;

/** The name of an early organization, or "_other", which is not a valid name, for later ones. */
function createOrganizationLabels(): (org: string) => string {
  const named = new Set<string>();
  return (org) => {
    if (named.size < ORGANIZATIONS_MAX) named.add(org);
    return named.has(org) ? org : "_other";
  };
}

type WebhookMetrics = Pick<Metrics, "webhookAttempt" | "webhookFailing" | "webhookDisabled">;

function webhookMetrics(registers: Registry[]): WebhookMetrics {
  const labelOf = createOrganizationLabels();
  const attempts = new Counter({
    name: "ledgerline_webhook_attempts_total",
    help: "Calls to webhooks, by outcome.",
    labelNames: ["outcome", "organization"],
    registers,
  });
  const deliveries = new Counter({
    name: "ledgerline_webhook_deliveries_total",
    help: "Deliveries that ended, by state.",
    labelNames: ["state"],
    registers,
  });
  const delay = new Histogram({
    name: "ledgerline_webhook_first_attempt_delay_seconds",
    help: "Time from an event to its first call.",
    buckets: LATENCY_BUCKETS_SECONDS,
    registers,
  });
  const disabled = new Counter({
    name: "ledgerline_webhooks_disabled_total",
    help: "Webhooks that were disabled because their endpoint failed.",
    labelNames: ["reason"],
    registers,
  });
  for (const reason of DISABLED_REASONS) disabled.inc({ reason }, 0);
  const failing = new Counter({
    name: "ledgerline_webhook_warnings_total",
    help: "Warnings before a webhook is disabled, by per cent of the failures that disable it.",
    labelNames: ["percent"],
    registers,
  });
  return {
    webhookFailing: (percent) => {
      failing.inc({ percent: String(percent) });
    },
    webhookAttempt: (org, outcome, state, delayMs) => {
      attempts.inc({ outcome, organization: labelOf(org) });
      if (state !== "pending") deliveries.inc({ state });
      if (delayMs !== null) delay.observe(Math.max(0, delayMs) / 1000);
    },
    webhookDisabled: (reason) => {
      disabled.inc({ reason });
    },
  };
}

function observeDispatch(registers: Registry[], state: () => DispatchSource): void {
  const gauge = (name: string, help: string, read: (now: DispatchSource) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read(state()));
      },
    });
  };
  gauge(
    "ledgerline_webhook_dispatchers",
    "Dispatchers that this process sees; each has an equal quota of the limits of an endpoint.",
    (now) => now.dispatchers,
  );
  gauge("ledgerline_webhook_in_flight", "Calls to webhooks in flight.", (now) => now.inFlight);
  gauge(
    "ledgerline_webhook_endpoints",
    "Webhooks with an endpoint queue in this process.",
    (now) => now.queues,
  );
  gauge(
    "ledgerline_webhook_queue_age_seconds",
    "How long the oldest delivery that waits only for this process has been due.",
    (now) => now.queueAgeMs / 1000,
  );
  gauge(
    "ledgerline_webhook_overdue",
    "Deliveries due for more than a minute that wait only for a dispatcher; above 0 is a fault.",
    (now) => now.overdue,
  );
  gauge(
    "ledgerline_webhook_secrets_unavailable",
    "Webhooks with pending deliveries whose token or signing secret cannot be decrypted.",
    (now) => now.secretsUnavailable,
  );
  new Gauge({
    name: "ledgerline_webhook_breakers",
    help: "Webhooks by the state of their circuit breaker.",
    labelNames: ["state"],
    registers,
    collect() {
      for (const [label, count] of Object.entries(state().breakers))
        this.set({ state: label }, count);
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
  new Gauge({
    name: "ledgerline_log_waiting_records",
    help: "Records that this process has received and not started, by priority; `default` and `low` are of batches.",
    labelNames: ["priority"],
    registers: [registry],
    collect() {
      for (const [priority, count] of Object.entries(sources.waitingRecords()))
        this.set({ priority }, count);
    },
  });
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
