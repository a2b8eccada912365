import { type Answer, jsonAnswer } from "../server/answer.ts";
import type { OpsPage } from "./page.ts";

export interface HealthPort {
  ready(): {
    readonly ready: boolean;
    readonly reasons: readonly string[];
    readonly degraded: readonly string[];
  };
  live(): boolean;
}

/** `live`: restart me if not. `ready`: send me requests only if so. */
export function healthPages(health: HealthPort, isClosing: () => boolean): readonly OpsPage[] {
  function answerReady(): Promise<Answer> {
    const { ready, reasons, degraded } = health.ready();
    const all = isClosing() ? [...reasons, "shutting down"] : reasons;
    const isReady = ready && !isClosing();
    const status = isReady ? "ready" : "not ready";
    const parts = degraded.length === 0 ? {} : { degraded };
    return Promise.resolve(jsonAnswer(isReady ? 200 : 503, { status, reasons: all, ...parts }));
  }
  return [
    {
      path: "/health/live",
      answer: () => {
        const live = health.live();
        return Promise.resolve(jsonAnswer(live ? 200 : 503, { status: live ? "live" : "stuck" }));
      },
    },
    // Without more, what load balancers and people who try want to know: whether it takes requests.
    ...["/health/ready", "/health"].map((path) => ({ path, answer: answerReady })),
  ];
}
