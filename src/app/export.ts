// The push of metrics to a collector; part of the composition root.
import { randomUUID } from "node:crypto";
import type { Config } from "../config/config.ts";
import { programVersion } from "../config/version.ts";
import { createExportReport } from "../observability/edge-events.ts";
import type { Logger } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Clock } from "../shared/clock.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** Of the 25 s that a stop may take. */
const LAST_PUSH_TIMEOUT_MS = 2_000;

/**
 * Pushes the metrics to a collector, where one is set; its libraries are loaded only then. The first to open, so that it
 * is the last to close: what the end of the others counts is pushed too.
 */
export async function openExport(
  { otlp, role }: Config,
  logger: Logger,
  metrics: Metrics,
  nowMs: Clock,
  lifecycle: Lifecycle,
): Promise<void> {
  if (otlp === null) return;
  const { startOtlp } = await import("../observability/otlp/otlp.ts");
  const version = programVersion();
  const own = {
    "service.version": version,
    "service.instance.id": randomUUID(),
    "ledgerline.role": role,
  };
  const close = startOtlp(
    {
      ...otlp,
      lastTimeoutMs: LAST_PUSH_TIMEOUT_MS,
      resource: { ...own, ...otlp.resource },
    },
    { samples: metrics.samples, nowMs, version, pushed: createExportReport(logger, metrics) },
  );
  lifecycle.opened("otlp", close);
}
