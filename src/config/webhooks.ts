// The settings of webhooks, as a part of all settings.
import {
  ConfigError,
  readCidrs,
  readInteger,
  readPorts,
  readSwitch,
  type ReadSetting,
} from "./values.ts";
import { secretProblem } from "../webhooks/signature.ts";
import { type PortRange, urlProblem, type UrlPolicy, USUAL_PORTS } from "../outbound/url.ts";

/** How webhooks are called. */
export interface WebhookConfig {
  /** Networks of endpoints that are allowed in addition to public addresses, as `address/prefix length`. */
  readonly allowCidrs: readonly string[];
  /** Ports that endpoints may have. */
  readonly allowPorts: readonly PortRange[];
  /** Whether endpoints may be called without TLS. */
  readonly allowHttp: boolean;
  /** Deliveries a second to one webhook. */
  readonly ratePerSecond: number;
  /** A webhook is disabled after this many failures in a row, … */
  readonly failuresMax: number;
  /** … once its last success is this long ago. */
  readonly failingMs: number;
  /** How long a replaced secret or token stays valid next to the new one. */
  readonly graceMs: number;
  /** Whether each call is signed with Ed25519 too. */
  readonly ed25519: boolean;
  /** The URL that is notified of failing webhooks; null: no notification. */
  readonly operator: { readonly url: string; readonly secret: string | null } | null;
}

const WEBHOOK_RATE_MAX = 100_000;
const WEBHOOK_FAILURES_MAX = 10_000;
/** Thirty days. */
const WEBHOOK_FAILING_HOURS_MAX = 720;
/** A week. */
const WEBHOOK_GRACE_HOURS_MAX = 168;
const HOUR_MS = 3_600_000;

/** @throws ConfigError for a bad value */
export function readWebhooks(value: ReadSetting): WebhookConfig {
  const isOn = (name: string, text: string | null): boolean => readSwitch(name, text ?? "off");
  const failingHours = readInteger(
    "WEBHOOK_FAILING_HOURS",
    value("WEBHOOK_FAILING_HOURS") ?? "24",
    0,
    WEBHOOK_FAILING_HOURS_MAX,
  );
  const graceHours = readInteger(
    "WEBHOOK_GRACE_HOURS",
    value("WEBHOOK_GRACE_HOURS") ?? "24",
    0,
    WEBHOOK_GRACE_HOURS_MAX,
  );
  const policy = {
    allowPorts: readPorts("WEBHOOK_PORTS", value("WEBHOOK_PORTS"), USUAL_PORTS),
    allowCidrs: readCidrs("WEBHOOK_ALLOW_CIDRS", value("WEBHOOK_ALLOW_CIDRS")),
    allowHttp: isOn("WEBHOOK_ALLOW_HTTP", value("WEBHOOK_ALLOW_HTTP")),
  };
  return {
    ...policy,
    ratePerSecond: readInteger("WEBHOOK_RATE", value("WEBHOOK_RATE") ?? "50", 1, WEBHOOK_RATE_MAX),
    failuresMax: readInteger(
      "WEBHOOK_FAILURES_MAX",
      value("WEBHOOK_FAILURES_MAX") ?? "50",
      1,
      WEBHOOK_FAILURES_MAX,
    ),
    failingMs: failingHours * HOUR_MS,
    graceMs: graceHours * HOUR_MS,
    ed25519: isOn("WEBHOOK_ED25519", value("WEBHOOK_ED25519")),
    operator: readOperatorWebhook(value, policy),
  };
}

function readOperatorWebhook(value: ReadSetting, policy: UrlPolicy): WebhookConfig["operator"] {
  const url = value("WEBHOOK_OPERATOR_URL");
  const secret = value("WEBHOOK_OPERATOR_SECRET");
  if (url === null && secret === null) return null;
  if (url === null)
    throw new ConfigError(
      "WEBHOOK_OPERATOR_SECRET is set without WEBHOOK_OPERATOR_URL: set both, or remove the secret.",
    );
  // Both may be secrets: the messages must not repeat them.
  const ofUrl = urlProblem(url, policy);
  if (ofUrl !== null) throw new ConfigError(`WEBHOOK_OPERATOR_URL cannot be called: ${ofUrl}`);
  const ofSecret = secret === null ? null : secretProblem(secret);
  if (ofSecret !== null) throw new ConfigError(`WEBHOOK_OPERATOR_SECRET ${ofSecret}.`);
  return { url, secret };
}
