import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** What is read at the moment of a scrape. */
export interface MetricSources {
  poolState(): {
    threads: number;
    running: number;
    waitingInteractive: number;
    waitingBatch: number;
  };
  pendingRecords(): { interactive: number; batch: number };
  oldestInFlightMs(): number;
}

export interface Metrics {
  text(): Promise<{ contentType: string; body: string }>;
  httpRequest(route: string, method: string, status: number, seconds: number): void;
  /** Transactions that got their result, by how it went. */
  transactionsEnriched(count: number): void;
  transactionsFailed(count: number): void;
  threadLost(): void;
  deadLetter(reason: string): void;
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
    help: "Transactions that got their result.",
    labelNames: ["outcome"],
    registers,
  });
  const threadsLost = new Counter({
    name: "ledgerline_pool_tasks_lost_total",
    help: "Tasks lost to a thread that died or did not answer in time.",
    registers,
  });
  const deadLetters = new Counter({
    name: "ledgerline_dead_letters_total",
    help: "Records that could not be processed.",
    labelNames: ["reason"],
    registers,
  });
  return {
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
    httpRequest: (route, method, status, seconds) => {
      http.observe({ route, method, status: String(status) }, seconds);
    },
    transactionsEnriched: (count) => {
      transactions.inc({ outcome: "enriched" }, count);
    },
    transactionsFailed: (count) => {
      transactions.inc({ outcome: "failed" }, count);
    },
    threadLost: () => {
      threadsLost.inc();
    },
    deadLetter: (reason) => {
      deadLetters.inc({ reason });
    },
    observe: (sources) => {
      observeGauges(registry, sources);
    },
  };
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
    "Records of synchronous calls that are not done.",
    () => sources.pendingRecords().interactive,
  );
  gauge(
    "ledgerline_log_batch_pending",
    "Records of batches that are not done.",
    () => sources.pendingRecords().batch,
  );
  gauge(
    "ledgerline_log_oldest_in_flight_seconds",
    "Age of the oldest record in work.",
    () => sources.oldestInFlightMs() / 1000,
  );
}
