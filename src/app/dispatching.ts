// Webhooks and their dispatcher, as the processes of each role open them; part of the composition root.
import type { Config } from "../config/config.ts";
import type { Dispatcher } from "../delivery/delivery.ts";
import { eventLimits } from "../delivery/limits.ts";
import type { Log } from "../log/log.ts";
import { reportConsumer, reportDispatch } from "../observability/edge-events.ts";
import type { HealthSources } from "../observability/health.ts";
import type { Logger } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { SenderOptions } from "../outbound/sender.ts";
import type { Clock } from "../shared/clock.ts";
import { createWakeSignal, type WakeSignal } from "../shared/wake-signal.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Repositories } from "./repositories.ts";
import { openWebhookStage, type WebhookStage } from "./webhooks.ts";

interface NotifyingParts {
  readonly repositories: Repositories;
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly nowMs: Clock;
  readonly lifecycle: Lifecycle;
  readonly options: { readonly outbound?: Pick<SenderOptions, "lookup" | "ca" | "timeoutMs"> };
  retentionNow(): Promise<number>;
}

/** Webhooks, with a signal that wakes the dispatcher of this process once it has one. */
export interface Notifying {
  readonly stage: WebhookStage;
  readonly signal: WakeSignal<Parameters<Dispatcher["wake"]>>;
}

/** Opens the stage of webhooks. */
export async function openNotifying(base: NotifyingParts): Promise<Notifying> {
  const { repositories, config, logger, nowMs, lifecycle, options, retentionNow } = base;
  const signal = createWakeSignal<Parameters<Dispatcher["wake"]>>();
  const stage = await openWebhookStage(repositories, config, nowMs, signal.wake, {
    ...options.outbound,
    retentionNow,
  });
  lifecycle.opened("webhooks", stage.close);
  for (const advice of stage.warnings) logger.warn({ advice }, "config.warning");
  return { stage, signal };
}

/** How the dispatcher of this process is doing. */
type DispatchHealth = Pick<HealthSources, "dispatchStalledMs" | "secretsUnavailable">;

/** Of a process without a dispatcher. */
export const NO_DISPATCHING: DispatchHealth = {
  dispatchStalledMs: () => 0,
  secretsUnavailable: () => 0,
};

/** Starts the dispatcher, and the consumer of events that makes its deliveries. */
export async function startDispatching(
  {
    logger,
    metrics,
    lifecycle,
    log,
  }: Pick<NotifyingParts, "logger" | "metrics" | "lifecycle"> & { readonly log: Log },
  { stage, signal }: Notifying,
): Promise<DispatchHealth> {
  await stage.setOperatorWebhook();
  const dispatcher = stage.createDispatcher(
    (event) => {
      reportDispatch(event, logger, metrics);
    },
    { publishEvents: log.publishEvents, publishedEvents: () => log.pending("events") },
  );
  signal.connect(dispatcher.wake);
  metrics.observeDispatch(dispatcher.state);
  lifecycle.opened("dispatcher", dispatcher.close);
  const consumer = log.consume("events", {
    ...eventLimits,
    handle: dispatcher.handle,
    abandoned: () => Promise.resolve(),
    report: (event) => {
      reportConsumer(event, "events", logger, metrics);
    },
  });
  lifecycle.opened("event consumer", consumer.close);
  dispatcher.start();
  return {
    dispatchStalledMs: () => Math.max(dispatcher.state().stalledMs, consumer.stalledMs()),
    secretsUnavailable: () => dispatcher.state().secretsUnavailable,
  };
}
